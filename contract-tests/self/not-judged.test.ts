import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import type { Incoming, Outgoing } from '../engine/clients/client.ts'
import { exitStatus } from '../report/exit-status.ts'
import type { Report } from '../report/report.ts'
import { describePrevented } from '../report/unjudged.ts'
import { type VerifyOptions, verify } from '../run/verify.ts'
import { startRemote } from './start-remote.ts'

/** What the environment prevents is errored and named: it neither holds nor is it not applicable. */

type Answer = (request: Outgoing, pass: () => Promise<Incoming>) => Promise<Incoming>

/** The keys of a mock follow from its seed. */
const goodKey = startRemote(createMock({ logs: 1 })).target.selfHosted!.apiKey

async function judge(answer: Answer, options: Partial<VerifyOptions> = {}, faults: readonly string[] = []) {
  const mock = createMock({ logs: 50 })
  mock.setFaults(faults)
  const { target, client, wait, sent } = startRemote(mock)
  const waits: number[] = []
  const report = await verify({
    target,
    client: {
      send: request => answer(request, () => client.send(request)),
      wait: async milliseconds => {
        waits.push(milliseconds)
        await wait(milliseconds)
      },
    },
    rate: 1e6,
    readOnly: true,
    forms: ['selfHosted'],
    ...options,
  })
  const good = `Bearer ${goodKey}`
  const wrong = sent.filter(({ headers }) => headers.authorization !== undefined && headers.authorization !== good)
  return { report, wrong, waits }
}

const outcomeOf = ({ rules }: Report, id: string) => rules.find(rule => rule.id === id)?.outcome
const limited = (headers: Record<string, string>): Incoming => ({ status: 429, headers, text: '' })

/** Answers wrong credentials with 429, from the request number `from` on, `times` times. */
const limit = (headers: Record<string, string>, from = 0, times = Number.POSITIVE_INFINITY): Answer => {
  let count = 0
  let left = times
  return ({ headers: { authorization = '' } }, pass) => {
    const isWrong = authorization !== '' && !authorization.endsWith(goodKey)
    return isWrong && count++ >= from && left-- > 0 ? Promise.resolve(limited(headers)) : pass()
  }
}

describe('a rate limit of wrong credentials', () => {
  it.each([0, 3])('without Retry-After ends the probes and is named, after %i refusals', async from => {
    const { report, wrong } = await judge(limit({}, from), { sections: ['5'] })
    expect(wrong).toHaveLength(from)
    expect(outcomeOf(report, 'auth/ingestion-key-is-refused')).toBe('errored')
    expect(exitStatus(report)).toBe(2)
    expect(describePrevented(report).join('\n')).toMatch(
      /was refused with 429 once, and the rate limit did not end.*not judged in selfHosted: .*auth\//,
    )
  })

  it('is waited for once, and hides no fault', async () => {
    const faults = ['auth/ingestion-key-is-refused']
    const { report, waits } = await judge(limit({ 'retry-after': '70' }, 0, 1), { sections: ['5'] }, faults)
    expect(waits).toContain(71_000)
    expect(outcomeOf(report, 'auth/ingestion-key-is-refused')).toBe('broken')
    expect(exitStatus(report)).toBe(1)
  })

  it.each([
    ['asks for more than 70 s', { 'retry-after': '71' }],
    ['does not end after its time', { 'retry-after': '1' }],
  ])('leaves rules errored when it %s', async (_, headers) => {
    const { report } = await judge(limit(headers), { sections: ['5'] })
    expect(report.rules.filter(({ outcome, level }) => level === 'must' && outcome === 'not-applicable')).toEqual([])
    expect([outcomeOf(report, 'auth/wrong-secret-is-refused'), exitStatus(report)]).toEqual(['errored', 2])
  })

  it('is spared at the end of a run: what was answered is not sent again', async () => {
    let isLost = false
    const { report, wrong } = await judge(
      ({ method, path }, pass) => {
        if (isLost || method !== 'GET' || path !== '/api/v2/alerts') return pass()
        isLost = true
        return Promise.resolve({ status: 502, headers: {}, text: '' })
      },
      { sections: ['5'] },
    )
    const keys = wrong.map(({ method, path, headers }) => `${method} ${path} ${headers.authorization}`)
    expect(keys).toEqual([...new Set(keys)])
    expect(keys.length).toBeGreaterThan(5)
    expect([isLost, exitStatus(report)]).toEqual([true, 0])
  })
})

describe('a gateway', () => {
  it.each([
    [2, 0, 'flaky'],
    [Number.POSITIVE_INFINITY, 2, 'errored'],
  ])('that answers a list %d times with 502 breaks no rule', async (times, status, outcome) => {
    let left = times
    const { report } = await judge(({ method, path }, pass) => {
      const isList = method === 'GET' && path === '/api/v2/sources'
      return isList && left-- > 0 ? Promise.resolve({ status: 502, headers: {}, text: '<html>' }) : pass()
    })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken')).toEqual([])
    expect([exitStatus(report), outcomeOf(report, 'source/list-answers')]).toEqual([status, outcome])
  })

  it('that answers every 400 with HTML leaves the rules about them errored', async () => {
    const { report } = await judge(
      async (_, pass) => {
        const answer = await pass()
        return answer.status === 400 ? { ...answer, text: '<html>Bad Request</html>' } : answer
      },
      { sections: ['7'], forms: ['cloud'] },
    )
    const rule = report.rules.find(({ id }) => id === 'error/bad-request-has-status')
    expect(rule).toMatchObject({
      outcome: 'errored',
      detail: expect.stringMatching(/^no answer with 400 could be read as JSON, of \d+ that came$/),
    })
    expect(exitStatus(report)).toBe(2)
  })
})
