import type { Answer, Call } from '../../words/call.ts'
import type { Cause } from '../../words/cause.ts'
import type { Host } from '../dispatch/dispatch.ts'
import { whyBlocked } from './blocked-by-browser.ts'
import { type CallFilter, type Client, clientOf, fits, fitsText } from './filter.ts'
import { headersWithoutSecrets, queryWithoutSecrets, unsaying, withoutSecrets } from './secrets.ts'

/** One call in the journal: credentials are redacted, bodies cut. */
export interface JournalEntry {
  /** Its number, from 1: no other call of this world has it. */
  readonly number: number
  /** Who sent it: the console, the suite, the mock itself (a webhook), or somebody else. By its `User-Agent`. */
  readonly client: Client
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
  /** Whether one of the bodies is only the beginning of what was sent; mostly absent. */
  readonly isCut?: true
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

/** A call, or a delivery to a webhook, and what was answered: what is kept until somebody asks. */
export interface AnsweredCall {
  readonly at: number
  readonly ms: number
  readonly host: JournalEntry['host']
  /** What can be told of the request. The rest of a call leads to its connection, which would be held as long as the entry. */
  readonly call: Pick<Call, 'method' | 'path' | 'query' | 'headers' | 'body'>
  readonly answer: Answer
  readonly form?: string | undefined
  readonly operation?: string | undefined
  readonly isCut?: true | undefined
}

const cut = 4096
/** So many characters of bodies, and what a call takes beside them, are remembered at most. */
const usualBudget = 32 * 1024 * 1024
const beside = 1024
/** A body beyond this is copied when it is kept, so that the journal does not hold on to the whole of it. */
const large = 4 * cut

export interface Journal {
  record(trace: AnsweredCall): void
  recordDelivery(at: number, outcome: DeliveryOutcome): void
  /** The newest first. Without a limit all that fit; bodies are cut, unless they are wanted whole. */
  read(limit?: number, filter?: CallFilter & { readonly isWhole?: boolean }): readonly JournalEntry[]
  forget(): void
}

/** Remembers the newest calls: `capacity` of them at most, and fewer when they take more than the budget, in bytes. */
export function createJournal(capacity: number, budget = usualBudget): Journal {
  let ring: (AnsweredCall | undefined)[] = []
  /** The size of each, because to look at one that was kept long ago is slow. */
  const sizes: number[] = []
  let oldest = 0
  let next = 0
  let held = 0

  const drop = () => {
    const slot = oldest++ % capacity
    held -= sizes[slot]!
    ring[slot] = undefined
  }
  const keep = (kept: AnsweredCall) => {
    if (capacity <= 0) return
    if (next - oldest === capacity) drop()
    const slot = next++ % capacity
    ring[slot] = kept
    sizes[slot] = beside + kept.call.body.length + kept.answer.body.length
    held += sizes[slot]!
    while (held > budget) drop()
  }
  return {
    record({ at, ms, host, call: { method, path, query, headers, body }, answer, form, operation }) {
      const isCut = body.length > large || answer.body.length > large ? true : undefined
      const call = { method, path, query, headers, body: isCut ? shorten(body) : body }
      const kept = isCut ? { ...answer, body: shorten(answer.body) } : answer
      keep({ at, ms, host, call, answer: kept, form, operation, isCut })
    },
    recordDelivery: (at, outcome) => keep(deliveryOf(at, outcome)),
    read(limit = Number.POSITIVE_INFINITY, { text, isWhole = false, ...filter } = {}) {
      const found: JournalEntry[] = []
      for (let index = next - 1; index >= oldest && found.length < limit; index--) {
        const kept = ring[index % capacity]!
        if (!fits(filter, kept)) continue
        const told = { number: index + 1, ...tell(kept, isWhole) }
        if (text === undefined || fitsText(text, told)) found.push(told)
      }
      return found
    },
    forget() {
      ring = []
      oldest = next
      held = 0
    },
  }
}

/** A slice would keep the whole text alive; a text that was decoded anew does not. */
const shorten = (body: string): string =>
  body.length <= large ? body : new TextDecoder().decode(new TextEncoder().encode(body.slice(0, cut)))

const noAnswer: Answer = { status: 0, headers: {}, body: '' }

function deliveryOf(at: number, { ms, request, response = noAnswer, why }: DeliveryOutcome): AnsweredCall {
  const cause: Cause = { basis: 'observed', rule: 'event/webhook-payload', why }
  const call = { ...request, query: '', body: request.body.slice(0, cut) }
  const answer = { ...response, body: response.body.slice(0, cut), cause }
  return { at, ms, host: 'webhook', call, answer }
}

function tell(kept: AnsweredCall, isWhole: boolean): Omit<JournalEntry, 'number'> {
  const { at, ms, host, call, answer, form, operation, isCut } = kept
  const { cause, ...response } = answer
  const most = isWhole ? large : cut
  const blockedByBrowser = whyBlocked(call, answer)
  const unsaid = unsaying(call.body)
  const headers = { ...headersWithoutSecrets(call.headers) }
  // Whoever judges a recording has to know of which kind the credentials were.
  const [scheme] = /^(?:basic|bearer)\b/i.exec(call.headers.authorization ?? '') ?? []
  if (isWhole && scheme) headers.authorization = `${scheme} [redacted]`
  return {
    at: new Date(at).toISOString(),
    ms,
    host,
    client: clientOf(kept),
    ...(form && { form }),
    ...(operation && { operation }),
    request: {
      method: call.method,
      path: call.query === '' ? call.path : `${call.path}?${queryWithoutSecrets(call.query)}`,
      headers,
      body: withoutSecrets(call.body).slice(0, most),
    },
    response: {
      ...response,
      headers: headersWithoutSecrets(answer.headers),
      body: withoutSecrets(unsaid(answer.body)).slice(0, most),
    },
    because: cause
      ? { ...cause, why: unsaid(cause.why) }
      : { basis: 'invented', why: 'Nobody said why: this is a mistake of the mock.' },
    ...((isCut || call.body.length > most || answer.body.length > most) && { isCut: true as const }),
    ...(blockedByBrowser !== undefined && { blockedByBrowser }),
  }
}
