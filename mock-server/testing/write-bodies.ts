import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import {
  contract,
  type Edition,
  type Field,
  type Form,
  type Operation,
  type OperationId,
  operations,
  type Resource,
  resources,
} from '../../fixtures/built-contract/index.ts'
import { createExampleRequest, listRequestIds } from '../faces/control/page/example-request.ts'
import { viewOfShape } from '../fields/view.ts'
import type { Mock } from '../mock/mock.ts'
import { arbitraryBody } from './arbitrary-body.ts'

const bases = { cloud: 'http://cloud', selfHosted: 'http://self-hosted' }

/** Sends a call with a key of its own, because some of the bodies restrict the key of the target file. */
async function send(mock: Mock, method: string, path: string, body = '', query = '') {
  const listener = path.startsWith('/api/v2') ? 'selfHosted' : 'cloud'
  const authorization =
    listener === 'cloud' ? `Basic ${btoa('caller:secret')}` : `Bearer ${mock.target(bases).selfHosted!.apiKey}`
  const headers = { authorization, 'content-type': 'application/json' }
  return mock.answer({ method, path, query, headers, body }, listener)
}

export function addCaller(mock: Mock) {
  const { organizationId } = mock.target(bases).cloud!
  const anywhere = [{ source: '0.0.0.0/0', description: '' }]
  const credentials = { keyId: 'caller', keySecret: 'secret', organizationId, ipAccessList: anywhere }
  mock.create('key', { name: 'caller', roles: ['admin'], state: 'enabled', ...credentials })
}

type Example = NonNullable<ReturnType<typeof readExample>>

/** The request that the console offers for an operation, and the fields of its body. */
function readExample(mock: Mock, id: string, chosen: Readonly<Record<string, string>> = {}) {
  const target = mock.target(bases)
  const example = createExampleRequest(mock.deployment().world, target, id, mock.clock.now(), chosen, mock.choices())
  if (!example) return undefined
  const operation: Operation = operations[id.replace(/^managed\./, '') as OperationId]
  const paths = { ...operation.pathsBeyondSpecification, ...operation.paths }
  const form: Form = id.startsWith('managed.') ? 'managed' : paths.cloud ? 'cloud' : 'selfHosted'
  const edition = (mock.choices()[form]?.['version/self-hosted-edition'] ?? '2.24') as Edition
  const place = example.parameters.filter(one => one.in === 'path')
  const query = example.parameters.filter(one => one.in === 'query' && one.value !== undefined)
  const path = place
    .reduce((filled, { name, value = 'x' }) => filled.replace(`{${name}}`, encodeURIComponent(value)), paths[form]!)
    .replace('{segment}', target.cloud!.observabilitySegment)
  const fields =
    operation.body === undefined
      ? undefined
      : viewOfShape(resources[operation.body as 'alert'] as Resource, { side: 'request', edition, form })
  const search = new URLSearchParams(query.map(({ name, value }) => [name, value!])).toString()
  return { ...example, form, method: operation.method, path, query: search, fields, place }
}

/** The ids in an example body, by the names of their fields. */
function idsIn(value: unknown, ids: Record<string, string> = {}): Record<string, string> {
  if (typeof value !== 'object' || value === null) return ids
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && /^[0-9a-f]{24}$|^[0-9a-f-]{36}$/.test(inner)) ids[name] = inner
    idsIn(inner, ids)
  }
  return ids
}

/** The example of an operation, and bodies that keep most of its fields and get others from the contract. */
function listBodies({ body, fields, choices = {} }: Example, count: number): readonly object[] {
  const offered = Object.fromEntries(Object.entries(choices).map(([name, [first]]) => [name, first!.value]))
  const generated = arbitraryBody(fields!, { ...offered, ...idsIn(body) })
  const dice = fc.array(fc.nat({ max: 3 }), { minLength: 60, maxLength: 60 })
  const mixed = fc.sample(fc.tuple(generated, dice), { numRuns: count, seed: 7 }).map(([one, rolls]) => {
    const kept = Object.entries(body as object).filter(([name], at) => !(name in one) || rolls[at] !== 0)
    return { ...one, ...Object.fromEntries(kept) }
  })
  return [body as object, ...mixed]
}

