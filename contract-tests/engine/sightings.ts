import type { Form } from '../../fixtures/contract/index.ts'
import { type CreatableResource, isListPath, resourceAt } from './creatable-resources.ts'
import type { Exchange } from './exchange.ts'
import { wholeListIn } from './pages.ts'
import { findList, findObject, idOf, idsOf, type JsonObject } from './recognise.ts'
import type { TargetFile } from './target/target.ts'

export type Sightings = ReturnType<typeof createSightings>

/** Notes which objects answers showed, and when: one that was there before a request was not created by it. */
export function createSightings(target: TargetFile) {
  const first = new Map<string, number>()
  const whole = new Map<string, { readonly at: number; readonly ids: readonly string[] }>()
  let answers = 0
  const keyOf = (form: Form, resource: CreatableResource, id: string) => `${form} ${resource} ${id.toLowerCase()}`
  const see = (key: string) => {
    if (!first.has(key)) first.set(key, answers)
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
      for (const object of thingsIn(exchange, resource)) {
        const id = idOf(object, resource)
        if (id === undefined) continue
        see(keyOf(form, resource, id))
        if (typeof object.dashboardId === 'string') see(keyOf(form, 'dashboard', object.dashboardId))
      }
      const ids = idsOfWholeList(exchange, resource)
      if (ids && !whole.has(`${form} ${resource}`)) whole.set(`${form} ${resource}`, { at: answers, ids })
    },
    /** A number for the present, to be compared with later. */
    moment: (): number => answers,
    wasThere: (form: Form, resource: CreatableResource, id: string, moment: number): boolean =>
      (first.get(keyOf(form, resource, id)) ?? Number.POSITIVE_INFINITY) <= moment,
    /** The ids of a whole list that was read before the moment. */
    wholeList(form: Form, resource: CreatableResource, moment: number): readonly string[] | undefined {
      const list = whole.get(`${form} ${resource}`)
      return list && list.at <= moment ? list.ids : undefined
    },
  }
}

function idsOfWholeList(exchange: Exchange, resource: CreatableResource) {
  const { request, as, form } = exchange
  const isListing = request.method === 'GET' && as === 'key' && isListPath(request.path, resource, form)
  return isListing ? idsOf(wholeListIn(exchange, resource), resource) : undefined
}

const thingsIn = ({ json }: Exchange, resource: CreatableResource): readonly JsonObject[] => {
  const object = findObject(json, resource)
  return [...(findList(json, resource) ?? []), ...(object ? [object] : [])]
}
