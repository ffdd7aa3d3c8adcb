import type { Effect, Form } from '../../fixtures/contract/index.ts'
import type { Client } from '../engine/clients/client.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import type { Ledger } from '../engine/ledger.ts'
import { createOwnership } from '../engine/ownership.ts'
import { readPages } from '../engine/pages.ts'
import { createRedactor, type Redactor } from '../engine/redact.ts'
import { secretsIn } from '../engine/secrets.ts'
import { baseUrlOf, createSender, pause, type Request, type Sent } from '../engine/send.ts'
import { createSightings } from '../engine/sightings.ts'
import { isRead, type Past, type Step } from '../engine/step.ts'
import { isLocal, type TargetFile } from '../engine/target/target.ts'
import { troubleOf } from '../engine/trouble.ts'
import { createUntil, type Until, waitingFor } from '../engine/waiting.ts'
import { type Answer, lookFirst } from '../visits/first-look.ts'
import { type CheckedReferences, checkReferences } from '../visits/stale-references.ts'
import { holdBack } from './hold-back.ts'

/** Scheduling: which step is sent when, and what is kept of its answer. */

export interface VisitOptions {
  readonly target: TargetFile
  readonly client: Client
  readonly steps: readonly Step[]
  /** Forms that are looked at with one request ahead of all steps; none by default. */
  readonly looksAt?: readonly Form[]
  readonly run: string
  readonly now: number
  readonly ledger: Ledger
  readonly readOnly: boolean
  /** What a run may do to a deployment beyond loopback; there, everything. */
  readonly allowEffects?: readonly Effect[]
  /** Requests a second at most; unlimited when undefined. */
  readonly rate?: number
  readonly maxRequests?: number
  readonly signal?: AbortSignal
  /** Called before and after each request; for progress. */
  readonly onProgress?: (done: number, total: number, step: Step) => void
  readonly sleep?: (milliseconds: number) => Promise<void>
}

/** What came of the steps: an exchange, a reason why nothing was sent, or a reason why nothing came back. */
export interface Visit {
  readonly exchanges: ReadonlyMap<string, Exchange>
  readonly skipped: ReadonlyMap<string, string>
  /** The fields of the target file for want of which a step was skipped. */
  readonly lacking: ReadonlyMap<string, readonly string[]>
  readonly failed: ReadonlyMap<string, string>
  readonly requests: number
  /** The target, with the ids that the first look found. */
  readonly target: TargetFile
  /** Why nothing was asked of a form after its first look. */
  readonly ended: ReadonlyMap<Form, string>
  /** The answers to the first look that no step asks for: they only tell whether a form is worth asking. */
  readonly looks: readonly Exchange[]
  /** A sentence for each field of the target file that names what the deployment does not list. */
  readonly stale: readonly string[]
  /** Why the visit ended before its last step, if it did. */
  readonly cut?: string
  /** Sends one more request, for cleaning up; undefined when nothing came back. */
  readonly send: (step: Step, draft: Request) => Promise<Exchange | undefined>
  /** Takes secrets out: those of the target, and those that answers showed. */
  readonly redact: Redactor
  /** Waits for what the clean-up asks of the deployment; an interrupted run waits too. */
  readonly until: Until
}

