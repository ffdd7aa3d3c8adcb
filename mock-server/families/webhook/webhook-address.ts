import { refused } from '../../words/refusal.ts'
import type { Request } from '../family.ts'
import type { WebhookBody } from './webhook-body.ts'

/** Refuses receivers that a deployment would not call: other schemes, private networks, and for Slack anybody else. */
export function refuseBadAddress({ url, service }: WebhookBody, request: Request) {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') throw refused('Webhook URL must use HTTP or HTTPS')
  if (service === 'slack' && !/(^|\.)slack\.com$/.test(hostname)) {
    throw refused(`Slack Webhook URL ${url} does not have hostname that ends in 'slack.com'`)
  }
  const isPrivate = reserved.some(range => range.test(hostname.replace(/^\[|\]$/g, '')))
  if (isPrivate && request.choice('webhook/private-address') === 'refuse') {
    throw refused('Webhook URL resolves to a private or reserved address.')
  }
}

/** Names are not resolved: a mock does not ask the network. */
const reserved = [
  /(^|\.)localhost$/,
  /^(0|10|127)\.\d+\.\d+\.\d+$/,
  /^169\.254\./,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
  /^100\.(6[4-9]|[789]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^(22[4-9]|2[3-5]\d)\.\d+\.\d+\.\d+$/,
  /^::1?$/,
  /^(f[cd]|fe[89ab])[0-9a-f]*:/,
]
