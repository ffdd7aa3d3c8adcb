import type { Form } from '../../fixtures/contract/index.ts'
import { pathOfThing, pathValues } from '../visits/paths.ts'
import type { Client, Incoming, Outgoing } from './client.ts'
import { authorization } from './credentials.ts'
import { countValues, type Exchange, isSuccess, parseJson } from './exchange.ts'
import { type Answer, lookFirst } from './first-look.ts'
import type { Ledger, LedgerEntry, Resource } from './ledger.ts'
import { carries, creationMark, findMarked, updateMark } from './mark.ts'
import { listIn, readPages, wholeListIn } from './pages.ts'
import { createPatience } from './patience.ts'
import { findList, findObject, idCandidates, idOf, idsOf, isObject, type JsonObject, sameId } from './recognise.ts'
import { createRedactor, cutBody } from './redact.ts'
import { createSightings, resourceOf } from './sightings.ts'
import { type CheckedReferences, checkReferences } from './stale-references.ts'
import { type Draft, isRead, type Past, type Step } from './step.ts'
import { isLocal, type TargetFile } from './target.ts'
import { reachedNobody, reasonOf, troubleOf } from './trouble.ts'

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
  readonly send: (step: Step, draft: Exclude<Draft, { skip: string }>) => Promise<Exchange | undefined>
}

const SIDE_BY_SIDE = 8
const LONGEST_WAIT = 70_000
const TRIES = 3
const DEEPEST = 100
/** What the answers of a run may take up in memory: their texts, and so much for each value in them. */
const VALUE_SIZE = 64
const MOST_KEPT = 256 * 1024 * 1024

