import { InvalidQuery } from './invalid-query.ts'
import { parsers } from './parsers.ts'

/** Limit of characters in a filter, field or group: that of the API for tiles. */
export const maxCharacters = 10_000

export interface Wrong {
  readonly at: number
  /** Literals, names of rules, `any` and `end`. */
  readonly expected: ReadonlySet<string>
  readonly message: string
}

interface SyntaxError extends Error {
  readonly location: { readonly start: { readonly offset: number } }
  readonly expected: readonly { readonly type: string; readonly text?: string; readonly description?: string }[]
}

/** Parses a text by a grammar. Throws what `explain` returns for the error. */
export function read<T>(
  grammar: keyof typeof parsers,
  text: string,
  options: object,
  explain: (wrong: Wrong) => InvalidQuery,
): T {
  if (text.length > maxCharacters) {
    throw new InvalidQuery(`Expected at most ${maxCharacters} characters`, maxCharacters)
  }
  try {
    return parsers[grammar](text, options) as T
  } catch (error) {
    if (error instanceof InvalidQuery) throw error
    const { location, expected, message } = error as SyntaxError
    const names = expected.map(({ type, text: literal, description }) => literal ?? description ?? type)
    throw explain({ at: location.start.offset, expected: new Set(names), message })
  }
}
