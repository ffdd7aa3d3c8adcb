import { describe, expect, it } from 'vitest'
import {
  type Edition,
  type Field,
  type Fields,
  type Form,
  type OneOf,
  type Operation,
  type OperationId,
  operations,
  type Resource,
  type ResourceId,
  resources,
} from '../../../fixtures/built-contract/index.ts'
import { exampleIds } from '../../../fixtures/contract/examples/index.ts'
import { createExampleRequest } from '../../faces/control/page/example-request.ts'
import { createMock, type FetchMock } from '../../faces/create-mock.ts'
import { viewOf } from '../../fields/view.ts'
import type { Listener } from '../../words/call.ts'
import type { World } from '../../world/world.ts'

/**
 * Every described field of a request has an effect, in every form and edition: two different values of the field
 * lead to different answers or worlds, or are refused with a sentence that names the field.
 */

// biome-ignore lint/suspicious/noExplicitAny: bodies, descriptions and answers are read without types
type Json = any

/** Two bodies that differ in the value of one field. */
interface Pair {
  readonly place: string
  readonly name: string
  readonly field: Field
  readonly bodies: readonly [Json, Json]
}

type Ids = Readonly<Record<string, readonly string[]>>

/** Two accepted values for each field that does not accept every text. */
const knownIds: Ids = {
  aggFn: ['count', 'sum'],
  backupStartTime: ['01:00', '02:00'],
  condition: ["one IN ('1')", "two IN ('2')"],
  endTime: ['2026-03-01T11:00:00Z', '2026-02-01T11:00:00Z'],
  expression: ['A', 'A + 1'],
  field: ['ServiceName', 'SpanName'],
  functionName: ['one', 'two'],
  groupBy: ['ServiceName', 'SpanName'],
  level: ['0.5', '0.95'],
  permissions: ['control-plane:service:view', 'control-plane:service:manage'],
  resources: ['instance/*', 'instance/609b25e6-ec7c-4a4c-87a1-b00c5e8ac7df'],
  source: ['203.0.113.0/24', '203.0.114.0/24'],
  sqlTemplate: ['one', 'two'].map(
    name =>
      `SELECT count() AS ${name}, toStartOfInterval(at, INTERVAL {intervalSeconds:Int64} SECOND) AS t FROM x GROUP BY t`,
  ),
  vpcCidrRange: ['10.1.0.0/16', '10.2.0.0/16'],
  where: ['', 'ServiceName:web'],
}

/** Properties that an object needs in addition to the required ones, by the name of the field that has the object. */
const requiredExtras: Readonly<Record<string, object>> = {
  bigquery: { credentials: { serviceAccountFile: 'a2V5' } },
  kinesis: { iamRole: 'arn:aws:iam::957102927053:role/reader' },
  metricTables: { gauge: 'one' },
  objectStorage: { url: 'https://example.com/one' },
  postgres: { credentials: { username: 'one', password: 'two' } },
  pubsub: { serviceAccountKey: { serviceAccountFile: 'a2V5' } },
  schemaRegistry: { url: 'https://example.com/one', authentication: 'PLAIN' },
}

/** Other fields that a field needs to have an effect. */
const companions: Readonly<Record<string, object>> = {
  field: { aggFn: 'count_distinct' },
  gcpPodCidrRangeNames: { regionId: 'us-east1', vpcCidrRange: undefined, vpcId: 'vpc', privateSubnetIds: ['one'] },
  gcpSharedVpcHostProjectId: { regionId: 'us-east1', vpcCidrRange: undefined, vpcId: 'vpc', privateSubnetIds: ['one'] },
  level: { aggFn: 'quantile', valueExpression: 'Duration', field: 'Duration' },
  maxTotalMemoryGb: { minReplicaMemoryGb: undefined, maxReplicaMemoryGb: undefined, minTotalMemoryGb: 24 },
  showOperandSeries: { formulas: [{ expression: 'A' }] },
  whereLanguage: { where: 'ServiceName:web' },
}

