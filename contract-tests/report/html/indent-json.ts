/** Indents JSON without parsing it: large numbers, repeated keys and cut bodies stay as they are. */
export function indentJson(text: string): string {
  const trimmed = text.trim()
  if (!/^(\{\s*["}]|\[\s*["{[\]\dtfn-])/.test(trimmed)) return text
  let out = ''
  let depth = 0
  const line = () => `\n${'  '.repeat(Math.min(Math.max(depth, 0), 20))}`
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    if (token === '{' || token === '[') {
      depth++
      out += token + line()
    } else if (token === '}' || token === ']') {
      depth--
      out += line() + token
    } else if (token === ',') out += token + line()
    else if (token === ':') out += ': '
    else out += /^[[{]/.test(token) ? token.replace(/\s+/, '') : token
  }
  return out
}
