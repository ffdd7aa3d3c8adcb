import { type Operation, operations, type ResourceId, resources } from '../../../fixtures/built-contract/index.ts'
import { findList, isObject, type JsonObject, payloadOf } from '../../engine/recognise.ts'
import { readHar } from '../har/read-har.ts'
import { recogniseOperation } from '../har/recognise-call.ts'
import type { ReadAnswer } from './read-deployment.ts'

/** A record for a scenario. */
export interface CapturedRecord {
  /** Its collection in the scenario. */
  readonly name: string
  readonly resource: ResourceId
  /** The id of its parent, or '' for the deployment. */
  readonly within: string
  readonly shown: JsonObject
}

export const selfHosted = 'self-hosted'

/** Returns the records in the answers, each once: later readings of a record replace its fields. */
export function collect(answers: readonly ReadAnswer[], capturable: ReadonlySet<string>): readonly CapturedRecord[] {
  const records = new Map<string, CapturedRecord>()
  const add = (name: string, resource: ResourceId, within: string, shown: JsonObject, id: unknown) => {
    const key = JSON.stringify([name, within, id ?? shown])
    records.set(key, { name, resource, within, shown: { ...records.get(key)?.shown, ...shown } })
  }
  for (const { operation, form, ids, items } of answers) {
    const { result } = operations[operation] as Operation
    const { organizationId = '', serviceId, postgresId } = ids
    // The parent of a record exists, whether or not its own list was read.
    if (organizationId !== '') add('organization', 'organization', '', { id: organizationId }, organizationId)
    if (serviceId !== undefined) add('service', 'service', organizationId, { id: serviceId }, serviceId)
    const name = [result.resource, operation.split('.')[0]].find(one => one !== undefined && capturable.has(one))
    if (name === undefined) continue
    const place = form === 'selfHosted' ? selfHosted : (postgresId ?? serviceId ?? organizationId)
    for (const item of items) {
      const resource = findBestResource(item, [result.resource, name])
      const missingIds = Object.entries(ids).filter(([id]) => id in resources[resource].fields && !(id in item))
      const shown = { ...item, ...Object.fromEntries(missingIds) }
      const id = operation.endsWith('.get') ? (item.id ?? '') : item.id
      add(name, resource, name === 'organization' ? '' : place, shown, id)
    }
  }
  return [...records.values()]
}

/** The resource that describes most fields of the item. */
function findBestResource(item: JsonObject, names: readonly (string | undefined)[]): ResourceId {
  const known = names.filter(name => name !== undefined && Object.hasOwn(resources, name)) as ResourceId[]
  const count = (name: ResourceId) =>
    Object.keys(item).filter(field => Object.hasOwn(resources[name].fields, field)).length
  return known.toSorted((a, b) => count(b) - count(a))[0]!
}

/**
 * Reads the successful lists and gets of recorded traffic (HAR 1.2), in order.
 * @throws UsageError when the value is no recording.
 */
export function readRecording(har: unknown): { readonly answers: readonly ReadAnswer[]; readonly at: number } {
  const { recorded } = readHar(har)
  const answers = recorded.flatMap(({ method, path, status, json }): readonly ReadAnswer[] => {
    const call = method === 'GET' && status >= 200 && status < 300 ? recogniseOperation(method, path) : undefined
    const { form, operation, ids } = call ?? {}
    if (!form || !ids || !operation || json === undefined) return []
    const [resource = '', verb] = operation.split('.')
    const payload = payloadOf(json)
    if (verb === 'list') return [{ form, operation, ids, items: findList(json, resource) ?? [] }]
    return verb === 'get' && isObject(payload) ? [{ form, operation, ids, items: [payload] }] : []
  })
  // Times outside the years 1970 to 9999 are not credible.
  const moments = recorded.map(({ endedAt, startedAt }) => endedAt || startedAt || 0)
  return { answers, at: moments.filter(at => at < Date.UTC(10_000)).reduce((latest, at) => Math.max(latest, at), 0) }
}
