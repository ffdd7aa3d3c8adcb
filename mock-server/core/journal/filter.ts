import type { JournalEntry, StoredCall } from './journal.ts'

/** The senders of calls: the console, the suite, the mock itself (webhooks), and everything else. */
export const clients = ['console', 'suite', 'mock', 'other'] as const
export type Client = (typeof clients)[number]

/** A filter of the journal: a call must match all given fields. */
export interface CallFilter {
  /** `sql` for calls of services, `webhook` for those that the mock sent. For an unknown path, the form of the listener. */
  readonly form?: 'cloud' | 'managed' | 'selfHosted' | 'sql' | 'webhook'
  /** The id of an operation, such as `alert.list`. */
  readonly operation?: string
  /** A status such as 404, or a class such as `4xx`. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx`
  readonly client?: Client
  /** From this time on, in epoch milliseconds of the mock's clock. */
  readonly since?: number
  /** Before this time. */
  readonly until?: number
  /** Words that all occur in the path, the bodies, or the reason of the answer, ignoring case. */
  readonly text?: string
}

/** The console and the suite identify themselves in the `User-Agent` header. */
export function clientOf({ host, headers }: StoredCall): Client {
  const { 'user-agent': agent = '' } = headers
  if (host === 'webhook') return 'mock'
  if (agent.startsWith('stack-parity console')) return 'console'
  return agent.startsWith('stack-parity verify') ? 'suite' : 'other'
}

/** Whether a call matches all given fields of a filter, except for its `text`. */
export function fits(filter: Omit<CallFilter, 'text'>, call: StoredCall): boolean {
  const { form, operation, status, client, since, until } = filter
  const got = call.cause?.instead?.status ?? call.status
  if (form !== undefined && form !== (call.form ?? call.host)) return false
  if (operation !== undefined && operation !== call.operation) return false
  if (typeof status === 'number' && status !== got) return false
  if (typeof status === 'string' && status[0] !== String(Math.floor(got / 100))) return false
  if (client !== undefined && client !== clientOf(call)) return false
  return call.at >= (since ?? Number.NEGATIVE_INFINITY) && call.at < (until ?? Number.POSITIVE_INFINITY)
}

export function fitsText(text: string, { request, response, operation = '', because }: JournalEntry): boolean {
  const texts = [request.method, request.path, operation, request.body, response.body, because.rule, because.why]
  const searched = texts.join('\n').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every(word => searched.includes(word))
}
