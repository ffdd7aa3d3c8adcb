import type { Contract, Effect, Form } from '../../fixtures/built-contract/index.ts'
import type { Evidence } from '../engine/check.ts'
import type { Client } from '../engine/clients/client.ts'
import { isWrongCredentials } from '../engine/credentials.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { groupBy } from '../engine/group-by.ts'
import type { Ledger } from '../engine/ledger.ts'
import { createOwnership } from '../engine/ownership.ts'
import { because, kindOf, sentenceOf } from '../engine/reasons.ts'
import { createRedactor, type Redactor, secretsIn } from '../engine/redact.ts'
import { createSeenObjects } from '../engine/seen-objects.ts'
import { baseUrlOf, createSender, pause, type Sender } from '../engine/send.ts'
import { isRead, type RunContext, type Step } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { defaultRate, type TargetFile } from '../engine/target/target.ts'
import { createPoll, type Poll, waitOptionsFor } from '../engine/waiting.ts'
import { readFirst } from '../visits/first-look.ts'
import { checkReferences, listsReferences } from '../visits/stale-references.ts'
import { type Ask, createAsk } from './ask.ts'
import { whyHeldBack, whyOutside } from './hold-back.ts'
import { createLooks, getStep } from './looks.ts'
import { createOwner } from './own.ts'
import { turnsOf } from './turns.ts'

export interface RunOptions {
  readonly target: TargetFile
  readonly client: Client
  /** Requests per second; by default unlimited on a mock of ours and 0.9 elsewhere. */
  readonly rate?: number
  readonly maxRequests?: number
  /** The effects that the run may have on a deployment. */
  readonly allowEffects?: readonly Effect[]
  /** Sends every variant of whole bodies to a deployment, too. */
  readonly thorough?: boolean
  /** The contract to judge by, such as one over which a document was laid; by default that of this package. */
  readonly contract?: Contract | undefined
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number, step: Step) => void
}

export interface SendStepsOptions extends RunOptions {
  readonly steps: readonly Step[]
  /** Forms that are looked at (`readFirst`) before all steps; none by default. */
  readonly looksAt?: readonly Form[]
  readonly runMark: string
  readonly now: number
  readonly ledger: Ledger
  readonly readOnly: boolean
  /** The redactor of earlier visits, with the secrets that it has learnt. */
  readonly redact?: Redactor
  /** How often a request is repeated after a 5xx or a lost connection, if `mayRepeat` allows it. */
  readonly repeats?: number
  /** What wrong credentials were answered in all visits of the run. */
  readonly wrongCredentials?: WrongCredentials
}

/** No wrong credential is sent twice if it was answered, and none at all to an address that limits them. */
export interface WrongCredentials {
  readonly answers: Map<string, Exchange>
  /** By base address: the sentence about the request that was answered with 429. */
  readonly limits: Map<string, string>
}

/** Why a step has no answer. */
type Missing = ReturnType<Evidence['whyMissing']>

export interface SentSteps {
  readonly exchanges: ReadonlyMap<string, Exchange>
  readonly missing: ReadonlyMap<string, Missing>
  /** The target, completed with the ids that the first look found. */
  readonly target: TargetFile
  /** Why a form was given up after its first look. */
  readonly ended: ReadonlyMap<Form, string>
  /** The answers to the first look that serve no step. */
  readonly looks: readonly Exchange[]
  /** A sentence for each id of the target file that the deployment does not list. */
  readonly stale: readonly string[]
  /** The number of requests, including the clean-up, and why the run ended early, if it did. */
  readonly sender: Pick<Sender, 'requests' | 'endReason'>
  /** Sends one more request. */
  readonly send: Ask['send']
  readonly redact: Redactor
  /** Polls even in an interrupted run. */
  readonly poll: Poll
}

/** Concurrent reads of a turn. */
const MAX_CONCURRENT = 8

