import { type Field, resources } from '../../../fixtures/built-contract/index.ts'
import { queryFunctions, queryWords } from '../../../fixtures/query-words.ts'
import { decode } from '../../engine/paths.ts'

/** Returns a random whole number from 0 to `below - 1`; not seeded, so that the inventions cannot be reproduced. */
export type Random = (below: number) => number

/**
 * Replaces words, ids and addresses by random ones, equal originals by equal inventions. The invention of a word
 * reveals its approximate length, its letter case, and where it has digits and underscores. No invention contains a
 * word of `originals`.
 */
export function createInventor(originals: Iterable<string>, random: Random) {
  const originalWords = new Set<string>()
  // Ids and times contain short words by chance.
  for (const text of originals)
    for (const [word] of text.replace(idPattern, ' ').matchAll(wordPattern))
      if (/\D/.test(word)) originalWords.add(word.toLowerCase())
  const inventions = new Map<string, string>()
  const taken = new Set<string>()

  /** Returns the invention for an original; draws one at its first occurrence. */
  function inventOnce(original: string, draw: (attempt: number) => string): string {
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
    for (let start = 0; start + minSearched <= text.length; start++)
      for (let end = start + minSearched; end <= Math.min(text.length, start + maxSearched); end++)
        if (originalWords.has(text.slice(start, end))) return false
    return true
  }

  const pick = (from: string) => from[random(from.length)]!
  const hex = (length: number) => Array.from({ length }, () => pick('0123456789abcdef')).join('')
  /** The length of an invention: the original's or a little less, and more when too many of that length are taken. */
  const lengthOf = (original: number, attempt: number) => {
    const length = Math.min(original, maxLetters)
    return (length < minSearched ? length : length - random(1 + Math.floor(length / 4))) + Math.floor(attempt / 40)
  }

  const inventWord = (original: string): string =>
    inventOnce(original, attempt => {
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

  const inventUuid = (original: string) =>
    inventOnce(original.toLowerCase(), () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick('89ab')}${hex(3)}-${hex(12)}`)
  const inventObjectId = (original: string) => inventOnce(original.toLowerCase(), () => hex(24))
  const inventHost = (original: string): string =>
    isLocalAddress(original)
      ? original
      : `${original.replace(wordPattern, label => inventWord(label.toLowerCase()))}.example`
  /** An address from the ranges for benchmarks and documentation, which are not routed. Prefix lengths stay. */
  function inventAddress(original: string): string {
    const [base = '', prefix] = original.split('/')
    const lastPart = base.endsWith('.0') ? 0 : undefined
    const drawIpv6 = () => `2001:db8:${hex(4)}:${hex(4)}::${lastPart ?? random(9)}`
    const drawIpv4 = () => `198.${18 + random(2)}.${random(256)}.${lastPart ?? 1 + random(254)}`
    const draw = base.includes(':') ? drawIpv6 : drawIpv4
    const replaced = isLocalAddress(base) ? base : inventOnce(base, draw)
    return prefix === undefined ? replaced : `${replaced}/${prefix}`
  }

  function inventUrl(original: string): string {
    const [, scheme = '', authority = '', path = ''] = /^(\w[\w+.-]*):\/\/([^/?#]*)([^?#]*)/.exec(original) ?? []
    const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(authority.replace(/^.*@/s, '')) ?? []
    const plain = decode(path)
    // An address nested this deep is treated as words.
    const below = plain.includes('://') ? plain.replace(wordPattern, inventWord) : inventText(plain)
    const isHost = !/^[\d.]+$|:/.test(name) && (name.includes('.') || isLocalAddress(name))
    const place = isHost ? inventHost(name) : inventText(name)
    return `${schemes.includes(scheme.toLowerCase()) ? scheme : 'https'}://${place}${port}${encodeURI(below)}`
  }

  /** Replaces the words, ids, addresses and hosts of a text; keywords of a query stay. */
  function inventText(original: string, isQuery = false): string {
    return original.replace(partPattern, (part, ...rest) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
      const end = Number(rest.at(-3)) + part.length
      if (groups.url !== undefined) return inventUrl(part)
      if (groups.email !== undefined) {
        const at = part.lastIndexOf('@')
        return `${part.slice(0, at).replace(wordPattern, inventWord)}@${inventHost(part.slice(at + 1))}`
      }
      if (groups.uuid !== undefined) return inventUuid(part)
      if (groups.objectId !== undefined) return inventObjectId(part)
      if (groups.ipv4 !== undefined || groups.ipv6 !== undefined) return inventAddress(part)
      // In a query, dots separate names.
      if (groups.host !== undefined && !isQuery) return inventHost(part)
      const isFunctionCall = isQuery && functionNames.has(part.toLowerCase()) && /^\s*\(/.test(original.slice(end))
      return part.replace(wordPattern, one => (isFunctionCall || (isQuery && isQueryWord(one)) ? one : inventWord(one)))
    })
  }

  // 0.4 to 0.8 or 1.25 to 2.5: a factor near 1 would give the amounts away.
  return { text: inventText, factor: (random(2) ? 125 + random(126) : 40 + random(41)) / 100 }
}

/** After this many attempts a taken invention is used again. */
const maxAttempts = 400
/** Inventions are searched for original words of these lengths: shorter ones occur in random text by chance. */
const minSearched = 4
const maxSearched = 32
/** The longest invention. */
const maxLetters = 256

/** Ids and times. */
const idPattern = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[\da-f]{24}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/gi

/** Letters and digits of every script, and all signs outside ASCII. */
const wordPattern = /[A-Za-z0-9_\u0080-\uffff]+/g

const partPattern = new RegExp(
  [
    // The repetitions are bounded, since each character could begin a long match that fails.
    '(?<url>\\b[a-z][a-z\\d+.-]{0,30}:\\/\\/[^\\s"\'<>`{}()]*[^\\s"\'<>`{}().,;:!?])',
    '(?<email>[^\\s@<>"\'(),;:=]{1,64}@[a-z\\d.-]+)',
    '(?<uuid>\\b[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}\\b)',
    '(?<objectId>\\b[\\da-f]{24}\\b)',
    '(?<ipv4>\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?:\\/\\d{1,2})?\\b)',
    '(?<ipv6>(?<![\\w:])(?=[\\da-f:]{0,44}:[\\da-f:]{0,44}:)[\\da-f:]{2,45}(?:\\/\\d{1,3})?(?![\\w:]))',
    '(?<host>(?<![\\w.-])(?:[a-z\\d_-]{1,63}\\.){1,40}[a-z]{2,24}(?![\\w.-]))',
    wordPattern.source,
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

const queryLanguage: ReadonlySet<string> = new Set(
  [...queryWords, ...Object.values(resources).flatMap(({ fields, oneOf }) => wordsOf({ fields, oneOf }))].flatMap(
    text => text.toLowerCase().match(wordPattern) ?? [],
  ),
)

const functionNames: ReadonlySet<string> = new Set(queryFunctions)

/** True for the words of a query that stay: keywords, single letters, and short or round numbers. */
const isQueryWord = (word: string): boolean =>
  queryLanguage.has(word.toLowerCase()) || /^(?:[a-z]|\d{1,3}|\d{1,2}0{2,}|\d{1,2}e\d{1,2}|3600|86400)$/i.test(word)
