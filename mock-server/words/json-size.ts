import { defaultLimits, type Limits } from './limits.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openingBrace = 0x7b
const closingBrace = 0x7d

/** Names the limit that a JSON text exceeds, if any. The text is scanned, not parsed. */
export function findExcess(text: string, max: Pick<Limits, 'depth' | 'values'> = defaultLimits): string | undefined {
  if (text.length <= Math.min(max.depth, max.values)) return undefined
  let depth = 0
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      continue
    }
    // Setting this bit turns a bracket into the brace of the same direction.
    const brace = code | 0x20
    if (brace === openingBrace && ++depth > max.depth) return `at most ${max.depth} levels of arrays and objects`
    if (brace === closingBrace) depth--
    if (code === comma && ++commas >= max.values) return `at most ${max.values} values`
  }
  return undefined
}

/** The position of the closing quote of the string that opens at `from`, or the end of the text. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at < 0 ? text.length : at
}

function isEscaped(text: string, quoteAt: number): boolean {
  let at = quoteAt - 1
  while (text.charCodeAt(at) === backslash) at--
  return (quoteAt - at) % 2 === 0
}
