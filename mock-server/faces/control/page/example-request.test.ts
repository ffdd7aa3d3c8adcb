import { describe, expect, it } from 'vitest'
import { createMock } from '../../create-mock.ts'
import type { ExampleRequest } from './answers.ts'
import { createExampleRequest } from './example-request.ts'

/** Operations to call first, because an operation needs their effects. */
const prerequisites: Readonly<Record<string, readonly string[]>> = {
  'backupBucket.create': ['backupBucket.delete'],
  'byocInfrastructure.get': ['byocInfrastructure.create'],
  'byocInfrastructure.update': ['byocInfrastructure.create'],
  'byocInfrastructure.delete': ['byocInfrastructure.create'],
  'byocPrivateEndpointConfig.get': ['byocInfrastructure.create', 'byocInfrastructure.update'],
  'byocProgress.get': ['byocInfrastructure.create'],
  'byocTags.get': ['byocInfrastructure.create'],
  'clickhouseSetting.get': ['clickhouseSetting.update'],
  'queryApiEndpoint.update': ['queryApiEndpoint.create'],
  'queryApiEndpoint.delete': ['queryApiEndpoint.create'],
  'role.update': ['role.create'],
  'role.delete': ['role.create'],
  'savedQuery.update': ['savedQuery.create'],
  'savedQuery.delete': ['savedQuery.create'],
  'udf.create': ['udfUpload.create', 'udfUpload.receive'],
  'udfUpload.receive': ['udfUpload.create'],
  'udfVersion.create': ['udfUpload.create', 'udfUpload.receive'],
  'teamInvitation.delete': ['teamInvitation.create'],
  'webhook.delete': ['webhook.create'],
}

const newer = { choices: { selfHosted: { 'version/self-hosted-edition': '2.36' } } } as const
const managedWebhooks = { choices: { managed: { 'webhook/managed-form': 'present' } } } as const

interface Route {
  readonly api: 'cloud' | 'selfHosted'
  readonly method: string
  readonly path: string
}

function open(options: Parameters<typeof createMock>[0]) {
  const mock = createMock({ now: Date.UTC(2026, 5, 1, 12), freeze: true, ...options })
  const target = mock.target()
  const routes = new Map<string, Route>()
  for (const api of ['cloud', 'selfHosted'] as const) {
    const { paths } = mock.describe(api) as { paths: Record<string, Record<string, { operationId: string }>> }
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) routes.set(operationId, { api, method, path })
    }
  }
  const createExample = (id: string, chosen = {}) =>
    createExampleRequest(mock.deployment().world, target, id, mock.clock.now(), chosen)!
  async function send(id: string, example: ExampleRequest = createExample(id)) {
    const { api, method, path } = routes.get(id)!
    const { baseUrl } = target[api]!
    const values = (where: string) => example.parameters.filter(one => one.in === where && one.value !== undefined)
    const filled = values('path').reduce((text, { name, value }) => text.replace(`{${name}}`, value!), path)
    const query = new URLSearchParams(values('query').map(({ name, value }) => [name, value!]))
    const credentials =
      api === 'cloud' ? btoa(`${target.cloud!.keyId}:${target.cloud!.keySecret}`) : target.selfHosted!.apiKey
    const headers = {
      authorization: `${api === 'cloud' ? 'Basic' : 'Bearer'} ${credentials}`,
      'content-type': example.text?.type ?? 'application/json',
    }
    const body = example.text?.body ?? (example.body === undefined ? undefined : JSON.stringify(example.body))
    const answer = await mock.fetch(`${baseUrl}${filled}?${query}`, { method: method.toUpperCase(), headers, body })
    return { status: answer.status, body: await answer.text() }
  }
  return { mock, target, routes, createExample, send }
}

const opened = [{}, newer, managedWebhooks].map(open)
const standard = opened[0]!
const allOperations = opened.flatMap(one =>
  [...one.routes.keys()].filter(id => one === standard || !standard.routes.has(id)).map(id => ({ id, one })),
)

describe('an example request', () => {
  it('exists for all operations', () => {
    expect(allOperations.length).toBeGreaterThan(140)
    expect(standard.createExample('member.fly')).toBeUndefined()
  })

  it.each(allOperations)('is answered with success: $id', async ({ id, one: { mock, send } }) => {
    mock.reset()
    const [organization] = mock.records.list('organization')
    mock.records.update('organization', organization!.id, {
      features: ['horizontal-autoscaling', 'replica-aware-routing'],
    })
    for (const earlier of prerequisites[id.replace('managed.', '')] ?? []) {
      expect((await send(id.startsWith('managed.') ? `managed.${earlier}` : earlier)).status).toBeLessThan(300)
    }
    const { status, body } = await send(id)
    expect(status, body).toBeGreaterThanOrEqual(200)
    expect(status, body).toBeLessThan(300)
  })

  it('uses the chosen organization and service', async () => {
    const { target, createExample, send, mock } = standard
    const { organizationId, serviceId } = target.cloud!
    const [, second] = mock.records.list('service', { within: organizationId })
    const chosen = { organizationId, serviceId: second!.id }
    expect(second!.id).not.toBe(serviceId)
    const example = createExample('managed.alert.create', chosen)
    expect(example.parameters.map(({ value }) => value)).toEqual([organizationId, second!.id])
    const { dashboardId } = example.body as { dashboardId: string }
    expect(mock.records.list('dashboard', { within: second!.id }).map(({ id }) => id)).toContain(dashboardId)
    expect(example.choices).toMatchObject({
      dashboardId: expect.arrayContaining([{ value: dashboardId, description: expect.any(String) }]),
    })
    expect(Object.keys(example.choices!).sort()).toEqual(['dashboardId', 'savedSearchId', 'tileId', 'webhookId'])
    expect(await send('managed.alert.create', example)).toMatchObject({ status: 200 })
  })

  it('describes its ids, and omits ids of records that do not exist', () => {
    expect(standard.createExample('member.get').parameters[1]!.choices[0]!.description).toMatch(/^\w+ \w+/)
    const [id] = opened[1]!.createExample('teamInvitation.delete').parameters
    expect(id).toEqual({ name: 'id', in: 'path', required: true, choices: [] })
  })
})
