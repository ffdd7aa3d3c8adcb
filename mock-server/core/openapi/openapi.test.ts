import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { contract, operations } from '../../../fixtures/built-contract/index.ts'
import { createMock } from '../../faces/create-mock.ts'
import { tagOf, titleOf } from './tags.ts'

const newerEdition = { 'version/self-hosted-edition': '2.36' }
/** The options of the mock for each description. The newer edition has more operations. */
const options = {
  cloud: {},
  selfHosted: {},
  'selfHosted-2.36': { choices: { selfHosted: newerEdition } },
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

interface OperationObject {
  readonly security?: readonly object[]
  readonly 'x-basis': string
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } }
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Record<string, { example?: unknown }> }>>
}

const describedOperations = apis.flatMap(api =>
  Object.entries(documents[api].paths as Record<string, Record<string, OperationObject>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ api, path, method, operation, id: operation.operationId })),
  ),
)

describe.each(apis)('the OpenAPI description of %s', api => {
  it('is a valid OpenAPI document', async () => {
    expect(await new Validator().validate(structuredClone(documents[api]))).toEqual({ valid: true })
  })

  it('has no $ref without a target', () => {
    for (const [, place] of JSON.stringify(documents[api]).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect(resolvePointer(api, place!), place).toBeDefined()
    }
  })
})

describe.each(describedOperations)('the OpenAPI description of $api, $id', ({ api, path, method, operation }) => {
  it('has examples that are valid against their schemas', () => {
    for (const [status, response] of Object.entries(operation.responses)) {
      const place = response.$ref ?? `#/paths/${escapePointer(path)}/${method}/responses/${status}`
      const example = (response.content ?? resolvePointer<typeof response>(api, place.slice(2))?.content)?.[
        'application/json'
      ]
      if (example) expect(validate(api, `${place}/content/application~1json/schema`, example.example)).toEqual([])
    }
    const body = operation.requestBody?.content['application/json'].example
    if (body)
      expect(
        validate(api, `#/paths/${escapePointer(path)}/${method}/requestBody/content/application~1json/schema`, body),
      ).toEqual([])
  })
})

/** The operations whose example request works; the examples of the others need more than the contract says. */
const callable = describedOperations.filter(
  ({ api, operation }) =>
    ['stated', 'implied'].includes(operation['x-basis']) || (api === 'selfHosted-2.36' && !operation.requestBody),
)

describe.each(callable)('the OpenAPI description of $api, $id', ({ api, path, method, operation }) => {
  it('describes the answer of the mock to the example request', async () => {
    const answer = await sendExample(api, path, method, operation)
    expect(answer).toMatchObject({ status: 200 })
    const place = `#/paths/${escapePointer(path)}/${method}/responses/200/content/application~1json/schema`
    expect(validate(api, place, answer.json)).toEqual([])
  })
})

describe.each(callable.filter(({ operation }) => operation.security?.length !== 0))(
  'the OpenAPI description of $api, $id',
  ({ api, path, method, operation }) => {
    it('describes the refusal of unknown credentials', async () => {
      const answer = await sendExample(api, path, method, operation, 'Bearer unknown')
      expect(Object.keys(operation.responses)).toContain(String(answer.status))
      const place = '#/components/responses/Unauthorized/content/application~1json/schema'
      expect(validate(api, place, answer.json)).toEqual([])
    })
  },
)

describe('the described operations', () => {
  const idsOf = (api: Api) =>
    describedOperations.filter(one => one.api === api).map(({ id }) => id.replace('managed.', ''))

  it('are those of the edition that the mock serves', () => {
    const older = idsOf('selfHosted')
    expect(older).toContain('dashboard.update')
    expect(older).not.toContain('connection.create')
    const onlyNewer = Object.entries(operations).filter(([, { editions, paths }]) => editions && paths.selfHosted)
    expect(onlyNewer.length).toBeGreaterThan(0)
    expect(idsOf('selfHosted-2.36').toSorted()).toEqual([...older, ...onlyNewer.map(([id]) => id)].toSorted())
    expect(createMock().describe('selfHosted')).toEqual(documents.selfHosted)
  })

  it('have the chosen segment and methods', () => {
    const { paths } = documents['other-segment']
    const alert = Object.entries(paths).find(([path]) => path.endsWith('/here/alerts/{id}'))
    expect(Object.keys(alert![1])).toEqual(expect.arrayContaining(['get', 'patch', 'delete']))
    expect(Object.keys(alert![1])).not.toContain('put')
    expect(Object.keys(paths)).not.toContain('/v1')
    expect(Object.keys(documents.cloud.paths)).toContain('/v1')
  })
})

/** Sends the example request of the description, with the ids of the world of the mock. */
async function sendExample(api: Api, path: string, method: string, { requestBody }: OperationObject, as?: string) {
  const mock = createMock(options[api])
  const { cloud, selfHosted } = mock.target()
  const isCloud = hostOf(api) === 'cloud'
  const { baseUrl, references } = (isCloud ? cloud : selfHosted)!
  const ownAuthorization = isCloud
    ? `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`
    : `Bearer ${selfHosted!.apiKey}`
  const send = async (to: string, verb: string, body?: string, authorization = ownAuthorization) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await mock.fetch(to, { method: verb, headers, body })
    return { status: response.status, json: await response.json() }
  }
  const url = baseUrl + path.replace(/\{(\w+)\}/g, (text, name) => cloud![name as 'serviceId'] ?? text)
  const list = async (address: string) => {
    const { json } = await send(address, 'GET')
    return json.data ?? json.result
  }
  const collection = url.replace('/{id}', '')
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
  // The default world has no invitations.
  if (listed.endsWith('/invitations')) mock.records.create('teamInvitation')
  const address = url === collection ? url : `${collection}/${(await list(listed)).at(-1).id}`
  return send(address, method.toUpperCase(), body, as)
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const [api, document] of Object.entries(documents)) ajv.addSchema(document, api)

function validate(api: Api, place: string, value: unknown): readonly string[] {
  const validator = ajv.getSchema(`${api}${place}`)
  if (!validator) throw new Error(`no schema at ${api}${place}`)
  validator(value)
  return (validator.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const escapePointer = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

function resolvePointer<T = unknown>(api: Api, place: string): T | undefined {
  let value: unknown = documents[api]
  for (const step of place.split('/')) value = (value as Record<string, unknown> | undefined)?.[step]
  return value as T | undefined
}

describe('the heading of an operation', () => {
  it.each([
    ['savedSearch.list', 'Saved searches', 'List saved searches'],
    ['postgres.list', 'Postgres', 'List Postgres'],
  ] as const)('of %s is a plural', (id, tag, title) => {
    expect([tagOf(contract, id), titleOf(id)]).toEqual([tag, title])
  })
})
