import { describe, expect, it } from 'vitest'
import { alertOn, createStackClient, ids, lineTile } from '../../testing/example-stack.ts'
import type { Alert, Dashboard } from '../../words/resources.ts'
import type { Webhook } from '../webhook/index.ts'
import { evaluateAlerts, lastWindowEnd, type WindowQuery } from './alert-evaluation.ts'
import { describeValue, violates } from './alert-event.ts'

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`)

function setUp(more: object = {}, config: object = {}) {
  const { answer, stack } = createStackClient(undefined, { edition: '2.36' })
  const tiles = [{ ...lineTile, config: { ...lineTile.config, ...config } }]
  const board = answer('dashboard.create', { body: { name: 'Shop', tiles } })
  const { id } = answer('alert.create', { body: alertOn(board, { threshold: 5, ...more }) })
  const rows = new Map<string, Record<string, number>>()
  const asked: string[] = []
  const query: WindowQuery = (_series, start) => {
    const window = new Date(start).toISOString().slice(11, 16)
    asked.push(window)
    return Object.entries(rows.get(window) ?? {}).map(([group, value]) => ({ group: group ? [group] : [], value }))
  }
  return {
    stack,
    board: board as Dashboard,
    another: (fields: object) => answer('alert.create', { body: alertOn(board, { threshold: 5, ...fields }) }),
    asked,
    rows,
    evaluate: (time: string) => evaluateAlerts(stack, at(time), query),
    stored: () => stack.alerts.get(id) as Alert,
    change: (fields: Partial<Alert>) => stack.alerts.replace({ ...(stack.alerts.get(id) as Alert), ...fields }),
  }
}

describe('evaluating alerts', () => {
  it('fires on a window in violation, resolves on the next one that is not, and notifies the channel of both', () => {
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
    expect(first?.event().link).toMatch(/^http:\/\/localhost:8080\/.*highlightedTileId=/)
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
    const { rows, evaluate, stored } = setUp({ numConsecutiveWindows: 2 })
    rows.set('12:00', { '': 7 }).set('12:05', { '': 7 })
    const [pending] = evaluate('12:05')
    expect(pending).toMatchObject({ to: 'PENDING', deliveries: [] })
    expect(stored().state).toBe('PENDING')
    expect(evaluate('12:10')[0]).toMatchObject({ from: 'PENDING', to: 'ALERT' })
    expect(evaluate('12:15')[0]).toMatchObject({ from: 'ALERT', to: 'OK' })
  })

  it('notifies nobody of an alert that was only pending, or is pending again', () => {
    const { rows, evaluate } = setUp({ numConsecutiveWindows: 2 })
    rows.set('12:00', { '': 7 })
    evaluate('12:05')
    expect(evaluate('12:10')).toMatchObject([{ from: 'PENDING', to: 'OK', deliveries: [] }])
    rows.set('12:10', { '': 7 }).set('12:15', { '': 7 }).set('12:25', { '': 7 })
    expect(evaluate('12:20')).toMatchObject([{ to: 'ALERT', deliveries: [{}] }])
    expect(evaluate('12:30')).toMatchObject([{ from: 'ALERT', to: 'PENDING', deliveries: [] }])
  })

  it('leaves the record as it is while nothing changes, but for how far it was evaluated', () => {
    const { rows, evaluate, stored } = setUp()
    for (const value of [1, 7]) {
      rows.set('12:00', { '': value }).set('12:05', { '': value })
      evaluate('12:05')
      const before = stored()
      evaluate('12:10')
      expect(stored()).toEqual({ ...before, evaluatedUntil: at('12:10') })
    }
  })

  it('goes on from the state of a record that it has not evaluated itself', () => {
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
    change({ silenced: { at: '2026-03-01T12:00:00.000Z', until: '2026-03-01T12:10:00.000Z' } })
    expect(evaluate('12:10')[0]).toMatchObject({ to: 'OK', deliveries: [{}] })
  })

  it('notifies the channels that still exist, in whatever letter case their ids are written', () => {
    const { stack, rows, evaluate, change } = setUp()
    stack.webhooks.create({ ...(stack.webhooks.get(ids.webhook) as Webhook), id: 'a'.repeat(24) })
    change({ channels: ['A', 'f', '5'].map(sign => ({ type: 'webhook', webhookId: sign.repeat(24) })) })
    rows.set('12:00', { '': 7 })
    const notified = evaluate('12:05')[0]?.deliveries.map(({ webhook }) => webhook.id)
    expect(notified).toEqual(['a'.repeat(24), ids.webhook])
  })

  it('notes a tile that is gone or has no value, leaves the state, and takes the note away when it is back', () => {
    const { stack, board, rows, evaluate, change, stored } = setUp()
    rows.set('12:00', { '': 7 }).set('12:30', { '': 7 })
    evaluate('12:05')
    const [tile] = board.tiles
    const note = (message: string) => ({ state: 'ALERT', executionErrors: [{ type: 'INVALID_ALERT', message }] })
    const gone = note('The tile of this alert is gone')
    stack.dashboards.replace({ ...board, tiles: [{ ...tile!, id: 'another' }] })
    expect(evaluate('12:10')).toEqual([])
    expect(stored()).toMatchObject(gone)
    change({ dashboardId: undefined, executionErrors: [] })
    evaluate('12:15')
    expect(stored()).toMatchObject(gone)
    change({ dashboardId: board.id, executionErrors: [] })
    stack.dashboards.replace({ ...board, tiles: [{ ...tile!, config: { ...tile!.config, select: undefined } }] })
    evaluate('12:20')
    expect(stored()).toMatchObject(note('A tile of the kind line has no value to compare'))
    change({ executionErrors: [] })
    stack.dashboards.replace({ ...board, tiles: [{ ...tile!, config: { ...tile!.config, sourceId: ids.nobody } }] })
    evaluate('12:25')
    expect(stored()).toMatchObject(note('A tile of the kind line has no value to compare'))
    stack.dashboards.replace(board)
    evaluate('12:35')
    expect(stored()).toMatchObject({ state: 'ALERT', executionErrors: [] })
  })

  it('notes a query that fails and leaves the state', () => {
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
    expect(end({ scheduleStartAt }, '12:03')).toBe(at('12:03'))
    expect(end({ scheduleStartAt }, '12:09')).toBe(at('12:08'))
  })
})

describe('several alerts', () => {
  it('are asked for when their own windows end, each once, also when others come and go', () => {
    const { asked, another, change, evaluate, stored } = setUp()
    const seen = (time: string) => {
      evaluate(time)
      return asked.splice(0).sort().join(' ')
    }
    another({ interval: '15m' })
    another({ scheduleOffsetMinutes: 3 })
    another({ scheduleOffsetMinutes: 2 })
    change({ name: 'Renamed' })
    another({})
    expect(seen('12:06')).toBe('11:45 11:57 11:58 12:00 12:00')
    another({ interval: '30m', scheduleStartAt: '2026-03-01T12:08:00.000Z' })
    expect(seen('12:07')).toBe('12:02')
    expect(seen('12:10')).toBe('11:38 12:03 12:05 12:05')
    expect(seen('12:11')).toBe('')
    change({ scheduleStartAt: '2026-03-01T13:00:00.000Z' })
    expect(seen('12:16')).toBe('12:00 12:07 12:08 12:10')
    expect(stored().executionErrors).toEqual([])
  })
})

describe('thresholds', () => {
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
  ] as const)('%s holds for %j', (thresholdType, wanted) => {
    const limits = { threshold: 5, thresholdMax: 9, thresholdType }
    expect(values.filter(value => violates(value, limits))).toEqual(wanted)
    for (const value of values) {
      const { sentence, otherwise } = sentences[thresholdType]
      const expected = (wanted as readonly number[]).includes(value) ? sentence : otherwise
      expect(describeValue(value, limits)).toBe(`${value} ${expected}`)
    }
  })

  it('has one limit where no second is given', () => {
    const between = { threshold: 5, thresholdType: 'between' } as const
    expect(values.filter(value => violates(value, between))).toEqual([5])
  })
})
