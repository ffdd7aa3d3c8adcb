import { z } from 'zod/v3'
import type { Webhook } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf, time } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'

export const webhooks: Model<Webhook, 'webhook'> = {
  name: 'webhook',
  within: 'stack',
  documents: true,
  record: recordOf({
    name: z.string(),
    service: z.enum(['slack', 'generic', 'incidentio']),
    url: z.string().refine(isAddress, 'Expected an address that begins with http:// or https://').optional(),
    description: z.string().optional(),
    body: z.string().optional(),
    headers: z.record(z.string()).optional(),
    queryParams: z.record(z.string()).optional(),
    createdAt: time,
    updatedAt: time,
  }),
  secrets: ['headers', 'queryParams'],
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).webhooks,
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
