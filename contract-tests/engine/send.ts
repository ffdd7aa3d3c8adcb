import type { Form } from '../../fixtures/contract/index.ts'
import { loopbackHost } from '../../fixtures/targets/loopback.ts'
import type { Client, Incoming, Outgoing } from './clients/client.ts'
import { reachedNobody, reasonOf } from './connection-failure.ts'
import { authorization, basic, isWrong } from './credentials.ts'
import { countValues, type Exchange, parseJson } from './exchange.ts'
import { createPatience } from './patience.ts'
import type { Draft, Step } from './step.ts'
import type { TargetFile } from './target/target.ts'

/** Sends requests one after the other, at the rate and within the limits of the run. */

interface SenderOptions {
  readonly target: TargetFile
  readonly client: Client
  /** Requests per second; undefined for no limit. */
  readonly rate?: number
  readonly maxRequests?: number
  readonly signal?: AbortSignal
  readonly sleep: (milliseconds: number) => Promise<void>
  /** Called with each answer before it is used. */
  readonly onAnswer?: (exchange: Exchange) => void
}

/** What an exchange keeps of its step. */
export type Asking = Pick<Step, 'name' | 'form' | 'operation' | 'method' | 'as' | 'why' | 'beyond' | 'isProbe'>

export type Request = Exclude<Draft, { skip: string }>

/** `cut`: not sent, because the run is ending. */
export type Sent =
  | { readonly exchange: Exchange }
  | {
      readonly failed: string
      /** What the client threw. */
      readonly error?: unknown
      /** The request reached nobody, so that it had no effect. */
      readonly isUnsent: boolean
    }
  | { readonly cut: string }

const LONGEST_WAIT = 70_000
const TRIES = 3
const DEEPEST = 100
/** Bytes of memory for the answers of a run: their texts, and an amount for each parsed value. */
const VALUE_SIZE = 64
const MOST_KEPT = 256 * 1024 * 1024

export type Sender = ReturnType<typeof createSender>

export function createSender({ target, client, rate, maxRequests, signal, sleep, onAnswer }: SenderOptions) {
  const patience = createPatience()
  let requests = 0
  let cut: string | undefined
  let free = 0
  let kept = 0

  const maySend = (count: number) => maxRequests === undefined || requests + count <= maxRequests
  /** The first reason stays. */
  const end = (reason: string) => {
    cut ??= reason
  }
  const reserve = (count: number) => {
    if (!maySend(count)) end(`--max-requests ${maxRequests} was reached`)
  }

  async function pace(): Promise<void> {
    if (!rate) return
    const at = Math.max(Date.now(), free)
    free = at + 1000 / rate
    if (at > Date.now()) await sleep(at - Date.now())
  }

  /** Sends one request, and waits for rate limits to end. */
  async function send(step: Asking, draft: Request): Promise<Sent> {
    const outgoing = write(target, step, draft)
    const { baseUrl, method, path } = outgoing
    const begun = performance.now()
    const lose = (failed: string, error?: unknown): Sent => {
      patience.lost(baseUrl, failed, performance.now() - begun)
      return { failed, error, isUnsent: error !== undefined && reachedNobody(error) }
    }
    const ended = patience.ended(baseUrl)
    if (ended) return { failed: ended, isUnsent: true }
    for (let attempt = 1; ; attempt++) {
      reserve(1)
      if (!maySend(1)) return { cut: cut! }
      requests++
      await pace()
      const started = performance.now()
      let response: Incoming
      try {
        response = await client.send(outgoing)
      } catch (error) {
        return lose(`${method} ${path} got no answer: ${reasonOf(error)}`, error)
      }
      // A probe is not repeated: more wrong credentials could lock the key out.
      if (response.status === 429 && !(step.isProbe && isWrong(step.as))) {
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
      if (kept > MOST_KEPT) end(`its answers took up more than ${MOST_KEPT / 1024 / 1024} MiB of memory`)
      const exchange: Exchange = {
        step: step.name,
        form: step.form,
        operation: step.beyond ? undefined : step.operation,
        as: step.as,
        why: step.why,
        request: { method, path, headers: outgoing.headers, body: outgoing.body ?? null },
        response,
        json,
        sentAt: started,
        ms: Math.round((performance.now() - started) * 100) / 100,
        ...(step.isProbe && { isProbe: true }),
        ...(draft.sql && { isSql: true }),
      }
      onAnswer?.(exchange)
      return { exchange }
    }
  }

  return {
    send,
    maySend,
    reserve,
    end,
    ended: patience.ended,
    renew: patience.renew,
    get cut() {
      return cut
    },
    get requests() {
      return requests
    },
    get isFull() {
      return kept > MOST_KEPT
    },
  }
}

export function write(target: TargetFile, step: Pick<Step, 'form' | 'method' | 'as'>, draft: Request): Outgoing {
  const body = draft.rawBody ?? (draft.body === undefined ? undefined : JSON.stringify(draft.body))
  if (draft.sql) return writeSql(target, draft, body)
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

/** A query to a service, found by its password. Without a certificate, only loopback is asked over HTTP. */
function writeSql({ sql: at }: TargetFile, { path, sql }: Request, body?: string): Outgoing {
  const { host = '', port, ca } = at ?? {}
  const scheme = ca === undefined && loopbackHost.test(host) ? 'http' : 'https'
  return {
    baseUrl: `${scheme}://${host}:${port}`,
    method: 'POST',
    path,
    headers: sql?.password === undefined ? {} : { authorization: basic('default', sql.password) },
    ...(body === undefined ? {} : { body }),
    ...(ca === undefined ? {} : { ca }),
  }
}

export const baseUrlOf = (target: TargetFile, form: Form): string =>
  (form === 'selfHosted' ? target.selfHosted?.baseUrl : target.cloud?.baseUrl) ?? ''

/** The milliseconds that a 429 asks to wait; a second when it does not say. */
function waitOf(headers: Readonly<Record<string, string>>): number {
  for (const name of ['ratelimit-reset', 'retry-after', 'x-ratelimit-reset']) {
    const value = headers[name]
    if (!value) continue
    const number = Number(value)
    // Usually seconds; some deployments send an epoch or an HTTP date.
    const seconds = Number.isFinite(number)
      ? number > 1e9
        ? number - Date.now() / 1000
        : number
      : (Date.parse(value) - Date.now()) / 1000
    if (Number.isFinite(seconds)) return (Math.max(0, seconds) + 1) * 1000
  }
  return 1000
}

/** Waits; an abort ends the wait. */
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
