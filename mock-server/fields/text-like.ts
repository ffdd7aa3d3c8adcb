/**
 * Makes a short text that matches a regular expression, for the usual parts of one: classes, groups, alternatives and
 * repetitions. Of anything else the text may not match, so that the caller tries it.
 */
export function textLike(pattern: string): string {
  let at = 0
  const alternatives = (): string => {
    let text = ''
    let first: string | undefined
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        first ??= text
        text = ''
        at++
      } else text += repeated()
    }
    return first ?? text
  }
  const repeated = (): string => {
    const one = atom()
    const [whole = '', least, symbol] = /^(?:\{(\d+)(?:,\d*)?\}|([*+?]))\??/.exec(pattern.slice(at)) ?? []
    at += whole.length
    return one.repeat(symbol === '*' || symbol === '?' ? 0 : Number(least ?? 1))
  }
  const atom = (): string => {
    const character = pattern[at++]!
    if (character === '(') {
      at += /^\?(?::|P?<\w+>|[=!])/.exec(pattern.slice(at))?.[0].length ?? 0
      const text = alternatives()
      at++
      return text
    }
    if (character === '[') return ofClass()
    if (character === '\\') return ofEscape(pattern[at++]!)
    return character === '^' || character === '$' ? '' : character === '.' ? 'a' : character
  }
  const ofEscape = (letter: string) =>
    ({ d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: '', B: '' })[letter] ?? letter
  const ofClass = (): string => {
    const isNegated = pattern[at] === '^'
    const start = at
    while (at < pattern.length && (pattern[at] !== ']' || at === start)) at += pattern[at] === '\\' ? 2 : 1
    const body = pattern.slice(start, at++)
    if (isNegated) return ['a', '1', '-', '_'].find(one => !body.includes(one)) ?? '~'
    return body[0] === '\\' ? ofEscape(body[1]!) : (body[0] ?? '')
  }
  return alternatives()
}
