import type { Exchange } from '../engine/exchange.ts'
import { cutBody, REDACTED, withoutQuery } from '../engine/redact.ts'
import type { ExchangeReport } from './report.ts'

/** Redacts credentials, and cuts bodies at 4 KiB. */
export function reportExchange(exchange: Exchange, redact: (text: string) => string): ExchangeReport {
  const { request, response } = exchange
  const clean = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        redact(name),
        name === 'authorization' || name === 'set-cookie'
          ? REDACTED
          : redact(name === 'location' ? withoutQuery(value) : value),
      ]),
    )
  const cut = (text: string) => cutBody(text, redact)
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
    ...((exchange.isSql || exchange.isReceiver) && { gone: true }),
  }
}
