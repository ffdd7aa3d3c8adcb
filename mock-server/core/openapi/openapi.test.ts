import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect } from 'vitest'
import type { FetchMock } from '../../faces/create-mock.ts'
import { it } from '../../vitest.ts'
import { describe as describeApi } from './openapi.ts'

const documents = { cloud: describeApi('cloud'), selfHosted: describeApi('selfHosted') } as const
type Api = keyof typeof documents
interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } }
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Record<string, { example?: unknown }> }>>
}

const described = (['cloud', 'selfHosted'] as const).flatMap(api =>
  Object.entries(documents[api].paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ api, path, method, operation, id: operation.operationId })),
  ),
)

describe.each(['cloud', 'selfHosted'] as const)('the description of the API: %s', api => {
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

  it('is what the mock answers', async ({ mock }) => {
    const answer = await ask(mock, api, path, method, operation)
    expect(answer).toMatchObject({ status: 200 })
    const place = `#/paths/${pointTo(path)}/${method}/responses/200/content/application~1json/schema`
    expect(judge(api, place, answer.json)).toEqual([])
  })

  it('names how the mock refuses an unknown credential', async ({ mock }) => {
    const answer = await ask(mock, api, path, method, operation, 'Bearer unknown')
    expect(Object.keys(operation.responses)).toContain(String(answer.status))
    const place = '#/components/responses/Unauthorized/content/application~1json/schema'
    expect(judge(api, place, answer.json)).toEqual([])
  })
})

/** Sends the request that is described, its example with the ids of this world in it. */
async function ask(mock: FetchMock, api: Api, path: string, method: string, { requestBody }: Described, as?: string) {
  const { cloud, selfHosted } = mock.target()
  const { baseUrl, references } = (api === 'cloud' ? cloud : selfHosted)!
  const own = api === 'cloud' ? `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}` : `Bearer ${selfHosted!.apiKey}`
  const send = async (to: string, verb: string, body?: string, authorization = own) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await mock.fetch(to, { method: verb, headers, body })
    return { status: response.status, json: await response.json() }
  }
  const collection = baseUrl + path.replace(/\{(\w+)\}/g, (text, name) => cloud![name as 'serviceId'] ?? text)
  const listOf = async (resource: string) => {
    const { json } = await send(collection.replace(/(dashboards|alerts|charts).*/, resource), 'GET')
    return (json.data ?? json.result)[0].id as string
  }
  const address = path.endsWith('{id}')
    ? collection.replace('{id}', await listOf(path.includes('/alerts/') ? 'alerts' : 'dashboards'))
    : collection
  const example = requestBody && JSON.stringify(requestBody.content['application/json'].example)
  const body = example
    ?.replaceAll('6578c0475b00697201000009', references.dashboardId)
    .replaceAll('6578c0475b0069720100000a', references.tileId)
    .replaceAll('6578c0475b00697201000007', references.webhookId)
    .replaceAll('6578c0475b00697201000003', await listOf('sources'))
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
