import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { stackRole } from '../../../fixtures/contract/stack-role.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import { selfHosted } from '../../world/world.ts'

export type StackRole = ValuesOf<typeof stackRole.fields, 'answer'>

const integration = 'mongodb'
const predefined = [
  { name: 'Admin', permissions: [{ action: 'manage', subject: 'all', integration }] },
  {
    name: 'Member',
    permissions: (['Dashboard', 'Alert', 'SavedSearch'] as const).map(
      subject => ({ action: 'manage', subject, integration }) as const,
    ),
  },
  { name: 'ReadOnly', permissions: [{ action: 'read', subject: 'all', integration }] },
] as const satisfies readonly Pick<StackRole, 'name' | 'permissions'>[]

/** The roles of a team. Self-hosted teams have none: each of their members may do everything. */
export const stackRoles: Model<StackRole, 'stackRole'> = {
  name: 'stackRole',
  within: 'stack',
  record: recordWith(stackRole.fields),
  usual: () => ({ name: 'Viewer', permissions: [], isPredefined: false }),
  seed(stackId, { identity }) {
    if (stackId === selfHosted) return []
    const random = createRandom(seedOf(identity, 'roles', stackId))
    return predefined.map(role => ({ id: `65${random.hex(22)}`, ...role, isPredefined: true }))
  },
}
