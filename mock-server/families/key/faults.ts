import type { Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { retryWithOwnKey } from '../../faults/retry-with-own-key.ts'
import { wrongField } from '../../faults/rewrite.ts'

export const faults = {
  'key/unsent-stays': wrongFieldAfterUpdate('key', 'roles', ['query_endpoints']),
  'key/secret-is-shown-once': wrongField('key.list', 'keySecret', 'shown again'),
  'key/disabled-key-is-refused': retryWithOwnKey('Key is not active', {
    createdWith: ({ expireAt }) => expireAt === undefined,
  }),
  'key/expired-key-is-refused': retryWithOwnKey('Key is not active', {
    createdWith: ({ expireAt }) => expireAt !== undefined,
  }),
  'key/without-a-role-may-do-nothing': retryWithOwnKey('The key lacks the permission', {
    createdWith: ({ assignedRoleIds }) => Array.isArray(assignedRoleIds) && assignedRoleIds.length === 0,
  }),
  'key/deleted-key-is-refused': retryWithOwnKey('Key is not found', { onlyAfterSuccess: true }),
  'key/empty-access-list-admits-nobody': retryWithOwnKey('IP access list of the key'),
} as const satisfies Faults
