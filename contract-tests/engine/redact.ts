import type { Field, Fields } from '../../fixtures/contract/index.ts'
import { secretNames } from '../../fixtures/secret-names.ts'
import { fieldsOf, findOperation } from './contract.ts'
import { authorization, type CredentialsKind, credentials } from './credentials.ts'
import { type Exchange, parseJson } from './exchange.ts'
import { isObject, payloadOf } from './recognise.ts'
import { secretsOf, type TargetFile } from './target/target.ts'

const MAX_BODY_CHARACTERS = 4096
export const REDACTED = '[redacted]'
/** Shorter strings would match everywhere. */
const MIN_PART_LENGTH = 8
/** Short runs of hexadecimal digits occur in ids. */
const MIN_HEX_LENGTH = 2 * MIN_PART_LENGTH
/** Levels of escapes that are removed. */
const MAX_LAYERS = 4
/** Needles are indexed by a hash of this many first characters. */
const KEY_LENGTH = 4
/** An index by text instead of hashes would make a run a tenth longer. */
const HASH_COUNT = 1 << 16
/** Credentials that contain no secret, or only the other form's. */
const harmless: readonly string[] = ['emptySecret', 'keyIdAsSecret', 'malformed', 'otherForm']

export interface Redactor {
  (text: string): string
  /** Adds secrets that a deployment showed. */
  learn(secrets: readonly string[]): void
}

/** Removes the secrets of a target from a text, in any encoding, and beginnings of secrets that were cut short. */
export function createRedactor(target: TargetFile): Redactor {
  // Near misses are secret too: they contain most of a good credential.
  const sent = (['cloud', 'selfHosted'] as const).flatMap(form =>
    (Object.keys(credentials[form]) as CredentialsKind[]).flatMap(as =>
      harmless.includes(as) ? [] : (authorization(target, form, as)?.replace(/^\w+ /, '') ?? []),
    ),
  )
  const known = new Set([...sent.filter(one => one.length >= MIN_PART_LENGTH), ...secretsOf(target)])
  const redact = createReplacer([...known], { findsBeginnings: true })
  const { learn } = redact
  return Object.assign(redact, {
    learn(secrets: readonly string[]) {
      const fresh = secrets.filter(secret => secret.length >= MIN_PART_LENGTH && !known.has(secret))
      for (const secret of fresh) known.add(secret)
      learn(fresh)
    },
  })
}

interface ReplaceOptions {
  /** Also finds words that begin like a secret, with at least eight characters of it. */
  readonly findsBeginnings: boolean
  /** Finds what looks like a secret, in the text as it stands and without its escapes. */
  readonly findLikely?: (text: string) => readonly Range[]
}

/** Replaces secrets, also in JSON, HTML or percent escapes (nested too), base64, hexadecimal digits or capitals. */
export function createReplacer(
  secrets: readonly string[],
  { findsBeginnings, findLikely = () => [] }: ReplaceOptions,
): Redactor {
  const needles: Needle[][] = Array(HASH_COUNT)
  const learn = (secrets: readonly string[]) => {
    for (const [text, shortest] of spellings(secrets)) {
      const length = findsBeginnings ? shortest : text.length
      const needle = { beginning: text.slice(0, length), rest: text.slice(length) }
      needles[hashAt(text, 0)] = [...(needles[hashAt(text, 0)] ?? []), needle]
    }
  }
  const rangesIn = (whole: string) =>
    unwrap(whole).flatMap(({ text, places }) => {
      const found = [...findIn(text, needles), ...findLikely(text)]
      return places ? found.map(({ start, end }) => ({ start: places[start]!, end: places[end]! })) : found
    })
  const replace = (text: string) => {
    let clean = ''
    let from = 0
    for (const { start, end } of merge(rangesIn(text))) {
      clean += text.slice(from, start) + REDACTED
      from = end
    }
    return clean + text.slice(from)
  }
  learn(secrets)
  return Object.assign(replace, { learn })
}