const SIDE_BY_SIDE = 8
/** Sends the steps, phase by phase, and keeps what comes. */
export async function visit(options: VisitOptions): Promise<Visit> {
  const { steps, looksAt = [], ledger, readOnly, rate, signal, now, run } = options
  const sleep = options.sleep ?? (milliseconds => pause(milliseconds, signal))
  const redact = createRedactor(options.target)
  const sender = createSender({ ...options, sleep, onAnswer: came => redact.learn(secretsIn(came)) })
  const waiting = waitingFor(options.target, options.client, sleep)
  const until = createUntil({
    ...waiting,
    isOver: () => signal?.aborted === true || sender.cut !== undefined,
  })
  const exchanges = new Map<string, Exchange>()
  const skipped = new Map<string, string>()
  const lacking = new Map<string, readonly string[]>()
  const failed = new Map<string, string>()
  const looks: Exchange[] = []
  let done = 0
  const { target, ended, stale } = await lookFirst({
    target: options.target,
    forms: looksAt,
    wantsBackup: steps.some(({ operation }) => operation === 'backup.get'),
    isDangerous: !readOnly && !isLocal(options.target),
    ask,
  })
  const sightings = createSightings(target)
  const own = createOwnership({ target, run, ledger, sightings, look, redact })
  let checked: CheckedReferences = { target, says: [] }

  /** What a step may look at; `miss` is told of what an answer named and the run cannot show to have created. */
  const pastOf = (miss: (step: string) => void): Past => ({
    target: checked.target,
    run,
    now,
    ledger,
    readOnly,
    exchange: step => exchanges.get(step),
    created(step) {
      if (own.foreign(step) ?? own.unproven(step)) miss(step)
      return own.created(step)
    },
  })

  /** What was created can still be deleted: for each thing a deletion and a get are kept back. */
  const keptBack = () => 2 * ledger.left().length

  async function exchange(step: Step, request: Request): Promise<Exchange | undefined> {
    const sent = await sender.send(step, request)
    return 'came' in sent ? sent.came : undefined
  }

  /** Sends a request again until its answer shows what is waited for, as long as the contract lets the deployment take. */
  async function settle(step: Step, request: Request): Promise<Sent> {
    const { withinSeconds = 0, shows = () => true } = step.settled ?? {}
    const past = pastOf(() => {})
    const earlier: Exchange[] = []
    // Only what the run did is waited for.
    const isWaiting = step.from?.some(name => hasWritten(exchanges.get(name)))
    const isDone = (sent: Sent) => {
      if (!('came' in sent) || shows(sent.came, past) || !sender.maySend(keptBack() + 2)) return true
      earlier.push(sent.came)
      options.onProgress?.(done, steps.length, { ...step, name: `${step.name}, waiting` })
      return false
    }
    const sent = await until(() => sender.send(step, request), isDone, isWaiting ? withinSeconds : 0)
    return 'came' in sent && earlier.length > 0
      ? { came: { ...sent.came, earlier: earlier.filter(one => one !== sent.came) } }
      : sent
  }

  /** Reads a list to its end, where its answer says that it goes on: in requests that may be sent. */
  function follow(step: Step, came: Exchange | undefined): Promise<Exchange> | Exchange | undefined {
    const [resource, verb] = step.operation?.split('.') ?? []
    if (!came || !resource || verb !== 'list' || came.request.method !== 'GET' || came.request.path.includes('?'))
      return came
    if (step.as !== 'key' && step.as !== 'secondKey') return came
    return readPages(came, resource, baseUrlOf(target, step.form), async (path, number) =>
      sender.cut || signal?.aborted || !sender.maySend(keptBack() + 2)
        ? undefined
        : exchange({ ...step, name: `${step.name}, page ${number}` }, { path }),
    )
  }

  /** One question of the first look. What may have been an accident is asked twice. */
  async function ask(form: Form, path: string): Promise<Answer> {
    const step = lookingStep({ name: `${form}: ${path}`, form }, 'looks whether the form answers at all')
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted || sender.cut) return undefined
      const sent = await sender.send(step, { path })
      if ('came' in sent) looks.push(sent.came)
      if ('came' in sent) return sent.came
      if ('cut' in sent || sent.error === undefined) return undefined
      if (attempt === 2 || troubleOf(sent.error) !== 'silent') return { failed: sent.failed, error: sent.error }
    }
  }

  /** Gets what an answer to a creation names. */
  async function look(step: Step, path: string): Promise<Exchange | undefined> {
    const why = 'gets what was created, since the answer does not show that it is'
    return sender.maySend(keptBack() + 5) ? exchange(lookingStep(step, why), { path }) : undefined
  }

  /** The answer to the first look, where a step of the first phase asks for the same. */
  function takeLook({ name, form, phase, method, as, why, ...step }: Step, { path }: { path: string }) {
    if (phase > 0 || method !== 'GET' || as !== 'key') return undefined
    const index = looks.findIndex(look => look.form === form && look.request.path === path)
    const [look] = index < 0 ? [] : looks.splice(index, 1)
    return look && { ...look, step: name, operation: step.beyond ? undefined : step.operation, why }
  }

  /** Why a step is not sent: the reason, and whether that is a failure. */
  function refuse(step: Step): { readonly skip: string } | { readonly fail: string } | undefined {
    if (signal?.aborted) sender.end('the run was interrupted')
    if (sender.cut) return { skip: sender.cut }
    const over = ended.get(step.form) ?? sender.ended(baseUrlOf(target, step.form))
    if (over) return { fail: over }
    if (step.operation && target.notOffered?.includes(step.operation))
      return { skip: `the target file lists ${step.operation} under notOffered` }
    // For each kind of thing two lists are kept back, to see what is left of it.
    const kinds = new Set(ledger.entries().map(({ form, resource }) => `${form} ${resource}`))
    sender.reserve(keptBack() + 2 * kinds.size + (step.creates ? 6 : 1))
    if (sender.cut) return { skip: sender.cut }
    const held = holdBack(step, { target, readOnly, allowEffects: options.allowEffects, isReal: waiting.isReal })
    if (held !== undefined) return { skip: held }
    return undefined
  }

  async function perform(step: Step): Promise<void> {
    const refused = refuse(step)
    if (refused)
      return void ('fail' in refused ? failed.set(step.name, refused.fail) : skipped.set(step.name, refused.skip))
    let missed: string | undefined
    const draft = step.draft(
      pastOf(named => {
        missed ??= named
      }),
    )
    if ('skip' in draft) {
      // What would have been written to a thing that is not the run's own is no lack of the target's.
      const foreign = missed && own.foreign(missed)
      if (foreign) failed.set(step.name, foreign)
      else skipped.set(step.name, (missed && own.unproven(missed)) ?? draft.skip)
      if (!missed && draft.lacks) lacking.set(step.name, draft.lacks)
      return
    }
    if (step.creates && !own.isRecognisable(step.creates, draft))
      return void skipped.set(step.name, 'it has no name to know it again by, and no dashboard of this run to stand on')
    const moment = sightings.moment()
    const entry = step.creates ? own.intend(step, step.creates, draft, moment) : undefined
    const known = takeLook(step, draft)
    const sent = known ? { came: known } : await settle(step, draft)
    if (!('came' in sent)) {
      if ('cut' in sent) skipped.set(step.name, sent.cut)
      else failed.set(step.name, sent.failed)
      if (entry && ('cut' in sent || sent.isUnsent)) ledger.dismiss(entry)
      return
    }
    const came = (await follow(step, sent.came))!
    if (entry && isSuccess(came)) await own.claim(step, entry, came, moment)
    // 501 says that the method is not known: like a refusal, it created nothing.
    else if (entry && (came.response.status < 500 || came.response.status === 501)) ledger.dismiss(entry)
    if (sender.cut && sender.isFull) {
      skipped.set(step.name, sender.cut)
    } else {
      for (const answer of [came, ...(came.pages ?? [])]) {
        sightings.note(answer)
        exchanges.set(answer.step, answer)
      }
    }
    if (step.as === 'key' && came.request.method === 'GET') own.confirm(came)
    if (isSuccess(came)) own.track(step, came, moment)
  }

  const phases = [...new Set(steps.map(step => step.phase))].sort((a, b) => a - b)
  for (const phase of phases) {
    const waiting = steps.filter(step => step.phase === phase)
    checked = checkReferences(target, step => exchanges.get(step))
    // Steps that write go one after the other, in their order; reading ones go side by side.
    const lanes = [
      waiting.filter(step => !isRead(step.method)),
      ...deal(
        waiting.filter(step => isRead(step.method)),
        rate ? 1 : SIDE_BY_SIDE,
      ),
    ]
    await Promise.all(
      lanes.map(async lane => {
        for (const step of lane) {
          await perform(step)
          options.onProgress?.(++done, steps.length, step)
        }
      }),
    )
  }
  sender.renew()
  return {
    exchanges,
    stale: [...stale, ...checkReferences(target, step => exchanges.get(step)).says],
    skipped,
    lacking,
    failed,
    target,
    ended,
    looks,
    redact,
    until: createUntil(waitingFor(options.target, options.client, pause)),
    get requests() {
      return sender.requests
    },
    get cut() {
      return sender.cut
    },
    send: async (step, request) => {
      const came = await follow(step, await exchange(step, request))
      return came && sender.isFull ? { ...came, response: { ...came.response, text: '' }, json: undefined } : came
    },
  }
}

const hasWritten = (came: Exchange | undefined) => came !== undefined && !isRead(came.request.method) && isSuccess(came)

const lookingStep = ({ name, form }: Pick<Step, 'name' | 'form'>, why: string): Step => ({
  name: `${name}, looked at`,
  form,
  phase: 0,
  method: 'GET',
  as: 'key',
  why,
  draft: () => ({ skip: 'worked out by the visit' }),
})

/** Deals cards to `hands` players; empty hands are left out. */
function deal<T>(cards: readonly T[], hands: number): T[][] {
  const dealt: T[][] = Array.from({ length: Math.min(hands, cards.length) }, () => [])
  cards.forEach((card, index) => {
    dealt[index % dealt.length]?.push(card)
  })
  return dealt
}
