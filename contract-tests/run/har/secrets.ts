import { unwrapText } from '../../engine/find-secrets.ts'
import { isObject } from '../../engine/recognise.ts'
import { createReplacer, REDACTED } from '../../engine/redact.ts'

/** What must not leave a recording: credentials and cookies, wherever else in it they stand. */

const shortest = 6
const named =
  '(?:[\\w-]{0,40}(?:secret|passw(?:or)?d|passphrase|pwd|token|api[_-]?key|access[_-]?key|private[_-]?key|connection[_-]?string|account[_-]?key|session[_-]?id)|authorization|cookie|signature|sig|pass)'

export const isSecretHeader = (name: string): boolean =>
  /(?:^|[-_])(?:(?:authorization|cookie|cookie2|token|secret|key|signature|credential)s?|session(?:[-_]?id)?)$|^x-.*auth/i.test(
    name,
  ) && !/^sec-|^access-control-|idempotency/i.test(name)

/** Takes out of a text every secret that the recording shows, and whatever looks like one. */
export function createHarRedactor(har: unknown): (text: string) => string {
  // Found whole only: what looks like a secret here may begin as many an innocent word does.
  const remove = createReplacer([...collect(har)], { cutShort: false })
  const clean = (text: string) =>
    looksSecret.reduce((clean, pattern) => clean.replace(pattern, `$1${REDACTED}`), remove(text))
  // What is base64 of a text with a secret, such as the credentials in a message, goes as a whole.
  return text => clean(text).replace(base64, code => (hidesSecret(code) ? REDACTED : code))

  function hidesSecret(code: string): boolean {
    const plain = Buffer.from(code, 'base64').toString()
    return /^[\t\n\r -~]+$/.test(plain) && clean(plain) !== plain
  }
}

const base64 = /\b[\w+/-]{20,}={0,2}/g

/** Who a URL or the name of a data source logs in as: what stands before the @ of `scheme://user:password@host`. */
const userInfo = '(:(?:\\\\*/){2})([^\\s/?#"\'<>\\\\]+)(?=@)'

const looksSecret = [
  /\b((?:Bearer|Basic)\s+)[^\s"',;]{16,}/gi,
  new RegExp(`("${named}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+(?=")`, 'gi'),
  // The same within a text of JSON, in single quotes, and within a query.
  new RegExp(`("${named}\\\\+"\\s*:\\s*\\\\+")[^"\\\\]+`, 'gi'),
  new RegExp(`('${named}'\\s*:\\s*')[^']+`, 'gi'),
  new RegExp(`(\\b${named}(?:=|%3D))[^&\\s"']+`, 'gi'),
  // On the command line and in SQL.
  new RegExp(`(\\s--?${named}[= ]\\s*)[^\\s"']+`, 'gi'),
  /(\s(?:-u|--user)[= ]\s*[^\s:]+:)[^\s"']+/g,
  /(\bIDENTIFIED\s+(?:WITH\s+\w+\s+)?BY\s+')[^']+/gi,
  /((?:AKIA|ASIA)[A-Z0-9]{16}['"]?\s*,\s*['"])[^'"]+/g,
  /()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /()\b4b1d[A-Za-z0-9]{30,}\b/g,
  // Keys of AWS, GitHub, Slack and Stripe, and private keys.
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\b(?:gh[pousr]_|github_pat_|xox[abeprs]-|[rs]k_live_)[\w-]{10,}/g,
  /()-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  new RegExp(userInfo, 'g'),
  // Whoever knows the address of a chat's webhook can write there.
  /(hooks\.slack\.com\/services\/)[\w/]+/g,
  /(\/webhook\w*\/[\w.@-]+\/)[\w/-]{16,}/gi,
  /(\/(?:hooks|integration)\/)[\w/-]{16,}/gi,
  /(\/bot\d+:)[\w-]{10,}/g,
]

const namedInJson = new RegExp(`"${named}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'gi')
const namedInForm = new RegExp(`\\b${named}=([^&\\s"']+)`, 'gi')

function collect(har: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (value: unknown) => {
    if (typeof value === 'string' && value.length >= shortest && !/redact|^[*x]+$/i.test(value)) found.add(value)
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
      // No base64: the token itself is all there is.
    }
  }
  const visitText = (whole: unknown) => {
    if (typeof whole !== 'string') return
    // JSON within JSON, and a form within a URL, have names and values of their own.
    for (const text of unwrapText(whole)) {
      for (const [, value] of text.matchAll(namedInJson)) add(value)
      for (const [, value] of text.matchAll(namedInForm)) add(value)
      for (const [, , who = ''] of text.matchAll(new RegExp(userInfo, 'g'))) add(who.replace(/^[^:]*:/, ''))
    }
  }
  const entries = isObject(har) && isObject(har.log) && Array.isArray(har.log.entries) ? har.log.entries : []
  for (const entry of entries) {
    if (!isObject(entry)) continue
    for (const side of [entry.request, entry.response]) {
      if (!isObject(side)) continue
      for (const header of listOf(side.headers)) {
        if (typeof header.name !== 'string' || !isSecretHeader(header.name)) continue
        addCredential(String(header.value ?? ''))
        if (/cookie/i.test(header.name))
          for (const [, value] of String(header.value ?? '').matchAll(/=([^;,\s]+)/g)) add(value)
      }
      for (const cookie of listOf(side.cookies)) add(cookie.value)
      visitText(isObject(side.postData) ? side.postData.text : undefined)
      visitText(contentOf(side.content))
      visitText(side.url)
      if (typeof side.url === 'string' && URL.canParse(side.url)) {
        const { username, password } = new URL(side.url)
        for (const part of [username, password]) add(decodeURIComponent(part))
      }
    }
  }
  return found
}

/** The text of an answer, out of the base64 that some recorders keep it in. */
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

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])
