import { type Field, resources } from '../../../fixtures/contract/index.ts'
import { queryFunctions } from '../../../fixtures/query-functions.ts'
import { queryWords } from '../../../fixtures/query-words.ts'

/** A whole number from 0 that is less than `below`, from a source that nobody can repeat. */
export type Random = (below: number) => number

export interface Inventor {
  /** A text with inventions in the place of its words, ids, addresses and hosts; of a query, what is not of its language. */
  text(original: string, isQuery?: boolean): string
  /** The factor that amounts are scaled by. */
  readonly factor: number
}

/**
 * Deals inventions: the first time that a word, an id or an address is seen it is drawn at random, and the same ever after.
 * So an invention tells nothing about its original but its length, its letter case and which others are the same.
 * No invention has a word of `originals` in it.
 */
export function createInventor(originals: Iterable<string>, random: Random): Inventor {
  const known = new Set<string>()
  // Ids and times are full of short words by chance.
  for (const text of originals)
    for (const [word] of text.replace(ids, ' ').matchAll(words)) if (/\D/.test(word)) known.add(word.toLowerCase())
  const dealt = new Map<string, string>()
  const taken = new Set<string>()

  function deal(original: string, draw: (attempt: number) => string): string {
    const before = dealt.get(original)
    if (before !== undefined) return before
    let invention = draw(0)
    for (let attempt = 1; attempt < mostAttempts && !isFree(invention); attempt++) invention = draw(attempt)
    dealt.set(original, invention)
    taken.add(invention)
    return invention
  }
  function isFree(invention: string): boolean {
    const text = invention.toLowerCase()
    if (taken.has(invention) || known.has(text)) return false
    for (let start = 0; start + shortest <= text.length; start++)
      for (let end = start + shortest; end <= Math.min(text.length, start + longest); end++)
        if (known.has(text.slice(start, end))) return false
    return true
  }

  const pick = (from: string) => from[random(from.length)]!
  const hex = (length: number) => Array.from({ length }, () => pick('0123456789abcdef')).join('')
  /** A little shorter, or as long; longer where no other is left. */
  const lengthOf = (original: number, attempt: number) => {
    const length = Math.min(original, mostLetters)
    return (length < shortest ? length : length - random(1 + Math.floor(length / 4))) + Math.floor(attempt / 40)
  }

  const word = (original: string): string =>
    deal(original, attempt => {
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
    deal(original.toLowerCase(), () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick('89ab')}${hex(3)}-${hex(12)}`)
  const objectId = (original: string) => deal(original.toLowerCase(), () => hex(24))
  const host = (original: string): string =>
    isOpen(original) ? original : `${original.replace(words, label => word(label.toLowerCase()))}.example`
  /** From ranges that lead nowhere: those of benchmarks and of documentation. The length of a prefix stays. */
  function address(original: string): string {
    const [base = '', prefix] = original.split('/')
    const last = base.endsWith('.0') ? 0 : undefined
    const dealt = isOpen(base)
      ? base
      : base.includes(':')
        ? deal(base, () => `2001:db8:${hex(4)}:${hex(4)}::${last ?? random(9)}`)
        : deal(base, () => `198.${18 + random(2)}.${random(256)}.${last ?? 1 + random(254)}`)
    return prefix === undefined ? dealt : `${dealt}/${prefix}`
  }

  function url(original: string): string {
    const [, scheme = '', authority = '', path = ''] = /^(\w[\w+.-]*):\/\/([^/?#]*)([^?#]*)/.exec(original) ?? []
    const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(authority.replace(/^.*@/s, '')) ?? []
    const plain = decode(path)
    // An address in an address in an address is words.
    const below = plain.includes('://') ? plain.replace(words, word) : text(plain)
    const place = /^[\d.]+$|:/.test(name) ? text(name) : name.includes('.') || isOpen(name) ? host(name) : text(name)
    return `${schemes.includes(scheme.toLowerCase()) ? scheme : 'https'}://${place}${port}${encodeURI(below)}`
  }

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
      // In a query, points stand between names.
      if (groups.host !== undefined && !isQuery) return host(part)
      const isCalled = isQuery && functions.has(part.toLowerCase()) && /^\s*\(/.test(original.slice(behind))
      return part.replace(words, one => (isCalled || (isQuery && isOfLanguage(one)) ? one : word(one)))
    })
  }

  return { text, factor: (random(2) ? 125 + random(126) : 40 + random(41)) / 100 }
}

/** Inventions of the same word are drawn so often before one is taken that is not free. */
const mostAttempts = 400
/** Shorter originals cannot be told from chance; longer ones do not come about by it. */
const shortest = 4
const longest = 32
/** Inventions of a longer word are as long as those of one of so many letters. */
const mostLetters = 256

/** UUIDs, object ids and times. */
const ids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[\da-f]{24}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/gi

/** Letters and digits of every script, and signs that are no punctuation of ASCII. */
const words = /[A-Za-z0-9_\u0080-\uffff]+/g

const parts = new RegExp(
  [
    // Bounded where each character could begin a long match that comes to nothing.
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

/** Addresses that are everybody's. */
const isOpen = (address: string) => /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|::1?|0)$/i.test(address)

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What the contract names: values, and the fields that they decide. */
function wordsOf(field: Partial<Field>): readonly string[] {
  const { values = [], default: usual, fields, oneOf, items, each } = field
  const inside = [
    ...Object.values(fields ?? {}),
    ...[oneOf, ...(oneOf?.instead ?? [])]
      .flatMap(one => Object.values(one?.of ?? {}))
      .flatMap(each => Object.values(each)),
  ]
  return [
    ...values,
    ...(typeof usual === 'string' ? [usual] : []),
    ...Object.keys(oneOf?.of ?? {}),
    ...(oneOf?.instead ?? []).map(({ is }) => is),
    ...[...inside, ...(items ? [items] : []), ...(each ? [each] : [])].flatMap(wordsOf),
  ]
}

const language: ReadonlySet<string> = new Set(
  [...queryWords, ...Object.values(resources).flatMap(({ fields, oneOf }) => wordsOf({ fields, oneOf }))].flatMap(
    text => text.toLowerCase().match(words) ?? [],
  ),
)

const functions: ReadonlySet<string> = new Set(queryFunctions)

/** Of a query, what stays: its language, single letters, and numbers that are short or round. */
const isOfLanguage = (word: string): boolean =>
  language.has(word.toLowerCase()) || /^(?:[a-z]|\d{1,3}|\d{1,2}0{2,}|\d{1,2}e\d{1,2}|3600|86400)$/i.test(word)
