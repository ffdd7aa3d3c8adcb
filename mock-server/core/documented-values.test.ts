import { describe, expect, it } from 'vitest'
import { resources } from '../../fixtures/built-contract/index.ts'
import type { Field } from '../../fixtures/contract/shape.ts'
import { createMock } from '../index.ts'

/** By default, answers of the cloud and managed forms have only the values that the vendor's document lists for a field. */

const mock = createMock({ segment: 'observability' })
const { baseUrl, keyId, keySecret, organizationId, serviceId, backupId, references } = mock.target().cloud
const organization = `${baseUrl}/v1/organizations/${organizationId}`
const stack = `${organization}/services/${serviceId}/observability`

async function send(method: string, url: string, body?: object) {
  const headers = {
    authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const response = await mock.fetch(url, { method, headers, body: body && JSON.stringify(body) })
  expect(response.status).toBe(200)
  return (await response.json()).result
}

/** The values that are not in the list of their field, where the field has a list; no list has null. */
function findUnlistedValues(
  item: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Field>>,
): string[] {
  return Object.entries(item).flatMap(([name, value]) => {
    const field = fields[name]
    if (!field) return []
    if (field.values) return field.values.includes(value as never) ? [] : [`${name}: ${JSON.stringify(value)}`]
    const inner = field.fields ?? field.items?.fields
    if (!inner || value === null) return []
    return [value].flat().flatMap(one => findUnlistedValues(one as Record<string, unknown>, inner))
  })
}

const alert = {
  dashboardId: references.dashboardId,
  tileId: references.tileId,
  threshold: 1,
  interval: '1h',
  source: 'tile',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId: references.webhookId },
}
const tile = { name: 'Words', x: 0, y: 0, w: 6, h: 3, config: { displayType: 'markdown', markdown: '# Words' } }
const dashboard = { name: 'Made by the test', tiles: [tile] }

describe('an answer of the cloud or managed form has only documented values', () => {
  it.each([
    ['members', 'member', () => send('GET', `${organization}/members`)],
    ['a backup', 'backup', () => send('GET', `${organization}/services/${serviceId}/backups/${backupId}`)],
    ['dashboards', 'dashboard', () => send('GET', `${stack}/dashboards`)],
    ['a dashboard', 'dashboard', () => send('GET', `${stack}/dashboards/${references.dashboardId}`)],
    ['a created dashboard', 'dashboard', () => send('POST', `${stack}/dashboards`, dashboard)],
    [
      'an updated dashboard',
      'dashboard',
      async () =>
        send('PUT', `${stack}/dashboards/${(await send('POST', `${stack}/dashboards`, dashboard)).id}`, dashboard),
    ],
    ['alerts', 'alert', () => send('GET', `${stack}/alerts`)],
    ['a created alert', 'alert', () => send('POST', `${stack}/alerts`, alert)],
    ['sources', 'source', () => send('GET', `${stack}/sources`)],
  ] as const)('in %s', async (_, resource, request) => {
    const items = [await request()].flat()
    expect(items.length).toBeGreaterThan(0)
    const { fields } = resources[resource] as { fields: Readonly<Record<string, Field>> }
    expect(items.flatMap(item => findUnlistedValues(item, fields))).toEqual([])
  })

  it('in the tiles of all dashboards, whose fields match their kind', async () => {
    const dashboards: { tiles: { config: Record<string, unknown> }[] }[] = await send('GET', `${stack}/dashboards`)
    const configs = dashboards.flatMap(({ tiles }) => tiles.map(({ config }) => config))
    expect(configs.length).toBeGreaterThan(5)
    for (const { displayType, sourceId, select, markdown, whereLanguage } of configs) {
      if (displayType === 'markdown') expect(markdown).toEqual(expect.any(String))
      else expect(sourceId).toMatch(/^[0-9a-f]{24}$/)
      if (displayType === 'search') {
        expect([typeof select, typeof whereLanguage]).toEqual(['string', 'string'])
        continue
      }
      expect(['line', 'stacked_bar', 'table', 'number', 'pie', 'markdown']).toContain(displayType)
      for (const { aggFn, level, valueExpression } of (select ?? []) as Record<string, unknown>[]) {
        expect(['avg', 'count', 'count_distinct', 'last_value', 'max', 'min', 'quantile', 'sum']).toContain(aggFn)
        expect(aggFn === 'quantile' ? [0.5, 0.9, 0.95, 0.99] : [undefined]).toContain(level)
        expect(valueExpression).toEqual(aggFn === 'count' ? '' : expect.any(String))
      }
    }
  })
})

it('a self-hosted dashboard without a saved query has the language null, or no language if that is the choice', async () => {
  const readLanguage = async (options: Parameters<typeof createMock>[0]) => {
    const other = createMock(options)
    const { baseUrl, apiKey } = other.target().selfHosted
    const headers = { authorization: `Bearer ${apiKey}` }
    const { data } = await (await other.fetch(`${baseUrl}/api/v2/dashboards`, { headers })).json()
    return data.find(({ savedQuery }: { savedQuery: unknown }) => savedQuery === null).savedQueryLanguage
  }
  expect(await readLanguage({})).toBeNull()
  expect(await readLanguage({ as: 'self-hosted-2.24' })).toBeNull()
  expect(
    await readLanguage({ choices: { selfHosted: { 'dashboard/language-without-query': 'absent' } } }),
  ).toBeUndefined()
})
