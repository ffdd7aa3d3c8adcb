import { describe, expect, it } from 'vitest'
import type { Edition } from '../../../fixtures/contract/index.ts'
import type { WindowRow } from '../../telemetry/evaluate-windows.ts'
import { minute } from '../../words/durations.ts'
import type { Alert } from '../../words/resources.ts'
import { evaluateRun, type Memory } from './evaluate-run.ts'
import { runAt, runsBetween } from './schedule.ts'

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`)
const clock = (time: number) => new Date(time).toISOString().slice(11, time % minute === 0 ? 16 : 19)

interface Setting {
  readonly alert?: Partial<Alert>
  readonly edition?: Edition
  readonly isGrouped?: boolean
  /** The values of the minutes after 10:00, by group; none without rows. */
  readonly minutes: readonly (Readonly<Record<string, number | undefined>> | undefined)[]
  /** The numbers of minutes after 10:00 at which the task runs; by default all. */
  readonly runs?: readonly number[]
}

/** Lets the task run, and tells for each run the state, and what is notified: `ALERT a 1 10:00`. */
function live({ alert: more, edition = '2.36', isGrouped = false, minutes, runs }: Setting) {
  const alert = { interval: '1m', threshold: 1, thresholdType: 'above', ...more } as Alert
  let memory: Memory | undefined
  let evaluatedUntil: number | undefined
  const rowsOf = (start: number): readonly WindowRow[] => {
    const values = minutes[(start - at('10:00')) / minute] ?? {}
    return Object.entries(values).map(([group, value]) => ({ group, value, attributes: {} }))
  }
  return (runs ?? minutes.map((_, i) => i + 1)).map(number => {
    const run = runAt(alert, at('10:00') + number * minute, evaluatedUntil)!
    const outcome = evaluateRun(alert, run, { isGrouped, rowsOf }, edition, memory)
    ;({ memory } = outcome)
    evaluatedUntil = run.end
    const changes = outcome.changes.map(
      ({ state, group, value, start }) => `${state} ${group} ${value} ${clock(start)}`,
    )
    return [outcome.state, ...changes]
  })
}

const one = { '': 1 }
const none = undefined

describe.each(['2.24', '2.36'] as const)('a run of the task of %s', edition => {
  it('notifies for each window that violates the threshold, and once for the resolution', () => {
    expect(live({ edition, minutes: [one, one, none, none, one] })).toEqual([
      ['ALERT', 'ALERT  1 10:00'],
      ['ALERT', 'ALERT  1 10:01'],
      ['OK', 'OK  0 10:02'],
      ['OK'],
      ['ALERT', 'ALERT  1 10:04'],
    ])
  })

  it('counts a window without rows as zero', () => {
    const alert = { thresholdType: 'below' } as const
    expect(live({ edition, alert, minutes: [none, one] })).toEqual([
      ['ALERT', 'ALERT  0 10:00'],
      ['OK', 'OK  1 10:01'],
    ])
  })

  it('names the window after the evaluated one when it resolves a row that has nothing to compare', () => {
    expect(live({ edition, minutes: [one, { '': undefined }] })[1]).toEqual(['OK', 'OK  0 10:02'])
  })

  it('resolves a group that vanishes, if zero does not violate the threshold', () => {
    const minutes = [{ a: 1, b: 1 }, { b: 1 }, none, none]
    expect(live({ edition, isGrouped: true, minutes })).toEqual([
      ['ALERT', 'ALERT a 1 10:00', 'ALERT b 1 10:00'],
      ['ALERT', 'ALERT b 1 10:01', 'OK a 0 10:01'],
      ['OK', 'OK b 0 10:02'],
      ['OK'],
    ])
  })

  it('forgets a group that vanishes while zero violates the threshold, until it comes back', () => {
    const alert = { thresholdType: 'below', threshold: 3 } as const
    const minutes = [{ a: 1, b: 5 }, { b: 5 }, none, { a: 5 }]
    expect(live({ edition, alert, isGrouped: true, minutes })).toEqual([
      ['ALERT', 'ALERT a 1 10:00'],
      ['OK'],
      // Without any rows, the nameless group fires. Nothing resolves it.
      ['ALERT', 'ALERT  0 10:02'],
      ['OK', 'OK a 5 10:03'],
    ])
  })

  it('after a pause looks at no more than fifty windows', () => {
    const minutes = Array.from({ length: 60 }, (_, i) => (i === 5 ? one : none))
    expect(live({ edition, minutes, runs: [1, 57] })).toEqual([['OK'], ['OK']])
    expect(live({ edition, minutes, runs: [1, 55] })[1]).toEqual(['ALERT', 'ALERT  1 10:05'])
  })
})

describe('a run after a pause', () => {
  const pause = { runs: [1, 5, 6] }
  const values = (...list: (number | undefined)[]) => list.map(value => (value === undefined ? none : { '': value }))

  it('notifies once, for the last violating window; in 2.24 for each', () => {
    const minutes = values(0, 2, 3, undefined, 0)
    const isFiring = { ...pause, minutes: values(0, 2, 3) }
    expect(live(isFiring)[1]).toEqual(['ALERT', 'ALERT  3 10:02'])
    expect(live({ ...isFiring, edition: '2.24' })[1]).toEqual(['ALERT', 'ALERT  2 10:01', 'ALERT  3 10:02'])
    // Only rows resolve it in the same run, and only in 2.36.
    expect(live({ ...pause, minutes })[1]).toEqual(['OK', 'ALERT  3 10:02', 'OK  0 10:04'])
    expect(live({ ...pause, minutes, edition: '2.24' })[1]).toEqual(['ALERT', 'ALERT  2 10:01', 'ALERT  3 10:02'])
    expect(live(isFiring)[2]).toEqual(['OK', 'OK  0 10:05'])
  })

  it('treats each group alike, and counts windows without its rows as nothing', () => {
    const minutes = [{ a: 1 }, { a: 1 }, { b: 1 }, none, { c: 1 }]
    expect(live({ ...pause, minutes, isGrouped: true })).toEqual([
      ['ALERT', 'ALERT a 1 10:00'],
      ['ALERT', 'ALERT a 1 10:01', 'ALERT b 1 10:02', 'ALERT c 1 10:04'],
      ['OK', 'OK a 0 10:05', 'OK b 0 10:05', 'OK c 0 10:05'],
    ])
  })

  it('counts as one of consecutive windows', () => {
    const alert = { numConsecutiveWindows: 2 }
    const minutes = values(0, 1, 1, 1, 1, 1)
    expect(live({ ...pause, alert, minutes })).toEqual([['OK'], ['PENDING'], ['ALERT', 'ALERT  1 10:05']])
  })

  it('is pending again after firing, because the windows before it were not evaluated; its resolution notifies', () => {
    const alert = { numConsecutiveWindows: 2 }
    const minutes = values(1, 1, 1, 1, 1, 0)
    expect(live({ alert, minutes, runs: [1, 2, 5, 6] })).toEqual([
      ['PENDING'],
      ['ALERT', 'ALERT  1 10:01'],
      ['PENDING'],
      ['OK', 'OK  0 10:05'],
    ])
  })

  it('fires without a group for windows that have no rows, if zero violates the threshold', () => {
    const alert = { thresholdType: 'below' } as const
    const minutes = [{ a: 5 }, none, { a: 5 }]
    expect(live({ alert, minutes, isGrouped: true, runs: [1, 3] })[1]).toEqual(['ALERT', 'ALERT  0 10:01'])
  })

  it('resolves a group that has vanished in the first of its windows', () => {
    const minutes = [{ a: 1 }, none, { b: 0 }]
    expect(live({ minutes, isGrouped: true, runs: [1, 3] })[1]).toEqual(['OK', 'OK a 0 10:01'])
  })

  it('looks at no more than a day, and forgets what is older than a week', () => {
    const span = (interval: Alert['interval'], at: string, until?: number) => {
      const { start, end } = runAt({ interval } as Alert, Date.parse(at), until)!
      return (end - start) / minute / 60
    }
    const until = Date.parse('2026-03-01T00:00:00Z')
    expect(span('1h', '2026-03-03T00:00:00Z', until)).toBe(24)
    expect(span('30m', '2026-03-03T00:00:00Z', until)).toBe(24)
    expect(span('15m', '2026-03-03T00:00:00Z', until)).toBe(12.5)
    expect(span('1h', '2026-03-08T01:00:00Z', until)).toBe(1)
  })
})

it('of rows that differ in numbers alone, the last one that violates the threshold counts, or else the last', () => {
  const evaluate = (...values: readonly (number | undefined)[]) => {
    const rows = values.map(value => ({ group: 'a', value, attributes: {} }))
    const run = { at: at('10:01'), start: at('10:00'), end: at('10:01') }
    const alert = { interval: '1m', threshold: 5, thresholdType: 'above' } as Alert
    return evaluateRun(alert, run, { isGrouped: true, rowsOf: () => rows }, '2.36').windows.map(([, , value]) => value)
  }
  expect(evaluate(1, 7, 6, undefined, 2)).toEqual([6])
  expect(evaluate(3, 1)).toEqual([1])
})

it('a single value belongs to the window after the run, also after a pause', () => {
  const alert = { interval: '1m', threshold: 5, thresholdType: 'above' } as Alert
  const run = { at: at('10:03'), start: at('10:00'), end: at('10:03') }
  const rowsOf = (start: number) => (start === at('10:03') ? [{ group: '', value: 5, attributes: {} }] : [])
  const { changes } = evaluateRun(alert, run, { isGrouped: false, isSingle: true, rowsOf }, '2.36')
  expect(changes).toEqual([expect.objectContaining({ state: 'ALERT', value: 5, start: at('10:03') })])
})

describe('consecutive windows', () => {
  const alert = { numConsecutiveWindows: 3 }

  it('are pending until all have violated the threshold; then each further one notifies', () => {
    expect(live({ alert, minutes: [one, one, none, one, one, one, one, none, one] })).toEqual([
      ['PENDING'],
      ['PENDING'],
      ['OK'],
      ['PENDING'],
      ['PENDING'],
      ['ALERT', 'ALERT  1 10:05'],
      ['ALERT', 'ALERT  1 10:06'],
      ['OK', 'OK  0 10:07'],
      ['PENDING'],
    ])
  })

  it('are counted for each group, and 2.24 ignores them', () => {
    const minutes = [{ a: 1, b: 1 }, { a: 1 }, { a: 1, b: 1 }]
    expect(live({ alert: { numConsecutiveWindows: 2 }, isGrouped: true, minutes })).toEqual([
      ['PENDING'],
      ['ALERT', 'ALERT a 1 10:01'],
      ['ALERT', 'ALERT a 1 10:02'],
    ])
    expect(live({ alert, edition: '2.24', minutes: [one] })).toEqual([['ALERT', 'ALERT  1 10:00']])
  })
})

describe('the schedule', () => {
  const windows = (alert: Partial<Alert>, from: string, to: string) =>
    runsBetween({ interval: '5m', ...alert } as Alert, at(from), at(to)).map(
      run => `${clock(run.at)} ${clock(run.start)}-${clock(run.end)}`,
    )

  it('begins with the window that ended before the creation, and goes on at the full minutes', () => {
    expect(windows({}, '10:00:20', '10:10')).toEqual(['10:01 09:55-10:00', '10:05 10:00-10:05', '10:10 10:05-10:10'])
    expect(windows({ evaluatedUntil: at('10:00') }, '10:00:20', '10:09')).toEqual(['10:05 10:00-10:05'])
  })

  it('shifts windows by the offset', () => {
    expect(windows({ scheduleOffsetMinutes: 2 }, '10:00:20', '10:07')).toEqual([
      '10:01 09:52-09:57',
      '10:02 09:57-10:02',
      '10:07 10:02-10:07',
    ])
  })

  it('begins at its start: after the first window, at the next full minute', () => {
    const scheduleStartAt = '2026-03-01T10:03:30.000Z'
    expect(windows({ scheduleStartAt }, '10:00', '10:14')).toEqual([
      '10:09 10:03:30-10:08:30',
      '10:14 10:08:30-10:13:30',
    ])
  })

  it('does not repeat what was reached before the interval was changed', () => {
    expect(windows({ evaluatedUntil: at('10:02') }, '10:02', '10:05')).toEqual(['10:05 10:02-10:05'])
  })
})