/** Dashboards with one generated tile or filter each: of a whole generated dashboard, some part is nearly always refused. */
function listDashboards(mock: Mock, { fields, form }: Example): readonly object[] {
  const within = form === 'managed' ? mock.target(bases).cloud!.serviceId : 'self-hosted'
  // Every kind of tile accepts a source of traces.
  const { id, connection } = mock.list('source', { within }).find(({ kind }) => kind === 'trace')!
  const given = { sourceId: id, connectionId: connection }
  const sample = ({ fields = {}, oneOf }: Field, count: number) =>
    fc.sample(arbitraryBody({ fields, oneOf }, given), { numRuns: count, seed: 7 })
  const place = { name: 'generated', x: 0, y: 0, w: 6, h: 4 }
  const { tiles, filters } = fields!.fields
  const modes = ({ type }: { readonly type?: unknown }) => ({
    isBroadcastEnabled: undefined,
    isVariableEnabled: undefined,
    variableName: type === 'QUERY_EXPRESSION' ? undefined : 'generated',
  })
  return [
    ...sample(tiles!.items!.fields!.config!, 120).map(config => ({ tiles: [{ ...place, config: agree(config) }] })),
    ...sample(filters!.items!, 20).map(filter => ({ tiles: [], filters: [{ ...filter, ...modes(filter) }] })),
  ].map(body => ({ name: 'generated', ...body }))
}

/** The config, with series whose fields agree with their function: only a quantile has a level, and a count no expression. */
function agree(config: Readonly<Record<string, unknown>>): object {
  if (!Array.isArray(config.select)) return config
  const select = config.select.map(({ level, valueExpression, ...item }) => ({
    ...item,
    valueExpression: item.aggFn === 'count' ? '' : valueExpression || 'Duration',
    ...(item.aggFn === 'quantile' && { level }),
  }))
  return { ...config, select, asRatio: undefined }
}

const isWrite = (id: string) => {
  const { body, method }: Operation = operations[id.replace(/^managed\./, '') as OperationId]
  return body !== undefined && method !== 'DELETE'
}

/** Sends generated bodies, `count` to each operation that takes one, and returns the number of accepted ones by operation. */
export async function writeAll(
  mock: Mock,
  isServed: (form: Form) => boolean,
  count = 12,
): Promise<ReadonlyMap<string, number>> {
  const accepted = new Map<string, number>()
  for (const id of listRequestIds(contract).filter(isWrite)) {
    const example = readExample(mock, id)
    if (!example || !isServed(example.form)) continue
    if (id === 'backupBucket.create') await send(mock, 'DELETE', example.path)
    const bodies = [
      ...listBodies(example, count),
      ...(id.endsWith('dashboard.create') ? listDashboards(mock, example) : []),
    ]
    for (const body of bodies) {
      const { status } = await send(mock, example.method, example.path, JSON.stringify(body))
      if (status < 300) accepted.set(id, (accepted.get(id) ?? 0) + 1)
    }
  }
  return accepted
}

/** The answers to all GETs, of each kind of record the last ten. */
export async function readAll(mock: Mock): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>()
  for (const id of listRequestIds(contract)) {
    if (operations[id.replace(/^managed\./, '') as OperationId].method !== 'GET') continue
    const own = readExample(mock, id)?.place.at(-1)
    for (const { value } of own?.choices.slice(-10) ?? [{ value: '' }]) {
      const example = readExample(mock, id, own && { [own.name]: value })
      if (!example) continue
      const { status, body } = await send(mock, 'GET', example.path, '', example.query)
      answers.set(`${example.path}?${example.query}`, [status, body.replace(/"requestId":"[^"]*"/, '')])
    }
  }
  return answers
}

const readFixture = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8'))
const documented: readonly { readonly operation: OperationId; readonly body: object }[] = readFixture(
  'documents/documented-requests.json',
)
const alerts: readonly { readonly data: object }[] = readFixture('examples/alerts.json')

export async function writeFixtures(mock: Mock) {
  for (const { operation, body } of documented) {
    const example = readExample(mock, operation)
    if (example) await send(mock, example.method, example.path, JSON.stringify(body))
  }
  const { references } = mock.target(bases).selfHosted!
  for (const { data } of alerts) {
    const body = JSON.stringify(data).replace(/\$(dashboardId|tileId|webhookId)/g, (_, id: 'tileId') => references[id]!)
    await send(mock, 'POST', '/api/v2/alerts', body)
  }
}
