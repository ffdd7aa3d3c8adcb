import { describe, expect, it } from 'vitest'
import { broken, type Evidence, held, judgeEach, noAnswer, notJudged, observed, show } from './check.ts'
import type { Exchange } from './exchange.ts'

const exchange = (path: string): Exchange => ({
  step: 'cloud:member.list',
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
  it('names its outcome, its reason and the exchanges that show it', () => {
    expect(held([a, b])).toEqual({ outcome: 'held', exchanges: [a] })
    expect(broken('why', a, b)).toEqual({ outcome: 'broken', detail: 'why', exchanges: [a, b] })
    expect(observed(null, a)).toEqual({ outcome: 'observed', observed: null, exchanges: [a] })
    expect(notJudged('no such id is known')).toEqual({
      outcome: 'not-applicable',
      detail: 'no such id is known',
      exchanges: [],
    })
  })
})

describe('the verdict without an answer', () => {
  const judgeWithoutAnswer = (reasons: Record<string, ReturnType<Evidence['whyMissing']>>) =>
    noAnswer(
      {
        whyMissing: (step: string) => reasons[step]!,
        exchangesOf: () => [],
        all: [] as readonly Exchange[],
      } as unknown as Evidence,
      ...Object.keys(reasons),
    )

  it('is errored if a request failed, else not applicable with the reason for a skipped step', () => {
    expect(judgeWithoutAnswer({ one: { skipped: 'no webhook is known' }, two: { failed: 'timed out' } })).toEqual({
      outcome: 'errored',
      detail: 'timed out',
      exchanges: [],
    })
    expect(judgeWithoutAnswer({ one: {}, two: { skipped: 'no webhook is known' } })).toEqual(
      notJudged('no webhook is known'),
    )
    expect(judgeWithoutAnswer({ one: {} })).toEqual(notJudged('there was no answer to judge'))
  })
})

describe('the verdict on several exchanges', () => {
  const fallback = () => notJudged('no answer came')
  const createFinding = (got: unknown, path?: string) => ({
    expected: 'a list',
    got,
    ...(path !== undefined && { path }),
  })

  it('is held if every exchange that can be judged keeps the rule, and the fallback if no exchange can be judged', () => {
    expect(judgeEach([a, b], one => (one === a ? undefined : []), fallback)).toEqual(held([b]))
    expect(judgeEach([a, b], () => undefined, fallback)).toEqual(fallback())
    expect(judgeEach([], () => [], fallback)).toEqual(fallback())
  })

  it('is broken by the first finding, with its place, the number of further findings and three exchanges', () => {
    expect(judgeEach([a], () => [createFinding(1)], fallback)).toEqual(broken('expected a list, got 1 (GET /a)', a))
    const inspect = (one: Exchange) =>
      one === a ? [] : [createFinding({ x: 1 }, '$.result'), createFinding(undefined)]
    expect(judgeEach([a, b, c, d, exchange('/e')], inspect, fallback)).toEqual(
      broken('expected a list, got {"x":1} (GET /b at $.result), and 7 more', b, c, d),
    )
  })
})

describe('a received value', () => {
  it('is shown as JSON, cut after 117 characters if it has more than 120', () => {
    expect([undefined, null, 'text', [1]].map(show)).toEqual(['nothing', 'null', '"text"', '[1]'])
    expect(show('x'.repeat(118))).toBe(`"${'x'.repeat(118)}"`)
    expect(show('x'.repeat(119))).toBe(`"${'x'.repeat(116)}…`)
  })
})
