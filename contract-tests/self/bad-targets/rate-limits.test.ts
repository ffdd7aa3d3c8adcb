import type { OutgoingHttpHeaders } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Client, Incoming } from '../../engine/clients/client.ts'
import type { Report } from '../../report/report.ts'
import { verify } from '../../run/verify.ts'
import { expectFailure, judge, outcomesOf } from './judge.ts'
import { startHttpTarget, targetAt } from './start-target.ts'

/** Answers with 429 show nothing about rules, so a rate limit that does not end is an error of the run. */

describe('a target with a rate limit', () => {
  it('has no rule judged, whatever its header fields say about the end of the limit', async () => {
    const limitHeaders: readonly OutgoingHttpHeaders[] = [
      {},
      { 'ratelimit-reset': '1000000000' },
      { 'retry-after': '-1000000' },
      { 'retry-after': 'NaN, soon' },
    ]
    // In parallel, because each run waits for a while before it gives up.
    await Promise.all(
      limitHeaders.map(async headers => {
        const bad = await startHttpTarget((_, response) => response.writeHead(429, headers).end())
        const report = await judge(bad)
        expectFailure(report, /was refused with 429 (?:once|\d times), and the rate limit did not end/)
        expect(report.requests).toBeLessThan(60)
      }),
    )
  })

  it('is given up when it asks to wait for more than 15 minutes in total', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const attempts = new Map<string, number>()
    const client: Client = {
      async send({ method, path, headers }): Promise<Incoming> {
        const request = `${method} ${path} ${headers.authorization}`
        const times = (attempts.get(request) ?? 0) + 1
        attempts.set(request, times)
        return times % 3 === 0
          ? { status: 200, headers: {}, text: '{"data": []}' }
          : { status: 429, headers: { 'retry-after': '60' }, text: '' }
      },
    }
    let report: Report | undefined
    void verify({ target: targetAt('http://127.0.0.1:9'), client }).then(done => {
      report = done
    })
    let minutes = 0
    for (; !report && minutes < 60; minutes++) await vi.advanceTimersByTimeAsync(60_000)
    expect(report && outcomesOf(report, 'errored').join('\n')).toContain('asked to wait for over 15 minutes in all')
  })

  it('does not delay the end of a run that is interrupted while it waits', async () => {
    const stop = new AbortController()
    const bad = await startHttpTarget((_, response) => {
      response.writeHead(429, { 'retry-after': '60' }).end()
      setTimeout(() => stop.abort(), 50)
    })
    const report = await judge(bad, undefined, { signal: stop.signal, waits: true, within: 2000 })
    expect(report.cut).toBe('the run was interrupted')
  })
})