/** Fields without an effect, or that no body of this test reaches: operation, place and edition, and the reason. */
const exceptions: readonly (readonly [RegExp, string])[] = [
  [/^alert.* <saved_search>.* 2.24$/, 'The API of the older edition has no saved searches.'],
  [/^alert.* <tile>.dashboardId/, 'A tile belongs to one dashboard: with another dashboard it is unknown.'],
  [/^backupBucket.* bucketProvider/, 'Each provider has fields of its own.'],
  [/^byocInfrastructure.validate /, 'The result depends on the account alone.'],
  [
    /^chart.query series\[\].(metric|dataSource|sortOrder)/,
    'Only for metrics; deployments ignore these fields for other sources.',
  ],
  [/^clickPipe.schemaDiscovery /, 'Every source has the same columns: the mock does not read sources.'],
  [/^clickPipe.update source\.(?!kafka)/, 'A pipe has one kind of source: the others are refused.'],
  [
    /^dashboard.* filters\[\]<(PROMETHEUS_LABEL|SOURCE_FILTER)>/,
    'A filter without a source is refused, and the sentence has the name of the filter.',
  ],
  [/^dashboard.update filters\[\].*\.id /, 'The answer has a new id instead of an unknown one.'],
  [/^dashboard.* savedFilterValues\[\].type/, 'The only value is the default.'],
  [
    /^savedSearch.* filters\[\]<(lucene|sql_ast)>/,
    'Only SQL predicates are accepted; the sentence has the index of the filter.',
  ],
  [/^postgres.create ipAccessList\[\].id/, 'A new entry gets an id of its own.'],
  [/^service.create backupId/, 'An unknown backup is refused, and the sentence has its id.'],
  [/^search.query (select|orderBy) 2.36$/, 'An unknown column is refused as deployments do, without the field.'],
  [/\.remove\[\]/, 'The value to remove does not exist.'],
]

const formats: Readonly<Record<string, readonly [string, string]>> = {
  uuid: ['3b0b5a52-9e7c-4c55-8b8e-0123456789ab', '3b0b5a52-9e7c-4c55-8b8e-0123456789ac'],
  email: ['one@example.com', 'two@example.com'],
  date: ['2026-05-06', '2026-05-07'],
  'date-time': ['2026-05-06T07:08:09Z', '2026-05-07T07:08:09Z'],
  timestamp: ['2026-05-06T07:08:09Z', '2026-05-07T07:08:09Z'],
  moment: ['2026-05-06T07:08:09Z', '2026-05-07T07:08:09Z'],
  uri: ['https://example.com/one', 'https://example.com/two'],
  'object-id': ['0123456789abcdef01234567', '0123456789abcdef01234568'],
}

/** Two values of a field that is not an object. Bodies that test another field have the first value. */
function valuesOf(field: Field, name: string, ids: Ids): readonly [Json, Json] {
  const { type, values, format, min, max = Number.POSITIVE_INFINITY, multipleOf = 1, example } = field
  const known = ids[name] ?? knownIds[name] ?? []
  if (values) {
    const [first, second] = type === 'number' ? values.map(Number) : [...known, ...values]
    return [first, second === first ? values[1] : second]
  }
  if (type === 'boolean') return [true, false]
  if (type === 'number') {
    if (known.length > 0) return [Number(known[0]), Number(known[1])]
    const first = min ?? 1
    return [first, first + multipleOf <= max ? first + multipleOf : undefined]
  }
  if (known.length > 0) return [known[0], known[1]]
  if (format) return formats[format]!
  if (example !== undefined) return [example, undefined]
  return ['one', 'two'].map(text => text.padEnd(min ?? 0, text[0]).slice(0, max)) as [string, string]
}

/** A value with only the required fields. */
function minimalValueOf(field: Field, name: string, ids: Ids): Json {
  const { type, items, propertyValues, propertyNames, fields = {}, oneOf } = field
  if (field.default !== undefined) return field.default
  if (type === 'array') return [minimalValueOf(items ?? { type: 'string' }, name, ids)]
  if (type !== 'object') return valuesOf(field, name, ids)[0]
  if (propertyValues) return { [propertyNames?.example ?? 'name']: minimalValueOf(propertyValues, name, ids) }
  const [[value, own] = []] = Object.entries(oneOf?.variants ?? {})
  return {
    ...minimalObjectOf(fields, ids),
    ...(oneOf && { [oneOf.discriminator]: value, ...minimalObjectOf(own!, ids) }),
    ...requiredExtras[name],
  }
}
const minimalObjectOf = (fields: Fields, ids: Ids) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]) => (one.optional ? [] : [[name, minimalValueOf(one, name, ids)]])),
  )

