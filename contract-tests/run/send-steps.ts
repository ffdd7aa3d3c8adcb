import { type Effect, type Form, type Operation, operations } from '../../fixtures/contract/index.ts'
import type { Evidence } from '../engine/check.ts'
import type { Client } from '../engine/clients/client.ts'
import { failureOf } from '../engine/connection-failure.ts'
import { type Exchange, isServerError, isSuccess } from '../engine/exchange.ts'
import type { Ledger, LedgerEntry } from '../engine/ledger.ts'
import { createOwnership } from '../engine/ownership.ts'
import { readPages } from '../engine/pages.ts'
import { createRedactor, type Redactor, secretsIn } from '../engine/redact.ts'
import { createSeenObjects } from '../engine/seen-objects.ts'
import { baseUrlOf, createSender, pause, type Sender, type SendResult, type StepRequest } from '../engine/send.ts'
import { isRead, type RunContext, type Step, stepOf } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { defaultRate, type TargetFile } from '../engine/target/target.ts'
import { createPoll, type Poll, waitOptionsFor } from '../engine/waiting.ts'
import { groupBy } from '../report/group-by.ts'
import { type Answer, readFirst } from '../visits/first-look.ts'
import { checkReferences } from '../visits/stale-references.ts'
import { searchFor } from './clean-up.ts'
import { whyHeldBack } from './hold-back.ts'
import { turnsOf } from './turns.ts'

export interface RunOptions {
  readonly target: TargetFile
  readonly client: Client
  /** Requests per second; by default unlimited on a mock of ours and 0.9 elsewhere. */
  readonly rate?: number
  readonly maxRequests?: number
  /** The effects that the run may have on a deployment. */
  readonly allowEffects?: readonly Effect[]
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
  /** Sends one more request, and for a list those of all its pages; undefined when no answer came. */
  readonly send: (step: Step, request: StepRequest) => Promise<Exchange | undefined>
  readonly redact: Redactor
  /** Polls even in an interrupted run. */
  readonly poll: Poll
}

/** Concurrent reads of a turn. */
const MAX_CONCURRENT = 8

