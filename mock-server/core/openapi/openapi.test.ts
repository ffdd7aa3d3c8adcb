import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../fixtures/contract/index.ts'
import { createMock } from '../../faces/create-mock.ts'
import { describe as describeApi } from './openapi.ts'
import { tagOf, titleOf } from './tags.ts'

const newer = { 'version/self-hosted-edition': '2.36' }
/** A mock with options for each description: the newer edition has more operations. */
const options = {
  cloud: {},
  selfHosted: {},
  'selfHosted-2.36': { choices: { selfHosted: newer } },
  'other-segment': {
    segment: 'here',
    choices: { managed: { 'alert/update-method': 'PATCH' }, cloud: { 'version/description': 'absent' } },
  },
} as const
type Api = keyof typeof options
const hostOf = (api: Api) => (api.startsWith('selfHosted') ? 'selfHosted' : 'cloud')
const apis = Object.keys(options) as Api[]
const documents = Object.fromEntries(
  apis.map(api => [api, createMock(options[api]).describe(hostOf(api)) as { paths: object }]),
) as Record<Api, { paths: object }>

interface Described {
  readonly security?: readonly object[]
  readonly 'x-basis': string
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } }
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Record<string, { example?: unknown }> }>>
}

const described = apis.flatMap(api =>
  Object.entries(documents[api].paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ api, path, method, operation, id: operation.operationId })),
  ),
)

describe.each(apis)('the description of the API: %s', api => {
  it('is a valid OpenAPI document', async () => {
    expect(await new Validator().validate(structuredClone(documents[api]))).toEqual({ valid: true })
  })

  it('refers to nothing that is not there', () => {
    for (const [, place] of JSON.stringify(documents[api]).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect(find(api, place!), place).toBeDefined()
    }
  })
})

describe.each(described)('the description of $api, $id', ({ api, path, method, operation }) => {
  it('has examples that are what they describe', () => {
    for (const [status, response] of Object.entries(operation.responses)) {
      const place = response.$ref ?? `#/paths/${pointTo(path)}/${method}/responses/${status}`
      const example = (response.content ?? find<typeof response>(api, place.slice(2))?.content)?.['application/json']
      if (example) expect(judge(api, `${place}/content/application~1json/schema`, example.example)).toEqual([])
    }
    const body = operation.requestBody?.content['application/json'].example
    if (body)
      expect(
        judge(api, `#/paths/${pointTo(path)}/${method}/requestBody/content/application~1json/schema`, body),
      ).toEqual([])
  })
})

/** What requests of other operations take beyond their fields is not in the contract. */
const asked = described.filter(
  ({ api, operation }) =>
    ['stated', 'implied'].includes(operation['x-basis']) || (api === 'selfHosted-2.36' && !operation.requestBody),
)

describe.each(asked)('the description of $api, $id', ({ api, path, method, operation }) => {
  it('is what the mock answers', async () => {
    const answer = await ask(api, path, method, operation)
    expect(answer).toMatchObject({ status: 200 })
    const place = `#/paths/${pointTo(path)}/${method}/responses/200/content/application~1json/schema`
    expect(judge(api, place, answer.json)).toEqual([])
  })
})

describe.each(asked.filter(({ operation }) => operation.security?.length !== 0))(
  'the description of $api, $id',
  ({ api, path, method, operation }) => {
    it('names how the mock refuses an unknown credential', async () => {
      const answer = await ask(api, path, method, operation, 'Bearer unknown')
      expect(Object.keys(operation.responses)).toContain(String(answer.status))
      const place = '#/components/responses/Unauthorized/content/application~1json/schema'
      expect(judge(api, place, answer.json)).toEqual([])
    })
  },
)

