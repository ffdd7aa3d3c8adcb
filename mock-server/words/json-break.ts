/**
 * The position of a syntax error in a JSON text: the first character or word that JSON does not allow there, or the
 * end. JavaScript engines word the position differently, and omit it for most errors.
 */
export function findBreak(text: string): number {
  let at = 0
  /** Advances past a match at the current position, and returns whether there was one. */
  const pass = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  const list = (item: () => boolean, end: RegExp): boolean => {
    if (pass(end)) return true
    do {
      if (!item()) return false
    } while (pass(comma))
    return pass(end)
  }
  const quoted = (): boolean => {
    if (!pass(quote)) return false
    while (pass(characters));
    return pass(endOfQuote)
  }
  const member = () => quoted() && pass(colon) && value()
  const value = (): boolean => {
    if (pass(brace)) return list(member, endOfBrace)
    if (pass(bracket)) return list(value, endOfBracket)
    return quoted() || pass(literal)
  }
  pass(blanks)
  value()
  return at
}

// Each token includes the white space after it.
const blanks = /[ \t\n\r]*/y
const comma = /,[ \t\n\r]*/y
const colon = /:[ \t\n\r]*/y
const brace = /\{[ \t\n\r]*/y
const endOfBrace = /\}[ \t\n\r]*/y
const bracket = /\[[ \t\n\r]*/y
const endOfBracket = /\][ \t\n\r]*/y
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)[ \t\n\r]*/y
const quote = /"/y
const characters = /[ !\u{23}-\u{5b}\u{5d}-\u{10ffff}]+|(?:\\["\\/bfnrt]){1,999}|\\u[\da-fA-F]{4}/uy
const endOfQuote = /"[ \t\n\r]*/y

/** Describes the position of a syntax error, such as `position 12 (line 1, column 13)`. */
export function placeOfBreak(text: string): string {
  const position = findBreak(text)
  const lines = text.slice(0, position).split('\n')
  return `position ${position} (line ${lines.length}, column ${lines.at(-1)!.length + 1})`
}

/**
 * Parses the text of a JSON file, with or without a byte order mark.
 * @throws Error with a sentence that names the position and quotes nothing, because the text may contain a secret.
 */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch {
    if (json.trim() === '') throw new Error('it is empty')
    throw new Error(`it is not JSON: it ends or breaks at ${placeOfBreak(json)}`)
  }
}
