import type { Form } from '../../fixtures/contract/index.ts'
import { loopbackHost } from '../../fixtures/targets/loopback.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { Client, Incoming, Outgoing } from './clients/client.ts'
import { failedToConnect, reasonOf } from './connection-failure.ts'
import { authorization, basic, isWrongCredentials } from './credentials.ts'
import { countValues, type Exchange, isUnavailable, parseJson } from './exchange.ts'
import { because } from './reasons.ts'
import type { RequestOrSkip, Step } from './step.ts'
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

/** The properties of a step that its exchange has, too. */
export type StepOfExchange = Pick<Step, 'name' | 'form' | 'operation' | 'method' | 'as' | 'why' | 'isProbe'>

export type StepRequest = Exclude<RequestOrSkip, { skip: unknown }>

/** `notSent`: why the run ended before the request was sent. */
export type SendResult =
  | { readonly exchange: Exchange }
  | {
      readonly failed: string
      /** The error that the client threw. */
      readonly error?: unknown
      /** True if the request may get an answer later. */
      readonly mayRetry?: true
      /** True if there was no connection, so that the request had no effect. */
      readonly isUnsent: boolean
    }
  | { readonly notSent: string }

/** Longer waits for a rate limit are not taken. */
const MAX_WAIT_SECONDS = 70
const MAX_TRIES = 3
/** More wrong credentials could lock a key out, or ban the address of the run. */
const MAX_TRIES_OF_WRONG_CREDENTIALS = 2
/** Levels of nesting in an answer. */
const MAX_DEPTH = 100
/** Estimated bytes of memory for a parsed value. */
const VALUE_BYTES = 64
/** Bytes of memory for the answers of a run. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024

export type Sender = ReturnType<typeof createSender>

export function createSender({ target, client, rate, maxRequests, signal, sleep, onAnswer }: SenderOptions) {
  const breaker = createCircuitBreaker()
  let requests = 0
  let endReason: string | undefined
  let nextSlot = 0
  let memoryUsed = 0

  const maySend = (count: number) => maxRequests === undefined || requests + count <= maxRequests
  /** Ends the run; the first reason is kept. */
  const end = (reason: string) => {
    endReason ??= reason
  }
  /** Ends the run unless this many requests may still be sent. */
  const requireBudget = (count: number) => {
    if (!maySend(count)) end(`--max-requests ${maxRequests} was reached`)
  }

  async function pace(): Promise<void> {
    if (!rate) return
    const at = Math.max(Date.now(), nextSlot)
    nextSlot = at + 1000 / rate
    if (at > Date.now()) await sleep(at - Date.now())
  }

  /** Sends one request, and waits for rate limits to end. */
  async function send(step: StepOfExchange, request: StepRequest): Promise<SendResult> {
    const outgoing = outgoingOf(target, step, request)
    const { baseUrl, method, path } = outgoing
    const startedAt = performance.now()
    const fail = ({ sentence }: { readonly sentence: string }, error?: unknown): SendResult => {
      breaker.noteFailure(baseUrl, sentence, performance.now() - startedAt)
      if (error === undefined) return { failed: sentence, isUnsent: false }
      return { failed: sentence, error, isUnsent: failedToConnect(error), mayRetry: true }
    }
    const isWrong = step.isProbe === true && isWrongCredentials(step.as)
    const tries = isWrong ? MAX_TRIES_OF_WRONG_CREDENTIALS : MAX_TRIES
    const named = `${method} ${path}`
    const whyOpen = breaker.whyOpen(baseUrl)
    if (whyOpen) return { failed: whyOpen, isUnsent: true, mayRetry: true }
    for (let attempt = 1; ; attempt++) {
      requireBudget(1)
      if (!maySend(1)) return { notSent: endReason! }
      requests++
      await pace()
      const attemptStartedAt = performance.now()
      let response: Incoming
      try {
        response = await client.send(outgoing)
      } catch (error) {
        return fail(because('{request} got no answer: {error}', { request: named, error: reasonOf(error) }), error)
      }
      if (response.status === 429) {
        // Wrong credentials are sent again only if the deployment says when.
        const seconds = secondsToWait(response.headers) ?? (isWrong ? Number.POSITIVE_INFINITY : 0)
        const wait = (seconds + 1) * 1000
        if (attempt < tries && seconds <= MAX_WAIT_SECONDS && !signal?.aborted && breaker.mayWait(baseUrl, wait)) {
          await (client.wait ?? sleep)(wait)
          continue
        }
        const times = attempt === 1 ? 'once' : `${attempt} times`
        return fail(
          because('inconclusive: {request} was refused with 429 {times}, and the rate limit did not end', {
            request: named,
            times,
          }),
        )
      }
      // A stopped service answers SQL with 503.
      if (isUnavailable(response.status) && !request.sql) {
        breaker.noteAnswer(baseUrl)
        const { sentence } = because('{request} was answered with {status}, as by a gateway without its deployment', {
          request: named,
          status: response.status,
        })
        return { failed: sentence, isUnsent: false, mayRetry: true }
      }
      const json = parseJson(response.text)
      const values = countValues(json, MAX_DEPTH)
      if (values === Number.POSITIVE_INFINITY)
        return fail(
          because('{request} got an answer that is nested deeper than {levels} levels', {
            request: named,
            levels: MAX_DEPTH,
          }),
        )
      breaker.noteAnswer(baseUrl)
      memoryUsed += response.text.length + VALUE_BYTES * values
      if (memoryUsed > MAX_MEMORY_BYTES)
        end(`its answers took up more than ${MAX_MEMORY_BYTES / 1024 / 1024} MiB of memory`)
      const exchange: Exchange = {
        step: step.name,
        form: step.form,
        operation: step.operation,
        as: step.as,
        why: step.why,
        request: { method, path, headers: outgoing.headers, body: outgoing.body ?? null },
        response,
        json,
        sentAt: attemptStartedAt,
        ms: Math.round((performance.now() - attemptStartedAt) * 100) / 100,
        ...(step.isProbe && { isProbe: true }),
        ...(request.sql && { isSql: true }),
        ...(request.receiver && { isReceiver: true }),
      }
      onAnswer?.(exchange)
      return { exchange }
    }
  }

  return {
    send,
    maySend,
    requireBudget,
    end,
    /** The reason for which nothing more is sent to an address, if there is one. */
    whyOpen: breaker.whyOpen,
    resetBreaker: breaker.reset,
    get endReason() {
      return endReason
    },
    get requests() {
      return requests
    },
    get isMemoryFull() {
      return memoryUsed > MAX_MEMORY_BYTES
    },
  }
}

