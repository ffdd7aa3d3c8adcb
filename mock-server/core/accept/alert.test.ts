import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Request } from '../behaviours/behaviour.ts'
import { alertBody } from './alert.ts'

const text = fc.constantFrom('', 'a', null, undefined, 5)
const body = fc.record(
  {
    source: fc.constantFrom('tile', 'saved_search', 'other', undefined),
    tileId: text,
    dashboardId: text,
    savedSearchId: text,
    groupBy: text,
    interval: fc.constantFrom('1m', '1h', '2h'),
    threshold: fc.constantFrom(0, 5, 'five'),
    thresholdType: fc.constantFrom('above', 'between', 'beside'),
    thresholdMax: fc.constantFrom(undefined, 1, 9),
    scheduleOffsetMinutes: fc.constantFrom(undefined, 0, 5, 0.5),
    channel: fc.constantFrom({ type: 'webhook', webhookId: 'a' }, { type: 'webhook' }, undefined),
    stranger: text,
  },
  { requiredKeys: [] },
)

const request = (edition: '2.24' | '2.36', body: unknown) =>
  ({ edition, form: 'selfHosted', now: Date.parse('2026-01-01'), body, choice: () => 'accept' }) as unknown as Request

describe('the body of an alert', () => {
  it.each(['2.24', '2.36'] as const)('is taken the short way just as it is taken the long way (%s)', edition => {
    fc.assert(
      fc.property(body, sent => {
        const { direct, told } = alertBody(request(edition, sent))
        expect(direct.safeParse(sent).success).toBe(told.safeParse(sent).success)
        expect(direct.safeParse(sent).data).toEqual(told.safeParse(sent).data)
      }),
      { numRuns: 500 },
    )
  })
})
