import { z } from 'zod/v3'
import type { ObjectOf } from '../../../fixtures/contract/index.ts'
import { webhook } from '../../../fixtures/contract/webhook.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { planStack } from '../stack/stack-plan.ts'

/** Headers and query parameters may hold secrets: they are sent with every delivery and never answered. */
export type Webhook = ObjectOf<typeof webhook, 'record'>

export const webhooks: Model<Webhook, 'webhook'> = {
  name: 'webhook',
  within: 'stack',
  documents: true,
  record: recordSchema(webhook.fields, {
    url: z.string().refine(isAddress, 'Expected an address that begins with http:// or https://').optional(),
  }),
  secrets: ['headers', 'queryParams'],
  seed: (stackId, from) => planStack(stackId, from).webhooks,
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
