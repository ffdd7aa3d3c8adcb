import { expect, it } from 'vitest'
import { contract } from '../../fixtures/built-contract/index.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import type { Answer, Call } from '../words/call.ts'
import type { Random } from '../world/random.ts'
import { applyDecision, createChaos, readChaos } from './chaos.ts'

const now = Date.UTC(2026, 5, 1, 12)
const withoutChaos = { 'x-stack-parity-chaos': 'off' }

function open(options: MockOptions = {}) {
  const mock = createMock({ now, ...options })
  const { apiKey, references } = mock.target({ selfHosted: 'http://self-hosted' }).selfHosted!
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') => {
    const type = body && { 'content-type': 'application/json' }
    const allHeaders = { authorization: `Bearer ${apiKey}`, ...type, ...headers }
    return mock.answer({ method, path: `/api/v2/${path}`, query: '', headers: allHeaders, body }, 'selfHosted')
  }
  return { mock, send, dashboard: `dashboards/${references!.dashboardId}` }
}

const allChaos = { latencyMs: [5, 500], errorRate: 0.3, dropRate: 0.3, truncateRate: 0.3 } as const
const sendForty = ({ send }: ReturnType<typeof open>) =>
  Promise.all(
    Array.from({ length: 40 }, async () => {
      const { status, disturbance } = await send('GET', 'alerts')
      return { status, ...disturbance }
    }),
  )

it('disturbs the same calls in the same way for the same seed', async () => {
  const first = await sendForty(open({ chaos: allChaos }))
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([0, 200, 500]))
  expect(new Set(first.map(disturbance => disturbance.break))).toEqual(new Set([undefined, 'drop', 'truncate']))
  expect(first.every(({ delayMs }) => delayMs! >= 5 && delayMs! <= 500)).toBe(true)
  expect(await sendForty(open({ chaos: allChaos }))).toEqual(first)
  expect(await sendForty(open({ chaos: { ...allChaos, seed: 9 } }))).not.toEqual(first)
})

it('restarts its random numbers when a seed is set, and when the world is reset', async () => {
  const opened = open()
  opened.mock.setChaos({ ...allChaos, seed: 9 })
  const first = await sendForty(opened)
  expect(await sendForty(opened)).not.toEqual(first)
  opened.mock.setChaos({ ...allChaos, seed: 9 })
  expect(await sendForty(opened)).toEqual(first)
  opened.mock.reset()
  expect(await sendForty(opened)).toEqual(first)
})

it('keeps the calls that one rate selects when another rate changes', async () => {
  const dropped = async (chaos: MockOptions['chaos']) =>
    (await sendForty(open({ chaos }))).map(disturbance => disturbance.break === 'drop')
  expect(await dropped({ dropRate: 0.3, errorRate: 0.9, latencyMs: [1, 9] })).toEqual(await dropped({ dropRate: 0.3 }))
})

it('exempts requests with the header x-stack-parity-chaos: off, and every preflight', async () => {
  const { send } = open({ chaos: { latencyMs: [5, 9], errorRate: 1, dropRate: 1, truncateRate: 1, rateLimit: true } })
  for (let i = 0; i < 120; i++) {
    const { status, disturbance, headers } = await send('GET', 'alerts', withoutChaos)
    expect([status, disturbance, headers['ratelimit-limit']]).toEqual([200, undefined, undefined])
  }
  const preflightHeaders = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-stack-parity-chaos',
  }
  const preflight = await send('OPTIONS', 'alerts', { origin: 'http://page.test', ...preflightHeaders })
  expect([preflight.status, preflight.disturbance]).toEqual([204, undefined])
  expect(preflight.headers['access-control-allow-headers']).toBe('x-stack-parity-chaos')
  expect((await send('GET', 'alerts', { 'x-stack-parity-chaos': 'on' })).disturbance?.break).toBe('drop')
})

it('disturbs only the operations to which it is restricted', async () => {
  const { send, dashboard } = open({ chaos: { errorRate: 1, operations: ['dashboard.get'] } })
  expect([(await send('GET', dashboard)).status, (await send('GET', 'dashboards')).status]).toEqual([500, 200])
  expect((await send('GET', 'nothing')).status).toBe(404)
})