function outgoingOf(target: TargetFile, step: Pick<Step, 'form' | 'method' | 'as'>, request: StepRequest): Outgoing {
  const body = request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  if (request.sql) return sqlOutgoingOf(target, request, body)
  if (request.receiver) return { ...request.receiver, method: 'GET', headers: { accept: 'application/json' } }
  const credential = authorization(target, step.form, step.as)
  const { tls } = target
  return {
    baseUrl: baseUrlOf(target, step.form),
    method: request.method ?? step.method,
    path: request.path,
    headers: {
      accept: 'application/json',
      ...(credential ? { authorization: credential } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
      ...target.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(tls && { tls }),
  }
}

/** The request of a SQL query to the service with this password. Plain HTTP is used only on loopback without a `ca`. */
function sqlOutgoingOf({ sql: endpoint }: TargetFile, { path, sql }: StepRequest, body?: string): Outgoing {
  const { host = '', port, ca } = endpoint ?? {}
  const scheme = ca === undefined && loopbackHost.test(host) ? 'http' : 'https'
  return {
    baseUrl: `${scheme}://${host}:${port}`,
    method: 'POST',
    path,
    headers: sql?.password === undefined ? {} : { authorization: basic('default', sql.password) },
    ...(body === undefined ? {} : { body }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  }
}

export const baseUrlOf = (target: TargetFile, form: Form): string =>
  (form === 'selfHosted' ? target.selfHosted?.baseUrl : target.cloud?.baseUrl) ?? ''

/** The seconds until the end of a rate limit; undefined if no header has a time. */
function secondsToWait(headers: Readonly<Record<string, string>>): number | undefined {
  for (const name of ['ratelimit-reset', 'retry-after', 'x-ratelimit-reset']) {
    const value = headers[name]
    const seconds = value ? secondsUntil(value) : Number.NaN
    if (Number.isFinite(seconds)) return Math.max(0, seconds)
  }
  return undefined
}

/** Reads a number of seconds; some deployments send an epoch in seconds or an HTTP date instead. */
function secondsUntil(value: string): number {
  const number = Number(value)
  if (!Number.isFinite(number)) return (Date.parse(value) - Date.now()) / 1000
  const isEpoch = number > 1e9
  return isEpoch ? number - Date.now() / 1000 : number
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
