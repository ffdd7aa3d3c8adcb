import {
  contract,
  type Form,
  type Operation,
  type OperationId,
  operations,
} from '../../fixtures/built-contract/index.ts'
import type { FaultContext } from '../faults/fault.ts'
import type { Answer, Call } from '../words/call.ts'

/** A deployment that is small enough to be obviously correct. Tests of faults compare its answers with and without a fault. */

export const ids = {
  organizationId: '11111111-1111-4111-8111-111111111111',
  secondOrganizationId: '22222222-2222-4222-8222-222222222222',
  serviceId: '33333333-3333-4333-8333-333333333333',
  backupId: '44444444-4444-4444-8444-444444444444',
}
export const keyId = 'KEY'
export const keySecret = 'SECRET'
export const secondKey = { keyId: 'OTHER', keySecret: 'OTHER-SECRET' }
export const apiKey = '55555555-5555-4555-8555-555555555555'
export const ingestionKey = '66666666-6666-4666-8666-666666666666'
export const basic = (id: string, secret: string) => `Basic ${btoa(`${id}:${secret}`)}`

const member = (userId: string, email: string) => ({
  userId,
  name: 'Ada',
  email,
  role: 'admin',
  joinedAt: '2026-01-02T03:04:05.000Z',
})
const members = [member('user-1', 'ada@example.com'), member('user-2', 'bob@example.com')]
const backup = {
  id: ids.backupId,
  serviceId: ids.serviceId,
  startedAt: '2026-01-02T03:04:05.000Z',
  finishedAt: '2026-01-02T03:14:05.000Z',
  sizeInBytes: 1024,
  durationInSeconds: 600,
  backupName: 'nightly',
  bucket: { bucketProvider: 'AWS', bucketPath: 's3://b', iamRoleArn: 'arn:role', iamRoleSessionName: 'session' },
}

interface StubResource {
  readonly id: string
  readonly name: string
}

/** The rows of a chart: a count of 3 without a filter, of 1 with a filter, and of 2 and 1 in groups. */
function chartRows(body: string): object[] {
  const [{ where = '', groupBy = [] } = {}] = JSON.parse(body).series ?? []
  const row = (count: string, ...group: string[]) => ({ ts_bucket: 1767322800000, group, 'series_0.data': count })
  if (groupBy.length > 0) return [row('2', 'info'), row('1', 'error')]
  return [row(where === '' ? '3' : '1')]
}

/** The id of a created resource. It differs between the forms. */
export const idOf = (form: Form | undefined, number: number) =>
  (form === 'managed' ? 'a' : '0') + String(number).padStart(23, '0')

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function createStub() {
  const stored = new Map<string, StubResource[]>()
  const resourcesOf = (form: Form, resource: string): StubResource[] => {
    const key = `${form}/${resource}`
    if (!stored.has(key)) stored.set(key, [{ id: '000000000000000000000001', name: 'spare' }])
    return stored.get(key)!
  }
  let requests = 0

  async function next(call: Call): Promise<Answer> {
    requests++
    const { form, operation, params, authorization } = contextOf(call)
    const answer = (status: number, content: object): Answer => ({
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', etag: 'W/"1"' },
      body: call.method === 'HEAD' ? '' : JSON.stringify(content),
    })
    const requestId = `77777777-7777-4777-8777-${String(requests).padStart(12, '0')}`
    const accept = (result: unknown) =>
      answer(200, form === 'selfHosted' ? { data: result } : { status: 200, requestId, result })
    const refuse = (status: number) =>
      answer(status, form === 'selfHosted' ? { message: 'No.' } : { status, error: 'No.', requestId })

    if (call.path === '/v1') return answer(200, { openapi: '3.1.0', info: { version: '1.0' } })
    if (operation === undefined) return refuse(404)
    if (call.headers.authorization !== authorization.own) return refuse(401)
    for (const name of ['organizationId', 'serviceId', 'backupId']) {
      if (params[name] !== undefined && !uuid.test(params[name])) return refuse(400)
    }
    const { organizationId, serviceId } = params
    const isUnknown = organizationId && ![ids.organizationId, ids.secondOrganizationId].includes(organizationId)
    if (isUnknown) return refuse(404)
    if (serviceId && (serviceId !== ids.serviceId || organizationId !== ids.organizationId)) return refuse(404)
    if (operation === 'member.list') return accept(members)
    if (operation === 'backup.get') return params.backupId === ids.backupId ? accept(backup) : refuse(404)
    if (operation === 'source.list' || operation === 'webhook.list') return accept([{ id: 'one' }])
    if (operation === 'chart.query') return isJson(call.body) ? accept(chartRows(call.body)) : refuse(400)

    const [resource, verb] = operation.split('.') as [string, string]
    const things = resourcesOf(form!, resource)
    const at = things.findIndex(({ id }) => id === params.id)
    if (verb === 'list') return accept(things)
    if (verb === 'create' || verb === 'update') {
      if (!call.body.startsWith('{"name":"')) return refuse(400)
      const { name } = JSON.parse(call.body)
      if (verb === 'update' && at < 0) return refuse(404)
      const thing = { id: verb === 'create' ? idOf(form, things.length + 1) : things[at]!.id, name }
      things.splice(at < 0 ? things.length : at, at < 0 ? 0 : 1, thing)
      return accept(thing)
    }
    if (at < 0) return refuse(404)
    if (verb === 'get') return accept(things[at])
    things.splice(at, 1)
    return form === 'selfHosted' ? answer(200, {}) : accept({})
  }

  return { next, resourcesOf }
}

const routes = (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, { method, paths }]) =>
  (Object.entries(paths) as [Form, string][]).map(([form, path]) => {
    const pattern = path.replace('{segment}', 'observability').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    return { id, form, method, pattern: new RegExp(`^${pattern}$`) }
  }),
)

/** The context of a call for a fault: form, operation and parameters, and the credentials and ids of the stub. */
export function contextOf({ method, path }: Call): FaultContext {
  const form: Form = path.startsWith('/api') ? 'selfHosted' : path.includes('/observability/') ? 'managed' : 'cloud'
  const first = basic(keyId, keySecret)
  const second = basic(secondKey.keyId, secondKey.keySecret)
  const asBasic = path.includes(ids.secondOrganizationId) ? second : first
  const asBearer = `Bearer ${apiKey}`
  const [own, foreign] = form === 'selfHosted' ? [asBearer, asBasic] : [asBasic, asBearer]
  const routeMethod = method === 'HEAD' ? 'GET' : method
  const route = routes.find(route => route.form === form && route.method === routeMethod && route.pattern.test(path))
  const params = { ...route?.pattern.exec(path)?.groups }
  return {
    contract,
    form,
    operation: route?.id,
    params,
    authorization: { own, foreign, ingestionKey, first, second },
    ids,
  }
}