/** Sends steps turn by turn, and keeps for each its answer or the reason why there is none. */
export async function sendSteps(options: SendStepsOptions): Promise<SentSteps> {
  const { client, steps, looksAt = [], ledger, readOnly, allowEffects, signal, now, runMark, onProgress } = options
  const { rate = defaultRate(options.target) } = options
  const { redact = createRedactor(options.target), repeats = 0 } = options
  const sleep = (milliseconds: number) => pause(milliseconds, signal)
  const sender = createSender({ ...options, rate, sleep, onAnswer: exchange => redact.learn(secretsIn(exchange)) })
  const isOver = () => signal?.aborted === true || sender.endReason !== undefined
  const waiting = waitOptionsFor(options.target, client, sleep)
  const poll = createPoll({ ...waiting, isOver })
  const exchanges = new Map<string, Exchange>()
  const missing = new Map<string, Missing>()
  const looks = new Map<string, Exchange>()
  const turns = turnsOf(steps)
  let done = 0
  const { target, ended, stale } = await readFirst({
    target: options.target,
    forms: looksAt,
    wantsBackup: steps.some(({ operation }) => operation === 'backup.get'),
    writesToDeployment: !readOnly && !isMock(options.target),
    ask: askFirst,
  })
  const seenObjects = createSeenObjects(target)
  const ownership = createOwnership({ target, runMark, ledger, seenObjects, read: getOwn, redact })
  let context: RunContext = {
    target,
    runMark,
    now,
    readOnly,
    exchange: step => exchanges.get(step),
    created: ownership.created,
  }

  /** Requests reserved for the clean-up: a deletion and a get for each created object. */
  const countReserved = () => 2 * ledger.left().length
  const maySend = (count: number) => sender.maySend(countReserved() + count)

  async function sendOnce(step: Step, request: StepRequest): Promise<Exchange | undefined> {
    const sent = await sender.send(step, request)
    return 'exchange' in sent ? sent.exchange : undefined
  }

  /** Repeats a request until its answer shows the expected state, within the contract's lag. */
  async function sendUntilDone(step: Step, request: StepRequest): Promise<SendResult> {
    const { poll: condition } = step
    const hasWritten = condition?.after.flatMap(name => exchanges.get(name) ?? []).some(isSuccess)
    if (!condition?.withinSeconds || !hasWritten) return sender.send(step, request)
    const earlier: Exchange[] = []
    const isDone = (sent: SendResult) => {
      if (!('exchange' in sent) || condition.until(sent.exchange, context) || !maySend(2)) return true
      earlier.push(sent.exchange)
      onProgress?.(done, steps.length, { ...step, name: `${step.name}, waiting` })
      return false
    }
    const sent = await poll(() => sender.send(step, request), isDone, condition.withinSeconds)
    if (!('exchange' in sent) || earlier.length === 0) return sent
    return { exchange: { ...sent.exchange, earlier: earlier.filter(one => one !== sent.exchange) } }
  }

  /** Reads the further pages of a list, within the limit of requests. */
  function follow(step: Step, received: Exchange): Promise<Exchange> | Exchange {
    const [resource = '', verb] = step.operation?.split('.') ?? []
    const isList = verb === 'list' && received.request.method === 'GET' && !received.request.path.includes('?')
    if (!isList || (step.as !== 'key' && step.as !== 'secondKey')) return received
    return readPages(received, resource, baseUrlOf(target, step.form), async (path, number) =>
      isOver() || !maySend(2) ? undefined : sendOnce({ ...step, name: `${step.name}, page ${number}` }, { path }),
    )
  }

  /** Sends a request of the first look; repeats it once when a lost connection may have been an accident. */
  async function askFirst(form: Form, path: string, isLast = false): Promise<Answer> {
    if (isOver()) return undefined
    const sent = await sender.send(getStep(form, 'checks whether the form answers at all'), { path })
    if ('exchange' in sent) {
      looks.set(`${form} ${path}`, sent.exchange)
      return sent.exchange
    }
    if ('notSent' in sent || sent.error === undefined) return undefined
    return isLast || failureOf(sent.error) !== 'silent' ? sent : askFirst(form, path, true)
  }

  /** Gets an object that may be the run's own. */
  async function getOwn({ form }: Step, path: string): Promise<Exchange | undefined> {
    const step = getStep(form, 'gets what was created, since the answer does not prove the creation')
    return maySend(5) ? send(step, { path }) : undefined
  }

  /** Reuses an answer of the first look for an equal request of the first turn. */
  function takeFirst({ name, form, method, as, why, operation }: Step, path: string): SendResult | undefined {
    const key = `${form} ${path}`
    const exchange = turns.get(name) === 0 && method === 'GET' && as === 'key' ? looks.get(key) : undefined
    if (!exchange) return undefined
    looks.delete(key)
    return { exchange: { ...exchange, step: name, operation, why } }
  }

  /** Why a step is not sent, before its request is made. */
  function refuse(step: Step): Missing | undefined {
    if (signal?.aborted) sender.end('the run was interrupted')
    if (sender.endReason) return { skipped: sender.endReason }
    const why = ended.get(step.form)
    if (why) return { failed: why }
    const failed = sender.whyOpen(baseUrlOf(target, step.form))
    if (failed) return { failed, isConnectionLost: true }
    if (step.operation && target.notOffered?.includes(step.operation))
      return { skipped: `the target file lists ${step.operation} under notOffered` }
    // Two lists of each created resource are also reserved for the clean-up.
    sender.requireBudget(countReserved() + 2 * ledger.countKinds() + (step.creates ? 6 : 1))
    const skipped = sender.endReason ?? whyHeldBack(step, { target, readOnly, allowEffects })
    return skipped === undefined ? undefined : { skipped }
  }

  /** True when an earlier creation may have succeeded without having been listed yet. */
  const isUncertain = (form: Form, resource: string) =>
    ledger
      .left()
      .some(entry => entry.form === form && entry.resource === resource && entry.id === undefined && !entry.probe)

  /** Sends the request of a step, after writing a creation to the ledger; repeats it when allowed. */
  async function transmit(step: Step, request: StepRequest, moment: number) {
    for (let left = repeats; ; left--) {
      const entry = step.creates && ownership.intend(step, step.creates, request, moment)
      const sent = takeFirst(step, request.path) ?? (await sendUntilDone(step, request))
      const hasFailed = 'exchange' in sent ? isServerError(sent.exchange) : 'failed' in sent && sent.error !== undefined
      if (left === 0 || !hasFailed || isOver()) return { sent, entry }
      if (entry && 'isUnsent' in sent && sent.isUnsent) ledger.dismiss(entry)
      if (!(await mayRepeat(step, request, entry))) return { sent, entry }
    }
  }

  /**
   * Whether a failed request may be repeated: a read or a write without effect always, a creation once a list has shown
   * whether it took place, another write while its object still exists.
   */
  async function mayRepeat(step: Step, request: StepRequest, entry: LedgerEntry | undefined): Promise<boolean> {
    const effect = step.operation && (operations[step.operation] as Operation).effect
    if (isRead(request.method ?? step.method) || effect === 'none') return true
    if (entry) {
      if (!entry.deleted) await searchFor(entry, target, ledger, { send, poll, redact })
      return entry.deleted === true || entry.id !== undefined
    }
    const object = step.on === undefined ? undefined : await getOwn(step, request.path)
    return object !== undefined && isSuccess(object)
  }

  async function perform(step: Step): Promise<Missing | undefined> {
    const refused = refuse(step)
    if (refused) return refused
    let creationWithoutId: string | undefined
    const created = (name: string) => {
      if (ownership.whyForeign(name) ?? ownership.whyUnproven(name)) creationWithoutId ??= name
      return ownership.created(name)
    }
    const request = step.makeRequest({ ...context, created })
    if ('skip' in request) {
      if (creationWithoutId === undefined) return { skipped: request.skip, lacks: request.lacks }
      // The target file lacks nothing: the request would have used an object that is not the run's.
      const failed = ownership.whyForeign(creationWithoutId)
      return failed ? { failed } : { skipped: ownership.whyUnproven(creationWithoutId) }
    }
    if (step.creates && !ownership.isRecognisable(step.creates, request))
      return { skipped: 'neither a name nor a dashboard of this run would prove that the run created the object' }
    if (step.creates && repeats > 0 && isUncertain(step.form, step.creates))
      return { skipped: `it is not known whether an earlier ${step.creates} was created, so none is created again` }
    const moment = seenObjects.answersSoFar()
    const { sent, entry } = await transmit(step, request, moment)
    if (!('exchange' in sent)) {
      if (entry && ('notSent' in sent || sent.isUnsent)) ledger.dismiss(entry)
      if ('notSent' in sent) return { skipped: sent.notSent }
      return { failed: sent.failed, ...(sent.error === undefined ? {} : { isConnectionLost: true }) }
    }
    const exchange = await follow(step, sent.exchange)
    if (entry && isSuccess(exchange)) await ownership.recordCreation(step, entry, exchange, moment)
    // 501 means an unknown method: like a refusal, it created nothing.
    else if (entry && (exchange.response.status < 500 || exchange.response.status === 501)) ledger.dismiss(entry)
    if (step.as === 'key' && exchange.request.method === 'GET') ownership.confirmDeletions(exchange)
    if (isSuccess(exchange)) ownership.recordChange(step, exchange, moment)
    if (sender.isMemoryFull) return { skipped: sender.endReason }
    for (const answer of [exchange, ...(exchange.pages ?? [])]) {
      seenObjects.note(answer)
      exchanges.set(answer.step, answer)
    }
    return undefined
  }

  async function performAll(queue: Iterable<Step>): Promise<void> {
    for (const step of queue) {
      const why = await perform(step)
      if (why) missing.set(step.name, why)
      onProgress?.(++done, steps.length, step)
    }
  }

  for (const [, ofTurn] of [...groupBy(steps, step => turns.get(step.name)!)].sort(([a], [b]) => a - b)) {
    context = { ...context, target: checkReferences(target, context.exchange).target }
    // Writes are sent in order, reads concurrently from one queue.
    const reading = ofTurn.filter(step => isRead(step.method)).values()
    const readers = Array.from({ length: rate ? 1 : MAX_CONCURRENT }, () => performAll(reading))
    await Promise.all([performAll(ofTurn.filter(step => !isRead(step.method))), ...readers])
  }
  /** Sends a request that is no step, and for a list those of all its pages. */
  async function send(step: Step, request: StepRequest): Promise<Exchange | undefined> {
    let first = await sendOnce(step, request)
    for (let left = repeats; left > 0 && isRead(request.method ?? step.method) && !isOver(); left--) {
      if (first && !isServerError(first)) break
      first = await sendOnce(step, request)
    }
    const received = first && (await follow(step, first))
    return received && sender.isMemoryFull
      ? { ...received, response: { ...received.response, text: '' }, json: undefined }
      : received
  }

  sender.resetBreaker()
  return {
    exchanges,
    missing,
    stale: [...stale, ...checkReferences(target, context.exchange).sentences],
    target,
    ended,
    looks: [...looks.values()],
    redact,
    poll: createPoll(waitOptionsFor(options.target, client, pause)),
    sender,
    send,
  }
}

const getStep = (form: Form, why: string): Step =>
  stepOf(form, 'look', why, () => ({ skip: 'worked out by the visit' }))
