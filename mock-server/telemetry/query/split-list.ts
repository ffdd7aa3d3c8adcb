/** Splits a text at commas outside quotes and brackets. An empty text has no parts. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = []
  let part = ''
  let depth = 0
  for (const [piece] of text.matchAll(/'(?:[^'\\]|\\[\s\S]|'')*'|`[^`]*`|"[^"]*"|[\s\S]/g)) {
    if (piece === '(' || piece === '[') depth++
    if (piece === ')' || piece === ']') depth--
    if (piece === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += piece
  }
  return part.trim() === '' && parts.length === 0 ? [] : [...parts, part.trim()]
}
