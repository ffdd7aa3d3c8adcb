import type { Form } from '../../fixtures/contract/index.ts'
import { type Exchange, isSuccess } from './exchange.ts'
import type { LedgerEntry } from './ledger.ts'
import { findList, findObject, idOf, type JsonObject } from './recognise.ts'
import type { TargetFile } from './target.ts'

type Resource = LedgerEntry['resource']

/** Longer than any name that a run gives; a deployment may answer with megabytes. */
const LONGEST_NAME = 200

/**
 * What the answers of a run show of alerts and dashboards: which ids there are, and under which names they stand. An id that
 * was there before a request cannot have been created by it, and one that stands under another name is somebody else's.
 */
export interface Sightings {
  note(exchange: Exchange): void
  /** How many answers were noted; taken before a request, it tells what was known when the request was sent. */
  moment(): number
  wasThere(form: Form, resource: Resource, id: string, moment: number): boolean
  /** True when reading showed the id under the name. */
  isUnder(form: Form, resource: Resource, id: string, name: string): boolean
  /** True when reading showed the id, and never under the name. */
  isAnothers(form: Form, resource: Resource, id: string, name: string): boolean
}

export function createSightings(target: TargetFile): Sightings {
  const first = new Map<string, number>()
  const names = new Map<string, Set<string>>()
  let answers = 0
  const keyOf = (form: Form, resource: Resource, id: string) => `${form} ${resource} ${id.toLowerCase()}`
  const namesOf = (form: Form, resource: Resource, id: string) => [...(names.get(keyOf(form, resource, id)) ?? [])]
  const see = (key: string) => {
    if (!first.has(key)) first.set(key, answers)
  }
  for (const form of ['managed', 'selfHosted'] as const) {
    const named = (form === 'managed' ? target.cloud : target.selfHosted)?.references?.dashboardId
    if (named) see(keyOf(form, 'dashboard', named))
  }

  return {
    note(exchange) {
      const resource = resourceOf(exchange.request.path)
      if (!resource) return
      const { form } = exchange
      const isReading = exchange.request.method === 'GET' && isSuccess(exchange)
      answers++
      for (const object of thingsIn(exchange, resource)) {
        const id = idOf(object, resource)
        if (id === undefined) continue
        const key = keyOf(form, resource, id)
        see(key)
        if (typeof object.dashboardId === 'string') see(keyOf(form, 'dashboard', object.dashboardId))
        if (isReading && typeof object.name === 'string')
          names.set(key, (names.get(key) ?? new Set()).add(object.name.slice(0, LONGEST_NAME)))
      }
    },
    moment: () => answers,
    wasThere: (form, resource, id, moment) =>
      (first.get(keyOf(form, resource, id)) ?? Number.POSITIVE_INFINITY) <= moment,
    // An update of the run's own gives its things a longer name.
    isUnder: (form, resource, id, name) => namesOf(form, resource, id).some(shown => shown.startsWith(name)),
    isAnothers(form, resource, id, name) {
      const shown = namesOf(form, resource, id)
      return shown.length > 0 && !shown.some(one => one.startsWith(name))
    },
  }
}

const resourceOf = (path: string) =>
  /\/(alert|dashboard)s(?:\/[^/?]*)?\/?(?:\?|$)/.exec(path)?.[1] as Resource | undefined

const thingsIn = ({ json }: Exchange, resource: Resource): readonly JsonObject[] => {
  const object = findObject(json, resource)
  return [...(findList(json, resource) ?? []), ...(object ? [object] : [])]
}
