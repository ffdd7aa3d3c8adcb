import type { OutgoingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { expectTrouble, judge } from './judge.ts'
import { startHttpTarget } from './start-target.ts'

/** A target that refuses everything with 429: what it would have answered is not known. */

describe('a target that limits everything', () => {
  it.each<[string, OutgoingHttpHeaders]>([
    ['without saying for how long', {}],
    ['for thirty years', { 'ratelimit-reset': '1000000000' }],
    ['until a time that is past', { 'retry-after': '-1000000' }],
    ['until something that is no number', { 'retry-after': 'NaN, soon' }],
  ])('is inconclusive when it does so %s', async (_, headers) => {
    const bad = await startHttpTarget((_, response) => response.writeHead(429, headers).end())
    const report = await judge(bad)
    expectTrouble(report, /was refused with 429 \d times?, and the rate limit did not end/)
    expect(report.requests).toBeLessThan(60)
  })

  it('is left alone at once by a run that is interrupted while it waits', async () => {
    const stop = new AbortController()
    const bad = await startHttpTarget((_, response) => {
      response.writeHead(429, { 'retry-after': '60' }).end()
      setTimeout(() => stop.abort(), 50)
    })
    const report = await judge(bad, undefined, { signal: stop.signal, within: 2000 })
    expect(report.cut).toBe('the run was interrupted')
  })
})
