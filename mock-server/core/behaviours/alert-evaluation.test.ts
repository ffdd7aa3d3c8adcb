import { describe, expect, it } from 'vitest'
import type { Alert } from '../resources.ts'
import { evaluateAlerts, type TileQuery } from './alert-evaluation.ts'
import { lastWindowEnd } from './alert-schedule.ts'
import { alertOn, createAsker, ids, lineTile } from './example-stack.ts'
import { describeValue, violates } from './threshold.ts'

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`)

function setUp(more: object = {}, config: object = {}) {
  const { answer, stack } = createAsker(undefined, { edition: '2.36' })
  const tiles = [{ ...lineTile, config: { ...lineTile.config, ...config } }]
  const board = answer('dashboards.create', { body: { name: 'Shop', tiles } })
  const { id } = answer('alerts.create', { body: alertOn(board, { threshold: 5, ...more }) })
  const rows = new Map<string, Record<string, number>>()
  const asked: string[] = []
  const query: TileQuery = (_tile, _source, start) => {
    const window = new Date(start).toISOString().slice(11, 16)
    asked.push(window)
    return Object.entries(rows.get(window) ?? {}).map(([group, value]) => ({ group: group ? [group] : [], value }))
  }
  return {
    asked,
    rows,
    evaluate: (time: string) => evaluateAlerts(stack, at(time), query),
    stored: () => stack.alerts.get(id) as Alert,
    change: (fields: Partial<Alert>) => stack.alerts.replace({ ...(stack.alerts.get(id) as Alert), ...fields }),
  }
}

describe('evaluating alerts', () => {
  it('fires on a window in violation, resolves on the next one that is not, and tells the channel of both', () => {
    const { rows, evaluate, stored } = setUp({ name: 'Errors', message: 'Look' })
    rows.set('12:00', { '': 7 })
    const [firing] = evaluate('12:05:30')
    expect(firing).toMatchObject({ from: 'OK', to: 'ALERT', value: 7, startTime: at('12:00'), endTime: at('12:05') })
    expect(stored()).toMatchObject({ state: 'ALERT', executionErrors: [] })
    const [resolved] = evaluate('12:10:00')
    expect(resolved).toMatchObject({ from: 'ALERT', to: 'OK', value: 0 })
    expect(stored().state).toBe('OK')

    const [first, second] = [firing?.deliveries[0], resolved?.deliveries[0]]
    expect(first?.webhook.id).toBe(ids.webhook)
    expect(first?.event()).toMatchObject({ title: '🚨 Errors', state: 'ALERT', startTime: at('12:00') })
    expect(first?.event().body).toContain('7 meets or exceeds 5')
    expect(first?.event().link).toContain('highlightedTileId=')
    expect(second?.event()).toMatchObject({ state: 'OK', eventId: first?.event().eventId })
    expect(first?.idempotencyKey).toMatch(/^[0-9a-f]{40}$/)
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey)
  })

  it('asks once for each window, and says nothing while nothing changes', () => {
    const { rows, asked, evaluate } = setUp()
    rows.set('12:00', { '': 7 }).set('12:05', { '': 8 })
    expect(evaluate('12:05')).toHaveLength(1)
    expect(evaluate('12:09')).toEqual([])
    expect(evaluate('12:10')).toEqual([])
    expect(asked).toEqual(['12:00', '12:05'])
  })

  it('is pending until enough windows in a row were in violation', () => {
    const { rows, evaluate } = setUp({ numConsecutiveWindows: 2 })
    rows.set('12:00', { '': 7 }).set('12:05', { '': 7 })
    const [pending] = evaluate('12:05')
    expect(pending).toMatchObject({ to: 'PENDING', deliveries: [] })
    expect(evaluate('12:10')[0]).toMatchObject({ from: 'PENDING', to: 'ALERT' })
    expect(evaluate('12:15')[0]).toMatchObject({ from: 'ALERT', to: 'OK' })
  })

  it('follows the groups of a grouped tile one by one', () => {
    const { rows, evaluate, stored } = setUp({}, { groupBy: 'ServiceName' })
    rows.set('12:00', { api: 7, web: 1 }).set('12:05', { web: 9 })
    expect(evaluate('12:05').map(({ group, to }) => [group, to])).toEqual([['api', 'ALERT']])
    expect(evaluate('12:10').map(({ group, to }) => [group, to])).toEqual([
      ['api', 'OK'],
      ['web', 'ALERT'],
    ])
    expect(stored().state).toBe('ALERT')
  })

  it('counts a window without rows as zero', () => {
    const { evaluate } = setUp({ thresholdType: 'below' })
    expect(evaluate('12:05')[0]).toMatchObject({ to: 'ALERT', value: 0 })
  })

  it('moves a silenced alert without telling anybody', () => {
    const { rows, evaluate, change } = setUp()
    change({ silenced: { at: '2026-03-01T12:00:00.000Z', until: '2026-03-01T13:00:00.000Z' } })
    rows.set('12:00', { '': 7 })
    expect(evaluate('12:05')[0]).toMatchObject({ to: 'ALERT', deliveries: [] })
  })

  it('notes a query that fails and leaves the state', () => {
    const { answer, stack } = createAsker()
    const board = answer('dashboards.create', { body: { name: 'Shop', tiles: [lineTile] } })
    answer('alerts.create', { body: alertOn(board) })
    const query = () => {
      throw new Error('unknown column')
    }
    expect(evaluateAlerts(stack, at('12:05'), query)).toEqual([])
    expect(answer('alerts.list')[0]).toMatchObject({
      state: 'OK',
      executionErrors: [{ type: 'QUERY_ERROR', message: 'unknown column' }],
    })
  })
})

describe('the schedule', () => {
  const end = (fields: Partial<Alert>, time: string) => lastWindowEnd({ interval: '5m', ...fields } as Alert, at(time))

  it('ends windows on the grid of the interval, shifted by the offset', () => {
    expect(end({}, '12:07')).toBe(at('12:05'))
    expect(end({ scheduleOffsetMinutes: 2 }, '12:06')).toBe(at('12:02'))
    expect(end({ interval: '1h', scheduleOffsetMinutes: 30 }, '12:07')).toBe(at('11:30'))
  })

  it('counts from the start of the schedule, and not before it', () => {
    const scheduleStartAt = '2026-03-01T12:03:00.000Z'
    expect(end({ scheduleStartAt }, '12:02')).toBeUndefined()
    expect(end({ scheduleStartAt }, '12:09')).toBe(at('12:08'))
  })
})

describe('thresholds', () => {
  it.each([
    ['above', 5, true, '5 meets or exceeds 5'],
    ['above_exclusive', 5, false, '5 falls to or below 5'],
    ['below', 5, false, '5 meets or exceeds 5'],
    ['below_or_equal', 5, true, '5 falls to or below 5'],
    ['equal', 5, true, '5 equals 5'],
    ['not_equal', 5, false, '5 equals 5'],
    ['between', 9, true, '9 falls between 5 and 9'],
    ['not_between', 9, false, '9 falls between 5 and 9'],
  ] as const)('%s is read as deployments do', (thresholdType, value, expected, words) => {
    const limits = { threshold: 5, thresholdMax: 9, thresholdType }
    expect(violates(value, limits)).toBe(expected)
    expect(describeValue(value, limits)).toBe(words)
  })
})
