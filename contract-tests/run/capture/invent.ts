import { type Field, resources } from '../../../fixtures/contract/index.ts'
import { queryFunctions, queryWords } from '../../../fixtures/query-words.ts'
import { decode } from '../../engine/paths.ts'

/** Returns a random whole number from 0 to `below - 1`; not seeded, so that the inventions cannot be reproduced. */
export type Random = (below: number) => number

/**
 * Replaces words, ids and addresses by random ones, equal originals by equal inventions. An invention reveals only the length
 * and letter case of its original. None contains a word of `originals`.
 */
export function createInventor(originals: Iterable<string>, random: Random) {
  const originalWords = new Set<string>()
  // Ids and times contain short words by chance.
  for (const text of originals)
    for (const [word] of text.replace(ids, ' ').matchAll(words))
      if (/\D/.test(word)) originalWords.add(word.toLowerCase())
  const inventions = new Map<string, string>()
  const taken = new Set<string>()

  /** Returns the invention for an original; draws one at its first occurrence. */
  function replacementFor(original: string, draw: (attempt: number) => string): string {
    const known = inventions.get(original)
    if (known !== undefined) return known
    let invention = draw(0)
    for (let attempt = 1; attempt < maxAttempts && !isFree(invention); attempt++) invention = draw(attempt)
    inventions.set(original, invention)
    taken.add(invention)
    return invention
  }
  function isFree(invention: string): boolean {
    const text = invention.toLowerCase()
    if (taken.has(invention) || originalWords.has(text)) return false
    for (let start = 0; start + shortest <= text.length; start++)
      for (let end = start + shortest; end <= Math.min(text.length, start + longest); end++)
        if (originalWords.has(text.slice(start, end))) return false
    return true
  }

  const pick = (from: string) => from[random(from.length)]!
  const hex = (length: number) => Array.from({ length }, () => pick('0123456789abcdef')).join('')
  /** The length of an invention: as long or a little shorter, and longer when no free one of that length is left. */
  const lengthOf = (original: number, attempt: number) => {
    const length = Math.min(original, maxLetters)
    return (length < shortest ? length : length - random(1 + Math.floor(length / 4))) + Math.floor(attempt / 40)
  }

  const word = (original: string): string =>
    replacementFor(original, attempt => {
      if (/^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}$/i.test(original)) return hex(original.length)
      if (/^\d+$/.test(original)) {
        const digits = Array.from({ length: lengthOf(original.length, attempt) }, () => pick('0123456789')).join('')
        return original.startsWith('0') ? digits : digits.replace(/^0/, () => pick('123456789'))
      }
      const isVowelFirst = random(2)
      return Array.from({ length: lengthOf(original.length, attempt) }, (_, index) => {
        const like = original[index] ?? 'a'
        if (like === '_') return '_'
        if (/\d/.test(like)) return pick('0123456789')
        const letter = pick((index + isVowelFirst) % 2 ? 'aeiou' : 'bcdfghjklmnpqrstvwxz')
        return like === like.toLowerCase() ? letter : letter.toUpperCase()
      }).join('')
    })

  const uuid = (original: string) =>
    replacementFor(original.toLowerCase(), () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick('89ab')}${hex(3)}-${hex(12)}`)
  const objectId = (original: string) => replacementFor(original.toLowerCase(), () => hex(24))
  const host = (original: string): string =>
    isLocalAddress(original) ? original : `${original.replace(words, label => word(label.toLowerCase()))}.example`
  /** An address from the ranges for benchmarks and documentation, which are not routed. Prefix lengths stay. */
  function address(original: string): string {
    const [base = '', prefix] = original.split('/')
    const last = base.endsWith('.0') ? 0 : undefined
    const replaced = isLocalAddress(base)
      ? base
      : base.includes(':')
        ? replacementFor(base, () => `2001:db8:${hex(4)}:${hex(4)}::${last ?? random(9)}`)
        : replacementFor(base, () => `198.${18 + random(2)}.${random(256)}.${last ?? 1 + random(254)}`)
    return prefix === undefined ? replaced : `${replaced}/${prefix}`
  }

  function url(original: string): string {
    const [, scheme = '', authority = '', path = ''] = /^(\w[\w+.-]*):\/\/([^/?#]*)([^?#]*)/.exec(original) ?? []
    const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(authority.replace(/^.*@/s, '')) ?? []
    const plain = decode(path)
    // An address nested this deep is treated as words.
    const below = plain.includes('://') ? plain.replace(words, word) : text(plain)
    const place = /^[\d.]+$|:/.test(name)
      ? text(name)
      : name.includes('.') || isLocalAddress(name)
        ? host(name)
        : text(name)
    return `${schemes.includes(scheme.toLowerCase()) ? scheme : 'https'}://${place}${port}${encodeURI(below)}`
  }

  /** Replaces the words, ids, addresses and hosts of a text; keywords of a query stay. */
  function text(original: string, isQuery = false): string {
    return original.replace(parts, (part, ...rest) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
      const behind = Number(rest.at(-3)) + part.length
      if (groups.url !== undefined) return url(part)
      if (groups.email !== undefined) {
        const at = part.lastIndexOf('@')
        return `${part.slice(0, at).replace(words, word)}@${host(part.slice(at + 1))}`
      }
      if (groups.uuid !== undefined) return uuid(part)
      if (groups.objectId !== undefined) return objectId(part)
      if (groups.ipv4 !== undefined || groups.ipv6 !== undefined) return address(part)
      // In a query, dots separate names.
      if (groups.host !== undefined && !isQuery) return host(part)
      const isFunctionCall = isQuery && functions.has(part.toLowerCase()) && /^\s*\(/.test(original.slice(behind))
      return part.replace(words, one => (isFunctionCall || (isQuery && isQueryWord(one)) ? one : word(one)))
    })
  }

  // A factor near 1 would give the amounts away.
  return { text, factor: (random(2) ? 125 + random(126) : 40 + random(41)) / 100 }
}

