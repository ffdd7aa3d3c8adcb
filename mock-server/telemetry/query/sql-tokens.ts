import { Unreadable } from './unreadable.ts'

export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'end'
  /** Words and names as written, texts without quotes and escapes, signs as they stand. */
  readonly text: string
  readonly at: number
}

/** More than anybody writes; each may be one level deeper. */
const mostTokens = 5000

const word = /[A-Za-z_][\w$]*/y
const number = /0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy
const sign = /<=|>=|<>|!=|==|\|\||::|[-=<>()[\],+*/%.]/y
const space = /(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)+/y
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0', b: '\b', f: '\f' }

/** Splits an SQL condition into tokens; the last is the end. */
export function sqlTokens(sql: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(sql)?.[0]
  }
  while (true) {
    at += match(space)?.length ?? 0
    if (at >= sql.length) break
    if (tokens.length >= mostTokens) throw new Unreadable(`Expected at most ${mostTokens} words and signs`, at)
    const first = sql[at]!
    if (first === "'" || first === '"' || first === '`') {
      const { text, to } = readQuoted(sql, at, first)
      tokens.push({ kind: first === "'" ? 'text' : 'name', text, at })
      at = to
      continue
    }
    const kinds = [
      ['word', word],
      ['number', number],
      ['sign', sign],
    ] as const
    const found = kinds.map(([kind, pattern]) => ({ kind, text: match(pattern) })).find(({ text }) => text)
    if (!found?.text) throw new Unreadable(`Expected an expression, but "${first}" stands there`, at)
    tokens.push({ kind: found.kind, text: found.text, at })
    at += found.text.length
  }
  tokens.push({ kind: 'end', text: '', at: sql.length })
  return tokens
}

/** A text in quotes: a doubled quote is one quote, a backslash escapes. Before what needs no escape, it stays. */
function readQuoted(sql: string, from: number, mark: string): { text: string; to: number } {
  let text = ''
  for (let at = from + 1; at < sql.length; at += 1) {
    const one = sql[at]!
    if (one === mark && sql[at + 1] !== mark) return { text, to: at + 1 }
    if (one === mark) at += 1
    if (one !== '\\' || at + 1 >= sql.length) {
      text += one
      continue
    }
    at += 1
    const next = sql[at]!
    text += escapes[next] ?? (next === mark || next === '\\' ? next : `\\${next}`)
  }
  throw new Unreadable('Expected a closing quote, but the text ends', sql.length)
}
