import { parsers } from './parsers.ts'
import { Unreadable } from './unreadable.ts'

/** The longest filter, field or group, in characters: as long as the API lets those of a tile be. */
export const mostCharacters = 10_000

/** Where a text is wrong, as Peggy says it. */
export interface Wrong {
  readonly at: number
  /** Literals, names of rules, `any` and `end`. */
  readonly expected: ReadonlySet<string>
  /** The sentence of the parser. */
  readonly message: string
}

/** What Peggy throws. */
interface SyntaxError extends Error {
  readonly location: { readonly start: { readonly offset: number } }
  readonly expected: readonly { readonly type: string; readonly text?: string; readonly description?: string }[]
}

/** Reads a text by a grammar; throws what `explain` makes of the place where it is wrong. */
export function read<T>(
  grammar: keyof typeof parsers,
  text: string,
  options: object,
  explain: (wrong: Wrong) => Unreadable,
): T {
  if (text.length > mostCharacters) {
    throw new Unreadable(`Expected at most ${mostCharacters} characters`, mostCharacters)
  }
  try {
    return parsers[grammar](text, options) as T
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const { location, expected, message } = error as SyntaxError
    const names = expected.map(({ type, text: literal, description }) => literal ?? description ?? type)
    throw explain({ at: location.start.offset, expected: new Set(names), message })
  }
}
