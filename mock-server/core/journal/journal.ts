import type { Answer, Call, Listener } from '../../words/call.ts'
import type { Cause } from '../../words/cause.ts'
import { explainBlocking } from './blocked-by-browser.ts'
import { type CallFilter, type Client, clientOf, fits, fitsText } from './filter.ts'
import { createRedactor, headersWithoutSecrets, queryWithoutSecrets, withoutSecrets } from './secrets.ts'
import { createTextRing } from './text-ring.ts'

/** One call in the journal: credentials are redacted, bodies truncated. */
export interface JournalEntry {
  /** The number of the call, from 1, unique in its world. */
  readonly number: number
  /** The sender, by its `User-Agent`: the console, the suite, the mock itself (a webhook), or another client. */
  readonly client: Client
  /** The time of the answer by the clock of the mock. */
  readonly at: string
  /** The duration of the call in milliseconds. */
  readonly ms: number
  /** The listener that was called: `sql` is the HTTP interface of services; `webhook` marks a delivery of the mock. */
  readonly host: Listener | 'sql' | 'webhook'
  readonly form?: string
  readonly operation?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly body: string
  }
  /** The status is 0 if chaos closed the connection, or a webhook did not answer; `because` has the reason. */
  readonly response: Answer
  /** The cause of the answer: the rule or gap behind it, and the reason in a sentence. */
  readonly because: Cause
  /** Set if a body is not complete. */
  readonly isCut?: true
  /** Why a browser withholds the answer from the page that asked, or does not send the request after a preflight. */
  readonly blockedByBrowser?: string
}

/** The outcome of a webhook delivery; its sender has redacted the request. */
export interface DeliveryOutcome {
  readonly ms: number
  readonly request: JournalEntry['request']
  /** Absent if no answer came. */
  readonly response?: Answer
  readonly why: string
  /** What the alert says about it, if it failed. */
  readonly error?: string
}

/** A call, or a webhook delivery, and its answer. */
export interface AnsweredCall {
  readonly at: number
  readonly ms: number
  readonly host: JournalEntry['host']
  readonly call: Pick<Call, 'method' | 'path' | 'query' | 'headers' | 'body'>
  readonly answer: Answer
  readonly form?: string | undefined
  readonly operation?: string | undefined
}

/** The stored part of a call. A reference to the call itself would keep its connection in memory. */
export interface StoredCall extends Omit<AnsweredCall, 'call' | 'answer'>, Omit<AnsweredCall['call'], 'body'> {
  readonly status: number
  readonly responseHeaders: Answer['headers']
  readonly cause: Answer['cause']
  readonly disturbance: Answer['disturbance']
  /** The positions of the bodies in the ring, and the length of the request body in characters. */
  readonly start: number
  readonly end: number
  readonly requestLength: number
  readonly isCut: boolean
}

const truncatedLength = 4096
const defaultBudgetBytes = 32 * 1024 * 1024
/** Estimated size of a call without its bodies: address, headers and cause. */
const overheadBytes = 1024
/** Longer bodies are cut when they are stored, others only when they are read. */
const maxStoredLength = 4 * truncatedLength

export interface Journal {
  record(answeredCall: AnsweredCall): void
  recordDelivery(at: number, outcome: DeliveryOutcome): void
  /** Newest first. Without a limit all matching calls; bodies are truncated unless requested whole. */
  read(limit?: number, filter?: CallFilter & { readonly isWhole?: boolean }): readonly JournalEntry[]
  forget(): void
}

