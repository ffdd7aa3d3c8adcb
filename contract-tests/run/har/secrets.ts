import { secretHeaders, secretNames } from '../../../fixtures/secret-names.ts'
import { decode } from '../../engine/paths.ts'
import { isObject, objectsIn } from '../../engine/recognise.ts'
import { createReplacer, unwrapText } from '../../engine/redact.ts'

const MIN_LENGTH = 6
const secretName = `(?:[\\w-]{0,40}(?:${secretNames})|authorization|cookie|signature|sig|pass)`
const secretHeader = new RegExp(secretHeaders, 'i')

export const isSecretHeader = (name: string): boolean => secretHeader.test(name)

/**
 * Removes from a text the secrets of a recording, and what looks like a secret: also in JSON within JSON and in a query. The
 * base64 of a text with a secret, or of `name:secret`, is removed as a whole.
 */
export function createHarRedactor(har: unknown): (text: string) => string {
  const hidesSecret = (code: string) => {
    const plain = Buffer.from(code, 'base64').toString()
    return (
      /^[\t\n\r\P{C}]+$/u.test(plain) && !plain.includes('\ufffd') && (isLogin.test(plain) || redact(plain) !== plain)
    )
  }
  const findLikely = (text: string) => [
    ...looksSecret.flatMap(pattern => valuesOf(text, pattern)),
    ...[...text.matchAll(base64)].flatMap(({ 0: code, index }) =>
      hidesSecret(code) ? [{ start: index, end: index + code.length }] : [],
    ),
  ]
  // Whole secrets only: the beginning of what looks like one may be an ordinary word.
  const redact = createReplacer([...collect(har)], { findsBeginnings: false, findLikely })
  return redact
}

/** The ranges that a pattern matches, without its first group. */
const valuesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: whole, 1: before = '', index }) => ({
    start: index + before.length,
    end: index + whole.length,
  }))

const base64 = /\b[\w+/-]{10,}={0,2}/g

/** Credentials as HTTP Basic sends them, but no address. */
const isLogin = /^(?=[\w.@+-]*[a-z])[\w.@+-]+:(?!\/\/)\S{4,}$/i

/** A value: up to its closing quote, or one word. An & belongs to it unless the & begins another field of a form. */
const anyValue = `(?:(?<=["'])[^"']+|(?:[^&\\s"'\\\\]|\\\\[^"']|&(?!(?:amp;)?[\\w.~%[\\]-]+=))+)`
/** The quote before a value, if any. A quote before a space or a sign such as , or } closes something else. */
const openQuote = `(?:["'](?![\\s,:}\\]]))?`

/** A name with escaped letters or dashes: nobody escapes these except to hide the name. */
const escapedName = '(?:[^"\\\\]|\\\\.){0,80}\\\\u00(?:[46][\\da-f]|[57][\\da]|2d|5f)(?:[^"\\\\]|\\\\.){0,80}'
const inJson = new RegExp(`("(?:${secretName}|${escapedName})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+(?=")`, 'gi')
const inForm = new RegExp(`(\\b${secretName}=${openQuote})${anyValue}`, 'gi')
/** `user:password` in `scheme://user:password@host`. */
const userInfo = /(:\/\/)[^\s/?#"'<>\\]+(?=@)/g

const looksSecret = [
  /\b((?:Bearer|Basic)\s+)[^\s"',;]{16,}/gi,
  inJson,
  new RegExp(`('${secretName}'\\s*:\\s*')[^']+`, 'gi'),
  inForm,
  // On the command line, in its arguments and in SQL.
  new RegExp(`((?<![\\w-])--?${secretName}(?:=|\\s+)${openQuote})${anyValue}`, 'gi'),
  new RegExp(`(["']--?${secretName}["']\\s*,\\s*["'])[^"']+`, 'gi'),
  new RegExp(`((?<![\\w-])(?:-u\\s*|--user(?:=|\\s+))["']?[^\\s:"']+:)${anyValue}`, 'g'),
  // The programs whose -p is a password; for others it is a port.
  new RegExp(`(\\b(?:(?:mysql|mariadb)[\\w-]*\\b[^\\n;|]{0,200}?\\s-p|sshpass\\s+-p\\s*)${openQuote})${anyValue}`, 'g'),
  /(\bIDENTIFIED\s+(?:WITH\s+\w+\s+)?BY\s+')[^']+/gi,
  /((?:AKIA|ASIA)[A-Z0-9]{16}['"]?\s*,\s*['"])[^'"]+/g,
  // JSON web tokens, and secrets of keys of the vendor.
  /()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /()\b4b1d[A-Za-z0-9]{30,}\b/g,
  // Keys of AWS, GitHub, Slack and Stripe, and private keys.
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\b(?:gh[pousr]_|github_pat_|xox[abeprs]-|[rs]k_live_)[\w-]{10,}/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  userInfo,
  // The address of a chat's webhook is a secret: nothing more is needed to write to the chat.
  /(hooks\.slack\.com\/services\/)[\w/]+/g,
  /(\/webhook\w*\/[\w.@-]+\/)[\w/-]{16,}/gi,
  /(\/(?:hooks|integration)\/)[\w/-]{16,}/gi,
  /(\/bot\d+:)[\w-]{10,}/g,
]

function collect(har: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (value: unknown) => {
    if (typeof value === 'string' && value.length >= MIN_LENGTH && !/redact|^[*x]+$/i.test(value)) found.add(value)
  }
  const addCredential = (value: string) => {
    add(value)
    const token = /^\s*\w+\s+(\S.*?)\s*$/.exec(value)?.[1] ?? value
    add(token)
    if (!/^\s*basic\b/i.test(value)) return
    try {
      const [id = '', ...secret] = atob(token).split(':')
      add(id)
      add(secret.join(':'))
    } catch {
      // It is no base64.
    }
  }
  const visitText = (whole: unknown) => {
    if (typeof whole !== 'string') return
    // JSON within JSON, and a form within a URL, have names and values of their own.
    for (const text of unwrapText(whole))
      for (const pattern of [inJson, inForm, userInfo])
        for (const { start, end } of valuesOf(text, pattern)) {
          const value = text.slice(start, end)
          add(pattern === userInfo ? value.replace(/^[^:]*:/, '') : value)
        }
  }
  const entries = objectsIn(isObject(har) && isObject(har.log) ? har.log.entries : undefined)
  for (const side of entries.flatMap(({ request, response }) => [request, response]).filter(isObject)) {
    for (const { name, value } of objectsIn(side.headers)) {
      if (typeof name !== 'string' || !isSecretHeader(name)) continue
      addCredential(String(value ?? ''))
      if (/cookie/i.test(name)) for (const [, one] of String(value ?? '').matchAll(/=([^;,\s]+)/g)) add(one)
    }
    for (const cookie of objectsIn(side.cookies)) add(cookie.value)
    visitText(isObject(side.postData) ? side.postData.text : undefined)
    visitText(contentOf(side.content))
    visitText(side.url)
    if (typeof side.url === 'string' && URL.canParse(side.url)) {
      const { username, password } = new URL(side.url)
      for (const part of [username, password]) add(decode(part))
    }
  }
  return found
}

/** The text of an answer, which some recorders keep in base64. */
function contentOf(content: unknown): unknown {
  if (!isObject(content)) return undefined
  const { text, encoding } = content
  if (encoding !== 'base64' || typeof text !== 'string') return text
  try {
    return atob(text)
  } catch {
    return text
  }
}
