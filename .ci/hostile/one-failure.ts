import type { Client, Incoming, Outgoing } from '../../contract-tests/engine/clients/client.ts'
import type { TargetFile } from '../../contract-tests/engine/target/target.ts'
import { exitStatus } from '../../contract-tests/report/exit-status.ts'
import type { Report } from '../../contract-tests/report/report.ts'
import { verify } from '../../contract-tests/run/verify.ts'
import { createDirectClient, directTarget } from '../../contract-tests/self/direct-client.ts'
import type { Form } from '../../fixtures/contract/index.ts'
import { createMock } from '../../mock-server/index.ts'

/** Lets single requests of a run fail as networks and gateways do, and judges what the run makes of it. */

const locals: Readonly<Record<string, string>> = {
  'https://cloud.example.test': 'http://cloud.localhost',
  'https://self-hosted.example.test': 'http://self-hosted.localhost',
}

/** How a request fails. `undefined`: it reaches the deployment and its answer is returned. */
export const failures = {
  '502': async () => ({ status: 502, headers: { 'content-type': 'text/html' }, text: '<html>Bad Gateway</html>' }),
  'lost connection': async (pass: () => Promise<Incoming>) => {
    await pass()
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  },
  '429': async () => ({ status: 429, headers: { 'retry-after': '1' }, text: '{"message":"slow down"}' }),
  'slow answer': async (pass: () => Promise<Incoming>) => {
    await pass()
    throw Object.assign(new Error('Timeout of 10000ms exceeded'), { code: 'ETIME' })
  },
} satisfies Record<string, (pass: () => Promise<Incoming>) => Promise<Incoming>>
export type Failure = keyof typeof failures

/** What stays the same when a run makes a request again. */
const signatureOf = ({ baseUrl, method, path, headers, body = '' }: Outgoing) =>
  JSON.stringify([baseUrl, method, path, headers.authorization ?? '', body])
    .replace(/stack-parity \w+/g, 'stack-parity')
    .replace(/[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
    .replace(/\d{10,}/g, '{moment}')

export interface Placement {
  readonly form: Form
  readonly writes: boolean
  readonly failure?: Failure
  /** The requests that fail, counted from 0. */
  readonly at?: readonly number[]
  /** Whether equal requests fail from then on. */
  readonly always?: boolean
}

export async function runWith({ form, writes, failure, at = [], always }: Placement) {
  const mock = createMock({ logs: 50, seed: 1 })
  const { cloud, selfHosted } = directTarget(mock)
  const [cloudUrl, selfHostedUrl] = Object.keys(locals) as [string, string]
  const target: TargetFile = {
    cloud: { ...cloud!, baseUrl: cloudUrl },
    selfHosted: { ...selfHosted!, baseUrl: selfHostedUrl },
  }
  const direct = createDirectClient(mock)
  const sent: Outgoing[] = []
  const failing = new Set<string>()
  const client: Client = {
    ...direct,
    send(request) {
      const signature = signatureOf(request)
      const pass = () => direct.send({ ...request, baseUrl: locals[request.baseUrl]! })
      const isChosen = at.includes(sent.length)
      sent.push(request)
      if (isChosen && always) failing.add(signature)
      return failure && (isChosen || failing.has(signature)) ? failures[failure](pass) : pass()
    },
  }
  const report = await verify({
    target,
    client,
    forms: [form],
    rate: 1e6,
    readOnly: !writes,
    failOn: 'documented',
    allowEffects: ['disrupts', 'costs', 'notifies', 'grants'],
    ...({} as object),
  })
  return { report, sent, status: exitStatus(report) }
}

export const brokenIn = ({ rules }: Report) =>
  rules.filter(({ outcome }) => outcome === 'broken').map(({ id, detail }) => `${id}: ${detail}`)
