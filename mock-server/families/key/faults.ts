import type { Faults } from '../../faults/fault.ts'
import { letIn } from '../../faults/let-in.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { wrongField } from '../../faults/rewrite.ts'

export const faults = {
  'key/unsent-stays': wrongFieldAfterUpdate('key', 'roles', ['query_endpoints']),
  'key/secret-is-shown-once': wrongField('key.list', 'keySecret', 'shown again'),
  'key/disabled-key-is-refused': letIn('Key is not active', { created: ({ expireAt }) => expireAt === undefined }),
  'key/expired-key-is-refused': letIn('Key is not active', { created: ({ expireAt }) => expireAt !== undefined }),
  'key/without-a-role-may-do-nothing': letIn('The key lacks the permission', {
    created: ({ assignedRoleIds }) => Array.isArray(assignedRoleIds) && assignedRoleIds.length === 0,
  }),
  'key/deleted-key-is-refused': letIn('Key is not found', { once: true }),
  'key/empty-access-list-admits-nobody': letIn('IP access list of the key'),
} as const satisfies Faults