/**
 * The pairs of a field and of the fields in it, by place. The other fields of the bodies come first from the example,
 * then from the example with only the required fields of one part, then only from the required fields. An identical
 * field of several objects of a body, such as the format of a number, is tested once.
 */
function pairsByPlace(field: Field, good: Json, ids: Ids): ReadonlyMap<string, readonly Pair[]> {
  const pairs = (body: Json) => [...pairsOf(field, 'body', body, ids, '')]
  const parts = Object.keys(good).flatMap(name =>
    typeof good[name] === 'object'
      ? pairs({ ...good, [name]: undefined }).filter(({ place }) => place.replace(/^<\w+>\./, '').startsWith(name))
      : [],
  )
  const all = [...pairs(good), ...parts, ...pairs(undefined)]
  const byPlace = new Map<string, Pair[]>()
  const placeOf = new Map<string, string>()
  for (const pair of all) {
    const { place } = pair
    const shape = `${place.split(/[.<>]/).slice(-2)} ${JSON.stringify(pair.field)}`
    if (!placeOf.has(shape)) placeOf.set(shape, place)
    if (placeOf.get(shape) === place) byPlace.set(place, [...(byPlace.get(place) ?? []), pair])
  }
  return byPlace
}

function* pairsOf(field: Field, name: string, good: Json, ids: Ids, place: string): Generator<Pair> {
  const { type, items, propertyValues, propertyNames, fields = {}, oneOf } = field
  if (field.writeOnly) return
  const wrapPairs = function* (inner: Field, key: string, value: Json, at: string, wrap: (one: Json) => Json) {
    for (const pair of pairsOf(inner, key, value, ids, at))
      yield { ...pair, bodies: pair.bodies.map(one => (one === undefined ? one : wrap(one))) as [Json, Json] }
  }
  if (type === 'array') {
    yield* wrapPairs(items ?? { type: 'string' }, name, good?.[0], `${place}[]`, one => [one])
  } else if (propertyValues) {
    const key = propertyNames?.example ?? Object.keys(good ?? {})[0] ?? 'name'
    yield* wrapPairs(propertyValues, name, good?.[key], `${place}{}`, one => ({ [key]: one }))
  } else if (type === 'object' && (field.fields || oneOf)) {
    for (const { at, base, own } of variantsOf({ fields, oneOf }, name, good, ids, place)) {
      for (const [key, one] of Object.entries(own)) {
        const inside = wrapPairs(one, key, base[key], at ? `${at}.${key}` : key, value => ({
          ...base,
          ...companions[key],
          [key]: value,
        }))
        for (const { bodies, ...pair } of inside) {
          const { [key]: _, ...without } = base
          const other = pair.place === (at ? `${at}.${key}` : key) && one.optional ? without : undefined
          yield { ...pair, bodies: [bodies[0], bodies[1] ?? other] }
        }
      }
    }
  } else {
    const bodies = type === 'object' ? ([{ a: 'one' }, { a: 'two' }] as const) : valuesOf(field, name, ids)
    yield { place, name, field, bodies }
  }
}

