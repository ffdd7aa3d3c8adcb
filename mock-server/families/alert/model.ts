import { z } from 'zod/v3'
import type { Alert } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf, time } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'
import { oneOf } from '../observability/vocabulary.ts'
import { intervalMinutes, thresholdTypes } from './alert-body.ts'

export const alerts: Model<Alert, 'alert'> = {
  name: 'alert',
  within: 'stack',
  documents: true,
  record: recordOf({
    name: z.string().nullish(),
    message: z.string().nullish(),
    note: z.string().nullish(),
    source: z.enum(['tile', 'saved_search']),
    state: z.enum(['OK', 'ALERT', 'PENDING', 'INSUFFICIENT_DATA', 'DISABLED']),
    threshold: z.number(),
    thresholdMax: z.number().optional(),
    thresholdType: oneOf(thresholdTypes),
    interval: oneOf(Object.keys(intervalMinutes)),
    numConsecutiveWindows: z.number().int().min(1).nullish(),
    scheduleOffsetMinutes: z.number().int().min(0).max(1439).optional(),
    scheduleStartAt: time.nullish(),
    silenced: z.object({ by: z.string().optional(), at: time.optional(), until: time }).optional(),
    channels: z.array(z.object({ webhookId: z.string() }).passthrough()),
    dashboardId: z.string().optional(),
    tileId: z.string().optional(),
    savedSearchId: z.string().optional(),
    groupBy: z.string().optional(),
    executionErrors: z.array(z.unknown()).optional(),
    teamId: z.string(),
    createdAt: time,
    updatedAt: time,
    evaluatedUntil: z.number().optional(),
    groups: z.record(z.enum(['ALERT', 'PENDING'])).optional(),
  }),
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).alerts,
}
