import { type Effect, type Form, type Operation, operations } from '../../fixtures/built-contract/index.ts'
import type { Evidence } from '../engine/check.ts'
import type { Client } from '../engine/clients/client.ts'
import { failureOf } from '../engine/connection-failure.ts'
import { isWrongCredentials } from '../engine/credentials.ts'
import { type Exchange, isServerError, isSuccess } from '../engine/exchange.ts'
import { groupBy } from '../engine/group-by.ts'
import type { Ledger, LedgerEntry } from '../engine/ledger.ts'
import { createOwnership } from '../engine/ownership.ts'
import { readPages } from '../engine/pages.ts'
import { because, kindOf, sentenceOf } from '../engine/reasons.ts'
import { createRedactor, type Redactor, secretsIn } from '../engine/redact.ts'
import { createSeenObjects } from '../engine/seen-objects.ts'
import { baseUrlOf, createSender, pause, type Sender, type SendResult, type StepRequest } from '../engine/send.ts'
import { isRead, type RunContext, type Step, stepOf } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { defaultRate, type TargetFile } from '../engine/target/target.ts'
import { createPoll, type Poll, waitOptionsFor } from '../engine/waiting.ts'
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
  /** Sends every variant of whole bodies to a deployment, too. */
  readonly thorough?: boolean
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
  /** Sends one more request, and for a list those of all its pages; undefined when no answer came. */
  readonly send: (step: Step, request: StepRequest) => Promise<Exchange | undefined>
  readonly redact: Redactor
  /** Polls even in an interrupted run. */
  readonly poll: Poll
}

/** How often a refused body is sent again without what the refusal names. */
const MAX_AMENDMENTS = 8
/** Concurrent reads of a turn. */
const MAX_CONCURRENT = 8