/** The variants of an object at a place: the fields to test, and an accepted object. */
function variantsOf(
  { fields, oneOf }: { fields: Fields; oneOf?: OneOf },
  name: string,
  good: Json,
  ids: Ids,
  place: string,
) {
  if (!oneOf)
    return [{ at: place, base: good ?? { ...minimalObjectOf(fields, ids), ...requiredExtras[name] }, own: fields }]
  const { discriminator, defaultValue, variants, overrides = [] } = oneOf
  const all = [
    ...Object.entries(variants).map(([value, own]) => ({ value, own, more: {} as Json })),
    ...overrides.flatMap(({ field, value: is, variants }) =>
      Object.entries(variants).map(([value, own]) => ({ value, own, more: { [field]: is } })),
    ),
  ]
  const common = Object.fromEntries(
    Object.entries(good ?? {}).filter(([name]) => name in fields && name !== discriminator),
  )
  return all.map(({ value, own, more }, at) => {
    const isGood =
      good &&
      (good[discriminator] ?? defaultValue) === value &&
      Object.entries(more).every(([name, is]) => good[name] === is)
    const base = {
      ...minimalObjectOf(fields, ids),
      ...common,
      ...more,
      [discriminator]: value,
      ...minimalObjectOf(own, ids),
    }
    const { [discriminator]: _, ...others } = fields
    return { at: `${place}<${value}>`, base: isGood ? good : base, own: at === 0 ? { ...others, ...own } : own }
  })
}

/** All editions of the managed and the self-hosted form. The cloud form has one edition, and is tested once. */
const mocks = [
  ['cloud', 'by default', { as: undefined }],
  ['cloud', 'as clickhouse-cloud', { as: 'clickhouse-cloud' }],
  ['selfHosted', 'as self-hosted-2.24', { as: 'self-hosted-2.24' }],
  ['selfHosted', 'as self-hosted-2.36', { as: 'self-hosted-2.36' }],
] as const

/** A small world, because it is restored before each request. */
const small = { organizations: 1, services: 2, members: 3, backups: 2 }

function open(host: Listener, options: (typeof mocks)[number][2]) {
  const mock = createMock({ now: Date.parse('2026-03-01T12:00:00Z'), freeze: true, logs: 20_000, ...small, ...options })
  const target = mock.target()
  const { keyId, keySecret, organizationId } = target.cloud
  const authorization =
    host === 'cloud' ? `Basic ${btoa(`${keyId}:${keySecret}`)}` : `Bearer ${target.selfHosted.apiKey}`
  const headers = { authorization, 'content-type': 'application/json' }
  const choices = mock.choices()
  const stack = host === 'cloud' ? String(mock.records.list('service')[0]!.id) : 'self-hosted'
  arrange(mock, organizationId, stack)
  const before = mock.snapshot()
  /** Changes with every write to the world, and with every id that is taken. */
  const versionOf = ({ revision, save }: World) => `${revision} ${save('opened').ids}`
  let restored = ''
  /** Restores the world, unless the requests since the last time only read, or were refused. */
  const restore = () => {
    if (versionOf(mock.deployment().world) === restored) return
    mock.restore(before)
    restored = versionOf(mock.deployment().world)
  }
  const idsOf = (name: 'source' | 'connection' | 'webhook' | 'savedSearch') =>
    mock.records.list(name, { within: stack }).map(({ id }) => String(id))
  // Traces come first, because every kind of tile can show them.
  const sources = idsOf('source').toSorted(id =>
    mock.records.get('source', id, { within: stack })?.kind === 'trace' ? -1 : 1,
  )
  const known: Ids = {
    sourceId: sources,
    id: sources,
    connectionId: idsOf('connection'),
    connection: idsOf('connection'),
    webhookId: idsOf('webhook'),
    savedSearchId: idsOf('savedSearch'),
  }

  function prepareOperation(path: string, method: string, operationId: string) {
    const id = operationId.replace(/^managed\./, '') as OperationId
    const form: Form = id === operationId ? host : 'managed'
    restore()
    const prepared = createExampleRequest(mock.deployment().world, target, operationId, mock.clock.now(), {}, choices)!
    const filled = prepared.parameters.reduce((text, { name, value = '' }) => text.replace(`{${name}}`, value), path)
    const { fields, oneOf } = resources[(operations[id] as Operation).body as ResourceId] as Resource
    const edition = (choices[form]?.['version/self-hosted-edition'] ?? '2.24') as Edition
    const field = viewOf({ type: 'object', fields, oneOf }, { side: 'request', edition, form })!
    const listed = Object.entries(prepared.choices ?? {}).map(([name, all]) => [name, all.map(({ value }) => value)])
    const ids: Ids = { ...Object.fromEntries(listed), ...known }
    const call = { path: filled, query: '', headers }
    const send = async (sent: Json) => {
      restore()
      // A service can have only one bucket.
      if (id === 'backupBucket.create') await mock.answer({ ...call, method: 'DELETE', body: '' }, host)
      const { status, body } = await mock.answer(
        { ...call, method: method.toUpperCase(), body: JSON.stringify(sent) },
        host,
      )
      const text = body.replace(/"requestId":"[^"]*"/, '')
      // A validation answers 200, with "valid": false for an invalid body.
      const isRefused = status >= 300 || text.includes('"valid":false')
      return { isRefused, text }
    }
    const sendAndSnapshot = async (sent: Json) => {
      await send(sent)
      return JSON.stringify(mock.snapshot().state)
    }
    return { send, sendAndSnapshot, edition, places: pairsByPlace(field, prepared.body, ids) }
  }
  return { mock, prepareOperation }
}

