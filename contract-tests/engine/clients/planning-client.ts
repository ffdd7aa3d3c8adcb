import {
  type Field,
  type Fields,
  type Form,
  type GapId,
  gaps,
  type Operation,
  type OperationId,
  operations,
} from '../../../fixtures/contract/index.ts'
import { fieldsOf } from '../contract.ts'
import { authorization } from '../credentials.ts'
import { parseJson } from '../exchange.ts'
import { patternOf } from '../paths.ts'
import { idNameOf, isObject, type Json, type JsonObject } from '../recognise.ts'
import type { TargetFile } from '../target/target.ts'
import type { Client, Incoming, Outgoing } from './client.ts'

function takenBy(gap: GapId, form: Form): string | undefined {
  const { default: choice } = gaps[gap]
  return typeof choice === 'string' ? choice : choice[form]
}

const formOf = (path: string) => (path.startsWith('/v1') ? 'managed' : 'selfHosted')

const places = (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, operation]) =>
  (Object.entries(operation.paths) as [Form, string][]).map(([form, path]) => {
    const [resource = '', verb = ''] = id.split('.')
    const edition = form === 'cloud' ? undefined : takenBy('version/self-hosted-edition', form)
    /** False where the default edition does not have the operation. */
    const isServed = !operation.editions || !edition || operation.editions.includes(edition)
    return { id, operation, resource, verb, isServed, pattern: patternOf(path) }
  }),
)

/** The operation that a request goes to. */
type Place = (typeof places)[number]

const placeOf = ({ method, path }: Outgoing): Place | undefined =>
  places.find(one => one.operation.method === method && one.pattern.test(path.replace(/\?.*$/s, '')))

/** A value for an answer: null where it is allowed (so cursors end), or the name in braces for text. */
function sample(name: string, field: Field): Json {
  if (field.nullable) return null
  if (field.values) return field.values.includes('running') ? 'running' : field.values[0]!
  if (field.type === 'array') return field.items?.type === 'object' ? [sample(name, field.items)] : []
  if (field.type === 'object') return sampleOf(field.fields ?? {})
  return field.type === 'string' ? `{${name}}` : field.type === 'number' ? (field.min ?? 0) : false
}
const sampleOf = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sample(name, field)]))

