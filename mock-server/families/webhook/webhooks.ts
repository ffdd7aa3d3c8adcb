import { webhook } from '../../../fixtures/contract/webhook.ts'
import { presenterOf } from '../../fields/view.ts'
import { conflict, Refusal, refused } from '../../words/refusal.ts'
import type { BodyOf, Handlers } from '../family.ts'
import { answerObject } from '../records.ts'
import { findRecord } from '../stack/find-record.ts'
import { pageOf } from '../stack/page.ts'
import { createWriter } from '../stack/serialise.ts'
import type { Stack } from '../stack/stack.ts'
import type { Webhook } from './model.ts'
import { refuseBadAddress } from './webhook-address.ts'

const present = presenterOf(webhook)
/** Deployments answer the body of generic webhooks only. */
const write = createWriter<Webhook>((webhook, edition) =>
  present(webhook.service === 'generic' ? webhook : { ...webhook, body: undefined }, edition),
)

function refuseTwin({ name, service }: BodyOf<'webhook.create'>, stack: Stack, id?: string) {
  const isTwin = (webhook: Webhook) => webhook.name === name && webhook.service === service && webhook.id !== id
  if (stack.webhooks.list().some(isTwin)) throw refused('A webhook with this service and name already exists')
}

export const handlers = {
  'webhook.list': request => {
    const { edition, stack } = request
    const { webhooks } = stack
    if (edition === '2.24') return { kind: 'list', json: write.all(webhooks, edition) }
    const { records, meta } = pageOf(webhooks.list(), request)
    return { kind: 'list', json: write.list(records, edition), meta }
  },
  'webhook.create': request => {
    const { body } = request
    refuseBadAddress(body, request)
    refuseTwin(body, request.stack)
    const createdAt = new Date(request.now).toISOString()
    const webhook: Webhook = { ...body, id: request.world.newObjectId(), createdAt, updatedAt: createdAt }
    request.stack.webhooks.create(webhook)
    return write.answer(webhook, request.edition)
  },
  'webhook.update': request => {
    const { body, stack, now } = request
    refuseBadAddress(body, request)
    const before = findRecord(request, stack.webhooks, 'Webhook')
    const { id } = before
    refuseTwin(body, stack, id)
    // What cannot be read cannot be sent back, so it is kept, but never handed to another receiver.
    const isSameReceiver = before.url === body.url && before.service === body.service
    const { headers, queryParams } = isSameReceiver ? before : {}
    const { createdAt } = before
    const webhook: Webhook = { headers, queryParams, ...body, id, createdAt, updatedAt: new Date(now).toISOString() }
    stack.webhooks.replace(webhook)
    return write.answer(webhook, request.edition)
  },
  'webhook.validate': request => {
    const { value, issues } = request.judge()
    const errors = issues.map(({ path, sentence }) => ({ path: path.join('.'), message: sentence }))
    try {
      if (errors.length === 0) refuseBadAddress(value as BodyOf<'webhook.create'>, request)
    } catch (reason) {
      if (!(reason instanceof Refusal)) throw reason
      errors.push({ path: 'url', message: reason.sentence })
    }
    const valid = errors.length === 0
    return answerObject({ valid, errors, normalized: valid ? value : null })
  },
  'webhook.delete': request => {
    const { alerts, webhooks } = request.stack
    const { id } = findRecord(request, webhooks, 'Webhook')
    const users = alerts.list().filter(({ channels }) => channels.some(one => one.webhookId?.toLowerCase() === id))
    if (users.length > 0) {
      throw conflict(
        `Cannot delete webhook: ${users.length} alert(s) still reference it. Reassign or remove those alerts first.`,
      )
    }
    webhooks.remove(id)
    return { kind: 'deleted' }
  },
} as const satisfies Handlers
