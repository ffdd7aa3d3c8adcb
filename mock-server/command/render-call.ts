import type { JournalEntry } from '../mock/mock.ts'
import { shortId } from '../words/short-id.ts'

/** A path in which ids are short. The journal has taken the secrets out of its query. */
const shorten = (path: string) => path.replace(/[^/?&=]+/g, part => shortId(part, 8) ?? part)

/** Whoever sends a control character does not write to the terminal. */
const plain = (text: string) => text.replace(/[^\x20-\x7e…–—’“”]/g, sign => encodeURIComponent(sign))

const clock = (at: Date) => at.toTimeString().slice(0, 8)

/** What a line of the log is drawn from, beside the call. */
export interface LineOptions {
  readonly colours: boolean
  /** The moment of real time. */
  readonly at: Date
  /** The world beside the first in which it was answered. */
  readonly worldId?: string
}

/** A call as one line: when, who when it was not a client, method, path, status, time, and why an answer is no success. */
export function renderCall(entry: JournalEntry, { colours, at, worldId }: LineOptions): string {
  const paint = (code: number) => (words: string) => (colours ? `\u001b[${code}m${words}\u001b[0m` : words)
  const [bold, dim, red, green, yellow, cyan] = [1, 2, 31, 32, 33, 36].map(paint) as Paints
  const { request, response, client, ms } = entry
  const { status } = response
  const colour = status === 0 || status >= 500 ? red : status >= 400 ? yellow : status >= 300 ? cyan : green
  const from = [worldId, client === 'other' ? undefined : client === 'mock' ? 'webhook' : client].filter(Boolean)
  const why = explain(entry)
  return [
    dim(clock(at)),
    bold(request.method.padEnd(6)),
    colour(status === 0 ? '---' : String(status)),
    dim(`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`.padStart(8)),
    plain(shorten(request.path)),
    ...from.map(name => cyan(`[${plain(name!)}]`)),
    ...(why ? [dim(`· ${plain(why)}`)] : []),
  ].join(' ')
}

type Paint = (words: string) => string
type Paints = [Paint, Paint, Paint, Paint, Paint, Paint]

/** The stub, fault or chaos behind an answer, or the rule or gap of a refusal; nothing for a usual success. */
function explain({ response, because, blockedByBrowser }: JournalEntry): string | undefined {
  const { stub, by, rule } = because
  const blocked = blockedByBrowser === undefined ? [] : ['a browser keeps it from its page']
  if (stub) return [`by ${stub}`, ...blocked].join(', ')
  if (by) return [`by ${by}${rule ? ` ${rule}` : ''}`, ...blocked].join(', ')
  const isRefusal = response.status >= 400 || response.status === 0
  return [...(isRefusal ? [describeRefusal(because)] : []), ...blocked].join(', ') || undefined
}

const longest = 140

/** The rule or gap, and what was wrong: the first sentence of the reason, without its code. */
function describeRefusal({ rule, why }: JournalEntry['because']): string {
  const [sentence = ''] = why.replace(/^[A-Z_]+: /, '').split(/\.(?= [A-Z])/)
  const said = [rule, sentence].filter(Boolean).join(': ')
  return said.length > longest ? `${said.slice(0, longest - 1)}…` : said
}
