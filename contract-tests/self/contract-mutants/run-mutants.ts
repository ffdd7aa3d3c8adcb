import type { Form } from '../../../fixtures/contract/index.ts'
import { createMock, type MockOptions } from '../../../mock-server/index.ts'
import type { Client } from '../../engine/clients/client.ts'
import { type VerifyOptions, verify } from '../../run/verify.ts'
import { answerControl } from '../control.ts'
import { directTarget } from '../direct-client.ts'
import type { Break, Mutant } from './mutants.ts'
import { type Answer, type Call, routeOf, succeeds } from './route.ts'

/** Runs the suite on mutants. One deployment may have several, if their resources differ. */

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

/** Runs the suite on mutants. `wrong`: broken and errored rules; `changed`: how many answers each mutant changed. */
export async function run(mutants: readonly Mutant[], { as, only }: Deployment, options: Partial<VerifyOptions> = {}) {
  const mock = createMock({ logs: 1000, ...(as && { as }) })
  const target = directTarget(mock)
  const breaks = mutants.map(mutant => ({ mutant, act: mutant.begin(target), changed: 0 }))
  const selfHosted = target.selfHosted?.baseUrl
  const client: Client = {
    wait: async milliseconds => mock.moveClock(mock.clock.now() + milliseconds),
    async send({ baseUrl, method, path, headers, body = '' }) {
      const [plain = '', query = ''] = path.split(/\?(.*)/s)
      const isSelfHosted = baseUrl === selfHosted
      const call = { method, path: plain, query, headers, body }
      let next = (call: Call) => mock.answer(call, isSelfHosted ? 'selfHosted' : 'cloud')
      for (const one of breaks) next = wrap(one, next, isSelfHosted)
      const answer = await next(call)
      return { status: answer.status, headers: { ...answer.headers }, text: answer.body }
    },
  }
  const report = await verify({
    target,
    client: answerControl(target, client),
    ...(only && { forms: [only] }),
    ...options,
  })
  const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
  return { report, wrong, changed: breaks.map(({ changed }) => changed) }
}

function wrap(
  one: { readonly act: Break; changed: number },
  next: (call: Call) => Promise<Answer>,
  isSelfHosted: boolean,
) {
  return async (call: Call): Promise<Answer> => {
    const genuine: Answer[] = []
    const answer = await one.act(
      call,
      async inner => {
        const given = await next(inner)
        if (isEqual(inner, call)) genuine.push(given)
        return given
      },
      routeOf(call, isSelfHosted),
    )
    // Without a genuine answer, an altered call counts if it succeeds.
    const isChanged = genuine.length > 0 ? genuine.every(({ body }) => body !== answer.body) : succeeds(answer)
    if (isChanged) one.changed++
    return answer
  }
}

const isEqual = (one: Call, other: Call) =>
  one.body === other.body &&
  one.path === other.path &&
  one.query === other.query &&
  one.method === other.method &&
  one.headers.authorization === other.headers.authorization

/** Of the rules broken in a shared run, those that this mutant may have broken: their id or an exchange is of its resource. */
function findBrokenBy({ operation }: Mutant, wrong: RunResult['wrong']): readonly string[] {
  const [resource] = operation.split('.')
  const isOf = ({ id, exchanges, form }: RunResult['wrong'][number]) =>
    id.startsWith(`${resource}/`) ||
    exchanges.some(({ request: { method, path } }) =>
      routeOf({ method, path: path.split('?')[0]! }, form === 'selfHosted').operation?.startsWith(`${resource}.`),
    )
  return wrong.filter(isOf).map(({ id }) => id)
}

type RunResult = Awaited<ReturnType<typeof run>>

/**
 * Finds the rules that each mutant breaks, in few runs: the nth mutants of all resources share a run. If the suite
 * notices some of the mutants in a run, the others run again without them, until it notices none.
 */
export async function findBrokenRules(
  mutants: readonly Mutant[],
  deployment: Deployment,
  onRound: (nth: number) => void = () => {},
): Promise<readonly MutantResult[]> {
  const brokenAnyway = new Set((await run([], deployment)).wrong.map(({ id, form }) => `${form} ${id}`))
  const queues = new Map<string, Mutant[]>()
  for (const mutant of mutants) {
    const resource = mutant.operation.split('.')[0]!
    queues.set(resource, [...(queues.get(resource) ?? []), mutant])
  }
  const found: MutantResult[] = []
  // Mutants of resources that other families use run after the rest.
  for (const areUsedByOthers of [false, true]) {
    const isInRound = (resource: string) =>
      areUsedByOthers === /^(?:service|key|organization|dashboard)$/.test(resource)
    const ownQueues = [...queues].filter(([resource]) => isInRound(resource)).map(([, queue]) => queue)
    for (let nth = 0; nth < Math.max(0, ...ownQueues.map(({ length }) => length)); nth++) {
      let left = ownQueues.flatMap(queue => queue[nth] ?? [])
      while (left.length > 0) {
        const { wrong, changed } = await run(left, deployment)
        const newlyWrong = wrong.filter(({ id, form }) => !brokenAnyway.has(`${form} ${id}`))
        const results = left.map((mutant, index) => ({
          mutant,
          changed: changed[index]!,
          rules: left.length === 1 ? newlyWrong.map(({ id }) => id) : findBrokenBy(mutant, newlyWrong),
        }))
        const noticed = results.filter(({ rules }) => rules.length > 0)
        const isRepeated = noticed.length > 0 && left.length > 1
        found.push(...(isRepeated ? noticed : results))
        left = isRepeated ? results.filter(({ rules }) => rules.length === 0).map(({ mutant }) => mutant) : []
      }
      onRound(nth)
    }
  }
  return found
}
