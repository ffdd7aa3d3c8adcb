import type { Form } from '../../fixtures/contract/index.ts'
import { type CreatableResource, isListPath, resourceAt } from './creatable-resources.ts'
import type { Exchange } from './exchange.ts'
import { completeListIn } from './pages.ts'
import { findList, findObject, idOf, idsOf, type JsonObject } from './recognise.ts'
import type { TargetFile } from './target/target.ts'

export type SeenObjects = ReturnType<typeof createSeenObjects>

/** Records which objects answers showed, and when: a request did not create an object that was seen before it. */
export function createSeenObjects(target: TargetFile) {
  /** The number of answers before the one that showed an object first. */
  const firstSeen = new Map<string, number>()
  const completeLists = new Map<string, { readonly at: number; readonly ids: readonly string[] }>()
  let answers = 0
  const keyOf = (form: Form, resource: CreatableResource, id: string) => `${form} ${resource} ${id.toLowerCase()}`
  const see = (key: string) => {
    if (!firstSeen.has(key)) firstSeen.set(key, answers)
  }
  for (const form of ['managed', 'selfHosted'] as const) {
    const named = (form === 'managed' ? target.cloud : target.selfHosted)?.references?.dashboardId
    if (named) see(keyOf(form, 'dashboard', named))
  }

  return {
    note(exchange: Exchange): void {
      const resource = resourceAt(exchange.request.path, exchange.form)
      if (!resource) return
      const { form } = exchange
      answers++
      for (const object of objectsIn(exchange, resource)) {
        const id = idOf(object, resource)
        if (id === undefined) continue
        see(keyOf(form, resource, id))
        if (typeof object.dashboardId === 'string') see(keyOf(form, 'dashboard', object.dashboardId))
      }
      const ids = idsOfCompleteList(exchange, resource)
      if (ids && !completeLists.has(`${form} ${resource}`))
        completeLists.set(`${form} ${resource}`, { at: answers, ids })
    },
    /** A number for the present, to compare with later. */
    moment: (): number => answers,
    wasSeen: (form: Form, resource: CreatableResource, id: string, moment: number): boolean =>
      (firstSeen.get(keyOf(form, resource, id)) ?? Number.POSITIVE_INFINITY) <= moment,
    /** The ids of a complete list that was read before the moment. */
    completeListBefore(form: Form, resource: CreatableResource, moment: number): readonly string[] | undefined {
      const list = completeLists.get(`${form} ${resource}`)
      return list && list.at <= moment ? list.ids : undefined
    },
  }
}

function idsOfCompleteList(exchange: Exchange, resource: CreatableResource) {
  const { request, as, form } = exchange
  const isListing = request.method === 'GET' && as === 'key' && isListPath(request.path, resource, form)
  return isListing ? idsOf(completeListIn(exchange, resource), resource) : undefined
}

const objectsIn = ({ json }: Exchange, resource: CreatableResource): readonly JsonObject[] => {
  const object = findObject(json, resource)
  return [...(findList(json, resource) ?? []), ...(object ? [object] : [])]
}
