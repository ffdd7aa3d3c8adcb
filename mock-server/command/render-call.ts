import type { JournalEntry } from '../mock/mock.ts'
import { shortId } from '../words/short-id.ts'

/** Shortens ids. The journal has redacted the secrets of the query. */
const shorten = (path: string) => path.replace(/[^/?&=]+/g, part => shortId(part, 8) ?? part)

/** Escapes control characters, so that a request cannot write to the terminal. */
const escapeControls = (text: string) => text.replace(/[^\x20-\x7e…–—’“”]/g, character => encodeURIComponent(character))

/** Returns functions that colour words for a terminal; without colours, they return the words unchanged. */
export function createPaints(hasColours: boolean) {
  const paint = (code: number) => (words: string) => (hasColours ? `\u001b[${code}m${words}\u001b[0m` : words)
  return { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33), cyan: paint(36) }
}

interface LineOptions {
  readonly hasColours: boolean
  readonly at: Date
  /** Undefined for the first world. */
  readonly worldId?: string
}

/**
 * A call as one line: time, method, status, duration, path, a further world, a client such as the suite, and what
 * `explain` returns.
 */
export function renderCall(entry: JournalEntry, { hasColours, at, worldId }: LineOptions): string {
  const { bold, dim, red, green, yellow, cyan } = createPaints(hasColours)
  const { request, response, client, ms } = entry
  const { status } = response
  const colour = status === 0 || status >= 500 ? red : status >= 400 ? yellow : status >= 300 ? cyan : green
  const from = [worldId, clientLabels[client]].filter(Boolean)
  const why = explain(entry)
  return [
    dim(at.toTimeString().slice(0, 8)),
    bold(request.method.padEnd(6)),
    colour(status === 0 ? '---' : String(status)),
    dim(`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`.padStart(8)),
    escapeControls(shorten(request.path)),
    ...from.map(name => cyan(`[${escapeControls(name!)}]`)),
    ...(why ? [dim(`· ${escapeControls(why)}`)] : []),
  ].join(' ')
}

const clientLabels = { console: 'console', suite: 'suite', mock: 'webhook', other: undefined } as const

/** The stub, fault or chaos behind an answer, or the rule or gap of a refusal, and whether a browser blocks it; else undefined. */
function explain({ response, because, blockedByBrowser }: JournalEntry): string | undefined {
  const { stub, by, rule } = because
  const blocked = blockedByBrowser === undefined ? [] : ['a browser blocks it']
  if (stub) return [`by ${stub}`, ...blocked].join(', ')
  if (by) return [`by ${by}${rule ? ` ${rule}` : ''}`, ...blocked].join(', ')
  const isRefusal = response.status >= 400 || response.status === 0
  return [...(isRefusal ? [describeRefusal(because)] : []), ...blocked].join(', ') || undefined
}

const maxCharacters = 140

/** The rule or gap, and what was wrong: the first sentence of the reason, without its code. */
function describeRefusal({ rule, why }: JournalEntry['because']): string {
  const [sentence = ''] = why.replace(/^[A-Z_]+: /, '').split(/\.(?= [A-Z])/)
  const refusal = [rule, sentence].filter(Boolean).join(': ')
  return refusal.length > maxCharacters ? `${refusal.slice(0, maxCharacters - 1)}…` : refusal
}
