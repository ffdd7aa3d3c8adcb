import { describe, expect, it } from 'vitest'
import { alertOn, createStackClient, ids, lineTile } from '../../testing/example-stack.ts'
import type { Alert, Dashboard } from '../../words/resources.ts'
import type { Webhook } from '../webhook/index.ts'
import { evaluateAlerts, lastWindowEnd, type WindowQuery } from './alert-evaluation.ts'
import { describeValue, meetsCondition } from './alert-event.ts'

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`)

function setUp(more: object = {}, config: object = {}) {
  const { answer, stack } = createStackClient(undefined, { edition: '2.36' })
  const tiles = [{ ...lineTile, config: { ...lineTile.config, ...config } }]
  const board = answer('dashboard.create', { body: { name: 'Shop', tiles } })
  const { id } = answer('alert.create', { body: alertOn(board, { threshold: 5, ...more }) })
  const rows = new Map<string, Record<string, number>>()
  const queriedWindows: string[] = []
  const query: WindowQuery = (_series, start) => {
    const window = new Date(start).toISOString().slice(11, 16)
    queriedWindows.push(window)
    return Object.entries(rows.get(window) ?? {}).map(([group, value]) => ({ group: group ? [group] : [], value }))
  }
  return {
    stack,
    board: board as Dashboard,
    createAlert: (fields: object) => answer('alert.create', { body: alertOn(board, { threshold: 5, ...fields }) }),
    queriedWindows,
    rows,
    evaluate: (time: string) => evaluateAlerts(stack, at(time), query),
    stored: () => stack.alerts.get(id) as Alert,
    change: (fields: Partial<Alert>) => stack.alerts.replace({ ...(stack.alerts.get(id) as Alert), ...fields }),
  }
}

describe('an alert', () => {
  it('fires when a window violates its threshold, resolves when the next does not, and notifies both times', () => {
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
    expect(first?.renderEvent()).toMatchObject({ title: '🚨 Errors', state: 'ALERT', startTime: at('12:00') })
    expect(first?.renderEvent().body).toContain('7 meets or exceeds 5')
    expect(first?.renderEvent().link).toMatch(/^http:\/\/localhost:8080\/.*highlightedTileId=/)
    expect(second?.renderEvent()).toMatchObject({ state: 'OK', eventId: first?.renderEvent().eventId })
    expect(first?.idempotencyKey).toMatch(/^[0-9a-f]{40}$/)
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey)
  })

  it('queries each window once, and reports no transition while its state stays the same', () => {
    const { rows, queriedWindows, evaluate } = setUp()
    rows.set('12:00', { '': 7 }).set('12:05', { '': 8 })
    expect(evaluate('12:05')).toHaveLength(1)
    expect(evaluate('12:09')).toEqual([])
    expect(evaluate('12:10')).toEqual([])
    expect(queriedWindows).toEqual(['12:00', '12:05'])
  })

  it('is pending until enough consecutive windows violate its threshold', () => {
    const { rows, evaluate, stored } = setUp({ numConsecutiveWindows: 2 })
    rows.set('12:00', { '': 7 }).set('12:05', { '': 7 })
    const [pending] = evaluate('12:05')
    expect(pending).toMatchObject({ to: 'PENDING', deliveries: [] })
    expect(stored().state).toBe('PENDING')
    expect(evaluate('12:10')[0]).toMatchObject({ from: 'PENDING', to: 'ALERT' })
    expect(evaluate('12:15')[0]).toMatchObject({ from: 'ALERT', to: 'OK' })
  })

  it('sends no notification when it resolves from pending, or goes from firing to pending', () => {
    const { rows, evaluate } = setUp({ numConsecutiveWindows: 2 })
    rows.set('12:00', { '': 7 })
    evaluate('12:05')
    expect(evaluate('12:10')).toMatchObject([{ from: 'PENDING', to: 'OK', deliveries: [] }])
    rows.set('12:10', { '': 7 }).set('12:15', { '': 7 }).set('12:25', { '': 7 })
    expect(evaluate('12:20')).toMatchObject([{ to: 'ALERT', deliveries: [{}] }])
    expect(evaluate('12:30')).toMatchObject([{ from: 'ALERT', to: 'PENDING', deliveries: [] }])
  })

  it('updates only evaluatedUntil of its record while its state stays the same', () => {
    const { rows, evaluate, stored } = setUp()
    for (const value of [1, 7]) {
      rows.set('12:00', { '': value }).set('12:05', { '': value })
      evaluate('12:05')
      const before = stored()
      evaluate('12:10')
      expect(stored()).toEqual({ ...before, evaluatedUntil: at('12:10') })
    }
  })

  it('continues from a state that was written to its record from outside', () => {
    const { rows, evaluate, change, stored } = setUp()
    change({ state: 'ALERT' })
    rows.set('12:00', { '': 7 })
    expect(evaluate('12:05')).toEqual([])
    expect(evaluate('12:10')).toMatchObject([{ from: 'ALERT', to: 'OK' }])
    rows.set('12:10', { '': 7 }).set('12:15', { '': 7 })
    evaluate('12:15')
    change({ state: 'OK' })
    expect(evaluate('12:20')).toMatchObject([{ from: 'OK', to: 'ALERT' }])
    const grouped = setUp({}, { groupBy: 'ServiceName' })
    grouped.change({ state: 'ALERT' })
    expect(grouped.evaluate('12:05')).toEqual([])
    expect(grouped.stored().state).toBe('OK')
    expect(stored().state).toBe('ALERT')
  })

  it('fires and resolves separately for each group of a grouped tile', () => {
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

  it('changes its state without notifications while it is silenced', () => {
    const { rows, evaluate, change } = setUp()
    change({ silenced: { at: '2026-03-01T12:00:00.000Z', until: '2026-03-01T13:00:00.000Z' } })
    rows.set('12:00', { '': 7 })
    expect(evaluate('12:05')[0]).toMatchObject({ to: 'ALERT', deliveries: [] })
    change({ silenced: { at: '2026-03-01T12:00:00.000Z', until: '2026-03-01T12:10:00.000Z' } })
    expect(evaluate('12:10')[0]).toMatchObject({ to: 'OK', deliveries: [{}] })
  })

  it('notifies only the channels that still exist, and accepts their ids in any letter case', () => {
    const { stack, rows, evaluate, change } = setUp()
    stack.webhooks.create({ ...(stack.webhooks.get(ids.webhook) as Webhook), id: 'a'.repeat(24) })
    change({ channels: ['A', 'f', '5'].map(sign => ({ type: 'webhook', webhookId: sign.repeat(24) })) })
    rows.set('12:00', { '': 7 })
    const notified = evaluate('12:05')[0]?.deliveries.map(({ webhook }) => webhook.id)
    expect(notified).toEqual(['a'.repeat(24), ids.webhook])
  })

  it('keeps its state and has an execution error while its tile is missing or has no value', () => {
    const { stack, board, rows, evaluate, change, stored } = setUp()
    rows.set('12:00', { '': 7 }).set('12:30', { '': 7 })
    evaluate('12:05')
    const [tile] = board.tiles
    const withError = (message: string) => ({ state: 'ALERT', executionErrors: [{ type: 'INVALID_ALERT', message }] })
    const missing = withError('The tile of this alert is gone')
    stack.dashboards.replace({ ...board, tiles: [{ ...tile!, id: 'another' }] })
    expect(evaluate('12:10')).toEqual([])
    expect(stored()).toMatchObject(missing)
    change({ dashboardId: undefined, executionErrors: [] })
    evaluate('12:15')
    expect(stored()).toMatchObject(missing)
    change({ dashboardId: board.id, executionErrors: [] })
    stack.dashboards.replace({ ...board, tiles: [{ ...tile!, config: { ...tile!.config, select: undefined } }] })
    evaluate('12:20')
    expect(stored()).toMatchObject(withError('A tile of the kind line has no value to compare'))
    change({ executionErrors: [] })
    stack.dashboards.replace({ ...board, tiles: [{ ...tile!, config: { ...tile!.config, sourceId: ids.nobody } }] })
    evaluate('12:25')
    expect(stored()).toMatchObject(withError('A tile of the kind line has no value to compare'))
    stack.dashboards.replace(board)
    evaluate('12:35')
    expect(stored()).toMatchObject({ state: 'ALERT', executionErrors: [] })
  })

  it('keeps its state and records an execution error when its query fails', () => {
    const { answer, stack } = createStackClient()
    const board = answer('dashboard.create', { body: { name: 'Shop', tiles: [lineTile] } })
    answer('alert.create', { body: alertOn(board) })
    const query = () => {
      throw new Error('unknown column')
    }
    expect(evaluateAlerts(stack, at('12:05'), query)).toEqual([])
    expect(answer('alert.list')[0]).toMatchObject({
      state: 'OK',
      executionErrors: [{ type: 'QUERY_ERROR', message: 'unknown column' }],
    })
  })
})

describe('the schedule of an alert', () => {
  const end = (fields: Partial<Alert>, time: string) => lastWindowEnd({ interval: '5m', ...fields } as Alert, at(time))

  it('ends windows at multiples of the interval, shifted by the offset', () => {
    expect(end({}, '12:07')).toBe(at('12:05'))
    expect(end({ scheduleOffsetMinutes: 2 }, '12:06')).toBe(at('12:02'))
    expect(end({ interval: '1h', scheduleOffsetMinutes: 30 }, '12:07')).toBe(at('11:30'))
  })

  it('ends the first window at scheduleStartAt, and the next ones at intervals from there', () => {
    const scheduleStartAt = '2026-03-01T12:03:00.000Z'
    expect(end({ scheduleStartAt }, '12:02')).toBeUndefined()
    expect(end({ scheduleStartAt }, '12:03')).toBe(at('12:03'))
    expect(end({ scheduleStartAt }, '12:09')).toBe(at('12:08'))
  })
})

describe('several alerts', () => {
  it('are each evaluated once when their own windows end, also when alerts are added or changed', () => {
    const { queriedWindows, createAlert, change, evaluate, stored } = setUp()
    const evaluateAndList = (time: string) => {
      evaluate(time)
      return queriedWindows.splice(0).sort().join(' ')
    }
    createAlert({ interval: '15m' })
    createAlert({ scheduleOffsetMinutes: 3 })
    createAlert({ scheduleOffsetMinutes: 2 })
    change({ name: 'Renamed' })
    createAlert({})
    expect(evaluateAndList('12:06')).toBe('11:45 11:57 11:58 12:00 12:00')
    createAlert({ interval: '30m', scheduleStartAt: '2026-03-01T12:08:00.000Z' })
    expect(evaluateAndList('12:07')).toBe('12:02')
    expect(evaluateAndList('12:10')).toBe('11:38 12:03 12:05 12:05')
    expect(evaluateAndList('12:11')).toBe('')
    change({ scheduleStartAt: '2026-03-01T13:00:00.000Z' })
    expect(evaluateAndList('12:16')).toBe('12:00 12:07 12:08 12:10')
    expect(stored().executionErrors).toEqual([])
  })
})

describe('a threshold', () => {
  const values = [4, 5, 7, 9, 10]
  const sentences = {
    above: { sentence: 'meets or exceeds 5', otherwise: 'falls below 5' },
    above_exclusive: { sentence: 'exceeds 5', otherwise: 'falls to or below 5' },
    below: { sentence: 'falls below 5', otherwise: 'meets or exceeds 5' },
    below_or_equal: { sentence: 'falls to or below 5', otherwise: 'exceeds 5' },
    equal: { sentence: 'equals 5', otherwise: 'does not equal 5' },
    not_equal: { sentence: 'does not equal 5', otherwise: 'equals 5' },
    between: { sentence: 'falls between 5 and 9', otherwise: 'falls outside 5 and 9' },
    not_between: { sentence: 'falls outside 5 and 9', otherwise: 'falls between 5 and 9' },
  }

  it.each([
    ['above', [5, 7, 9, 10]],
    ['above_exclusive', [7, 9, 10]],
    ['below', [4]],
    ['below_or_equal', [4, 5]],
    ['equal', [5]],
    ['not_equal', [4, 7, 9, 10]],
    ['between', [5, 7, 9]],
    ['not_between', [4, 10]],
  ] as const)('of the type %s is violated by %j', (thresholdType, violating) => {
    const limits = { threshold: 5, thresholdMax: 9, thresholdType }
    expect(values.filter(value => meetsCondition(value, limits))).toEqual(violating)
    for (const value of values) {
      const { sentence, otherwise } = sentences[thresholdType]
      const expected = (violating as readonly number[]).includes(value) ? sentence : otherwise
      expect(describeValue(value, limits)).toBe(`${value} ${expected}`)
    }
  })

  it('is its own upper limit without thresholdMax', () => {
    const between = { threshold: 5, thresholdType: 'between' } as const
    expect(values.filter(value => meetsCondition(value, between))).toEqual([5])
  })
})
