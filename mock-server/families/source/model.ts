import { source } from '../../../fixtures/contract/source.ts'
import type { Source } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { planStack } from '../stack/stack-plan.ts'

export const sources: Model<Source, 'source'> = {
  name: 'source',
  within: 'stack',
  documents: true,
  record: recordSchema(source.fields, {}, source.oneOf),
  seed: (stackId, from) => planStack(stackId, from).sources,
}
