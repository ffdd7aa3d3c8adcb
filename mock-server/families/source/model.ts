import { z } from 'zod/v3'
import type { Source } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'
import { sourceProperties } from './source-body.ts'

export const sources: Model<Source, 'source'> = {
  name: 'source',
  within: 'stack',
  documents: true,
  record: recordOf({
    ...Object.fromEntries(Array.from(sourceProperties, name => [name, z.unknown()])),
    id: z.string().min(1),
    name: z.string(),
    kind: z.enum(['log', 'trace', 'session', 'metric', 'promql']),
    connection: z.string(),
    from: z.object({}).passthrough(),
  }),
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).sources,
}