it('can disturb single operations differently from the others', async () => {
  const { mock, send, dashboard } = open({
    chaos: {
      latencyMs: [5, 5],
      byOperation: { 'dashboard.get': { errorRate: 1 }, 'alert.list': { latencyMs: [0, 0] } },
    },
  })
  expect(await send('GET', dashboard)).toMatchObject({ status: 500, disturbance: { delayMs: 5 } })
  expect((await send('GET', 'alerts')).disturbance).toBeUndefined()
  expect(await send('GET', 'dashboards')).toMatchObject({ status: 200, disturbance: { delayMs: 5 } })
  // byOperation adds to the operations to which chaos is restricted.
  mock.setChaos({ errorRate: 1, operations: ['alert.list'], byOperation: { 'dashboard.get': { latencyMs: [7, 7] } } })
  expect(await send('GET', dashboard)).toMatchObject({ status: 200, disturbance: { delayMs: 7 } })
  expect((await send('GET', 'alerts')).status).toBe(500)
})

it('does not perform a call that it drops, but performs one whose answer it truncates', async () => {
  const { mock, send, dashboard } = open({ chaos: { dropRate: 1 } })
  expect(await send('DELETE', dashboard)).toMatchObject({
    status: 0,
    headers: {},
    body: '',
    disturbance: { break: 'drop' },
  })
  expect(mock.calls(1)).toMatchObject([
    { operation: 'dashboard.delete', response: { status: 0 }, because: { why: expect.stringContaining('without an') } },
  ])
  expect((await send('GET', dashboard, withoutChaos)).status).toBe(200)

  mock.setChaos({ truncateRate: 1 })
  expect(await send('DELETE', dashboard)).toMatchObject({ status: 200, disturbance: { break: 'truncate' } })
  expect(mock.calls(1)[0]!.because.why).toContain('broke off in the middle')
  expect((await send('GET', dashboard, withoutChaos)).status).toBe(404)
  expect((await send('HEAD', 'alerts')).disturbance).toBeUndefined()
})

it('draws random numbers once for each call, even if a fault repeats the call', async () => {
  const { mock, send } = open({ chaos: { dropRate: 1 } })
  mock.setFaults(['dashboard/deleted-is-gone', 'alert/list-answers'])
  expect(await send('GET', 'alerts')).toMatchObject({ status: 0, disturbance: { break: 'drop' } })
})

it('adds nothing to an answer when all of its options are 0 or false', async () => {
  const { mock, send } = open()
  mock.setChaos({ latencyMs: [0, 0], errorRate: 0, rateLimit: false })
  expect(Object.keys(await send('GET', 'alerts')).sort()).toEqual(['body', 'cause', 'headers', 'status'])
  mock.setChaos({ latencyMs: [20, 20], errorRate: 1, rateLimit: true })
  expect(await send('GET', 'alerts')).toMatchObject({ status: 500, disturbance: { delayMs: 20 } })
})

it('draws four random numbers for every call: latency, error, drop and truncation', () => {
  const drawn = [0.5, 0.29, 0.3, 0.1, 0, 0.3, 0.2, 0.3]
  const random = { next: () => drawn.shift() } as unknown as Random
  const rates = { errorRate: 0.3, dropRate: 0.3, truncateRate: 0.3 }
  const decide = createChaos({ ...rates, latencyMs: [10, 21], rateLimit: true }, random)!
  const call = (header: string) => ({ method: 'GET', headers: { 'x-stack-parity-chaos': header } }) as unknown as Call
  expect(decide(call(' OFF '), 'alert.list')).toBeUndefined()
  const first = { isLimited: true, isFailed: true, isDropped: false, isTruncated: true, delayMs: 16 }
  expect(decide(call(''), undefined)).toEqual(first)
  const second = { isLimited: true, isFailed: false, isDropped: true, isTruncated: false, delayMs: 10 }
  expect(decide(call(''), undefined)).toEqual(second)
})

it.each([
  [{}, false],
  [{ latencyMs: [0, 0], errorRate: 0, dropRate: 0, truncateRate: 0, rateLimit: false }, false],
  [{ latencyMs: [0, 1] }, true],
  [{ errorRate: 0.1 }, true],
  [{ dropRate: 0.1 }, true],
  [{ truncateRate: 0.1 }, true],
  [{ rateLimit: true }, true],
  [{ latencyMs: [0, 1], errorRate: 1 }, true],
  [{ errorRate: 0.5, dropRate: 0.5 }, true],
  [{ dropRate: 0.5, truncateRate: 0.5 }, true],
] as const)('with the options %j disturbs calls: %s', (chaos, isDisturbed) => {
  expect(createChaos(chaos, {} as Random) !== undefined).toBe(isDisturbed)
})

