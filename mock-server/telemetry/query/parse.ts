import { InvalidQuery } from './invalid-query.ts'
import { parsers } from './parsers.ts'

/** Length limit of a filter, field or group; the API has the same limit for tiles. */
export const maxCharacters = 10_000

export interface SyntaxProblem {
  readonly at: number
  /** The tokens expected here: literals, names of rules, `any` and `end`. */
  readonly expected: ReadonlySet<string>
  readonly message: string
}

interface PeggyError extends Error {
  readonly location: { readonly start: { readonly offset: number } }
  readonly expected: readonly { readonly type: string; readonly text?: string; readonly description?: string }[]
}

/** Parses a text by a grammar. For a syntax error, throws the InvalidQuery that `explain` returns. */
export function parse<T>(
  grammar: keyof typeof parsers,
  text: string,
  options: object,
  explain: (problem: SyntaxProblem) => InvalidQuery,
): T {
  if (text.length > maxCharacters) {
    throw new InvalidQuery(`Expected at most ${maxCharacters} characters`, maxCharacters)
  }
  try {
    return parsers[grammar](text, options) as T
  } catch (error) {
    if (error instanceof InvalidQuery) throw error
    const { location, expected, message } = error as PeggyError
    const names = expected.map(({ type, text: literal, description }) => literal ?? description ?? type)
    throw explain({ at: location.start.offset, expected: new Set(names), message })
  }
}
