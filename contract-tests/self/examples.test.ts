import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Form, gaps, rules } from '../../fixtures/built-contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import type { Check, Outcome } from '../engine/check.ts'
import { type Exchange, parseJson } from '../engine/exchange.ts'
import { checks } from '../run/checks.ts'
import { createEvidence } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** Hand-written examples with verdicts: the suite judges the answers, the mock the requests, and both the ids. */

interface Example {
  readonly description: string
  readonly data: unknown
  readonly valid: boolean
  /** The rule that an invalid example breaks, or the gap whose default choice refuses it. */
  readonly rule: keyof typeof checks
}

const folder = new URL('../../fixtures/examples/', import.meta.url)
const read = (name: string): Example[] => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
const titled = (name: string) =>
  read(name).map(example => ({ ...example, verdict: example.valid ? 'valid' : 'invalid' }))

const id = '01234567-89ab-4def-8123-456789abcdef'
const inEnvelope = (result: unknown) => ({ status: 200, requestId: id, result })

/** Creates an answer with an example in the place that the rule judges. */
function createAnswer({ data, rule }: Example): { step: string; status: number; body: unknown } {
  const [subject, claim] = rule.split('/') as [string, string]
  const members = { step: 'cloud:member.list', status: 200 }
  if (subject === 'error') return { ...members, status: 400, body: data }
  if (subject === 'envelope')
    return { ...members, body: typeof data === 'object' && data ? data : { ...inEnvelope([]), requestId: data } }
  const field =
    Object.entries({
      'joined-at': 'joinedAt',
      'user-id': 'userId',
      'size-in': 'sizeInBytes',
      'duration-in': 'durationInSeconds',
      'service-id': 'serviceId',
      'backup-name': 'backupName',
      'bucket-provider': 'bucketProvider',
    }).find(([words]) => claim.startsWith(words))?.[1] ?? claim.split('-')[0]!
  if (subject === 'member') return { ...members, body: inEnvelope([{ [field]: data }]) }
  const backup = field === 'bucketProvider' ? { bucket: { [field]: data } } : { [field]: data }
  return { step: 'cloud:backup.get', status: 200, body: inEnvelope(backup) }
}

/** The verdict of the suite on a single answer. */
function judge(rule: Example['rule'], { step, status, body }: ReturnType<typeof createAnswer>): Outcome {
  const text = JSON.stringify(body)
  const exchange: Exchange = {
    step,
    form: 'cloud',
    operation: step === 'cloud:backup.get' ? 'backup.get' : 'member.list',
    as: 'key',
    why: '',
    request: { method: 'GET', path: '/v1', headers: {}, body: null },
    response: { status, headers: { 'content-type': 'application/json' }, text },
    json: parseJson(text),
    ms: 1,
  }
  const visited = {
    target: {},
    exchanges: new Map([[step, exchange]]),
    missing: new Map(),
  }
  const check: Check = checks[rule]
  return check.judge(createEvidence('cloud', visited, [exchange])).outcome
}

const mock = createMock()
const target = directTarget(mock)
const client = createDirectClient(mock)
const json = { accept: 'application/json', 'content-type': 'application/json' }

/** Posts an example to the mock, with its `$names` replaced by the references of the target. */
async function post(
  form: Exclude<Form, 'cloud'>,
  resource: string,
  data: unknown,
): Promise<{ status: number; text: string }> {
  const { cloud, selfHosted } = target
  const at = form === 'selfHosted' ? selfHosted! : cloud!
  const references: Record<string, unknown> = { ...at.references }
  const body = JSON.stringify(data).replace(/\$(\w+)/g, (_, name) => String(references[name]))
  const base = `/v1/organizations/${cloud!.organizationId}/services/${cloud!.serviceId}/${cloud!.observabilitySegment}`
  const path = `${form === 'selfHosted' ? '/api/v2' : base}/${resource}`
  const authorization =
    form === 'selfHosted' ? `Bearer ${selfHosted!.apiKey}` : `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`
  return client.send({ baseUrl: at.baseUrl, method: 'POST', path, headers: { ...json, authorization }, body })
}

/** Sends a request with an id in its path, and returns the status. */
async function requestWithId(data: unknown): Promise<number> {
  const { baseUrl, keyId, keySecret } = target.cloud!
  const path = `/v1/organizations/${encodeURIComponent(String(data))}/members`
  const headers = { ...json, authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
  return (await client.send({ baseUrl, method: 'GET', path, headers })).status
}

describe('the suite judges an answer', () => {
  const answers = ['date-times', 'uuids', 'email-addresses', 'fields', 'envelopes', 'bad-requests'].flatMap(titled)
  it.each(answers)('as $verdict by $rule: $description', example => {
    expect(judge(example.rule, createAnswer(example))).toBe(example.valid ? 'held' : 'broken')
  })
})

describe('the mock judges an id in a path', () => {
  it.each(titled('uuids').filter(({ rule }) => rule === 'backup/id-is-a-uuid'))(
    'as $verdict: $description',
    async ({ data, valid }) => {
      const status = await requestWithId(data)
      if (valid) expect(status).not.toBe(400)
      else expect(status).toBe(400)
    },
  )
})

describe.each(['managed', 'selfHosted'] as const)('the mock judges an alert in the form %s', form => {
  it.each(titled('alerts'))('as $verdict: $description', async ({ data, valid }) => {
    const { status, text } = await post(form, 'alerts', data)
    expect([status, text]).toEqual([valid ? 200 : 400, expect.any(String)])
  })
})

describe('the mock judges a chart query', () => {
  it.each(titled('chart-queries'))('as $verdict: $description', async ({ data, valid, rule }) => {
    const { status, text } = await post('selfHosted', 'charts/series', data)
    const refused = rule === 'chart/unknown-source' ? 404 : 400
    expect([status, text]).toEqual([valid ? 200 : refused, expect.any(String)])
  })
})

describe('the examples', () => {
  it('name rules and gaps that exist, and differ from each other', () => {
    const examples = readdirSync(folder).flatMap(name => read(name.replace(/\.json$/, '')))
    expect(examples.map(({ rule }) => rule).filter(rule => !(rule in rules) && !(rule in gaps))).toEqual([])
    const seen = examples.map(({ data, rule }) => `${rule} ${JSON.stringify(data)}`)
    expect(seen.filter((one, index) => seen.indexOf(one) < index)).toEqual([])
  })
})
