import type { OperationId } from '../../../fixtures/contract/index.ts'
import type { Handler } from '../family.ts'
import { organizations } from './model.ts'

export { faults } from './faults.ts'
export const models = [organizations]

export const handlers = {
  'organization.list': ({ in: records, actor }) => {
    const own = records(organizations)
      .list()
      .filter(({ id }) => actor.kind === 'key' && id === actor.organizationId)
    return { kind: 'list', json: JSON.stringify(own) }
  },
  'organization.get': ({ in: records, ids }) => ({
    kind: 'object',
    json: JSON.stringify(records(organizations).get(ids.organizationId!)),
  }),
} as const satisfies Partial<Record<OperationId, Handler>>
