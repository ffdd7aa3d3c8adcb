import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Request } from '../family.ts'
import { alertBody } from './alert-body.ts'

/** Mostly as it should be, so that whole bodies are often right but for one thing, or right. */
const mostly = <T>(right: T, ...wrong: readonly unknown[]) =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(right) }, ...wrong.map(value => fc.constant(value)))

const body = fc
  .record({
    source: mostly('tile', 'saved_search', undefined),
    tileId: mostly('a', '', 5, undefined),
    dashboardId: mostly('a', '', null, undefined),
    interval: mostly('5m', '2h', 'constructor', 5),
    threshold: mostly(0.5, 'five', undefined),
    thresholdType: mostly('above', 'equal', 'between', 'beside'),
    channel: mostly(
      { type: 'webhook', webhookId: 'a' },
      { type: 'webhook', webhookId: '' },
      { type: 'email', webhookId: 'a' },
      { type: 'webhook', webhookId: 'a', more: 1 },
      { type: 'webhook' },
      null,
    ),
    name: mostly('a', '', null, 5, 'a'.repeat(512), 'a'.repeat(513)),
    message: mostly('a', '', undefined, 'a'.repeat(4096), 'a'.repeat(4097)),
    thresholdMax: mostly(undefined, 1, 9),
    scheduleOffsetMinutes: mostly(undefined, 0, 5),
    channels: mostly(undefined, [{ type: 'webhook', webhookId: 'a' }]),
    savedSearchId: mostly(undefined, 'a'),
    stranger: mostly(undefined, 'a'),
  })
  .map(sent => JSON.parse(JSON.stringify(sent)))

const request = (edition: '2.24' | '2.36', body: unknown) =>
  ({ edition, form: 'selfHosted', now: Date.parse('2026-01-01'), body, choice: () => 'accept' }) as unknown as Request

describe('the body of an alert', () => {
  it.each(['2.24', '2.36'] as const)(
    'is taken the short way only where the long way takes it as it is (%s)',
    edition => {
      let short = 0
      fc.assert(
        fc.property(body, sent => {
          const { usual, told } = alertBody(request(edition, sent))
          const taken = usual.safeParse(sent)
          if (!taken.success) return
          short++
          expect(taken.data).toEqual(sent)
          expect(told.safeParse(sent)).toEqual(taken)
        }),
        { numRuns: 3000 },
      )
      expect(short).toBeGreaterThan(100)
    },
  )
})
