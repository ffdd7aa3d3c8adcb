import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import { createMock } from '../index.ts'

/** Calls every operation of the newer self-hosted edition, and validates each answer against the OpenAPI document. */

// biome-ignore lint/suspicious/noExplicitAny: answers are read as plain JSON
type Json = Record<string, any>

function setUp() {
  const mock = createMock({ as: 'self-hosted-2.36', now: Date.parse('2026-03-01T12:00:00Z') })
  const { apiKey, references } = mock.target({ selfHosted: 'http://localhost' }).selfHosted!
  const description = JSON.parse(JSON.stringify(mock.describe('selfHosted'))) as Json
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }))
  ajv.addSchema({ ...description, $id: 'description' })
  const called = new Set<string>()

  const call = async (id: OperationId, body?: unknown, recordId = '', status = 200) => {
    const { method, paths } = operations[id] as { method: string; paths: Json }
    const template = paths.selfHosted as string
    const answer = await mock.answer(
      {
        method,
        path: template.replace('{id}', recordId),
        query: '',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: body === undefined ? '' : JSON.stringify(body),
      },
      'selfHosted',
    )
    expect([id, answer.status, answer.status === status ? '' : answer.body]).toEqual([id, status, ''])
    called.add(id)
    const json = answer.body.startsWith('{') ? (JSON.parse(answer.body) as Json) : {}
    if (status === 200) {
      const pointer = template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
      const validate = ajv.getSchema(
        `description#/paths/${pointer}/${method.toLowerCase()}/responses/200/content/application~1json/schema`,
      )
      expect([id, validate?.(json), validate?.errors ?? null]).toEqual([id, true, null])
    }
    return json.data ?? json
  }
  return { call, called, references: references as Json }
}

describe('the newer self-hosted edition', () => {
  it('answers each operation as its OpenAPI document describes', async () => {
    const { call, called, references } = setUp()
    const { sourceId, webhookId } = references
    const [source] = await call('source.list')
    const { id: _, ...sourceBody } = source
    const made = await call('source.create', { ...sourceBody, name: 'Another' })
    await call('source.get', undefined, made.id)
    await call('source.update', { ...sourceBody, name: 'Renamed' }, made.id)
    await call('source.delete', undefined, made.id)

    await call('connection.list')
    const connectionBody = { name: 'Local', host: 'http://database.example', username: 'me' }
    const connection = await call('connection.create', connectionBody)
    await call('connection.get', undefined, connection.id)
    await call('connection.update', connectionBody, connection.id)
    await call('connection.delete', undefined, connection.id)

    await call('webhook.list')
    const webhookBody = { name: 'Pager', service: 'generic', url: 'https://hooks.example.test/pager' }
    const webhook = await call('webhook.create', webhookBody)
    await call('webhook.update', webhookBody, webhook.id)
    await call('webhook.delete', undefined, webhook.id)

    const tile = { displayType: 'line', sourceId, select: [{ aggFn: 'count' }] }
    const board = { name: 'Board', tiles: [{ name: 'Rows', x: 0, y: 0, w: 6, h: 3, config: tile }] }
    await call('dashboard.validate', board)
    const dashboard = await call('dashboard.create', board)
    await call('dashboard.list')
    await call('dashboard.get', undefined, dashboard.id)
    await call('dashboard.update', dashboard, dashboard.id)

    const search = await call('savedSearch.create', { name: 'Errors', sourceId, where: 'SeverityText:ERROR' })
    await call('savedSearch.list')
    await call('savedSearch.get', undefined, search.id)
    await call('savedSearch.update', { name: 'All', sourceId }, search.id)

    const limits = { threshold: 1, thresholdType: 'above', interval: '5m', channel: { type: 'webhook', webhookId } }
    const onTile = { source: 'tile', dashboardId: dashboard.id, tileId: dashboard.tiles[0].id, ...limits, name: 'T' }
    const alert = await call('alert.create', { ...onTile, message: 'Look' })
    await call('alert.list')
    await call('alert.get', undefined, alert.id)
    await call('alert.update', { ...onTile, message: 'Look' }, alert.id)
    await call('alert.delete', undefined, alert.id)
    await call('dashboard.delete', undefined, dashboard.id)
    await call('savedSearch.delete', undefined, search.id)

    const [startTime, endTime] = [Date.parse('2026-03-01T10:00:00Z'), Date.parse('2026-03-01T11:00:00Z')]
    const series = [{ sourceId, aggFn: 'count', where: '', groupBy: [] }]
    await call('chart.query', { startTime, endTime, granularity: '1h', series })
    await call('search.query', { sourceId })

    await call('team.get')
    const [, member] = await call('teamMember.list')
    await call('teamMember.delete', undefined, member.id)
    const { invitationId } = await call('teamInvitation.create', { email: 'new@example.com' })
    await call('teamInvitation.list')
    await call('teamInvitation.delete', undefined, invitationId)

    const all = Object.entries(operations).filter(([, { paths }]) => 'selfHosted' in paths)
    const own = all.map(([id]) => id).filter(id => !['root.get', 'health.get', 'readiness.get'].includes(id))
    expect([...called].sort()).toEqual(own.sort())
    expect(called.size).toBe(38)
  })

  it('has operations that are unknown in the older edition', async () => {
    const mock = createMock({ as: 'self-hosted-2.24' })
    const { apiKey } = mock.target({ selfHosted: 'http://localhost' }).selfHosted!
    const headers = { authorization: `Bearer ${apiKey}` }
    for (const path of ['saved-searches', 'team', 'team/members', 'team/invitations']) {
      const call = { method: 'GET', path: `/api/v2/${path}`, query: '', headers, body: '' }
      expect((await mock.answer(call, 'selfHosted')).status).toBe(404)
    }
  })
})