/** Sends steps turn by turn, and keeps for each its answer or the reason why there is none. */
export async function sendSteps(options: SendStepsOptions): Promise<SentSteps> {
  const { client, steps, looksAt = [], ledger, readOnly, allowEffects, signal, now, runMark, onProgress } = options
  const { rate = defaultRate(options.target), contract } = options
  const { redact = createRedactor(options.target), repeats = 0 } = options
  const { wrongCredentials = { answers: new Map(), limits: new Map() } } = options
  const sleep = (milliseconds: number) => pause(milliseconds, signal)
  const sender = createSender({ ...options, rate, sleep, onAnswer: exchange => redact.learn(secretsIn(exchange)) })
  const isOver = () => signal?.aborted === true || sender.endReason !== undefined
  const waiting = waitOptionsFor(options.target, client, sleep)
  const poll = createPoll({ ...waiting, isOver })
  const exchanges = new Map<string, Exchange>()
  const missing = new Map<string, Missing>()
  const looks = createLooks(sender, isOver)
  /** By step: why a get of what it created got no answer. */
  const lostGets = new Map<string, string>()
  const turns = turnsOf(steps)
  /** Steps that wait for a state. */
  const waitingSteps = new Set(steps.flatMap(({ name, poll }) => (poll?.withinSeconds ? name : [])))
  let done = 0
  const { target, ended, stale } = await readFirst({
    target: options.target,
    forms: looksAt,
    wantsBackup: steps.some(({ operation }) => operation === 'backup.get'),
    writesToDeployment: !readOnly && !isMock(options.target),
    ask: looks.ask,
  })
  const seenObjects = createSeenObjects(target, contract)
  const ownership = createOwnership({ target, runMark, ledger, seenObjects, read: getOwn, redact, contract })
  let context: RunContext = {
    target,
    runMark,
    now,
    readOnly,
    thorough: options.thorough,
    contract,
    exchange: step => exchanges.get(step),
    created: ownership.created,
  }

  /** Requests reserved for the clean-up: a deletion and a get for each created object. */
  const countReserved = () => 2 * ledger.left().length
  const maySend = (count: number) => sender.maySend(countReserved() + count)
  const { ask, follow, send } = createAsk({ target, sender, poll, repeats, isOver, maySend })
  const owner = createOwner({ target, ledger, ownership, tools: { send, poll, redact }, repeats, isOver, getOwn })

  /** The state that a step waits for, if something was written that brings it about. */
  function awaitedBy(step: Step) {
    const { after = [], withinSeconds, until } = step.poll ?? {}
    const hasWritten = after.flatMap(name => exchanges.get(name) ?? []).some(isSuccess)
    if (!until || !withinSeconds || !hasWritten) return undefined
    return {
      withinSeconds,
      isReached: (exchange: Exchange) => until(exchange, context),
      onWait: () => onProgress?.(done, steps.length, { ...step, name: `${step.name}, waiting` }),
    }
  }

  /** Gets an object that may be the run's own. */
  async function getOwn({ name, form }: Step, path: string): Promise<Exchange | undefined> {
    const step = getStep(form, 'gets what was created, since the answer does not prove the creation')
    return maySend(5) ? send(step, { path }, failed => lostGets.set(name, failed)) : undefined
  }

  /** Why a step is not sent, before its request is made. */
  function refuse(step: Step): Missing | undefined {
    if (signal?.aborted) sender.end('the run was interrupted')
    if (sender.endReason) return { failed: sender.endReason }
    const why = ended.get(step.form)
    if (why) return { failed: why }
    const baseUrl = baseUrlOf(target, step.form)
    const failed = sender.whyOpen(baseUrl)
    if (failed) return { failed, mayRetry: true }
    // What was waited for may not have come about.
    const lost = step.from?.find(name => waitingSteps.has(name) && missing.get(name)?.failed !== undefined)
    if (lost) return missing.get(lost)
    const failure = isWrongProbe(step) ? wrongCredentials.limits.get(baseUrl) : undefined
    const pattern = '{failure}, and wrong credentials are not sent again: more of them could lock the key out'
    if (failure) return { failed: because(pattern, { failure }).sentence }
    if (step.operation && target.notOffered?.includes(step.operation))
      return { skipped: because('the target file lists {operation} under notOffered', { operation: step.operation }) }
    // Two lists of each created resource are also reserved for the clean-up.
    sender.requireBudget(countReserved() + 2 * ledger.countKinds() + (step.creates ? 6 : 1))
    if (sender.endReason) return { failed: sender.endReason }
    const skipped = whyHeldBack(step, { target, readOnly, allowEffects, contract })
    return skipped && { skipped }
  }

  async function perform(step: Step): Promise<Missing | undefined> {
    const refused = refuse(step)
    if (refused) return refused
    const known = isWrongProbe(step) ? wrongCredentials.answers.get(step.name) : undefined
    if (known) return void exchanges.set(step.name, known)
    /** Why the request cannot be made: an answer that it is made from is missing. */
    let lost: Missing | undefined
    let unproven: Missing | undefined
    const exchange = (name: string) => {
      const why = missing.get(name)
      if (why?.failed !== undefined) lost ??= why
      return exchanges.get(name)
    }
    const created = (name: string) => {
      const reason = ownership.whyUnproven(name)
      const failed = lostGets.get(name) ?? (reason && kindOf(reason) === 'environment' ? sentenceOf(reason) : undefined)
      if (failed === undefined) unproven ??= reason && { skipped: reason }
      else unproven ??= { failed, ...(lostGets.has(name) && { mayRetry: true }) }
      exchange(name)
      return ownership.created(name)
    }
    const request = step.makeRequest({ ...context, exchange, created })
    if ('skip' in request) {
      const { skip: skipped, lacks } = request
      const kind = kindOf(skipped)
      if (kind === 'environment') return { failed: sentenceOf(skipped) }
      // The target file lacks nothing if the request would have used an object that is not the run's.
      if (unproven) return unproven
      if (kind === 'api' && lost) return lost
      const lostLook = lacks && looks.whyLost(step.form)
      return lostLook === undefined ? { skipped, lacks } : { failed: lostLook, lacks }
    }
    const outside = whyOutside(step, request.path, { target, contract, ledger })
    if (outside) return { skipped: outside }
    const whyNotCreate = owner.whyNotCreate(step, request)
    if (whyNotCreate) return whyNotCreate
    const moment = seenObjects.answersSoFar()
    const { sent, entry } = await owner.transmit(
      step,
      request,
      moment,
      async () => (turns.get(step.name) === 0 && looks.take(step, request.path)) || ask(step, request, awaitedBy(step)),
    )
    if (!('exchange' in sent)) {
      if ('notSent' in sent) return { failed: sent.notSent }
      const { failed, mayRetry } = sent
      if (isWrongProbe(step) && !mayRetry) wrongCredentials.limits.set(baseUrlOf(target, step.form), failed)
      return { failed, ...(mayRetry && { mayRetry }) }
    }
    const received = await follow(step, sent.exchange)
    await owner.record(step, entry, received, moment)
    if (sender.isMemoryFull) return { failed: sender.endReason }
    for (const answer of [received, ...(received.pages ?? [])]) {
      seenObjects.note(answer)
      exchanges.set(answer.step, answer)
    }
    if (isWrongProbe(step)) wrongCredentials.answers.set(step.name, received)
    return undefined
  }

  async function performAll(queue: Iterable<Step>): Promise<void> {
    for (const step of queue) {
      const why = await perform(step)
      if (why) missing.set(step.name, why)
      onProgress?.(++done, steps.length, step)
    }
  }

  let sentences: readonly string[] = []
  for (const [, ofTurn] of [...groupBy(steps, step => turns.get(step.name)!)].sort(([a], [b]) => a - b)) {
    // Writes are sent in order, reads concurrently from one queue.
    const reading = ofTurn.filter(step => isRead(step.method)).values()
    const readers = Array.from({ length: rate ? 1 : MAX_CONCURRENT }, () => performAll(reading))
    await Promise.all([performAll(ofTurn.filter(step => !isRead(step.method))), ...readers])
    if (!ofTurn.some(listsReferences)) continue
    const checked = checkReferences(target, context.exchange)
    context = { ...context, target: checked.target }
    sentences = checked.sentences
  }
  sender.resetBreaker()
  return {
    exchanges,
    missing,
    stale: [...stale, ...sentences],
    target,
    ended,
    looks: looks.left(),
    redact,
    poll: createPoll(waitOptionsFor(options.target, client, pause)),
    sender,
    send,
  }
}

/** Many wrong credentials could lock a key out. */
const isWrongProbe = ({ isProbe, as }: Step) => isProbe === true && isWrongCredentials(as)
