import type { Answer, Call } from '../words/call.ts'
import type { Cause } from '../words/cause.ts'
import { whyBlocked } from './blocked-by-browser.ts'
import type { Host } from './dispatch/dispatch.ts'

/** One call in the journal: credentials are redacted, bodies cut. */
export interface JournalEntry {
  /** When it was answered, by the clock of the mock. */
  readonly at: string
  /** How long the answer took, in milliseconds. */
  readonly ms: number
  /** The listener that was called; `webhook` for a call that the mock made, or did not make, itself. */
  readonly host: Host | 'webhook'
  readonly form?: string
  readonly operation?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly body: string
  }
  /** Its status is 0 for a webhook from which no answer came, and `because` says why. */
  readonly response: Answer
  /** Where the answer comes from: the rule or the gap behind it, and why it was refused. */
  readonly because: Cause
  /** Why a browser keeps the answer from the page that asked, or will not send what a preflight announces; mostly absent. */
  readonly blockedByBrowser?: string
}

/** What became of a delivery to a webhook; secrets are left out of the request by whoever sent it. */
export interface DeliveryOutcome {
  readonly ms: number
  readonly request: JournalEntry['request']
  /** Absent when no answer came. */
  readonly response?: Answer
  readonly why: string
  readonly isFailed: boolean
}

/** What is kept of a call until somebody asks. */
export interface AnsweredCall {
  readonly at: number
  readonly ms: number
  readonly host: Host
  readonly call: Call
  readonly answer: Answer
  readonly form: string | undefined
  readonly operation: string | undefined
}

const cut = 4096
/** A body beyond this is copied when it is kept, so that the journal does not hold on to the whole of it. */
const large = 4 * cut

export interface Journal {
  record(trace: AnsweredCall): void
  recordDelivery(at: number, outcome: DeliveryOutcome): void
  /** The newest first. */
  read(limit?: number): readonly JournalEntry[]
  forget(): void
}

export function createJournal(capacity: number): Journal {
  let ring: (AnsweredCall | JournalEntry)[] = []
  let next = 0
  const keep = (entry: AnsweredCall | JournalEntry) => {
    if (capacity <= 0) return
    ring[next] = entry
    next = (next + 1) % capacity
  }
  return {
    record(trace) {
      const { call, answer } = trace
      const isLarge = call.body.length > large || answer.body.length > large
      keep(isLarge ? { ...trace, call: shorten(call), answer: shorten(answer) } : trace)
    },
    recordDelivery: (at, outcome) => keep(tellDelivery(at, outcome)),
    read(limit = ring.length) {
      const newest = Array.from({ length: Math.min(limit, ring.length) }, (_, i) => ring.at(next - 1 - i)!)
      return newest.map(entry => ('because' in entry ? entry : tell(entry)))
    },
    forget() {
      ring = []
      next = 0
    },
  }
}

function shorten<T extends Call | Answer>(message: T): T {
  if (message.body.length <= large) return message
  // A slice would keep the whole text alive; a text that was decoded anew does not.
  const body = new TextDecoder().decode(new TextEncoder().encode(message.body.slice(0, cut)))
  return { ...message, body }
}

function tellDelivery(at: number, { ms, request, response, why }: DeliveryOutcome): JournalEntry {
  const { status, headers, body } = response ?? { status: 0, headers: {}, body: '' }
  return {
    at: new Date(at).toISOString(),
    ms,
    host: 'webhook',
    request: { ...request, body: request.body.slice(0, cut) },
    response: { status, headers, body: body.slice(0, cut) },
    because: { basis: 'observed', rule: 'event/webhook-payload', why },
  }
}

/** Secrets and hashes of them by the names of their fields, in a body that may be cut off: it shows them once, the journal never. */
const secret = /("(?:\w*(?:password|secret)\w*|connectionString|privateKey|\w+Hash)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gis
const withoutSecrets = (body: string): string => body.replace(secret, '$1"[redacted]"')

function tell({ at, ms, host, call, answer, form, operation }: AnsweredCall): JournalEntry {
  const { cause, ...response } = answer
  const { authorization } = call.headers
  const blockedByBrowser = whyBlocked(call, answer)
  const headers = { ...call.headers, ...(authorization !== undefined && { authorization: '[redacted]' }) }
  return {
    at: new Date(at).toISOString(),
    ms,
    host,
    ...(form && { form }),
    ...(operation && { operation }),
    request: {
      method: call.method,
      path: call.query === '' ? call.path : `${call.path}?${call.query}`,
      headers,
      body: withoutSecrets(call.body).slice(0, cut),
    },
    response: { ...response, body: withoutSecrets(answer.body).slice(0, cut) },
    because: cause ?? { basis: 'invented', why: 'Nobody said why: this is a mistake of the mock.' },
    ...(blockedByBrowser !== undefined && { blockedByBrowser }),
  }
}