interface Range {
  readonly start: number
  readonly end: number
}

/** One way to write a secret: its beginning must match, and the match extends as far as the text agrees. */
interface Needle {
  readonly beginning: string
  readonly rest: string
}

function findIn(text: string, needles: readonly (readonly Needle[])[]): Range[] {
  const folded = foldCase(text)
  const needlesAt = (position: number) =>
    needles[hashAt(folded, position)]?.filter(({ beginning }) => folded.startsWith(beginning, position)) ?? []
  const found: Range[] = []
  for (let start = 0; start <= folded.length - KEY_LENGTH; start++) {
    for (const { beginning, rest } of needlesAt(start)) {
      const body = start + beginning.length
      let end = body
      while (end - body < rest.length && folded[end] === rest[end - body]) end++
      // A near miss of a credential is secret, too: the rest of its word is replaced as well.
      if (end > body) while (/[\w+/=-]/.test(folded[end] ?? '') && needlesAt(end).length === 0) end++
      found.push({ start, end })
    }
  }
  return found
}

function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last && start < last.end) last.end = Math.max(last.end, end)
    else if (end > start) merged.push({ start, end })
  }
  return merged
}

/** A hash of four characters. */
const hashAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 9) ^
    (text.charCodeAt(at + 1) << 6) ^
    (text.charCodeAt(at + 2) << 3) ^
    text.charCodeAt(at + 3)) &
  (HASH_COUNT - 1)

/** Lower case of the same length: if another letter would become longer, only ASCII letters change. */
function foldCase(text: string): string {
  const folded = text.toLowerCase()
  return folded.length === text.length ? folded : text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

/** Each spelling with the number of characters that must match. */
const spellings = (secrets: readonly string[]): ReadonlyMap<string, number> =>
  new Map(secrets.flatMap(spellingsOf).map(([text, shortest]) => [foldCase(text), shortest]))

/** The spellings of a secret in an answer whose escapes were removed. */
function spellingsOf(secret: string): (readonly [text: string, shortest: number])[] {
  const codes = [...new TextEncoder().encode(secret)]
  const bytes = codes.map(code => String.fromCharCode(code)).join('')
  const base64 = [0, 1, 2].map(offset => base64Within(bytes, offset))
  const texts = [secret.replaceAll('-', ''), secret.replaceAll(' ', '+'), ...base64, ...base64.map(toBase64Url)]
  const hex = codes.map(code => code.toString(16).padStart(2, '0')).join('')
  const all = [
    ...unwrapText(secret).filter(text => text.length >= KEY_LENGTH),
    ...texts.filter(text => text.length >= MIN_PART_LENGTH),
  ]
  return [
    ...all.map(text => [text, MIN_PART_LENGTH] as const),
    ...(hex.length >= MIN_HEX_LENGTH ? [[hex, MIN_HEX_LENGTH] as const] : []),
  ]
}

/** The base64 digits of these bytes at an offset, without the digits at both ends that depend on neighbours. */
function base64Within(bytes: string, offset: number): string {
  const whole = btoa('\0'.repeat(offset) + bytes)
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
}

const toBase64Url = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')

/** A text without some of its escapes; `places` are the original positions of its characters, if any moved. */
interface Layer {
  readonly text: string
  readonly places?: readonly number[]
}

/** The text as it stands, then without its escapes, and so on. */
function unwrap(text: string): readonly Layer[] {
  const layers: Layer[] = [{ text }]
  while (layers.length <= MAX_LAYERS) {
    const next = unescapeOnce(layers.at(-1)!)
    if (!next) break
    layers.push(next)
  }
  return layers
}

export const unwrapText = (text: string): readonly string[] => unwrap(text).map(layer => layer.text)

const escapes = new RegExp(
  [
    String.raw`\\(?:u([\da-f]{4})|(["'\\/bfnrt]))`,
    '(%(?:[0-7][\\da-f]|[cd][\\da-f]%[89ab][\\da-f]|e[\\da-f](?:%[89ab][\\da-f]){2}|f[0-4](?:%[89ab][\\da-f]){3}))',
    '&(?:#(\\d{1,7})|#x([\\da-f]{1,6})|(amp|lt|gt|quot|apos));',
  ].join('|'),
  'gi',
)
const jsonEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeOnce({ text, places }: Layer): Layer | undefined {
  if (!/[\\%&]/.test(text)) return undefined
  const parts: string[] = []
  const moved: number[] = []
  let from = 0
  const keepUpTo = (end: number) => {
    parts.push(text.slice(from, end))
    for (let at = from; at < end; at++) moved.push(places?.[at] ?? at)
  }
  for (const match of text.matchAll(escapes)) {
    const [escaped, ...kinds] = match
    const plain = interpret(kinds)
    if (plain === undefined) continue
    keepUpTo(match.index)
    parts.push(plain)
    for (let unit = 0; unit < plain.length; unit++) moved.push(places?.[match.index] ?? match.index)
    from = match.index + escaped.length
  }
  if (from === 0) return undefined
  keepUpTo(text.length)
  moved.push(places?.[text.length] ?? text.length)
  return { text: parts.join(''), places: moved }
}

/** Undefined for an escape that stands for nothing. */
function interpret([unit, sign, percent, decimal, hex, entity]: readonly (string | undefined)[]): string | undefined {
  if (unit) return String.fromCharCode(Number.parseInt(unit, 16))
  if (sign) return jsonEscapes[sign] ?? sign
  if (entity) return entities[entity.toLowerCase()]
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  try {
    return percent ? decodeURIComponent(percent) : String.fromCodePoint(code)
  } catch {
    return undefined
  }
}

/** A Location without user, password, query and fragment, which may hold tokens. */
export const withoutQuery = (location: string): string =>
  location.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*@/i, '$1//').replace(/[?#].*$/s, mark => `${mark[0]}${REDACTED}`)

/** Redacts all texts in a value, names of fields included. */
export function redactValue<T>(value: T, redact: (text: string) => string): T
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact)]))
}

