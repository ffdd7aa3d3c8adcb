import { expect, it } from 'vitest'
import { queryStack } from '../../faces/control/page/draw-tile.ts'
import { createMock } from '../../mock/mock.ts'
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
  const [errors] = mock.records.list('alert')
  mock.records.update('alert', errors!.id, { interval: '15m', threshold: 5, ...schedule })
  mock.loadRows(sources.log!, [...Array(7).fill(row(40)), ...Array(3).fill(row(70))])
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

it('listAlerts has the recorded windows, whatever the alert watches since', async () => {
  const mock = createMock({ now, freeze: true, scenario: 'empty', logs: 0 })
  const { sources } = mock.target({ selfHosted: '' }).selfHosted!.references
  const within = { within: 'self-hosted' }
  const config = {
    displayType: 'line',
    sourceId: sources.log,
    asRatio: false,
    fillNulls: true,
    select: [{ aggFn: 'count', valueExpression: '', where: '', whereLanguage: 'lucene' }],
  }
  const tile = { id: 't', name: 'Lines', x: 0, y: 0, w: 6, h: 3, config }
  const board = mock.create('dashboard', { name: 'Board', tiles: [tile] as never }, within)
  const createdAt = new Date(now).toISOString()
  const watch = {
    source: 'tile',
    dashboardId: board.id,
    tileId: 't',
    interval: '1m',
    threshold: 1,
    thresholdType: 'above',
  } as const
  const alert = mock.create('alert', { name: 'Any', ...watch, channels: [], createdAt }, within)
  mock.loadRows(sources.log!, [{ Timestamp: now + minute, Body: 'x' }])
  mock.advance('3m')
  const statesOf = async () => {
    const listed = await listAlerts(queryStack(mock, 'self-hosted'), now + 3 * minute)
    return listed
      .find(one => one.alert.id === alert.id)!
      .windows.map(({ start, value, state }) => [(start - now) / minute, value, state])
  }
  const windows = [
    [-1, 0, 'OK'],
    [0, 0, 'OK'],
    [1, 1, 'ALERT'],
    [2, 0, 'OK'],
  ]
  expect(await statesOf()).toEqual(windows)
  const none = { ...config, select: [{ ...config.select[0], where: 'Body:y' }] }
  mock.update('dashboard', board.id, { tiles: [{ ...tile, config: none }] as never }, within)
  expect(await statesOf()).toEqual(windows)
})

it('listAlerts has a reason instead of windows for an alert without its tile', async () => {
  const mock = createMock({ now, freeze: true, logs: 0 })
  const [errors] = mock.records.list('alert')
  mock.records.update('alert', errors!.id, { tileId: 'gone' })
  const listed = await listAlerts(queryStack(mock, 'self-hosted'), now)
  expect(listed[0]).toMatchObject({ windows: [], why: 'The tile of this alert is gone' })
})
