import { describe, expect, it } from 'vitest'
import { broken, type Evidence, held, judgeEach, noAnswer, notApplicable, observed, show } from './check.ts'
import type { Exchange } from './exchange.ts'

const exchange = (path: string): Exchange => ({
  step: 'cloud:members',
  form: 'cloud',
  operation: 'member.list',
  as: 'key',
  why: '',
  request: { method: 'GET', path, headers: {}, body: null },
  response: { status: 200, headers: {}, text: '' } as Exchange['response'],
  json: undefined,
  ms: 1,
})
const [a, b, c, d] = ['/a', '/b', '/c', '/d'].map(exchange) as [Exchange, Exchange, Exchange, Exchange]

describe('a verdict', () => {
  it('has what it was judged by', () => {
    expect(held([a, b])).toEqual({ outcome: 'held', exchanges: [a] })
    expect(broken('why', a, b)).toEqual({ outcome: 'broken', detail: 'why', exchanges: [a, b] })
    expect(observed(null, a)).toEqual({ outcome: 'observed', observed: null, exchanges: [a] })
    expect(notApplicable('why')).toEqual({ outcome: 'not-applicable', detail: 'why', exchanges: [] })
  })
})

describe('the verdict without an answer', () => {
  const verdict = (reasons: Record<string, ReturnType<Evidence['whyMissing']>>) =>
    noAnswer(
      {
        whyMissing: (step: string) => reasons[step]!,
        exchangesOf: () => [],
        all: [] as readonly Exchange[],
      } as unknown as Evidence,
      ...Object.keys(reasons),
    )

  it('is an error when a request failed, else the reason for which a step was skipped', () => {
    expect(verdict({ one: { skipped: 'no key' }, two: { failed: 'timed out' } })).toEqual({
      outcome: 'errored',
      detail: 'timed out',
      exchanges: [],
    })
    expect(verdict({ one: {}, two: { skipped: 'no key' } })).toEqual(notApplicable('no key'))
    expect(verdict({ one: {} })).toEqual(notApplicable('no answer that it could be read from came'))
  })
})

describe('judging one exchange after the other', () => {
  const none = () => notApplicable('nothing')
  const wrong = (got: unknown, path?: string) => ({ expected: 'a list', got, ...(path !== undefined && { path }) })

  it('holds when those that say something keep the rule, and says so when none does', () => {
    expect(judgeEach([a, b], one => (one === a ? undefined : []), none)).toEqual(held([b]))
    expect(judgeEach([a, b], () => undefined, none)).toEqual(none())
    expect(judgeEach([], () => [], none)).toEqual(none())
  })

  it('is broken by the first finding, with the place, how many more there are, and three exchanges', () => {
    expect(judgeEach([a], () => [wrong(1)], none)).toEqual(broken('expected a list, got 1 (GET /a)', a))
    const look = (one: Exchange) => (one === a ? [] : [wrong({ x: 1 }, '$.result'), wrong(undefined)])
    expect(judgeEach([a, b, c, d, exchange('/e')], look, none)).toEqual(
      broken('expected a list, got {"x":1} (GET /b at $.result), and 7 more', b, c, d),
    )
  })
})

describe('a value that came', () => {
  it('is shown as JSON, cut after 117 signs when it has more than 120', () => {
    expect([undefined, null, 'text', [1]].map(show)).toEqual(['nothing', 'null', '"text"', '[1]'])
    expect(show('x'.repeat(118))).toBe(`"${'x'.repeat(118)}"`)
    expect(show('x'.repeat(119))).toBe(`"${'x'.repeat(116)}…`)
  })
})