/** Creates the records that the requests refer to or change. */
function arrange({ records }: FetchMock, organizationId: string, stack: string) {
  const within = { within: stack }
  for (const name of ['One', 'Two']) records.create('savedSearch', { name }, within)
  if (stack === 'self-hosted') return
  records.update('organization', organizationId, { features: ['replica-aware-routing', 'horizontal-autoscaling'] })
  records.create('savedQuery', { name: 'Own', isOfUser: false }, within)
  records.create('queryApiEndpoint', { name: 'Own', ownerType: 'queryApiEndpoint' }, within)
  records.create('stackRole', { name: 'Own', isPredefined: false }, within)
  records.create('byocInfrastructure', {})
  records.create('udfUpload', { id: exampleIds.udfUpload, organizationId, isStored: true })
}

type PreparedOperation = ReturnType<ReturnType<typeof open>['prepareOperation']>

/** The reason why no effect of a field was seen; undefined if the field has an effect. */
async function explainNoEffect(
  { name, bodies: [first, second] }: Pair,
  prepared: PreparedOperation,
): Promise<string | undefined> {
  if (second === undefined) return undefined
  const { send, sendAndSnapshot } = prepared
  const [one, other] = [await send(first), await send(second)]
  if (one.isRefused && other.isRefused) return namesField(name, one.text + other.text) ? undefined : one.text
  if (one.text !== other.text) return undefined
  // Compared last, because a snapshot takes longer than a call, and most fields change the answer.
  return (await sendAndSnapshot(first)) === (await sendAndSnapshot(second)) ? 'It has no effect.' : undefined
}

/** Whether a sentence has the name of a field, in words too: "source" for `sourceId`. */
const namesField = (name: string, sentence: string) => {
  const words = name.replace(/(Id)?s?$/, '').replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return sentence.includes(name) || (words.length > 3 && sentence.toLowerCase().includes(words))
}

const used = new Set<(typeof exceptions)[number]>()

describe.each(mocks)('the requests to the %s API of a mock %s', (host, _, options) => {
  it('have no field without an effect', { timeout: 300_000 }, async () => {
    const { mock, prepareOperation } = open(host, options)
    const document = JSON.parse(JSON.stringify(mock.describe(host)))
    const withoutEffect: string[] = []
    let tried = 0
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      for (const [method, { operationId, requestBody }] of Object.entries<Json>(methods)) {
        if (!requestBody || (options.as === 'clickhouse-cloud' && !operationId.startsWith('managed.'))) continue
        const prepared = prepareOperation(path, method, operationId)
        const { edition, places } = prepared
        for (const [place, pairs] of places) {
          const name = `${operationId.replace(/^managed\./, '')} ${place}`
          const known = exceptions.find(([places]) => places.test(`${name} ${edition}`))
          if (known) {
            used.add(known)
            continue
          }
          tried++
          const reasons: string[] = []
          for (const pair of pairs) {
            const reason = await explainNoEffect(pair, prepared)
            if (reason === undefined) break
            reasons.push(reason)
          }
          if (reasons.length === pairs.length) withoutEffect.push(`${name}: ${reasons[0]}`)
        }
      }
    }
    expect(withoutEffect).toEqual([])
    expect(tried).toBeGreaterThan(100)
  })
})

it('every exception of this test matches a field', () => {
  expect(exceptions.filter(one => !used.has(one))).toEqual([])
})
