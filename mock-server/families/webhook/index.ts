import { webhook } from '../../../fixtures/contract/webhook.ts'
import { managedPath, offerAbsentPath } from '../../faults/absent.ts'
import type { Faults } from '../../faults/fault.ts'
import { presenterOf } from '../../fields/view.ts'
import { conflict, Refusal, refused } from '../../words/refusal.ts'
import type { Channel } from '../../words/resources.ts'
import type { BodyOf, Family, Handlers } from '../family.ts'
import { answerValidation, idAndTimes, serveDocuments } from '../stack/documents.ts'
import type { Stack } from '../stack/stack.ts'
import { webhookRules } from './body-rules.ts'
import { type Webhook, webhooks } from './model.ts'
import { refuseBadAddress } from './webhook-address.ts'

/** A dry run answers with the issues of the body instead of a refusal, so its handler judges the body. */
export const judgesBodies: Family['judgesBodies'] = ['webhook.validate']
export const models = [webhooks]
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
    answerValidation(request, 'object', body => {
      try {
        refuseBadAddress(body as BodyOf<'webhook.create'>, request)
      } catch (reason) {
        if (reason instanceof Refusal) return { path: 'url', message: reason.sentence }
        throw reason
      }
    }),
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
  'webhook/absent-in-managed-form': offerAbsentPath(managedPath('webhooks'), '$1/sources', ['GET']),
} as const satisfies Faults
