import { refused } from '../../words/refusal.ts'
import type { BodyOf, Request } from '../family.ts'

/** Refuses addresses that a deployment would not call: other schemes, private networks, and for Slack other hosts. */
export function refuseBadAddress({ url, service }: BodyOf<'webhook.create'>, request: Request) {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') throw refused('Webhook URL must use HTTP or HTTPS')
  if (service === 'slack' && !/(^|\.)slack\.com$/.test(hostname)) {
    throw refused(`Slack Webhook URL ${url} does not have hostname that ends in 'slack.com'`)
  }
  const address = readEmbedded(hostname.replace(/^\[|\]$|\.$/g, ''))
  const isPrivate = reserved.some(range => range.test(address))
  if (isPrivate && request.choice('webhook/private-address') === 'refuse') {
    throw refused('Webhook URL resolves to a private or reserved address.')
  }
}

/** The IPv4 address that an IPv6 one holds, such as `::ffff:a00:1`; any other name as it is. */
function readEmbedded(host: string): string {
  const halves = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host)?.slice(1)
  if (!halves) return host
  return halves.flatMap(half => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.')
}

/** Names are not resolved, because the mock has no network access. */
const reserved = [
  /(^|\.)localhost$/,
  /^(0|10|127)\.\d+\.\d+\.\d+$/,
  /^169\.254\./,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
  /^100\.(6[4-9]|[789]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^(22[4-9]|2[3-5]\d)\.\d+\.\d+\.\d+$/,
  /^192\.0\.[02]\./,
  /^198\.(1[89]|51\.100)\./,
  /^203\.0\.113\./,
  /^::1?$/,
  /^(f[cdf]|fe[89ab])[0-9a-f]*:/,
  /^2001:db8:/,
  /^100::([0-9a-f]+:){0,3}[0-9a-f]*$/,
]
