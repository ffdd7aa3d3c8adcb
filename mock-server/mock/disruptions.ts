import type { Contract, Rule, RuleId } from '../../fixtures/built-contract/index.ts'
import { applyDecision, type Chaos, type ChaosDecision, createChaos, dropped, readChaos } from '../chaos/chaos.ts'
import type { Core } from '../core/core.ts'
import { type Limiter, limitPerMinute, limitPerTenSeconds } from '../core/rate-limit.ts'
import type { Fault, FaultContext } from '../faults/fault.ts'
import type { Answer, Call, Listener } from '../words/call.ts'
import type { Cause } from '../words/cause.ts'
import { nearest } from '../words/nearest.ts'
import type { Clock } from '../world/clock.ts'
import { createRandom, seedOf } from '../world/random.ts'
import { createStubs } from './arrange/stubs.ts'
import type { SavedDisruptions } from './state.ts'

type AnswerFunction = (call: Call) => Promise<Answer>

interface InitialDisruptions {
  readonly core: Core
  readonly chaos: Chaos
  readonly faults: readonly string[]
  readonly seed: number
  readonly clock: Clock
}

/** The deliberate disturbances of one world: stubs, faults, chaos and rate limits. */
export function createDisruptions({ core, chaos: initialChaos, faults, seed, clock }: InitialDisruptions) {
  const { contract } = core
  const randomOf = (seed: number) => createRandom(seedOf(seed, 'chaos'))
  const createLimiters = ({ cloud, selfHosted }: SavedDisruptions = {}): Readonly<Record<Listener, Limiter>> => ({
    cloud: limitPerTenSeconds(cloud),
    selfHosted: limitPerMinute(clock.now(), selfHosted),
  })
  let chaos = initialChaos
  let limiters = createLimiters()
  let dice = randomOf(chaos.seed ?? seed)
  let decide = createChaos(chaos, dice)
  let activeFaults = readFaults(core, faults)
  const { answer: answerByStub, restore: restoreStubs, ...stubs } = createStubs(contract)

  const controls = {
    ...stubs,
    faults: () => activeFaults.map(([id]) => id),
    setFaults(ids: readonly string[]) {
      activeFaults = readFaults(core, ids)
    },
    chaos: () => chaos,
    setChaos(settings: unknown) {
      const next = readChaos(contract, settings)
      if (next.rateLimit && !chaos.rateLimit) limiters = createLimiters()
      if (next.seed !== undefined) dice = randomOf(next.seed)
      chaos = next
      decide = createChaos(chaos, dice)
    },
  }
  return {
    /** Members of `MockWorld`. */
    controls,
    answerByStub,
    restoreStubs,
    /** Resets random numbers, counters, stubs and the memory of faults. Chaos and faults stay on. */
    restart(seed: number) {
      stubs.removeStubs()
      limiters = createLimiters()
      dice = randomOf(chaos.seed ?? seed)
      decide = createChaos(chaos, dice)
      activeFaults = readFaults(
        core,
        activeFaults.map(([id]) => id),
      )
    },
    /** The state to save; empty without chaos and limits, since then nothing but records needs saving. */
    save(): SavedDisruptions {
      // Counters of limits that are announced but not enforced need not be saved.
      const [cloud, selfHosted] = chaos.rateLimit ? [limiters.cloud.save(), limiters.selfHosted.save()] : []
      return { ...(decide && { dice: dice.state }), ...(cloud && { cloud }), ...(selfHosted && { selfHosted }) }
    },
    load(saved: SavedDisruptions) {
      limiters = createLimiters(saved)
      if (saved.dice !== undefined) dice = createRandom(saved.dice)
      decide = createChaos(chaos, dice)
    },
    /** Decides what chaos does to a call; undefined for nothing. */
    decide: (call: Call, operation: string | undefined): ChaosDecision | undefined => decide?.(call, operation),
    limiter: (listener: Listener) => limiters[listener],
    /**
     * Wraps `answer` in the active faults whose rules need this part of the target file (`Rule.needs`); without `needs`, in
     * those whose rules need only the form. The last fault is outermost.
     */
    breakRules: (
      answer: AnswerFunction,
      contextOf: (call: Call) => FaultContext,
      needs?: Rule['needs'],
    ): AnswerFunction =>
      activeFaults
        .filter(([id]) => contract.rules[id].needs === needs)
        .reduce(
          (next, [id, fault]) => withFault({ fault, cause: causeOfFault(contract, id) }, next, contextOf),
          answer,
        ),
  }
}

/** Answers with the fault, and names it as the cause unless it passes on the unchanged answer to the unchanged call. */
const withFault =
  (
    { fault, cause }: { readonly fault: Fault; readonly cause: Cause },
    next: AnswerFunction,
    contextOf: (call: Call) => FaultContext,
  ): AnswerFunction =>
  async call => {
    let unchanged: Answer | undefined
    const pass = async (sent: Call) => {
      const answer = await next(sent)
      unchanged = sent === call ? answer : undefined
      return answer
    }
    const answered = await fault(call, pass, contextOf(call))
    return unchanged && isUnchanged(unchanged, answered) ? answered : { ...answered, cause }
  }

/** What chaos does to a call: drops it, fails it, delays it, or truncates its answer. */
export async function applyChaos(
  decision: ChaosDecision,
  fail: () => Answer,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  if (decision.isDropped) return applyDecision({ ...dropped, cause: causeOfDrop }, decision)
  if (decision.isFailed) return applyDecision({ ...fail(), cause: causeOfFailure }, decision)
  const answered = await answer()
  const isCut = decision.isTruncated && answered.body !== ''
  return applyDecision(isCut ? { ...answered, cause: causeOfTruncation } : answered, decision)
}

const isUnchanged = (a: Answer, b: Answer): boolean =>
  a === b || (a.status === b.status && a.body === b.body && JSON.stringify(a.headers) === JSON.stringify(b.headers))

const causeOfChaos = (what: string): Cause => {
  return { basis: 'invented', by: 'chaos', why: `Broken on purpose by chaos: the call was ${what}.` }
}
const causeOfFailure = causeOfChaos('not carried out, and failed with a 500')
const causeOfDrop = causeOfChaos('not carried out, and the connection was closed without an answer')
const causeOfTruncation = causeOfChaos('carried out, and its answer broke off in the middle')
const causeOfFault = ({ rules }: Contract, rule: RuleId): Cause => ({
  basis: 'invented',
  by: 'fault',
  rule,
  why: `Broken on purpose by the fault of this rule: ${rules[rule].sentence}`,
})

function readFaults(
  { contract: { rules }, faults }: Core,
  ids: readonly string[],
): readonly (readonly [id: RuleId, fault: Fault])[] {
  return [...new Set(ids)].map(id => {
    if (typeof id !== 'string') throw new Error('set faults: Expected the ids of rules')
    if (!Object.hasOwn(rules, id)) {
      const suggestion = nearest(id, Object.keys(rules))
      const advice = suggestion ? `the nearest is ${suggestion}` : 'stack-parity verify --list prints them all'
      throw new Error(`set faults: there is no rule "${id}"; ${advice}`)
    }
    return [id as RuleId, faults[id as RuleId]()]
  })
}