/** Sends steps turn by turn, and keeps for each its answer or the reason why there is none. */
export async function sendSteps(options: SendStepsOptions): Promise<SentSteps> {
  const { client, steps, looksAt = [], ledger, readOnly, allowEffects, signal, now, runMark, onProgress } = options
  const { rate = defaultRate(options.target) } = options
  const { redact = createRedactor(options.target), repeats = 0 } = options
  const { wrongCredentials = { answers: new Map(), limits: new Map() } } = options
  const sleep = (milliseconds: number) => pause(milliseconds, signal)
  const sender = createSender({ ...options, rate, sleep, onAnswer: exchange => redact.learn(secretsIn(exchange)) })
  const isOver = () => signal?.aborted === true || sender.endReason !== undefined
  const waiting = waitOptionsFor(options.target, client, sleep)
  const poll = createPoll({ ...waiting, isOver })
  const exchanges = new Map<string, Exchange>()
  const missing = new Map<string, Missing>()
  const looks = new Map<string, Exchange>()
  /** By form: why a request of the first look got no answer. */
  const lostLooks = new Map<Form, string>()
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
    ask: askFirst,
  })
  const seenObjects = createSeenObjects(target)
  const ownership = createOwnership({ target, runMark, ledger, seenObjects, read: getOwn, redact })
  let context: RunContext = {
    target,
    runMark,
    now,
    readOnly,
    thorough: options.thorough,
    exchange: step => exchanges.get(step),
    created: ownership.created,
  }

  /** Requests reserved for the clean-up: a deletion and a get for each created object. */
  const countReserved = () => 2 * ledger.left().length
  const maySend = (count: number) => sender.maySend(countReserved() + count)

  /** Repeats a request until its answer shows the expected state, within the contract's lag. */
  async function sendUntilDone(step: Step, request: StepRequest): Promise<SendResult> {
    const { poll: condition } = step
    const hasWritten = condition?.after.flatMap(name => exchanges.get(name) ?? []).some(isSuccess)
    if (step.amend) return sendAmended(step, request)
    if (!condition?.withinSeconds || !hasWritten) return sender.send(step, request)
    const earlier: Exchange[] = []
    const isDone = (sent: SendResult) => {
      if (!('exchange' in sent) || condition.until(sent.exchange, context) || !maySend(2)) return true
      earlier.push(sent.exchange)
      onProgress?.(done, steps.length, { ...step, name: `${step.name}, waiting` })
      return false
    }
    const sent = await poll(() => sender.send(step, request), isDone, condition.withinSeconds)
    if (!('exchange' in sent)) return sent
    const others = earlier.filter(one => one !== sent.exchange)
    return { exchange: { ...sent.exchange, isSettled: true, ...(others.length > 0 && { earlier: others }) } }
  }

  /** Sends a body that is refused again, without what the refusals name. */
  async function sendAmended(step: Step, request: StepRequest): Promise<SendResult> {
    const earlier: Exchange[] = []
    for (let { body } = request; ; ) {
      const sent = await sender.send(step, { ...request, body })
      const refused = 'exchange' in sent && [400, 422].includes(sent.exchange.response.status) && sent.exchange
      body = refused && earlier.length < MAX_AMENDMENTS ? step.amend?.(refused, body) : undefined
      if (!refused || body === undefined || !maySend(2))
        return 'exchange' in sent && earlier.length > 0 ? { exchange: { ...sent.exchange, earlier } } : sent
      earlier.push(refused)
    }
  }

  /** Reads the further pages of a list, within the limit of requests. */
  function follow(step: Step, received: Exchange): Promise<Exchange> | Exchange {
    const [resource = '', verb] = step.operation?.split('.') ?? []
    const isList = verb === 'list' && received.request.method === 'GET' && !received.request.path.includes('?')
    if (!isList || (step.as !== 'key' && step.as !== 'secondKey')) return received
    let lostPage: string | undefined
    const pages = readPages(received, resource, baseUrlOf(target, step.form), async (path, number) => {
      if (isOver() || !maySend(2)) return undefined
      const sent = await sender.send({ ...step, name: `${step.name}, page ${number}` }, { path })
      if ('failed' in sent) lostPage = sent.failed
      return 'exchange' in sent ? sent.exchange : undefined
    })
    return pages.then(whole => (lostPage === undefined ? whole : { ...whole, lostPage }))
  }

  /** Sends a request of the first look; repeats it once when a lost connection may have been an accident. */
  async function askFirst(form: Form, path: string, isLast = false): Promise<Answer> {
    if (isOver()) return undefined
    const sent = await sender.send(getStep(form, 'checks whether the form answers at all'), { path })
    if ('exchange' in sent) {
      looks.set(`${form} ${path}`, sent.exchange)
      return sent.exchange
    }
    if ('notSent' in sent) return undefined
    const isAccident = sent.mayRetry && (sent.error === undefined || failureOf(sent.error) === 'silent')
    if (!isLast && isAccident) return askFirst(form, path, true)
    lostLooks.set(form, sent.failed)
    return sent.error === undefined ? undefined : sent
  }

  /** Gets an object that may be the run's own. */
  async function getOwn({ name, form }: Step, path: string): Promise<Exchange | undefined> {
    const step = getStep(form, 'gets what was created, since the answer does not prove the creation')
    return maySend(5) ? send(step, { path }, failed => lostGets.set(name, failed)) : undefined
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
    const skipped = whyHeldBack(step, { target, readOnly, allowEffects })
    return skipped && { skipped }
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
      const hasFailed = 'exchange' in sent ? isServerError(sent.exchange) : 'failed' in sent && sent.mayRetry
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
      const lostLook = lacks && lostLooks.get(step.form)
      return lostLook === undefined ? { skipped, lacks } : { failed: lostLook, lacks }
    }
    if (step.creates && !ownership.isRecognisable(step.creates, request))
      return { skipped: 'neither a name nor a dashboard of this run would prove that the run created the object' }
    if (step.creates && repeats > 0 && isUncertain(step.form, step.creates)) {
      const pattern = 'it is not known whether an earlier {resource} was created, so none is created again'
      return { failed: because(pattern, { resource: step.creates }).sentence }
    }
    const moment = seenObjects.answersSoFar()
    const { sent, entry } = await transmit(step, request, moment)
    if (!('exchange' in sent)) {
      if (entry && ('notSent' in sent || sent.isUnsent)) ledger.dismiss(entry)
      if ('notSent' in sent) return { failed: sent.notSent }
      const { failed, mayRetry } = sent
      if (isWrongProbe(step) && !mayRetry) wrongCredentials.limits.set(baseUrlOf(target, step.form), failed)
      return { failed, ...(mayRetry && { mayRetry }) }
    }
    const received = await follow(step, sent.exchange)
    if (entry && isSuccess(received)) await ownership.recordCreation(step, entry, received, moment)
    // 501 means an unknown method: like a refusal, it created nothing.
    else if (entry && (received.response.status < 500 || received.response.status === 501)) ledger.dismiss(entry)
    if (step.as === 'key' && received.request.method === 'GET') ownership.confirmDeletions(received)
    if (isSuccess(received)) ownership.recordChange(step, received, moment)
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

  for (const [, ofTurn] of [...groupBy(steps, step => turns.get(step.name)!)].sort(([a], [b]) => a - b)) {
    context = { ...context, target: checkReferences(target, context.exchange).target }
    // Writes are sent in order, reads concurrently from one queue.
    const reading = ofTurn.filter(step => isRead(step.method)).values()
    const readers = Array.from({ length: rate ? 1 : MAX_CONCURRENT }, () => performAll(reading))
    await Promise.all([performAll(ofTurn.filter(step => !isRead(step.method))), ...readers])
  }
  /** Sends a request that is no step, and for a list those of all its pages. */
  async function send(
    step: Step,
    request: StepRequest,
    onLost?: (failed: string) => void,
  ): Promise<Exchange | undefined> {
    let sent = await sender.send(step, request)
    for (let left = repeats; left > 0 && isRead(request.method ?? step.method) && !isOver(); left--) {
      if ('exchange' in sent && !isServerError(sent.exchange)) break
      sent = await sender.send(step, request)
    }
    if ('failed' in sent) onLost?.(sent.failed)
    const received = 'exchange' in sent ? await follow(step, sent.exchange) : undefined
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

/** Many wrong credentials could lock a key out. */
const isWrongProbe = ({ isProbe, as }: Step) => isProbe === true && isWrongCredentials(as)

const getStep = (form: Form, why: string): Step => stepOf(form, 'look', why, () => ({ skip: 'it is not needed' }))