/** Stores the newest calls: at most `capacity`, and fewer if they exceed the budget in bytes. */
export function createJournal(capacity: number, budget = defaultBudgetBytes): Journal {
  const texts = createTextRing(budget)
  let ring: (StoredCall | undefined)[] = []
  let oldest = 0
  let next = 0

  const drop = () => {
    ring[oldest++ % capacity] = undefined
  }
  /** The stored bytes from the oldest call on. Within the budget, no body of a stored call is overwritten. */
  const storedBytes = () => texts.end - ring[oldest % capacity]!.start + overheadBytes * (next - oldest)

  function record({ at, ms, host, call, answer: original, form, operation }: AnsweredCall, max = maxStoredLength) {
    if (capacity <= 0) return
    const answer = original.status >= 400 && call.body.length > max ? withoutSecretsOf(call.body, original) : original
    const requestBody = shorten(call.body, max)
    const { method, path, query, headers } = call
    const { status, headers: responseHeaders, cause, disturbance } = answer
    const isCut = call.body.length > max || answer.body.length > max
    const start = texts.keep(requestBody + shorten(answer.body, max))
    if (next - oldest === capacity) drop()
    ring[next++ % capacity] = {
      at,
      ms,
      host,
      form,
      operation,
      method,
      path,
      query,
      headers,
      status,
      responseHeaders,
      cause,
      disturbance,
      start,
      end: texts.end,
      requestLength: requestBody.length,
      isCut,
    }
    while (storedBytes() > budget) drop()
  }
  return {
    record: answeredCall => record(answeredCall),
    recordDelivery(at, { ms, request, response = noAnswer, why }) {
      const cause: Cause = { basis: 'observed', rule: 'event/webhook-payload', why }
      record(
        { at, ms, host: 'webhook', call: { ...request, query: '' }, answer: { ...response, cause } },
        truncatedLength,
      )
    },
    read(limit = Number.POSITIVE_INFINITY, { text, isWhole = false, ...filter } = {}) {
      const entries: JournalEntry[] = []
      for (let index = next - 1; index >= oldest && entries.length < limit; index--) {
        const stored = ring[index % capacity]!
        if (!fits(filter, stored)) continue
        const entry = { number: index + 1, ...entryOf(stored, texts.read(stored.start, stored.end)!, isWhole) }
        if (text === undefined || fitsText(text, entry)) entries.push(entry)
      }
      return entries
    },
    forget() {
      ring = []
      oldest = next
    },
  }
}

const shorten = (body: string, max: number): string => (body.length > max ? body.slice(0, truncatedLength) : body)

/** Redacts secrets of the whole body, because a refusal may quote a secret from the part that is not stored. */
function withoutSecretsOf(body: string, answer: Answer): Answer {
  const redact = createRedactor(body)
  const { cause } = answer
  return { ...answer, body: redact(answer.body), ...(cause && { cause: { ...cause, why: redact(cause.why) } }) }
}

const noAnswer: Answer = { status: 0, headers: {}, body: '' }

function entryOf(stored: StoredCall, bodies: string, isWhole: boolean): Omit<JournalEntry, 'number'> {
  const { at, ms, host, form, operation, method, path, query, status, responseHeaders, cause, disturbance, isCut } =
    stored
  const [requestBody, responseBody] = [bodies.slice(0, stored.requestLength), bodies.slice(stored.requestLength)]
  const max = isWhole ? maxStoredLength : truncatedLength
  const blockedByBrowser =
    host === 'webhook' ? undefined : explainBlocking(stored, { status, headers: responseHeaders })
  const redact = createRedactor(requestBody)
  const headers = { ...headersWithoutSecrets(stored.headers) }
  // A recording can be judged only if it has the scheme of the credentials.
  const [scheme] = /^(?:basic|bearer)\b/i.exec(stored.headers.authorization ?? '') ?? []
  if (isWhole && scheme) headers.authorization = `${scheme} [redacted]`
  return {
    at: new Date(at).toISOString(),
    ms,
    host,
    client: clientOf(stored),
    ...(form && { form }),
    ...(operation && { operation }),
    request: {
      method,
      path: query === '' ? path : `${path}?${queryWithoutSecrets(query)}`,
      headers,
      body: withoutSecrets(requestBody).slice(0, max),
    },
    response: {
      status,
      headers: headersWithoutSecrets(responseHeaders),
      body: withoutSecrets(redact(responseBody)).slice(0, max),
      ...(disturbance && { disturbance }),
    },
    because: cause
      ? { ...cause, why: redact(cause.why) }
      : { basis: 'invented', why: 'The mock recorded no cause for this answer, which is a defect of the mock.' },
    ...((isCut || requestBody.length > max || responseBody.length > max) && { isCut: true as const }),
    ...(blockedByBrowser !== undefined && { blockedByBrowser }),
  }
}
