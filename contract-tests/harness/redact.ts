import type { Exchange } from './exchange.ts'
import type { ExchangeReport } from './report/report.ts'
import { secretsOf, type TargetFile } from './target.ts'

const LONGEST_BODY = 4096
const REDACTED = '[redacted]'

/** Takes every secret of a target out of a text, also where it stands in JSON, percent or Basic encoding. */
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
  return text => unique.reduce((clean, secret) => clean.split(secret).join(REDACTED), text)
}

/** An exchange as the report shows it: credentials redacted, bodies cut at 4 KiB. */
export function reportExchange(exchange: Exchange, redact: (text: string) => string): ExchangeReport {
  const { request, response } = exchange
  const clean = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name === 'authorization' || name === 'set-cookie' ? REDACTED : redact(value),
      ]),
    )
  return {
    as: exchange.as,
    request: {
      method: request.method,
      path: redact(request.path),
      headers: clean(request.headers),
      body: request.body === null ? null : cut(redact(request.body)),
    },
    response: { status: response.status, headers: clean(response.headers), body: cut(redact(response.text)) },
    ms: exchange.ms,
  }
}

const cut = (text: string) => (text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text)