/** Sends the steps, phase by phase, and keeps what comes. */
export async function visit(options: VisitOptions): Promise<Visit> {
  const { steps, looksAt = [], ledger, readOnly, rate, maxRequests, signal, now, run } = options
  const sleep = options.sleep ?? (milliseconds => pause(milliseconds, signal))
  const patience = createPatience()
  const exchanges = new Map<string, Exchange>()
  const skipped = new Map<string, string>()
  const lacking = new Map<string, readonly string[]>()
  const failed = new Map<string, string>()
  /** What a client said of a request without an answer. */
  const errors = new Map<string, unknown>()
  const ids = new Map<string, string>()
  /** Steps whose request reached nobody, so that it created nothing. */
  const unsent = new Set<string>()
  /** Steps whose answer names something that the run cannot show to have created, with the sentence that says so. */
  const foreign = new Map<string, string>()
  /** Steps whose answer could not be shown to name what they created. */
  const unproven = new Map<string, string>()
  /** What a deletion was sent for; it is there until a get or a list shows that it is gone. */
  const deletionSent = new Set<LedgerEntry>()
  let requests = 0
  let done = 0
  let cut: string | undefined
  let free = 0
  let kept = 0
  const looks: Exchange[] = []
  const { target, ended, stale } = await lookFirst({
    target: options.target,
    forms: looksAt,
    wantsBackup: steps.some(({ operation }) => operation === 'backup.get'),
    isDangerous: !readOnly && !isLocal(options.target),
    ask,
  })
  const sightings = createSightings(target)
  const redact = createRedactor(target)
  let missed: string | undefined
  let checked: CheckedReferences = { target, says: [] }
  const past: Past = {
    get target() {
      return checked.target
    },
    run,
    now,
    ledger,
    readOnly,
    exchange: step => exchanges.get(step),
    created(step) {
      if (foreign.has(step) || unproven.has(step)) missed ??= step
      return ids.get(step)
    },
  }

  async function pace(): Promise<void> {
    if (!rate) return
    const at = Math.max(Date.now(), free)
    free = at + 1000 / rate
    if (at > Date.now()) await sleep(at - Date.now())
  }

  /** Sends one request, waiting out a rate limit as long as it says when it ends. */
  async function exchange(step: Step, draft: Exclude<Draft, { skip: string }>): Promise<Exchange | undefined> {
    const outgoing = write(options.target, step, draft)
    const { baseUrl, method, path } = outgoing
    const begun = performance.now()
    const lose = (reason: string): undefined => {
      failed.set(step.name, reason)
      patience.lost(baseUrl, reason, performance.now() - begun)
    }
    const ended = patience.ended(baseUrl)
    if (ended) {
      unsent.add(step.name)
      return void failed.set(step.name, ended)
    }
    for (let attempt = 1; ; attempt++) {
      if (maxRequests !== undefined && requests >= maxRequests) {
        cut ??= `--max-requests ${maxRequests} was reached`
        skipped.set(step.name, cut)
        unsent.add(step.name)
        return undefined
      }
      requests++
      await pace()
      const started = performance.now()
      let response: Incoming
      try {
        response = await options.client.send(outgoing)
      } catch (error) {
        if (reachedNobody(error)) unsent.add(step.name)
        errors.set(step.name, error)
        return lose(`${method} ${path} got no answer: ${reasonOf(error)}`)
      }
      if (response.status === 429) {
        const wait = waitOf(response.headers)
        if (attempt < TRIES && wait <= LONGEST_WAIT && !signal?.aborted && patience.mayWait(baseUrl, wait)) {
          await sleep(wait)
          continue
        }
        return lose(
          `inconclusive: ${method} ${path} was refused with 429 ${attempt} times, and the rate limit did not end`,
        )
      }
      const json = parseJson(response.text)
      const values = countValues(json, DEEPEST)
      if (values === Number.POSITIVE_INFINITY)
        return lose(`${method} ${path} got an answer that is nested deeper than ${DEEPEST} levels`)
      patience.answered(baseUrl)
      kept += response.text.length + VALUE_SIZE * values
      if (kept > MOST_KEPT) cut ??= `its answers took up more than ${MOST_KEPT / 1024 / 1024} MiB of memory`
      const came: Exchange = {
        step: step.name,
        form: step.form,
        operation: step.beyond ? undefined : step.operation,
        as: step.as,
        why: step.why,
        request: {
          method,
          path,
          headers: outgoing.headers,
          body: outgoing.body ?? null,
        },
        response,
        json,
        ms: Math.round((performance.now() - started) * 100) / 100,
      }
      return came
    }
  }

  /** Reads a list to its end, where its answer says that it goes on: in requests that may be sent. */
  function follow(step: Step, came: Exchange | undefined): Promise<Exchange> | Exchange | undefined {
    const [resource, verb] = step.operation?.split('.') ?? []
    if (!came || !resource || verb !== 'list' || came.request.method !== 'GET' || came.request.path.includes('?'))
      return came
    if (step.as !== 'key' && step.as !== 'secondKey') return came
    return readPages(came, resource, baseUrlOf(target, step.form), async (path, number) => {
      // What was created can still be deleted: a request for each is kept back here too.
      const isSpent = maxRequests !== undefined && requests + 2 * ledger.left().length + 1 >= maxRequests
      return cut || signal?.aborted || isSpent
        ? undefined
        : exchange({ ...step, name: `${step.name}, page ${number}` }, { path })
    })
  }

  /** One question of the first look. What may have been an accident is asked twice. */
  async function ask(form: Form, path: string): Promise<Answer> {
    const step = lookingStep({ name: `${form}: ${path}`, form }, 'looks whether the form answers at all')
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted || cut) return undefined
      const came = await exchange(step, { path })
      if (came) looks.push(came)
      const error = errors.get(step.name)
      if (came || error === undefined) return came
      if (attempt === 2 || troubleOf(error) !== 'silent') return { failed: failed.get(step.name)!, error }
    }
  }

  /** The answer to the first look, where a step of the first phase asks for the same. */
  function takeLook({ name, form, phase, method, as, why, ...step }: Step, { path }: { path: string }) {
    if (phase > 0 || method !== 'GET' || as !== 'key') return undefined
    const index = looks.findIndex(look => look.form === form && look.request.path === path)
    const [look] = index < 0 ? [] : looks.splice(index, 1)
    return look && { ...look, step: name, operation: step.beyond ? undefined : step.operation, why }
  }

  async function perform(step: Step): Promise<void> {
    if (signal?.aborted) cut ??= 'the run was interrupted'
    if (cut) return void skipped.set(step.name, cut)
    const over = ended.get(step.form) ?? patience.ended(baseUrlOf(target, step.form))
    if (over) return void failed.set(step.name, over)
    if (step.operation && target.notOffered?.includes(step.operation))
      return void skipped.set(step.name, `the target file lists ${step.operation} under notOffered`)
    // What was created can still be deleted: for each thing a deletion and a get are kept back, and two lists for each kind.
    const kinds = new Set(ledger.entries().map(({ form, resource }) => `${form} ${resource}`))
    const reserve = 2 * ledger.left().length + 2 * kinds.size + (step.creates ? 6 : 1)
    if (maxRequests !== undefined && requests + reserve > maxRequests)
      cut ??= `--max-requests ${maxRequests} was reached`
    if (cut) return void skipped.set(step.name, cut)
    if (readOnly && !isRead(step.method)) return void skipped.set(step.name, 'it writes, and this run is read-only')
    missed = undefined
    const draft = step.draft(past)
    if ('skip' in draft) {
      // What would have been written to a thing that is not the run's own is no lack of the target's.
      if (missed && foreign.has(missed)) failed.set(step.name, foreign.get(missed)!)
      else skipped.set(step.name, (missed && unproven.get(missed)) ?? draft.skip)
      if (!missed && draft.lacks) lacking.set(step.name, draft.lacks)
      return
    }
    if (step.creates && !isRecognisable(bodyFields(draft), creationMark(run, step.creates), new Set(ids.values())))
      return void skipped.set(step.name, 'it has no name to know it again by, and no dashboard of this run to stand on')
    const moment = sightings.moment()
    const entry = step.creates ? intend(step, step.creates, draft, moment) : undefined
    const came = await follow(step, takeLook(step, draft) ?? (await exchange(step, draft)))
    if (!came && entry && unsent.has(step.name)) ledger.dismiss(entry)
    if (!came) return
    if (entry && isSuccess(came)) await claim(step, entry, came, moment)
    // 501 says that the method is not known: like a refusal, it created nothing.
    else if (entry && (came.response.status < 500 || came.response.status === 501)) ledger.dismiss(entry)
    if (cut && kept > MOST_KEPT) {
      skipped.set(step.name, cut)
    } else {
      for (const answer of [came, ...(came.pages ?? [])]) {
        sightings.note(answer)
        exchanges.set(answer.step, answer)
      }
    }
    if (step.as === 'key' && came.request.method === 'GET') confirm(came)
    if (isSuccess(came)) track(step, came, moment)
  }

  /** Writes down what is about to be created, with what was there before it. */
  function intend(
    { form, name }: Step,
    resource: Resource,
    draft: Exclude<Draft, { skip: string }>,
    moment: number,
  ): LedgerEntry {
    const isFirst = !ledger.entries().some(entry => entry.form === form && entry.resource === resource)
    const there = isFirst ? sightings.wholeList(form, resource, moment) : undefined
    if (there)
      ledger.noteBefore(
        form,
        resource,
        there.filter(id => redact(id) === id),
      )
    return ledger.intend({
      form,
      resource,
      name: String(bodyFields(draft)?.name ?? `${name} ${run}`),
      run,
      path: draft.path,
    })
  }

  const answerOf = ({ response: { status, headers, text } }: Exchange) => ({
    status,
    ...(headers.location === undefined ? {} : { location: cutBody(headers.location, redact) }),
    body: cutBody(text, redact),
  })

  /** Takes what an answer names for the run's own, if it is shown to be; else nothing is ever sent there that writes. */
  async function claim(step: Step, entry: LedgerEntry, came: Exchange, moment: number): Promise<void> {
    const { form, resource } = entry
    ledger.answered(entry, answerOf(came))
    const own = new Set<unknown>(ids.values())
    const isOurs = (object: JsonObject | undefined) => isMade(object, came, creationMark(run, resource), own)
    const answered = answeredThing(came, resource)
    const id = answered?.id ?? (await tryIds(step, entry, came))
    const said = `${came.request.method} ${came.request.path} was answered with`
    if (id === undefined) return void unproven.set(step.name, `${said} no id that could be recognised`)
    const named = `${said} the ${resource} ${JSON.stringify(id)}, which`
    if (sightings.wasThere(form, resource, id, moment)) {
      const says = `${named} was there before: this run did not create it, and neither updates nor deletes it`
      return void foreign.set(step.name, says)
    }
    const isNew = sightings.wholeList(form, resource, moment) !== undefined
    if (answered && !(isNew && isOurs(answered.object))) {
      const got = await look(step, entry, id)
      const isSame = got !== undefined && (answered.object?.name === undefined || got.name === answered.object.name)
      const says = `${named} this run cannot show to have created, and neither updates nor deletes`
      if (!isOurs(got) && !(isNew && isSame)) return void unproven.set(step.name, says)
    }
    ledger.created(entry, id)
    ids.set(step.name, id)
  }

  /** Gets what an answer names. */
  async function look(step: Step, { form, resource }: LedgerEntry, id: string): Promise<JsonObject | undefined> {
    const object = findObject(await get(step, form, resource, id), resource)
    return object && sameId(idOf(object, resource) ?? '', id) ? object : undefined
  }

  /** What a get by an id shows, if it succeeds. */
  async function get(step: Step, form: Form, resource: Resource, id: string): Promise<unknown> {
    const path = pathOfThing(resource, 'get', form, { ...pathValues(target), id })
    // What was created can still be deleted: its requests are kept back here too.
    if (!path || (maxRequests !== undefined && requests + 2 * ledger.left().length + 4 >= maxRequests)) return undefined
    const why = 'gets what was created, since the answer does not show that it is'
    const got = await exchange(lookingStep(step, why), { path })
    return got && isSuccess(got) ? got.json : undefined
  }

  /** The value of an answer under which a get shows the thing with the run's mark: its id, whatever it is called. */
  async function tryIds(step: Step, { form, resource }: LedgerEntry, came: Exchange): Promise<string | undefined> {
    const mark = creationMark(run, resource)
    const object = findMarked(came.json, mark)
    if (!object) return undefined
    for (const id of idCandidates(object, sentFields(came)))
      if (findMarked(await get(step, form, resource, id), mark)) return id
    return undefined
  }

  /** Believes a deletion once a get or a list shows that the thing is gone. */
  function confirm(came: Exchange): void {
    const { form, request, response } = came
    const { path } = request
    const resource = resourceOf(path)
    if (!resource) return
    const isList = path === pathOfThing(resource, 'list', form, pathValues(target))
    const list = isList ? listIn(came, resource) : undefined
    const whole = isList ? idsOf(wholeListIn(came, resource), resource) : undefined
    if (list?.some(item => carries(item, creationMark(run, resource)))) ledger.noteShowsMarks(form, resource)
    for (const entry of ledger.left()) {
      const { id } = entry
      if (entry.form !== form || entry.resource !== resource || id === undefined) continue
      if (list?.some(item => sameId(idOf(item, resource) ?? '', id))) entry.listed = true
      else if (!deletionSent.has(entry)) continue
      else if (whole && entry.listed) ledger.deleted(entry)
      else if (
        [404, 410].includes(response.status) &&
        path === pathOfThing(resource, 'get', form, { ...pathValues(target), id })
      )
        ledger.deleted(entry)
    }
  }

  /** What a success of a deletion or an update means for what the run created. */
  function track(step: Step, came: Exchange, moment: number): void {
    const { form, request } = came
    const resource = resourceOf(request.path)
    if (!resource || isRead(request.method) || request.method === 'POST') return
    const entry = ledger
      .entries()
      .find(
        one =>
          one.form === form &&
          one.resource === resource &&
          one.id !== undefined &&
          pathOfThing(resource, 'get', form, { ...pathValues(target), id: one.id }) === request.path,
      )
    if (!entry) return
    if (request.method === 'DELETE') return void deletionSent.add(entry)
    // An update of what was deleted may have made it anew.
    if (entry.deleted) {
      deletionSent.delete(entry)
      ledger.created(entry, entry.id!)
    }
    // An update may answer with another thing that it made.
    const answered = answeredThing(came, resource)
    if (!answered || sameId(answered.id, entry.id!) || !carries(answered.object, updateMark(run))) return
    const { id, object } = answered
    const isNew = sightings.wholeList(form, resource, moment) && !sightings.wasThere(form, resource, id, moment)
    if (!isNew) return
    const name = String(object?.name ?? step.name)
    const copy = ledger.intend({ form, resource, name, run, path: request.path, stray: true, id })
    ledger.answered(copy, answerOf(came))
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
  patience.renew()
  return {
    exchanges,
    stale: [...stale, ...checkReferences(target, step => exchanges.get(step)).says],
    skipped,
    lacking,
    failed,
    target,
    ended,
    looks,
    get requests() {
      return requests
    },
    get cut() {
      return cut
    },
    send: async (step, draft) => {
      const came = await follow(step, await exchange(step, draft))
      return came && kept > MOST_KEPT ? { ...came, response: { ...came.response, text: '' }, json: undefined } : came
    },
  }
}

