/**
 * A parsing expression grammar as functions. A rule moves on and gives its value, or gives `failed` and leaves the place as
 * it was. What was expected at the furthest place that any rule reached is remembered: that is where a text is wrong.
 */
export interface Place {
  readonly text: string
  at: number
  /** Above 0, failures are not remembered: inside lookaheads and named rules. */
  silent: number
  furthest: number
  readonly expected: Set<string>
}

export const failed: unique symbol = Symbol('failed')
export type Rule<T> = (place: Place) => T | typeof failed

function fail(place: Place, expected: string): typeof failed {
  if (place.silent === 0 && place.at >= place.furthest) {
    if (place.at > place.furthest) place.expected.clear()
    place.furthest = place.at
    place.expected.add(expected)
  }
  return failed
}

const quoted = (text: string) =>
  `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(/\r/g, '\\r')}"`

export const literal =
  <T extends string>(text: T): Rule<T> =>
  place => {
    if (!place.text.startsWith(text, place.at)) return fail(place, quoted(text))
    place.at += text.length
    return text
  }

/** One character that the expression matches; `says` is its name in an error. */
export const character =
  (matches: RegExp, says: string): Rule<string> =>
  place => {
    const found = place.text[place.at]
    if (found === undefined || !matches.test(found)) return fail(place, says)
    place.at += 1
    return found
  }

export const oneOf =
  <T>(...rules: Rule<T>[]): Rule<T> =>
  place => {
    for (const rule of rules) {
      const value = rule(place)
      if (value !== failed) return value
    }
    return failed
  }

type ValuesOf<R> = { [K in keyof R]: R[K] extends Rule<infer T> ? T : never }

/** All rules one after the other; `make` turns their values into one, and is told where they began. */
export const sequence =
  <const R extends readonly Rule<unknown>[], T>(rules: R, make: (values: ValuesOf<R>, from: number) => T): Rule<T> =>
  place => {
    const from = place.at
    const values: unknown[] = []
    for (const rule of rules) {
      const value = rule(place)
      if (value === failed) {
        place.at = from
        return failed
      }
      values.push(value)
    }
    return make(values as ValuesOf<R>, from)
  }

export const many =
  <T>(rule: Rule<T>, atLeast = 0): Rule<T[]> =>
  place => {
    const from = place.at
    const values: T[] = []
    for (let value = rule(place); value !== failed; value = rule(place)) values.push(value)
    if (values.length >= atLeast) return values
    place.at = from
    return failed
  }

export const optional =
  <T>(rule: Rule<T>): Rule<T | undefined> =>
  place => {
    const value = rule(place)
    return value === failed ? undefined : value
  }

/** The rule under a name of its own: an error says the name, not what is inside. */
export const named =
  <T>(name: string, rule: Rule<T>): Rule<T> =>
  place => {
    place.silent += 1
    const value = rule(place)
    place.silent -= 1
    return value === failed ? fail(place, name) : value
  }

export const endOfText: Rule<true> = place => (place.at >= place.text.length ? true : failed)

/** The rule, remembering what it found at each place of this text, so that alternatives do not parse it twice. */
export function remembered<T>(rule: Rule<T>): Rule<T> {
  const found = new WeakMap<Place, Map<number, { value: T | typeof failed; to: number }>>()
  return place => {
    const known = found.get(place) ?? new Map<number, { value: T | typeof failed; to: number }>()
    found.set(place, known)
    const before = known.get(place.at)
    if (before) {
      place.at = before.to
      return before.value
    }
    const from = place.at
    const value = rule(place)
    known.set(from, { value, to: place.at })
    return value
  }
}

export interface Unparsed {
  readonly at: number
  /** What would have been right there, in order of the alphabet. */
  readonly expected: readonly string[]
  /** The character that is there instead; undefined at the end of the text. */
  readonly found: string | undefined
}

export type Parsed<T> = { readonly value: T } | { readonly unparsed: Unparsed }

/** The whole text by one rule. */
export function parseBy<T>(rule: Rule<T>, text: string): Parsed<T> {
  const place: Place = { text, at: 0, silent: 0, furthest: 0, expected: new Set() }
  const value = rule(place)
  if (value !== failed && place.at === text.length) return { value }
  if (value !== failed) fail(place, 'end of input')
  return { unparsed: { at: place.furthest, expected: [...place.expected].sort(), found: text[place.furthest] } }
}

/** The sentence that parsers made by PEG.js say. */
export function sayUnparsed({ expected, found }: Unparsed): string {
  const list =
    expected.length > 2 ? `${expected.slice(0, -1).join(', ')}, or ${expected.at(-1)}` : expected.join(' or ')
  return `Expected ${list} but ${found === undefined ? 'end of input' : quoted(found)} found.`
}