it('marks only answers that it disturbs, and does not truncate a dropped answer', () => {
  const answer: Answer = { status: 200, headers: {}, body: 'x' }
  const decision = { isLimited: false, isFailed: false, isDropped: false, isTruncated: false, delayMs: 0 }
  expect(applyDecision(answer, decision)).toBe(answer)
  expect(applyDecision(answer, { ...decision, delayMs: 5 }).disturbance).toEqual({ delayMs: 5 })
  expect(applyDecision(answer, { ...decision, isTruncated: true }).disturbance).toEqual({ break: 'truncate' })
  expect(applyDecision(answer, { ...decision, isDropped: true, isTruncated: true }).disturbance).toEqual({
    break: 'drop',
  })
  const empty = { ...answer, body: '' }
  expect(applyDecision(empty, { ...decision, isTruncated: true })).toBe(empty)
})

it.each([
  { latencyMs: [0, 60_000] },
  { latencyMs: [5, 5], errorRate: 0, dropRate: 1, truncateRate: 0.5, rateLimit: false, seed: -3 },
  { operations: ['alert.list', 'member.list'], rateLimit: true },
  { latencyMs: undefined },
  { byOperation: { 'alert.list': { latencyMs: [1, 2], errorRate: 0.5 } } },
])('accepts the options %j', chaos => {
  expect(readChaos(contract, chaos)).toEqual(chaos)
})

it.each([
  [{ latencyMs: [1] }, 'set chaos: latencyMs: Expected two numbers of milliseconds, the smaller first, up to 60000'],
  [{ latencyMs: [1, 2, 3] }, 'latencyMs'],
  [{ latencyMs: [2, 1] }, 'received [2,1]'],
  [{ latencyMs: ['1', 2] }, 'latencyMs'],
  [{ latencyMs: [1, '2'] }, 'latencyMs'],
  [{ latencyMs: [-1, 2] }, 'latencyMs'],
  [{ latencyMs: [0, 60_001] }, 'latencyMs'],
  [{ latencyMs: 5 }, 'latencyMs'],
  [{ errorRate: -0.1 }, 'set chaos: errorRate: Expected a number from 0 to 1, received -0.1'],
  [{ rateLimit: 'yes' }, 'set chaos: rateLimit: Expected true or false, received "yes"'],
  [{ operations: 'alert.list' }, 'set chaos: operations: Expected a list'],
  [{ operations: ['alert.list', 1] }, 'set chaos: operations: Expected a list'],
  [{ byOperation: { 'alert.lisp': {} } }, 'set chaos: byOperation: there is no operation "alert.lisp"'],
  [{ byOperation: { 'alert.list': { errorRate: 2 } } }, 'byOperation.alert.list: errorRate: Expected a number'],
  [
    { byOperation: { 'alert.list': { rateLimit: true } } },
    'set chaos: byOperation.alert.list: there is no option "rateLimit"',
  ],
  [{ operations: ['alert.list', 'alert.lisp'] }, 'there is no operation "alert.lisp"'],
  [null, 'set chaos: Expected an object of options, received null'],
  ['text', 'set chaos: Expected an object of options, received "text"'],
  [{ dropRate: 2 }, 'set chaos: dropRate: Expected a number from 0 to 1, received 2'],
  [{ truncateRate: '1' }, 'set chaos: truncateRate: Expected a number from 0 to 1, received "1"'],
  [{ operations: [] }, 'set chaos: operations: Expected a list of operation ids, at least one, received []'],
  [{ operations: ['alerts.list'] }, 'there is no operation "alerts.list"; the nearest is alert.list'],
  [{ operations: ['zzzz'] }, 'there is no operation "zzzz"; there are '],
  [{ seed: 1.5 }, 'set chaos: seed: Expected a whole number, received 1.5'],
  [{ droprate: 1 }, 'set chaos: there is no option "droprate"; the nearest is dropRate'],
  [[], 'Expected an object of options, received []'],
])('refuses the options %j with a reason, and keeps the previous ones', (chaos, sentence) => {
  const { mock } = open({ chaos: { dropRate: 0.5 } })
  const message = expect.stringContaining(sentence)
  expect(() => mock.setChaos(chaos)).toThrow(expect.objectContaining({ message }))
  expect(mock.chaos().dropRate).toBe(0.5)
})