describe('what is described', () => {
  const idsOf = (api: Api) => described.filter(one => one.api === api).map(({ id }) => id.replace('managed.', ''))

  it('is what the mock serves', () => {
    const older = idsOf('selfHosted')
    expect(older).toContain('dashboard.update')
    expect(older).not.toContain('connection.create')
    const onlyNewer = Object.entries(operations).filter(([, { editions, paths }]) => editions && paths.selfHosted)
    expect(onlyNewer.length).toBeGreaterThan(0)
    expect(idsOf('selfHosted-2.36').toSorted()).toEqual([...older, ...onlyNewer.map(([id]) => id)].toSorted())
    expect(describeApi('selfHosted')).toEqual(documents.selfHosted)
  })

  it('has the segment and the methods in force', () => {
    const { paths } = documents['other-segment']
    const alert = Object.entries(paths).find(([path]) => path.endsWith('/here/alerts/{id}'))
    expect(Object.keys(alert![1])).toEqual(expect.arrayContaining(['get', 'patch', 'delete']))
    expect(Object.keys(alert![1])).not.toContain('put')
    expect(Object.keys(paths)).not.toContain('/v1')
    expect(Object.keys(documents.cloud.paths)).toContain('/v1')
  })
})

/** Sends the request that is described, its example with the ids of this world in it. */
async function ask(api: Api, path: string, method: string, { requestBody }: Described, as?: string) {
  const mock = createMock(options[api])
  const { cloud, selfHosted } = mock.target()
  const isCloud = hostOf(api) === 'cloud'
  const { baseUrl, references } = (isCloud ? cloud : selfHosted)!
  const own = isCloud ? `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}` : `Bearer ${selfHosted!.apiKey}`
  const send = async (to: string, verb: string, body?: string, authorization = own) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await mock.fetch(to, { method: verb, headers, body })
    return { status: response.status, json: await response.json() }
  }
  const whole = baseUrl + path.replace(/\{(\w+)\}/g, (text, name) => cloud![name as 'serviceId'] ?? text)
  const list = async (address: string) => {
    const { json } = await send(address, 'GET')
    return json.data ?? json.result
  }
  const collection = whole.replace('/{id}', '')
  // Members and invitations of a team are listed under the plural.
  const listed = collection.replace(/\/team\/\w+$/, '$&s')
  const sources = await list(
    collection.replace(/(dashboards|alerts|charts|saved|webhooks|connections|team)\b.*/, 'sources'),
  )
  const example = requestBody && JSON.stringify(requestBody.content['application/json'].example)
  const body = example
    ?.replaceAll('6578c0475b00697201000009', references.dashboardId)
    .replaceAll('6578c0475b0069720100000a', references.tileId)
    .replaceAll('6578c0475b00697201000007', references.webhookId)
    .replaceAll('6578c0475b00697201000003', sources[0].id)
    .replaceAll('6578c0475b00697201000002', sources[0].connection)
  if (method === 'delete' && path.includes('/webhooks/')) {
    // A webhook that alerts use cannot be deleted.
    const alerts = collection.replace('webhooks', 'alerts')
    for (const { id } of await list(alerts)) await send(`${alerts}/${id}`, 'DELETE')
  }
  // Nobody is invited at the start.
  if (listed.endsWith('/invitations')) mock.records.create('teamInvitation')
  const address = whole === collection ? whole : `${collection}/${(await list(listed)).at(-1).id}`
  return send(address, method.toUpperCase(), body, as)
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const [api, document] of Object.entries(documents)) ajv.addSchema(document, api)

function judge(api: Api, place: string, value: unknown): readonly string[] {
  const validate = ajv.getSchema(`${api}${place}`)
  if (!validate) throw new Error(`no schema at ${api}${place}`)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const pointTo = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

function find<T = unknown>(api: Api, place: string): T | undefined {
  let at: unknown = documents[api]
  for (const step of place.split('/')) at = (at as Record<string, unknown> | undefined)?.[step]
  return at as T | undefined
}

describe('the heading of an operation', () => {
  it.each([
    ['savedSearch.list', 'Saved searches', 'List saved searches'],
    ['postgres.list', 'Postgres', 'List Postgres'],
  ] as const)('of %s is a plural', (id, tag, title) => {
    expect([tagOf(id), titleOf(id)]).toEqual([tag, title])
  })
})
