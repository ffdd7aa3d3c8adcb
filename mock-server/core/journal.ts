import type { Answer, Call } from './call.ts'
import { type Because, explain } from './explain.ts'
import type { Host } from './mock.ts'
import type { Refusal } from './refusal.ts'
import type { Route } from './routes.ts'

/** One call as it is remembered: credentials are redacted, bodies cut. */
export interface JournalEntry {
  /** When it was answered, by the clock of the mock. */
  readonly at: string
  /** How long the answer took, in milliseconds. */
  readonly ms: number
  readonly host: Host
  readonly form?: string
  readonly operation?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly body: string
  }
  readonly response: Answer
  /** Where the answer comes from: the rule or the gap behind it, and why it was refused. */
  readonly because: Because
}

/** What is kept of a call until somebody asks. */
export interface Trace {
  readonly at: number
  readonly ms: number
  readonly host: Host
  readonly call: Call
  readonly answer: Answer
  readonly form: string | undefined
  readonly route: Route | undefined
  readonly refusal: Refusal | undefined
}

const cut = 4096
/** A body beyond this is copied when it is kept, so that the journal does not hold on to the whole of it. */
const large = 4 * cut

export interface Journal {
  record(trace: Trace): void
  /** The newest first. */
  read(limit?: number): readonly JournalEntry[]
  forget(): void
}

export function createJournal(capacity: number, routes: (host: Host) => readonly Route[]): Journal {
  let ring: Trace[] = []
  let next = 0
  return {
    record(trace) {
      if (capacity <= 0) return
      const { call, answer } = trace
      const isLarge = call.body.length > large || answer.body.length > large
      ring[next] = isLarge ? { ...trace, call: shorten(call), answer: shorten(answer) } : trace
      next = (next + 1) % capacity
    },
    read(limit = ring.length) {
      const newest = Array.from({ length: Math.min(limit, ring.length) }, (_, i) => ring.at(next - 1 - i)!)
      return newest.map(trace => tell(trace, routes(trace.host)))
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

function tell(trace: Trace, routes: readonly Route[]): JournalEntry {
  const { at, ms, host, call, answer, form, route } = trace
  const { authorization } = call.headers
  const headers = { ...call.headers, ...(authorization !== undefined && { authorization: '[redacted]' }) }
  return {
    at: new Date(at).toISOString(),
    ms,
    host,
    ...(form && { form }),
    ...(route && { operation: route.operation }),
    request: {
      method: call.method,
      path: call.query === '' ? call.path : `${call.path}?${call.query}`,
      headers,
      body: call.body.slice(0, cut),
    },
    response: { ...answer, body: answer.body.slice(0, cut) },
    because: explain(trace, routes),
  }
}
