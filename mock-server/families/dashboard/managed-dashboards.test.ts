import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

/** Dashboards of the newest managed form, which has more than self-hosted deployments of its edition. */

const place = { x: 0, y: 0, w: 12, h: 5 }

async function open() {
  const { send, serviceId } = openCloud({ as: 'clickhouse-cloud', segment: 'clickstack' })
  const ask = (method: string, path: string, body?: object) =>
    send(method, `/services/${serviceId}/clickstack${path}`, body)
  const [{ id: sourceId }] = (await ask('GET', '/sources')).result
  const config = { displayType: 'stacked_line', sourceId, select: [{ aggFn: 'count', where: '' }] }
  return { ask, tile: { ...place, name: 'Lines', config } }
}

it('keeps what is said of a tile, and how its points are connected', async () => {
  const { ask, tile } = await open()
  const sent = { ...tile, description: 'All of them', config: { ...tile.config, lineInterpolation: 'step' } }
  const { result } = await ask('POST', '/dashboards', { name: 'Shop', tiles: [sent] })
  expect((await ask('GET', `/dashboards/${result.id}`)).result.tiles[0]).toMatchObject({
    ...{ description: 'All of them' },
    config: { displayType: 'stacked_line', lineInterpolation: 'step', fillNulls: true },
  })
})

it('keeps how many values of a filter are selected', async () => {
  const { ask, tile } = await open()
  const { sourceId } = tile.config
  const filter = { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId }
  const make = (more: object) =>
    ask('POST', '/dashboards', { name: 'Shop', tiles: [], filters: [{ ...filter, ...more }] })
  const { result } = await make({ minSelections: 1, isGlobalRequirement: true })
  expect(result.filters).toMatchObject([{ minSelections: 1, isGlobalRequirement: true }])
  expect((await make({ maxSelections: 2 })).status).toBe(400)
})

it('refuses points that are connected in no known way', async () => {
  const { ask, tile } = await open()
  const wrong = { ...tile, config: { ...tile.config, lineInterpolation: 'zigzag' } }
  expect((await ask('POST', '/dashboards', { name: 'Shop', tiles: [wrong] })).status).toBe(400)
})
