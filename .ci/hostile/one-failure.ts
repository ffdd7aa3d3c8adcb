import type { Client, Incoming, Outgoing } from '../../contract-tests/engine/clients/client.ts'
import { exitStatus } from '../../contract-tests/report/exit-status.ts'
import type { Report } from '../../contract-tests/report/report.ts'
import { verify } from '../../contract-tests/run/verify.ts'
import { startRemote } from '../../contract-tests/self/start-remote.ts'
import type { Form } from '../../fixtures/contract/index.ts'
import { createMock } from '../../mock-server/index.ts'

/**
 * Lets requests of a run fail as networks and gateways do, one by one. Nothing is broken on the mock, so no rule may be
 * broken: the exit status is 0 if the request is answered when it is made again, and 2 if it never is.
 */

/** How a request fails; `pass` lets it reach the deployment. */
export const failures = {
  '502': async () => ({ status: 502, headers: { 'content-type': 'text/html' }, text: '<html>Bad Gateway</html>' }),
  'lost connection': async pass => {
    await pass()
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  },
  '429': async () => ({ status: 429, headers: { 'retry-after': '1' }, text: '{"message":"slow down"}' }),
  'slow answer': async pass => {
    await pass()
    throw Object.assign(new Error('Timeout of 10000ms exceeded'), { code: 'ETIMEDOUT' })
  },
} satisfies Record<string, (pass: () => Promise<Incoming>) => Promise<Incoming>>
export type Failure = keyof typeof failures
export const everyFailure = Object.keys(failures) as Failure[]

/** What is equal when a run makes a request again: it has another mark then, and its objects have other ids. */
const signatureOf = ({ baseUrl, method, path, headers, body = '' }: Outgoing) =>
  JSON.stringify([baseUrl, method, path, headers.authorization ?? '', body])
    .replace(/stack-parity \w+/g, 'stack-parity')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24}/g, '{id}')
    .replace(/\d{4}-\d\d-\d\dT[\w.:%]+|\d{10,}/g, '{moment}')

export interface Placement {
  readonly form: Form
  readonly writes: boolean
  readonly failure?: Failure
  /** The numbers of the requests that fail, from 0. */
  readonly at?: readonly number[]
  /** Lets all requests fail from then on that are equal to one of these. */
  readonly always?: boolean
}

/** Runs the suite once. */
export async function runWith({ form, writes, failure, at = [], always = false }: Placement) {
  const { target, client, wait, sent } = startRemote(createMock({ logs: 50, seed: 1 }))
  const failing = new Set<string>()
  /** Steps done; a number that falls shows that the run tries again. */
  let done = 0
  let isRetry = false
  const send: Client['send'] = request => {
    const signature = signatureOf(request)
    const isChosen = !isRetry && at.includes(sent.length)
    if (isChosen && always) failing.add(signature)
    if (!failure || !(isChosen || failing.has(signature))) return client.send(request)
    const count = sent.length
    const fail = failures[failure](() => client.send(request))
    if (sent.length === count) sent.push(request)
    return fail
  }
  const report = await verify({
    target,
    client: { send, wait },
    forms: [form],
    onProgress: count => {
      isRetry ||= count < done
      done = count
    },
    rate: 1e6,
    readOnly: !writes,
    failOn: 'documented',
    allowEffects: ['disrupts', 'costs', 'notifies', 'grants'],
  })
  return { report, sent, status: exitStatus(report) }
}

const brokenIn = ({ rules }: Report) =>
  rules.flatMap(({ id, outcome, detail }) => (outcome === 'broken' ? `${id}: ${detail}` : []))

interface Sweep extends Pick<Placement, 'form' | 'writes' | 'failure' | 'always'> {
  /** Requests that fail in one run, spread evenly. */
  readonly perRun?: number
  /** The part of the requests that fail, from 0 to 1, and the seed that draws them. */
  readonly share?: number
  readonly seed?: number
}

/** Places failures on the requests of many runs. */
export async function placeFailures({ perRun = 1, share = 1, seed = 1, ...one }: Sweep) {
  const { length } = (await runWith({ form: one.form, writes: one.writes })).sent
  const count = Math.ceil(length / perRun)
  const runs = Math.max(1, Math.round(count * share))
  const outcomes: Record<string, number> = {}
  const complaints: string[] = []
  for (let run = 0; run < runs; run++) {
    // Runs are spread over all requests; the seed shifts them.
    const first = (Math.floor((run * count) / runs) + seed) % count
    const at = Array.from({ length: perRun }, (_, index) => first + index * count).filter(number => number < length)
    const { report, status, sent } = await runWith({ ...one, at })
    const broken = brokenIn(report)
    const outcome = `exit status ${status}${report.summary.flaky > 0 ? ', flaky' : ''}${report.summary.errored > 0 ? ', errored' : ''}`
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    const isRight = one.always ? status !== 1 : status === 0
    if (isRight && broken.length === 0) continue
    const requests = at.flatMap(number => (sent[number] ? `${number} ${sent[number].method} ${sent[number].path}` : []))
    const open = report.rules.flatMap(({ id, outcome, detail }) => (outcome === 'errored' ? `${id}: ${detail}` : []))
    complaints.push(
      `${one.form}, ${one.failure} at ${requests.slice(0, 5).join(' and ')}: ${outcome}; ${[...broken, ...open].slice(0, 3).join('; ')}`,
    )
  }
  return { requests: length, runs, outcomes, complaints }
}
