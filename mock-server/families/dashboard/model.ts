import { z } from 'zod/v3'
import type { Dashboard } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'

const tile = z.object({
  id: z.string(),
  name: z.string().optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  w: z.number().optional(),
  h: z.number().optional(),
  containerId: z.string().optional(),
  tabId: z.string().optional(),
  config: z.object({}).passthrough(),
})

export const dashboards: Model<Dashboard, 'dashboard'> = {
  name: 'dashboard',
  within: 'stack',
  documents: true,
  record: recordOf({
    name: z.string(),
    tiles: z.array(tile),
    tags: z.array(z.unknown()),
    filters: z.array(z.unknown()),
    savedQuery: z.string().nullish(),
    savedQueryLanguage: z.string().nullish(),
    savedFilterValues: z.array(z.unknown()).optional(),
    containers: z.array(z.unknown()).optional(),
  }),
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).dashboards,
}
