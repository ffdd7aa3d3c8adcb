import type { Answer, Call, Listener } from '../../words/call.ts'
import type { Cause } from '../../words/cause.ts'
import { whyBlocked } from './blocked-by-browser.ts'
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
  /** The listener that was called: `sql` is the HTTP interface of services; `webhook` for a delivery of the mock. */
  readonly host: Listener | 'sql' | 'webhook'
  readonly form?: string
  readonly operation?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly body: string
  }
  /** The status is 0 for a webhook that did not answer; `because` has the reason. */
  readonly response: Answer
  /** The cause of the answer: the rule or gap behind it, and why it was refused. */
  readonly because: Cause
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
  readonly isFailed: boolean
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

/** The stored part of a call. The call itself would keep its connection in memory. */
export interface KeptCall extends Omit<AnsweredCall, 'call' | 'answer'>, Omit<AnsweredCall['call'], 'body'> {
  readonly status: number
  readonly answered: Answer['headers']
  readonly cause: Answer['cause']
  readonly trouble: Answer['trouble']
  /** The positions of the bodies in the ring, and the length of the request's. */
  readonly start: number
  readonly end: number
  readonly sent: number
  readonly isCut: boolean
}

const cut = 4096
const usualBudget = 32 * 1024 * 1024
/** Estimated size of a call without its bodies, in bytes: address, headers and cause. */
const beside = 1024
/** Longer bodies are truncated when they are stored. */
const large = 4 * cut

export interface Journal {
  record(trace: AnsweredCall): void
  recordDelivery(at: number, outcome: DeliveryOutcome): void
  /** Newest first. Without a limit all matching calls; bodies are truncated unless requested whole. */
  read(limit?: number, filter?: CallFilter & { readonly isWhole?: boolean }): readonly JournalEntry[]
  forget(): void
}

/** Stores the newest calls: at most `capacity`, and fewer if they exceed the budget in bytes. */
export function createJournal(capacity: number, budget = usualBudget): Journal {
  const texts = createTextRing(budget)
  let ring: (KeptCall | undefined)[] = []
  let oldest = 0
  let next = 0

  const drop = () => {
    ring[oldest++ % capacity] = undefined
  }
  /** The stored bytes from the oldest call on. The budget is checked before its bodies are overwritten. */
  const held = () => texts.end - ring[oldest % capacity]!.start + beside * (next - oldest)

  function record({ at, ms, host, call, answer: came, form, operation }: AnsweredCall, max = large) {
    if (capacity <= 0) return
    const answer = came.status >= 400 && call.body.length > max ? withoutSecretsOf(call.body, came) : came
    const sent = shorten(call.body, max)
    const { method, path, query, headers } = call
    const { status, headers: answered, cause, trouble } = answer
    const isCut = call.body.length > max || answer.body.length > max
    const start = texts.keep(sent + shorten(answer.body, max))
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
      answered,
      cause,
      trouble,
      start,
      end: texts.end,
      sent: sent.length,
      isCut,
    }
    while (held() > budget) drop()
  }
  return {
    record: trace => record(trace),
    recordDelivery(at, { ms, request, response = noAnswer, why }) {
      const cause: Cause = { basis: 'observed', rule: 'event/webhook-payload', why }
      record({ at, ms, host: 'webhook', call: { ...request, query: '' }, answer: { ...response, cause } }, cut)
    },
    read(limit = Number.POSITIVE_INFINITY, { text, isWhole = false, ...filter } = {}) {
      const found: JournalEntry[] = []
      for (let index = next - 1; index >= oldest && found.length < limit; index--) {
        const kept = ring[index % capacity]!
        if (!fits(filter, kept)) continue
        const entry = { number: index + 1, ...readKept(kept, texts.read(kept.start, kept.end)!, isWhole) }
        if (text === undefined || fitsText(text, entry)) found.push(entry)
      }
      return found
    },
    forget() {
      ring = []
      oldest = next
    },
  }
}

const shorten = (body: string, max: number): string => (body.length > max ? body.slice(0, cut) : body)

/** A refusal may quote a secret from beyond the truncation, which a reader of the journal could not recognise. */
function withoutSecretsOf(body: string, answer: Answer): Answer {
  const redact = createRedactor(body)
  const { cause } = answer
  return { ...answer, body: redact(answer.body), ...(cause && { cause: { ...cause, why: redact(cause.why) } }) }
}

const noAnswer: Answer = { status: 0, headers: {}, body: '' }

function readKept(kept: KeptCall, bodies: string, isWhole: boolean): Omit<JournalEntry, 'number'> {
  const { at, ms, host, form, operation, method, path, query, status, answered, cause, trouble, isCut } = kept
  const [sent, came] = [bodies.slice(0, kept.sent), bodies.slice(kept.sent)]
  const max = isWhole ? large : cut
  const blockedByBrowser = host === 'webhook' ? undefined : whyBlocked(kept, { status, headers: answered })
  const redact = createRedactor(sent)
  const headers = { ...headersWithoutSecrets(kept.headers) }
  // Judging a recording requires the kind of the credentials.
  const [scheme] = /^(?:basic|bearer)\b/i.exec(kept.headers.authorization ?? '') ?? []
  if (isWhole && scheme) headers.authorization = `${scheme} [redacted]`
  return {
    at: new Date(at).toISOString(),
    ms,
    host,
    client: clientOf(kept),
    ...(form && { form }),
    ...(operation && { operation }),
    request: {
      method,
      path: query === '' ? path : `${path}?${queryWithoutSecrets(query)}`,
      headers,
      body: withoutSecrets(sent).slice(0, max),
    },
    response: {
      status,
      headers: headersWithoutSecrets(answered),
      body: withoutSecrets(redact(came)).slice(0, max),
      ...(trouble && { trouble }),
    },
    because: cause
      ? { ...cause, why: redact(cause.why) }
      : { basis: 'invented', why: 'Nobody said why: this is a mistake of the mock.' },
    ...((isCut || sent.length > max || came.length > max) && { isCut: true as const }),
    ...(blockedByBrowser !== undefined && { blockedByBrowser }),
  }
}
