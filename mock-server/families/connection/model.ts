import { z } from 'zod/v3'
import type { Connection } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'

export const connections: Model<Connection, 'connection'> = {
  name: 'connection',
  within: 'stack',
  documents: true,
  record: recordOf({
    name: z.string(),
    host: z.string(),
  }),
  secrets: ['password'],
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).connections,
}
