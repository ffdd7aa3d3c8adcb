import { z } from 'zod/v3'
import { alert } from '../../../fixtures/contract/alert.ts'
import type { Alert } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { planStack } from '../stack/stack-plan.ts'

export const alerts: Model<Alert, 'alert'> = {
  name: 'alert',
  within: 'stack',
  documents: true,
  // The record has all channels; the first of them is answered as the channel, too.
  record: recordSchema(
    { ...alert.fields, channels: { ...alert.fields.channels, min: 0 } },
    {
      channel: z.undefined(),
      // A state or a scenario may omit them, and may have no channel.
      name: z.string().nullish(),
      message: z.string().nullish(),
      evaluatedUntil: z.number().optional(),
      groups: z.record(z.enum(['ALERT', 'PENDING'])).optional(),
    },
    alert.oneOf,
  ),
  seed: (stackId, from) => planStack(stackId, from).alerts,
}