/** A body for reports and ledgers: redacted, and cut at 4 KiB. */
export function cutBody(text: string, redact: (text: string) => string): string {
  // The start of a long text is enough: it would have to be nearly all secrets to become too short.
  const clean = redact(text.slice(0, 16 * MAX_BODY_CHARACTERS))
  return clean.length > MAX_BODY_CHARACTERS ? `${clean.slice(0, MAX_BODY_CHARACTERS)}…` : clean
}

const secretName = new RegExp(`(?:${secretNames})$`, 'i')
export const isSecretName = (name: string): boolean => secretName.test(name)

/** The secrets in an exchange, such as a new key's: by the contract, and by the names of fields. */
export function secretsIn({ operation, request, json }: Pick<Exchange, 'operation' | 'request' | 'json'>): string[] {
  const { body, result } = findOperation(operation) ?? {}
  const sent = request.body === null ? undefined : parseJson(request.body)
  return [...collect(sent, fieldsOf(body)), ...collect(payloadOf(json), fieldsOf(result?.resource))].map(passwordOf)
}

/** Of a connection string, only the password is secret. */
const passwordOf = (secret: string): string => /^\w+:\/\/[^/@]*:([^/@]+)@/.exec(secret)?.[1] ?? secret

function collect(value: unknown, fields: Fields | undefined, field?: Field, found: string[] = []): readonly string[] {
  if (typeof value === 'string') {
    if (field?.secret) found.push(value)
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, field?.items?.fields ?? fields, field?.items, found)
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const own = fields?.[name]
      if (typeof inner === 'string' && isSecretName(name)) found.push(inner)
      else collect(inner, own?.fields, own, found)
    }
  }
  return found
}
