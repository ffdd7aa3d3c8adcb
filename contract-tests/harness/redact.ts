import type { Exchange } from './exchange.ts'
import { isObject } from './recognise.ts'
import type { ExchangeReport } from './report/report.ts'
import { secretsOf, type TargetFile } from './target.ts'

const LONGEST_BODY = 4096
const REDACTED = '[redacted]'

/**
 * Takes every secret of a target out of a text, also where it stands in JSON, percent or Basic encoding, and the beginning
 * of one that was cut short.
 */
export function createRedactor(target: TargetFile): (text: string) => string {
  const { cloud, selfHosted } = target
  const pairs = [
    cloud && `${cloud.keyId}:${cloud.keySecret}`,
    cloud?.secondKeySecret && `${cloud.secondKeyId}:${cloud.secondKeySecret}`,
    selfHosted && `api:${selfHosted.apiKey}`,
    selfHosted && `${selfHosted.apiKey}:`,
  ]
  const secrets = secretsOf(target)
  const forms = [
    ...pairs.filter((pair): pair is string => !!pair).map(pair => btoa(unescape(encodeURIComponent(pair)))),
    ...secrets.flatMap(secret => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
  ]
  const unique = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return text => unique.reduce((clean, secret) => takeOut(clean, secret), text)
}

/** What is shorter tells nothing, and may stand anywhere. */
const SHORTEST_PART = 8

function takeOut(text: string, secret: string): string {
  const [first = '', ...rest] = text.split(secret.slice(0, SHORTEST_PART))
  const remainder = secret.slice(SHORTEST_PART)
  let clean = first
  for (const part of rest) {
    let length = 0
    while (length < remainder.length && part[length] === remainder[length]) length++
    clean += REDACTED + part.slice(length)
  }
  return clean
}

/** The same value without the secrets in it, in names of fields too. */
export function redactValue<T>(value: T, redact: (text: string) => string): T
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact)]))
}

/** An exchange as the report shows it: credentials redacted, bodies cut at 4 KiB. */
export function reportExchange(exchange: Exchange, redact: (text: string) => string): ExchangeReport {
  const { request, response } = exchange
  const clean = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        redact(name),
        name === 'authorization' || name === 'set-cookie' ? REDACTED : redact(value),
      ]),
    )
  const cut = (text: string) => {
    // Of a long text only a part is looked through; redacting can only make it shorter.
    const clean = redact(text.slice(0, 16 * LONGEST_BODY))
    return clean.length > LONGEST_BODY ? `${clean.slice(0, LONGEST_BODY)}…` : clean
  }
  return {
    as: exchange.as,
    request: {
      method: request.method,
      path: redact(request.path),
      headers: clean(request.headers),
      body: request.body === null ? null : cut(request.body),
    },
    response: { status: response.status, headers: clean(response.headers), body: cut(response.text) },
    ms: exchange.ms,
  }
}
