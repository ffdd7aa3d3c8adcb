import type { Form } from '../../fixtures/contract/index.ts'
import type { Client, Incoming, Outgoing } from './client.ts'
import { authorization } from './credentials.ts'
import { countValues, type Exchange, isSuccess, parseJson } from './exchange.ts'
import type { Ledger } from './ledger.ts'
import { createPatience } from './patience.ts'
import { findList, findObject, idOf, isObject } from './recognise.ts'
import { type Draft, isRead, type Past, type Step } from './step.ts'
import type { TargetFile } from './target.ts'

export interface VisitOptions {
  readonly target: TargetFile
  readonly client: Client
  readonly steps: readonly Step[]
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
  readonly failed: ReadonlyMap<string, string>
  readonly requests: number
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
  const { target, steps, ledger, readOnly, rate, maxRequests, signal, now, run } = options
  const sleep = options.sleep ?? (milliseconds => pause(milliseconds, signal))
  const patience = createPatience()
  const exchanges = new Map<string, Exchange>()
  const skipped = new Map<string, string>()
  const failed = new Map<string, string>()
  const ids = new Map<string, string>()
  const past: Past = { target, run, now, ledger, exchange: step => exchanges.get(step), created: step => ids.get(step) }
  let requests = 0
  let done = 0
  let cut: string | undefined
  let free = 0
  let kept = 0

  async function pace(): Promise<void> {
    if (!rate) return
    const at = Math.max(Date.now(), free)
    free = at + 1000 / rate
    if (at > Date.now()) await sleep(at - Date.now())
  }

  /** Sends one request, waiting out a rate limit as long as it says when it ends. */
  async function exchange(step: Step, draft: Exclude<Draft, { skip: string }>): Promise<Exchange | undefined> {
    const outgoing = write(target, step, draft)
    const { baseUrl, method, path } = outgoing
    const begun = performance.now()
    const lose = (reason: string): undefined => {
      failed.set(step.name, reason)
      patience.lost(baseUrl, reason, performance.now() - begun)
    }
    const ended = patience.ended(baseUrl)
    if (ended) return void failed.set(step.name, ended)
    for (let attempt = 1; ; attempt++) {
      if (maxRequests !== undefined && requests >= maxRequests) {
        cut ??= `--max-requests ${maxRequests} was reached`
        skipped.set(step.name, cut)
        return undefined
      }
      requests++
      await pace()
      const started = performance.now()
      let response: Incoming
      try {
        response = await options.client.send(outgoing)
      } catch (error) {
        return lose(`${method} ${path} got no answer: ${reasonOf(error)}`)
      }
      if (response.status === 429) {
        const wait = waitOf(response.headers)
        if (attempt < TRIES && wait <= LONGEST_WAIT && !signal?.aborted) {
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

  async function perform(step: Step): Promise<void> {
    if (signal?.aborted) cut ??= 'the run was interrupted'
    if (cut) return void skipped.set(step.name, cut)
    const ended = patience.ended(baseUrlOf(target, step.form))
    if (ended) return void failed.set(step.name, ended)
    // What was created can still be deleted: a request for each is kept back.
    const reserve = ledger.left().length + (step.creates ? 2 : 1)
    if (maxRequests !== undefined && requests + reserve > maxRequests)
      cut ??= `--max-requests ${maxRequests} was reached`
    if (cut) return void skipped.set(step.name, cut)
    if (readOnly && !isRead(step.method)) return void skipped.set(step.name, 'it writes, and this run is read-only')
    const draft = step.draft(past)
    if ('skip' in draft) return void skipped.set(step.name, draft.skip)
    const entry = step.creates
      ? ledger.intend({
          form: step.form,
          resource: step.creates,
          name: String(bodyFields(draft)?.name ?? step.name),
        })
      : undefined
    const came = await exchange(step, draft)
    if (!came) return
    if (entry && step.creates) {
      const id = isSuccess(came) ? createdId(came, step.creates) : undefined
      if (id) {
        ledger.created(entry, id)
        ids.set(step.name, id)
      } else if (!isSuccess(came) && came.response.status < 500) {
        ledger.dismiss(entry)
      }
    }
    if (cut && kept > MOST_KEPT) skipped.set(step.name, cut)
    else exchanges.set(step.name, came)
    if (step.deletes && isSuccess(came)) {
      const id = ids.get(step.deletes.step)
      if (id) ledger.deleted(step.form, id)
    }
  }

  const phases = [...new Set(steps.map(step => step.phase))].sort((a, b) => a - b)
  for (const phase of phases) {
    const waiting = steps.filter(step => step.phase === phase)
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
    skipped,
    failed,
    get requests() {
      return requests
    },
    get cut() {
      return cut
    },
    send: async (step, draft) => {
      const came = await exchange(step, draft)
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

function createdId(exchange: Exchange, resource: 'alert' | 'dashboard'): string | undefined {
  const found = idOf(findObject(exchange.json, resource), resource)
  if (found) return found
  const list = findList(exchange.json, resource)
  // A list of one may be somebody else's: it is ours by its name only.
  if (list?.length === 1 && list[0]!.name === parseName(exchange.request.body)) return idOf(list[0], resource)
  const [, last] = /([^/]+)\/*$/.exec(exchange.response.headers.location?.replace(/[?#].*$/s, '') ?? '') ?? []
  return last === undefined ? undefined : idOf({ id: decode(last) }, resource)
}

function bodyFields(draft: Exclude<Draft, { skip: string }>): Record<string, unknown> | undefined {
  return (draft.body ?? (draft.rawBody ? parseJson(draft.rawBody) : undefined)) as Record<string, unknown> | undefined
}

const parseName = (body: string | null): unknown => {
  const value = body === null ? undefined : parseJson(body)
  return isObject(value) ? value.name : undefined
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
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
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

function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: { message?: string } }
  return cause?.message ?? message ?? code ?? String(error)
}

/** Deals cards to `hands` players; empty hands are left out. */
function deal<T>(cards: readonly T[], hands: number): T[][] {
  const dealt: T[][] = Array.from({ length: Math.min(hands, cards.length) }, () => [])
  cards.forEach((card, index) => {
    dealt[index % dealt.length]?.push(card)
  })
  return dealt
}
