import type { Form } from '../../../fixtures/contract/index.ts'
import { createMock, type MockOptions } from '../../../mock-server/index.ts'
import type { Client } from '../../engine/clients/client.ts'
import { type VerifyOptions, verify } from '../../run/verify.ts'
import { directTarget } from '../direct-client.ts'
import type { Break, Mutant } from './mutants.ts'
import { type Answer, type Call, placeOf, succeeds } from './place.ts'

/** Runs the suite on mutants, several of which may stand in one deployment where they are of different resources. */

export interface MutantResult {
  readonly mutant: Mutant
  /** How many answers it changed. */
  readonly changed: number
  readonly rules: readonly string[]
}

export interface Deployment {
  readonly as?: MockOptions['as']
  readonly only?: Form
}

/** A run over a deployment with these mutants: the rules that are broken, with the operations of their exchanges. */
export async function run(mutants: readonly Mutant[], { as, only }: Deployment, more: Partial<VerifyOptions> = {}) {
  const mock = createMock({ logs: 1000, ...(as && { as }) })
  const target = directTarget(mock)
  const breaks = mutants.map(mutant => ({ mutant, act: mutant.begin(target), changed: 0 }))
  const selfHosted = target.selfHosted?.baseUrl
  const real = (isSelfHosted: boolean) => (call: Call) => mock.answer(call, isSelfHosted ? 'selfHosted' : 'cloud')
  const client: Client = {
    wait: async milliseconds => mock.moveClock(mock.clock.now() + milliseconds),
    async send({ baseUrl, method, path, headers, body = '' }) {
      const [plain = '', query = ''] = path.split(/\?(.*)/s)
      const isSelfHosted = baseUrl === selfHosted
      const call = { method, path: plain, query, headers, body }
      let next = real(isSelfHosted)
      for (const one of breaks) next = wrap(one, next, isSelfHosted)
      const answer = await next(call)
      return { status: answer.status, headers: { ...answer.headers }, text: answer.body }
    },
  }
  const report = await verify({ target, client, ...(only && { forms: [only] }), ...more })
  const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
  return { report, wrong, changed: breaks.map(({ changed }) => changed) }
}

function wrap(
  one: { readonly act: Break; changed: number },
  next: (call: Call) => Promise<Answer>,
  isSelfHosted: boolean,
) {
  return async (call: Call): Promise<Answer> => {
    let last: Answer | undefined
    let isSame = true
    const answer = await one.act(
      call,
      async inner => {
        isSame = isEqual(inner, call)
        last = await next(inner)
        return last
      },
      placeOf(call, isSelfHosted),
    )
    // A body that lost nothing is no change, nor is another request that is refused all the same.
    if ((!isSame && succeeds(answer)) || (answer !== last && answer.body !== last?.body)) one.changed++
    return answer
  }
}

const isEqual = (one: Call, other: Call) =>
  one.body === other.body &&
  one.path === other.path &&
  one.method === other.method &&
  one.headers.authorization === other.headers.authorization

/** The rules that a mutant broke, of those that are broken in a run with several: by their subject and their exchanges. */
function brokenBy({ operation }: Mutant, wrong: Ran['wrong'], _selfHosted: string | undefined): readonly string[] {
  const [resource] = operation.split('.')
  const isOf = ({ id, exchanges, form }: Ran['wrong'][number]) =>
    id.startsWith(`${resource}/`) ||
    exchanges.some(({ request: { method, path } }) =>
      placeOf({ method, path: path.split('?')[0]! }, form === 'selfHosted').operation?.startsWith(`${resource}.`),
    )
  return wrong.filter(isOf).map(({ id }) => id)
}

type Ran = Awaited<ReturnType<typeof run>>

/**
 * Finds the rules that each mutant breaks, in few runs: the nth mutants of all resources share a run, and those that break no
 * rule in it run again without the others.
 */
export async function notice(
  mutants: readonly Mutant[],
  deployment: Deployment,
  onRun: (left: number) => void = () => {},
): Promise<readonly MutantResult[]> {
  const usual = new Set((await run([], deployment)).wrong.map(({ id, form }) => `${form} ${id}`))
  const queues = new Map<string, Mutant[]>()
  for (const mutant of mutants) {
    const resource = mutant.operation.split('.')[0]!
    queues.set(resource, [...(queues.get(resource) ?? []), mutant])
  }
  const found: MutantResult[] = []
  for (const parents of [false, true]) {
    const isNamed = (resource: string) => parents === /^(?:service|key|organization|dashboard)$/.test(resource)
    const own = [...queues].filter(([resource]) => isNamed(resource)).map(([, queue]) => queue)
    for (let nth = 0; nth < Math.max(0, ...own.map(({ length }) => length)); nth++) {
      let left = own.flatMap(queue => queue[nth] ?? [])
      while (left.length > 0) {
        const { report, wrong, changed } = await run(left, deployment)
        const fresh = wrong.filter(({ id, form }) => !usual.has(`${form} ${id}`))
        const seen = left.map((mutant, index) => ({
          mutant,
          changed: changed[index]!,
          rules:
            left.length === 1 ? fresh.map(({ id }) => id) : brokenBy(mutant, fresh, report.target.baseUrls?.selfHosted),
        }))
        const noticed = seen.filter(({ rules }) => rules.length > 0)
        found.push(...(noticed.length > 0 && left.length > 1 ? noticed : seen))
        left =
          noticed.length > 0 && left.length > 1
            ? seen.filter(({ rules }) => rules.length === 0).map(({ mutant }) => mutant)
            : []
      }
      onRun(nth)
    }
  }
  return found
}