/** Sends nothing: answers each request by the contract, with placeholders in braces for ids. */
export function createPlanningClient(target: TargetFile): Client {
  let created = 0
  /** What was created or changed, by path. */
  const kept = new Map<string, JsonObject>()
  const gone = new Set<string>()
  const isGood = ({ path, headers: { authorization: sent } }: Outgoing) => {
    const good = (['key', 'secondKey'] as const).map(as => authorization(target, formOf(path), as))
    return sent !== undefined && [createdKey, ...good].includes(sent)
  }
  const remove = (path: string) => {
    for (const one of [...kept.keys()]) if (one === path || one.startsWith(`${path}/`)) kept.delete(one)
    gone.add(path)
    const [, alerts, id] = /^(.*\/)dashboards\/([^/]+)$/.exec(path) ?? []
    if (alerts === undefined || takenBy('dashboard/delete-takes-alerts-along', formOf(path)) !== 'deleted') return
    for (const [one, { dashboardId }] of kept)
      if (one.startsWith(`${alerts}alerts/`) && dashboardId === decodeURIComponent(id!)) remove(one)
  }
  const isGone = (path: string) => [...gone].some(one => path === one || path.startsWith(`${one}/`))
  /** An object as a read shows it: with the documented fields, else with its id only. */
  const shown = ({ operation, resource }: Place, object: JsonObject = {}): JsonObject => ({
    // The fields of sources are not stated, and one of them names the table of another.
    ...(operation.basis === 'documented' || resource === 'source' ? sampleOf(fieldsOf(operation.result.resource)) : {}),
    id: `{${resource}}`,
    ...object,
  })
  const answer = (request: Outgoing): Incoming => {
    const { method, body, headers } = request
    const [path = ''] = request.path.split('?')
    const reply = (data: unknown, status = 200) => ({
      status,
      headers: {},
      text: JSON.stringify({ status, result: data, data }),
    })
    const place = placeOf(request)
    if (!isGood(request)) return reply({}, 401)
    // Keys that a run creates may only read.
    if (headers.authorization === createdKey && method !== 'GET') return reply({}, 403)
    // The managed form has no charts and no webhooks (§1).
    if (place?.isServed === false || /^\/v1\/.*\/(?:charts|webhooks)\b/.test(path) || isGone(path))
      return reply({}, 404)
    const sent = parseJson(body ?? '')
    const object = isObject(sent) ? sent : {}
    if (method === 'POST' && place?.verb !== 'upsert') {
      if (place?.id === 'udfUpload.create')
        return reply(
          { uploadId: '{upload}', uploadUrl: `${target.cloud?.baseUrl.replace(/\/+$/, '')}/udf-uploads/` },
          201,
        )
      if (kept.has(path)) return reply({}, 405)
      if (headers['content-type'] !== 'application/json' || !isAccepted(path, sent)) return reply({}, 400)
      const isTaken = [...kept].some(([one, { name }]) => one.startsWith(`${path}/`) && name === object.name)
      if (place?.resource === 'savedQuery' && isTaken) return reply({}, 400)
      const resource = place?.resource ?? 'thing'
      const id = String(object[idNameOf(resource)] ?? `{${resource} ${++created}}`)
      const thing = { ...object, id, tiles: [{ id: '{tile}' }], ...(place && startOf(place)) }
      if (`${resource}.get` in operations) kept.set(`${path}/${encodeURIComponent(id)}`, thing)
      const fields = fieldsOf(place?.operation.result.resource)
      return reply(
        resource in fields
          ? { ...sampleOf(fields), ...('keySecret' in fields && createdCredentials), [resource]: thing }
          : thing,
      )
    }
    if (method === 'DELETE') {
      remove(path)
      return reply({})
    }
    const [, item = '', verb] = /^(.*)\/(\w+)$/.exec(path) ?? []
    if (place && unset.includes(place.id) && !kept.has(path) && !kept.has(item)) return reply({}, 404)
    const moved = kept.get(item)
    if (moved && verb === 'state')
      kept.set(item, { ...moved, state: object.command === 'stop' ? 'stopped' : 'running' })
    else if (method !== 'GET' && place?.operation.basis === 'documented')
      kept.set(path, { ...kept.get(path), ...object })
    if (place?.operation.result.type !== 'array' && place) return reply(shown(place, kept.get(path)))
    const parts = [...kept].filter(([one]) => one.slice(0, one.lastIndexOf('/')) === path)
    return reply([place ? shown(place) : { id: '{thing}' }, ...parts.map(([, part]) => part)])
  }
  return { wait: async () => {}, send: async request => answer(request) }
}

/** A service has none of these until the run creates them. */
const unset: readonly OperationId[] = [
  'clickhouseSetting.get',
  'scalingSchedule.get',
  'serviceQueryEndpoint.get',
  'upgradeWindow.get',
]

/** The state of a new object once it is ready. */
const startOf = ({ resource }: Place): JsonObject => {
  const fields = fieldsOf(resource)
  const name = fields.state ? 'state' : 'status'
  const values: readonly string[] = fields[name]?.values ?? []
  const [ready] = ['running', 'Running', 'Ready', 'ready'].filter(value => values.includes(value))
  return ready === undefined ? {} : { [name]: ready }
}

/** The credentials of a key that a run creates. */
const createdCredentials = { keyId: '{keyId}', keySecret: '{keySecret}' }
const createdKey = `Basic ${btoa('{keyId}:{keySecret}')}`

/** True for JSON with the required fields of the contract and none that it refuses as unknown. */
function isAccepted(path: string, sent: unknown): boolean {
  if (sent === undefined) return false
  if (!isObject(sent)) return true
  const form = formOf(path)
  const required = path.endsWith('/alerts') ? takenBy('alert/required-fields', form)?.split(', ') : []
  if (required?.some(field => !(field in sent))) return false
  const isStrict = form === 'managed' && takenBy('managed/unknown-property', form) === 'refuse'
  return !(isStrict && 'stackParity' in sent)
}
