import { connection } from '../../../fixtures/contract/connection.ts'
import type { ObjectOf } from '../../../fixtures/contract/index.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { planStack } from '../stack/stack-plan.ts'

export type Connection = ObjectOf<typeof connection, 'record'>

export const connections: Model<Connection, 'connection'> = {
  name: 'connection',
  within: 'stack',
  documents: true,
  record: recordSchema(connection.fields),
  secrets: ['password'],
  seed: (stackId, from) => planStack(stackId, from).connections,
}
