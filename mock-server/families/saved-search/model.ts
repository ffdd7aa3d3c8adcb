import { z } from 'zod/v3'
import type { SavedSearch } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf, time } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'

export const savedSearches: Model<SavedSearch, 'savedSearch'> = {
  name: 'savedSearch',
  within: 'stack',
  documents: true,
  record: recordOf({
    name: z.string(),
    select: z.string(),
    where: z.string(),
    whereLanguage: z.enum(['lucene', 'sql']),
    orderBy: z.string(),
    sourceId: z.string(),
    tags: z.array(z.string()),
    filters: z.array(z.object({ type: z.enum(['sql', 'lucene', 'sql_ast']) }).passthrough()),
    teamId: z.string(),
    createdAt: time,
    updatedAt: time,
  }),
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).savedSearches,
}