/** The request of a step, as it goes out. */
export function write(
  target: TargetFile,
  step: Pick<Step, 'form' | 'method' | 'as'>,
  draft: Exclude<Draft, { skip: string }>,
): Outgoing {
  const body = draft.rawBody ?? (draft.body === undefined ? undefined : JSON.stringify(draft.body))
  const credential = authorization(target, step.form, step.as)
  return {
    baseUrl: baseUrlOf(target, step.form),
    method: draft.method ?? step.method,
    path: draft.path,
    headers: {
      accept: 'application/json',
      ...(credential ? { authorization: credential } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...draft.headers,
    },
    ...(body === undefined ? {} : { body }),
  }
}

export const baseUrlOf = (target: TargetFile, form: Form): string =>
  (form === 'selfHosted' ? target.selfHosted?.baseUrl : target.cloud?.baseUrl) ?? ''

/** What the answer to a creation names: its object, or the id of a `Location` alone. */
function answeredThing(
  exchange: Exchange,
  resource: Resource,
): { readonly id: string; readonly object?: JsonObject } | undefined {
  const list = findList(exchange.json, resource)
  const object = findObject(exchange.json, resource) ?? (list?.length === 1 ? list[0] : undefined)
  const id = idOf(object, resource)
  if (id !== undefined) return { id, object }
  const [, last] = /([^/]+)\/*$/.exec(exchange.response.headers.location?.replace(/[?#].*$/s, '') ?? '') ?? []
  const located = last === undefined ? undefined : idOf({ id: decode(last) }, resource)
  return located === undefined ? undefined : { id: located }
}

/** True for a creation whose answer can be told from what others made: by the run's mark, else by a dashboard of the run. */
const isRecognisable = (sent: JsonObject | undefined, mark: string, own: ReadonlySet<unknown>) =>
  carries(sent, mark) || own.has(sent?.dashboardId)

/** True for an object that a creation made. */
function isMade(object: JsonObject | undefined, creation: Exchange, mark: string, own: ReadonlySet<unknown>): boolean {
  if (carries(object, mark)) return true
  const { dashboardId } = sentFields(creation)
  return object !== undefined && own.has(dashboardId) && object.dashboardId === dashboardId
}

function sentFields({ request }: Exchange): JsonObject {
  const sent = request.body === null ? undefined : parseJson(request.body)
  return isObject(sent) ? sent : {}
}

const lookingStep = ({ name, form }: Pick<Step, 'name' | 'form'>, why: string): Step => ({
  name: `${name}, looked at`,
  form,
  phase: 0,
  method: 'GET',
  as: 'key',
  why,
  draft: () => ({ skip: 'worked out by the visit' }),
})

function bodyFields(draft: Exclude<Draft, { skip: string }>): JsonObject | undefined {
  return (draft.body ?? (draft.rawBody ? parseJson(draft.rawBody) : undefined)) as JsonObject | undefined
}

/** A part of a path in plain text, or as it stands when it cannot be decoded. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** How long a 429 asks to wait, in milliseconds, from the headers in use; a second when it does not say. */
export function waitOf(headers: Readonly<Record<string, string>>): number {
  for (const name of ['ratelimit-reset', 'retry-after', 'x-ratelimit-reset']) {
    const value = headers[name]
    if (!value) continue
    const number = Number(value)
    // Seconds; some say the moment instead, as an epoch or as an HTTP date.
    const seconds = Number.isFinite(number)
      ? number > 1e9
        ? number - Date.now() / 1000
        : number
      : (Date.parse(value) - Date.now()) / 1000
    if (Number.isFinite(seconds)) return (Math.max(0, seconds) + 1) * 1000
  }
  return 1000
}

/** Waits, but not for a run that is interrupted meanwhile. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}

/** Deals cards to `hands` players; empty hands are left out. */
function deal<T>(cards: readonly T[], hands: number): T[][] {
  const dealt: T[][] = Array.from({ length: Math.min(hands, cards.length) }, () => [])
  cards.forEach((card, index) => {
    dealt[index % dealt.length]?.push(card)
  })
  return dealt
}