/** After this many attempts a taken invention is used again. */
const maxAttempts = 400
/** Shorter originals occur in random text by chance. */
const shortest = 4
const longest = 32
/** The longest invention. */
const maxLetters = 256

/** Ids and times. */
const ids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[\da-f]{24}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/gi

/** Letters and digits of every script, and all signs outside ASCII. */
const words = /[A-Za-z0-9_\u0080-\uffff]+/g

const parts = new RegExp(
  [
    // The repetitions are bounded, since each character could begin a long match that fails.
    '(?<url>\\b[a-z][a-z\\d+.-]{0,30}:\\/\\/[^\\s"\'<>`{}()]*[^\\s"\'<>`{}().,;:!?])',
    '(?<email>[^\\s@<>"\'(),;:=]{1,64}@[a-z\\d.-]+)',
    '(?<uuid>\\b[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\b)',
    '(?<objectId>\\b[\\da-f]{24}\\b)',
    '(?<ipv4>\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?:\\/\\d{1,2})?\\b)',
    '(?<ipv6>(?<![\\w:])(?=[\\da-f:]{0,44}:[\\da-f:]{0,44}:)[\\da-f:]{2,45}(?:\\/\\d{1,3})?(?![\\w:]))',
    '(?<host>(?<![\\w.-])(?:[a-z\\d_-]{1,63}\\.){1,40}[a-z]{2,24}(?![\\w.-]))',
    words.source,
  ].join('|'),
  'gi',
)

const schemes = [
  ...['http', 'https', 'ws', 'wss', 'tcp', 's3', 'gs', 'abfss', 'sqs', 'kafka', 'clickhouse', 'mongodb', 'mongodb+srv'],
  ...['postgres', 'postgresql', 'mysql'],
]

/** Loopback and unspecified addresses, which identify no host. */
const isLocalAddress = (address: string) => /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|::1?|0)$/i.test(address)

/** The values of a field and the names of its subfields. */
function wordsOf(field: Partial<Field>): readonly string[] {
  const { values = [], default: defaultValue, fields, oneOf, items, propertyValues } = field
  const inside = [
    ...Object.values(fields ?? {}),
    ...[oneOf, ...(oneOf?.overrides ?? [])]
      .flatMap(union => Object.values(union?.variants ?? {}))
      .flatMap(variant => Object.values(variant)),
  ]
  return [
    ...values,
    ...(typeof defaultValue === 'string' ? [defaultValue] : []),
    ...Object.keys(oneOf?.variants ?? {}),
    ...(oneOf?.overrides ?? []).map(({ value }) => value),
    ...[...inside, ...(items ? [items] : []), ...(propertyValues ? [propertyValues] : [])].flatMap(wordsOf),
  ]
}

const language: ReadonlySet<string> = new Set(
  [...queryWords, ...Object.values(resources).flatMap(({ fields, oneOf }) => wordsOf({ fields, oneOf }))].flatMap(
    text => text.toLowerCase().match(words) ?? [],
  ),
)

const functions: ReadonlySet<string> = new Set(queryFunctions)

/** True for the words of a query that stay: keywords, single letters, and short or round numbers. */
const isQueryWord = (word: string): boolean =>
  language.has(word.toLowerCase()) || /^(?:[a-z]|\d{1,3}|\d{1,2}0{2,}|\d{1,2}e\d{1,2}|3600|86400)$/i.test(word)
