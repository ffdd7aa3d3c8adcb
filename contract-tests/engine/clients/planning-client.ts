import {
  type Contract,
  type Field,
  type Fields,
  type Form,
  type GapId,
  gaps,
  type Operation,
  type OperationId,
} from '../../../fixtures/built-contract/index.ts'
import { fieldsOf, onceFor } from '../contract.ts'
import { authorization } from '../credentials.ts'
import { parseJson } from '../exchange.ts'
import { patternOf } from '../paths.ts'
import { receiverOf } from '../receiver.ts'
import { idNameOf, isObject, type Json, type JsonObject } from '../recognise.ts'
import type { TargetFile } from '../target/target.ts'
import type { Client, Incoming, Outgoing } from './client.ts'

function defaultOf(gap: GapId, form: Form): string | undefined {
  const { default: choice } = gaps[gap]
  return typeof choice === 'string' ? choice : choice[form]
}

/** The cloud form counts as managed: it has the same credentials and no choices of its own here. */
const formOf = (path: string) => (path.startsWith('/v1') ? 'managed' : 'selfHosted')

const routesOf = onceFor(contract =>
  (Object.entries(contract.operations) as [OperationId, Operation][]).flatMap(([id, operation]) =>
    (Object.entries(operation.paths) as [Form, string][]).map(([form, path]) => {
      const [resource = '', verb = ''] = id.split('.')
      const edition = form === 'cloud' ? undefined : defaultOf('version/self-hosted-edition', form)
      /** False where the default edition does not have the operation. */
      const isServed = !operation.editions || !edition || operation.editions.includes(edition)
      const fields = fieldsOf(resource, contract)
      const answered = fieldsOf(operation.result.resource, contract)
      const hasGet = `${resource}.get` in contract.operations
      return { id, operation, resource, verb, fields, answered, hasGet, isServed, pattern: patternOf(path) }
    }),
  ),
)

/** An operation on its path in one form. */
type Route = ReturnType<typeof routesOf>[number]

const findRoute = (contract: Contract | undefined, { method, path }: Outgoing): Route | undefined =>
  routesOf(contract).find(one => one.operation.method === method && one.pattern.test(path.replace(/\?.*$/s, '')))

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
export function createPlanningClient(target: TargetFile, contract?: Contract): Client {
  let createdCount = 0
  /** What was created or changed, by path. */
  const objects = new Map<string, JsonObject>()
  const deletedPaths = new Set<string>()
  const hasGoodCredentials = ({ path, headers: { authorization: sent } }: Outgoing) => {
    const targetKeys = (['key', 'secondKey'] as const).map(as => authorization(target, formOf(path), as))
    return sent !== undefined && [createdKey, ...targetKeys].includes(sent)
  }
  const isReceiver = ({ baseUrl, path }: Outgoing) => {
    const receiver = receiverOf(target)
    return receiver?.baseUrl === baseUrl && receiver.path === path
  }
  const remove = (path: string) => {
    for (const one of [...objects.keys()]) if (one === path || one.startsWith(`${path}/`)) objects.delete(one)
    deletedPaths.add(path)
    const [, alerts, id] = /^(.*\/)dashboards\/([^/]+)$/.exec(path) ?? []
    if (alerts === undefined || defaultOf('dashboard/delete-takes-alerts-along', formOf(path)) !== 'deleted') return
    for (const [one, { dashboardId }] of objects)
      if (one.startsWith(`${alerts}alerts/`) && dashboardId === decodeURIComponent(id!)) remove(one)
  }
  const isDeleted = (path: string) => [...deletedPaths].some(one => path === one || path.startsWith(`${one}/`))
  /** An object as a read shows it: with the documented fields, else with its id only. */
  const shown = ({ operation, resource, answered }: Route, object: JsonObject = {}): JsonObject => ({
    // The specification states no fields of sources, but requests of a run are made from them.
    ...(operation.basis === 'documented' || resource === 'source' ? sampleOf(answered) : {}),
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
    const route = findRoute(contract, request)
    if (isReceiver(request)) return { status: 200, headers: {}, text: '[]' }
    if (!hasGoodCredentials(request)) return reply({}, 401)
    // Keys that a run creates may only read.
    if (headers.authorization === createdKey && method !== 'GET') return reply({}, 403)
    // The managed form has no charts and no webhooks (§1).
    const mayCreateWebhook = target.receiver !== undefined && route?.resource === 'webhook'
    if (
      (route?.isServed === false && !mayCreateWebhook) ||
      /^\/v1\/.*\/(?:charts|webhooks)\b/.test(path) ||
      isDeleted(path)
    )
      return reply({}, 404)
    const sent = parseJson(body ?? '')
    const object = isObject(sent) ? sent : {}
    if (method === 'POST' && route?.verb !== 'upsert') {
      if (route?.id === 'udfUpload.create')
        return reply(
          { uploadId: '{upload}', uploadUrl: `${target.cloud?.baseUrl.replace(/\/+$/, '')}/udf-uploads/` },
          201,
        )
      if (objects.has(path)) return reply({}, 405)
      if (headers['content-type'] !== 'application/json' || !isAccepted(path, sent)) return reply({}, 400)
      const isTaken = [...objects].some(([one, { name }]) => one.startsWith(`${path}/`) && name === object.name)
      if (route?.resource === 'savedQuery' && isTaken) return reply({}, 400)
      const resource = route?.resource ?? 'thing'
      const id = String(object[idNameOf(resource)] ?? `{${resource} ${++createdCount}}`)
      const newObject = { ...object, id, tiles: [{ id: '{tile}' }], ...(route && readyStateOf(route)) }
      if (route?.hasGet) objects.set(`${path}/${encodeURIComponent(id)}`, newObject)
      const fields = route?.answered ?? {}
      return reply(
        resource in fields
          ? { ...sampleOf(fields), ...('keySecret' in fields && createdCredentials), [resource]: newObject }
          : newObject,
      )
    }
    if (method === 'DELETE') {
      remove(path)
      return reply({})
    }
    const [, parentPath = '', verb] = /^(.*)\/(\w+)$/.exec(path) ?? []
    if (route && absentAtStart.includes(route.id) && !objects.has(path) && !objects.has(parentPath))
      return reply({}, 404)
    const parent = objects.get(parentPath)
    if (parent && verb === 'state')
      objects.set(parentPath, { ...parent, state: object.command === 'stop' ? 'stopped' : 'running' })
    else if (method !== 'GET' && route?.operation.basis === 'documented')
      objects.set(path, { ...objects.get(path), ...object })
    if (route?.operation.result.type !== 'array' && route) return reply(shown(route, objects.get(path)))
    const parts = [...objects].filter(([one]) => one.slice(0, one.lastIndexOf('/')) === path)
    return reply([route ? shown(route) : { id: '{thing}' }, ...parts.map(([, part]) => part)])
  }
  return { wait: async () => {}, send: async request => answer(request) }
}

/** What a service does not have until the run creates it. */
const absentAtStart: readonly OperationId[] = [
  'clickhouseSetting.get',
  'scalingSchedule.get',
  'serviceQueryEndpoint.get',
  'upgradeWindow.get',
]

/** The state of a new object once it is ready. */
const readyStateOf = ({ fields }: Route): JsonObject => {
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
  const required = path.endsWith('/alerts') ? defaultOf('alert/required-fields', form)?.split(', ') : []
  if (required?.some(field => !(field in sent))) return false
  const isStrict = form === 'managed' && defaultOf('managed/unknown-property', form) === 'refuse'
  return !(isStrict && 'stackParity' in sent)
}
