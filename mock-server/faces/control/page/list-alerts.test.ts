import { expect, it } from 'vitest'
import { createMock } from '../../../mock/mock.ts'
import { queryStack } from './draw-tile.ts'
import { listAlerts } from './list-alerts.ts'

const now = Date.parse('2026-03-05T10:20:00Z')
const minute = 60_000

it.each([
  ['on the grid of its interval', {}, '10:15'],
  ['shifted by its offset', { scheduleOffsetMinutes: 2 }, '10:17'],
])('listAlerts has the windows in which an alert would have fired, %s', async (_, schedule, last) => {
  const mock = createMock({ now, freeze: true, logs: 0 })
  const { sources } = mock.target({ selfHosted: '' }).selfHosted!.references
  const row = (minutesAgo: number) => ({
    Timestamp: new Date(now - minutesAgo * minute).toISOString(),
    ServiceName: 'web',
    SeverityText: 'ERROR',
  })
  mock.loadRows(sources.log!, [...Array(7).fill(row(40)), ...Array(3).fill(row(70))])
  const [errors] = mock.records.list('alert')
  mock.records.update('alert', errors!.id, { interval: '15m', threshold: 5, ...schedule })
  const listed = (await listAlerts(queryStack(mock, 'self-hosted'), now)).find(({ alert }) => alert.id === errors!.id)!
  expect(listed).toMatchObject({
    watches: { name: 'Errors by service', dashboard: 'Shop overview' },
    channels: ['On call'],
  })
  expect(new Date(listed.windows.at(-1)!.end).toISOString().slice(11, 16)).toBe(last)
  const fired = listed.windows.filter(({ state }) => state === 'ALERT')
  expect(fired).toEqual([expect.objectContaining({ value: 7 })])
  expect(fired[0]!.start).toBeLessThanOrEqual(now - 40 * minute)
  expect(fired[0]!.end).toBeGreaterThan(now - 40 * minute)
})

it('listAlerts has a reason instead of windows for an alert without its tile', async () => {
  const mock = createMock({ now, freeze: true, logs: 0 })
  const [errors] = mock.records.list('alert')
  mock.records.update('alert', errors!.id, { tileId: 'gone' })
  const listed = await listAlerts(queryStack(mock, 'self-hosted'), now)
  expect(listed[0]).toMatchObject({ windows: [], why: 'The tile of this alert is gone' })
})
