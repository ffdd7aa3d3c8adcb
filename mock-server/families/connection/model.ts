import { z } from 'zod/v3'
import type { Connection } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf, time } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'

export const connections: Model<Connection, 'connection'> = {
  name: 'connection',
  within: 'stack',
  documents: true,
  record: recordOf({
    name: z.string(),
    host: z.string(),
    username: z.string().optional(),
    password: z.string().optional(),
    hyperdxSettingPrefix: z.string().optional(),
    prometheusEndpoint: z.string().optional(),
    createdAt: time.optional(),
    updatedAt: time.optional(),
  }),
  secrets: ['password'],
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).connections,
}
