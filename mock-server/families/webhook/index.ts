import { z } from 'zod/v3'
import { webhook } from '../../../fixtures/contract/webhook.ts'
import type { Faults } from '../../faults/fault.ts'
import { managedPath, offerAbsentPath } from '../../faults/rewrite.ts'
import type { BodyRules } from '../../fields/judge.ts'
import { typeOfEnumeration } from '../../fields/sentences.ts'
import { presenterOf } from '../../fields/view.ts'
import { conflict, refused } from '../../words/refusal.ts'
import type { Channel, Webhook } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import type { BodyOf, Family, Handlers, Request } from '../family.ts'
import { answerValidation, idAndTimes, serveDocuments } from '../stack/documents.ts'
import type { Stack } from '../stack/stack.ts'
import { planStack } from '../stack/stack-plan.ts'

/** Headers and query parameters may hold secrets: they are sent with every delivery and never answered. */
export const webhooks: Model<Webhook, 'webhook'> = {
  name: 'webhook',
  within: 'stack',
  isNumerous: true,
  record: recordSchema(webhook.fields, {
    url: z.string().refine(isAddress, 'Expected an address that begins with http:// or https://').optional(),
  }),
  secrets: ['headers', 'queryParams'],
  // A webhook that the control plane creates without a body has none, as one that the API creates.
  seed: (stackId, from) =>
    planStack(stackId, from).webhooks.map(one => (from.isSample ? { ...one, body: undefined } : one)),
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const controlCharacterSentence = (what: string) => `${what} cannot contain control characters`

const limitTo100 =
  (what: string): NonNullable<BodyRules['checks']>[string] =>
  (entries: object, reportIssue) => {
    if (Object.keys(entries).length > 100) reportIssue(`A webhook cannot have more than 100 ${what}`)
  }

/** The sentences of deployments for webhooks, and their rules. Only the newer edition can create and update webhooks. */
const webhookRules: BodyRules = {
  sentences: {
    'service type': typeOfEnumeration,
    'headers.name min': 'Header name cannot be empty',
    'headers.name pattern': "Invalid header name. Only alphanumeric characters and !#$%&'*+-.^_`|~ are allowed",
    'headers.value pattern': controlCharacterSentence('Header values'),
    'queryParams.name min': 'Query parameter name cannot be empty',
    'queryParams.name pattern': controlCharacterSentence('Query parameter names'),
    'queryParams.value pattern': controlCharacterSentence('Query parameter values'),
  },
  checks: {
    '': (body: Readonly<Record<string, unknown>>, reportIssue) => {
      if (body.service !== 'slack') return
      for (const field of ['headers', 'queryParams', 'body']) {
        if (body[field] !== undefined) reportIssue(`${field} is not supported for the slack webhook service`, field)
      }
    },
    headers: limitTo100('headers'),
    queryParams: limitTo100('query parameters'),
    'headers.name': (name: string, reportIssue) => {
      if (/^\d/.test(name)) reportIssue('Header name cannot start with a number')
    },
  },
}

/** A dry run answers with the issues of the body instead of a refusal, so its handler judges the body. */
export const judgesBodies: Family['judgesBodies'] = ['webhook.validate']
export const models = [webhooks]
export const gapsOfPaths: Family['gapsOfPaths'] = [
  { form: 'managed', path: /^\/webhooks(\/|$)/, gap: 'service/absent-resource' },
]
export const bodies: Family['bodies'] = { webhook: webhookRules }

const present = presenterOf(webhook)
/** Deployments show the field `body` of generic webhooks only. */
const { find, list, create, replace, remove } = serveDocuments(webhooks, 'Webhook', (record, { edition }) =>
  present(record.service === 'generic' ? record : { ...record, body: undefined }, edition),
)

function refuseDuplicate({ name, service }: BodyOf<'webhook.create'>, stack: Stack, id?: string) {
  const isDuplicate = (webhook: Webhook) => webhook.name === name && webhook.service === service && webhook.id !== id
  if (stack.webhooks.list().some(isDuplicate)) throw refused('A webhook with this service and name already exists')
}

export const handlers = {
  'webhook.list': list,
  'webhook.create': request => {
    refuseBadAddress(request.body, request)
    refuseDuplicate(request.body, request.stack)
    return create(request, { ...request.body, ...idAndTimes(request) })
  },
  'webhook.update': request => {
    const { body, stack } = request
    refuseBadAddress(body, request)
    const before = find(request)
    refuseDuplicate(body, stack, before.id)
    // Clients cannot read write-only fields, so an update that omits them keeps them, unless the receiver changes.
    const isSameReceiver = before.url === body.url && before.service === body.service
    const { headers, queryParams } = isSameReceiver ? before : {}
    return replace(request, { headers, queryParams, ...body, ...idAndTimes(request, before) })
  },
  'webhook.validate': request =>
    answerValidation(request, 'object', 'url', body => findBadAddress(body as BodyOf<'webhook.create'>, request)),
  'webhook.delete': request => {
    const webhook = find(request)
    const isReceiver = ({ webhookId }: Channel) => webhookId?.toLowerCase() === webhook.id
    const { length } = request.stack.alerts.list().filter(({ channels }) => channels.some(isReceiver))
    if (length > 0)
      throw conflict(
        `Cannot delete webhook: ${length} alert(s) still reference it. Reassign or remove those alerts first.`,
      )
    return remove(request, webhook)
  },
} as const satisfies Handlers

export const faults = {
  'webhook/absent-in-managed-form': offerAbsentPath(managedPath('webhooks'), '$1/alerts', ['GET']),
} as const satisfies Faults

function refuseBadAddress(body: BodyOf<'webhook.create'>, request: Request) {
  const sentence = findBadAddress(body, request)
  if (sentence !== undefined) throw refused(sentence)
}

/** The sentence about an address that deployments do not call: another scheme, a private network, no host of Slack. */
function findBadAddress({ url, service }: BodyOf<'webhook.create'>, request: Request): string | undefined {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'Webhook URL must use HTTP or HTTPS'
  if (service === 'slack' && !/(^|\.)slack\.com$/.test(hostname))
    return `Slack Webhook URL ${url} does not have hostname that ends in 'slack.com'`
  const address = readEmbedded(hostname.replace(/^\[|\]$|\.$/g, ''))
  const isRefused =
    reservedHosts.some(range => range.test(address)) && request.choice('webhook/private-address') === 'refuse'
  return isRefused ? 'Webhook URL resolves to a private or reserved address.' : undefined
}

/** The IPv4 address in an IPv6 address such as `::ffff:a00:1`; any other host as it is. */
function readEmbedded(host: string): string {
  const halves = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host)?.slice(1)
  if (!halves) return host
  return halves.flatMap(half => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.')
}

/** Hosts of private and reserved networks. Names are not resolved, because the mock has no network access. */
const reservedHosts = [
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
