import type { Contract, Form } from '../../fixtures/built-contract/index.ts'
import { type CreatableResource, isListPath, resourceAt } from './creatable-resources.ts'
import type { Exchange } from './exchange.ts'
import { completeListIn } from './pages.ts'
import { findList, findObject, idOf, idsOf, type JsonObject } from './recognise.ts'
import type { TargetFile } from './target/target.ts'

export type SeenObjects = ReturnType<typeof createSeenObjects>

/** Records which objects answers showed, and when: a request cannot have created an object that was seen before it. */
export function createSeenObjects(target: TargetFile, contract?: Contract) {
  /** The number of the answer that first showed an object, from 1; 0 if the target file names it. */
  const firstSeen = new Map<string, number>()
  const completeLists = new Map<string, { readonly at: number; readonly ids: readonly string[] }>()
  let answers = 0
  const nameOfObject = (form: Form, resource: CreatableResource, id: string) =>
    `${form} ${resource} ${id.toLowerCase()}`
  const see = (key: string) => {
    if (!firstSeen.has(key)) firstSeen.set(key, answers)
  }
  for (const form of ['managed', 'selfHosted'] as const) {
    const named = (form === 'managed' ? target.cloud : target.selfHosted)?.references?.dashboardId
    if (named) see(nameOfObject(form, 'dashboard', named))
  }

  return {
    note(exchange: Exchange): void {
      const resource = resourceAt(exchange.request.path, exchange.form, contract)
      if (!resource) return
      const { form } = exchange
      answers++
      for (const object of objectsOf(exchange, resource)) {
        const id = idOf(object, resource)
        if (id === undefined) continue
        see(nameOfObject(form, resource, id))
        if (typeof object.dashboardId === 'string') see(nameOfObject(form, 'dashboard', object.dashboardId))
      }
      const ids = idsOfCompleteList(exchange, resource, contract)
      if (ids && !completeLists.has(`${form} ${resource}`))
        completeLists.set(`${form} ${resource}`, { at: answers, ids })
    },
    /** The number of answers so far, for `wasSeen` and `completeListBefore`. */
    answersSoFar: (): number => answers,
    wasSeen: (form: Form, resource: CreatableResource, id: string, answersBefore: number): boolean =>
      (firstSeen.get(nameOfObject(form, resource, id)) ?? Number.POSITIVE_INFINITY) <= answersBefore,
    /** The ids of the first complete list, if it was read by then. */
    completeListBefore(form: Form, resource: CreatableResource, answersBefore: number): readonly string[] | undefined {
      const list = completeLists.get(`${form} ${resource}`)
      return list && list.at <= answersBefore ? list.ids : undefined
    },
  }
}

function idsOfCompleteList(exchange: Exchange, resource: CreatableResource, contract?: Contract) {
  const { request, as, form } = exchange
  const isListing = request.method === 'GET' && as === 'key' && isListPath(request.path, resource, form, contract)
  return isListing ? idsOf(completeListIn(exchange, resource), resource) : undefined
}

const objectsOf = ({ json }: Exchange, resource: CreatableResource): readonly JsonObject[] => {
  const object = findObject(json, resource)
  return [...(findList(json, resource) ?? []), ...(object ? [object] : [])]
}
