import { isObject } from '../harness/recognise.ts'

/** What must not leave a recording: credentials and cookies, wherever else in it they stand. */

export const REDACTED = '[redacted]'
const shortest = 6
const named =
  '(?:[\\w-]{0,40}(?:secret|password|token|api[_-]?key|access[_-]?key|private[_-]?key)|authorization|cookie|signature|sig)'

export const isSecretHeader = (name: string): boolean =>
  /(?:^|-)(?:authorization|cookie|cookie2|token|secret|key|signature|credential)s?$|^x-.*auth/i.test(name) &&
  !/^sec-|^access-control-|idempotency/i.test(name)

/** Takes out of a text every secret that the recording shows, and whatever looks like one. */
export function createHarRedactor(har: unknown): (text: string) => string {
  const secrets = [...collect(har)]
    .flatMap(secret => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .filter(secret => secret.length >= shortest)
    .sort((a, b) => b.length - a.length)
  const unique = [...new Set(secrets)]
  return text => looksSecret.reduce((clean, pattern) => clean.replace(pattern, `$1${REDACTED}`), remove(text, unique))
}

const remove = (text: string, secrets: readonly string[]) =>
  secrets.reduce((clean, secret) => clean.split(secret).join(REDACTED), text)

const looksSecret = [
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{16,}/gi,
  new RegExp(`("${named}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+(?=")`, 'gi'),
  new RegExp(`(\\b${named}=)[^&\\s"']+`, 'gi'),
  /()\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /()\b4b1d[A-Za-z0-9]{30,}\b/g,
  /(hooks\.slack\.com\/services\/)[\w/]+/g,
]

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
  const visitText = (text: unknown) => {
    if (typeof text !== 'string') return
    for (const [, value] of text.matchAll(new RegExp(`"${named}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'gi'))) add(value)
    for (const [, value] of text.matchAll(new RegExp(`\\b${named}=([^&\\s"']+)`, 'gi'))) add(value)
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
      visitText(isObject(side.content) ? side.content.text : undefined)
      visitText(side.url)
      if (typeof side.url === 'string' && URL.canParse(side.url)) {
        const { username, password } = new URL(side.url)
        for (const part of [username, password]) add(decodeURIComponent(part))
      }
    }
  }
  return found
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])
