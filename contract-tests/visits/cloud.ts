import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import type { PathValues } from '../engine/paths.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { skip } from './life.ts'
import { at, stepMaker } from './make-step.ts'

/** The requests that judge the cloud management API: members and backups (§4.1). */

/** A UUID that belongs to nothing. */
export const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
export const MALFORMED = 'not-a-uuid'

/** What is asked with the key of the second organization. Without one of its own, the first key may have access to both. */
export function withSecondKey({ target }: Past, draft: Draft): Draft {
  const { keyId, secondKeyId, secondKeySecret } = target.cloud ?? {}
  return secondKeyId !== undefined && secondKeySecret !== undefined && secondKeyId !== keyId
    ? draft
    : skip('the target file does not name a second organization with a key of its own')
}

/** What is asked under the second organization. */
export function underSecond(past: Past, form: Form, operation: OperationId): Draft {
  const organizationId = past.target.cloud?.secondOrganizationId
  return organizationId
    ? at(past, form, operation, { organizationId })
    : skip('the target file does not name a secondOrganizationId')
}

const step = stepMaker('cloud')
const list = { operation: 'member.list' } as const

/** Asks for the members or the backup, where the target names them but for `values`. */
const members =
  (values?: PathValues): Step['draft'] =>
  past =>
    at(past, 'cloud', 'member.list', values)
const backup =
  (values?: PathValues): Step['draft'] =>
  past =>
    at(past, 'cloud', 'backup.get', values)

/** Asks for something beside the operations, at a path made of that of the members. */
const beside = (name: string, why: string, change: (path: string) => string, more: Partial<Step> = {}): Step => {
  const draft = (past: Past) => {
    const draft = at(past, 'cloud', 'member.list')
    return 'path' in draft ? { path: change(draft.path) } : draft
  }
  return step(name, 0, why, draft, { beyond: true, ...more })
}

export const cloudSteps: readonly Step[] = [
  step('members', 0, 'lists the members of the organization', members(), list),
  step('members-again', 1, 'lists them again: the list holds all of them each time', members(), list),
  step('members-once-more', 2, 'and once more, with nothing in between', members(), list),
  step(
    'members-of-second-organization',
    0,
    'lists the members of the second organization: people keep their userId',
    past => underSecond(past, 'cloud', 'member.list'),
    { ...list, as: 'secondKey' },
  ),
  step('backup', 0, 'gets the backup', backup(), { operation: 'backup.get' }),
  step('unknown-backup', 0, 'gets a backup that does not exist', backup({ backupId: UNKNOWN })),
  step('unknown-service', 0, 'gets a backup of a service that does not exist', backup({ serviceId: UNKNOWN })),
  step(
    'unknown-organization',
    0,
    'lists the members of an organization that does not exist',
    members({ organizationId: UNKNOWN }),
  ),
  step(
    'unknown-organization-of-backup',
    0,
    'gets the backup under an organization that does not exist',
    backup({ organizationId: UNKNOWN }),
  ),
  step(
    'foreign-organization-of-backup',
    0,
    'gets the backup with the key of the second organization',
    past => withSecondKey(past, at(past, 'cloud', 'backup.get')),
    { as: 'secondKey' },
  ),
  step(
    'foreign-service',
    0,
    'gets the backup under the second organization, to which its service does not belong, with the key of that organization',
    past => underSecond(past, 'cloud', 'backup.get'),
    { as: 'secondKey' },
  ),
  step('other-organization', 0, 'lists the members of the second organization with the key of the first', past =>
    withSecondKey(past, underSecond(past, 'cloud', 'member.list')),
  ),
  step(
    'malformed-organization-id',
    0,
    'lists the members of an organization whose id is no UUID',
    members({ organizationId: MALFORMED }),
  ),
  step(
    'malformed-organization-id-of-backup',
    0,
    'gets a backup of an organization whose id is no UUID',
    backup({ organizationId: MALFORMED }),
  ),
  step('malformed-service-id', 0, 'gets a backup of a service whose id is no UUID', backup({ serviceId: MALFORMED })),
  step('malformed-backup-id', 0, 'gets a backup whose id is no UUID', backup({ backupId: MALFORMED })),
  step('description', 0, 'looks for the machine-readable description', () => ({ path: '/v1' }), { beyond: true }),
  beside('other-operations', 'asks for an operation whose group is named but not shown', path =>
    path.replace(/members$/, 'notificationSettings'),
  ),
  step('unknown-path', 0, 'asks for a path that is no operation', () => ({ path: '/v1/no-such-path' }), {
    beyond: true,
  }),
  beside('trailing-slash', 'lists members with a slash at the end of the path', path => `${path}/`),
  beside('letter-case', 'lists members with a capital letter in the path', path => path.replace(/members$/, 'Members')),
  beside('head', 'asks for the head of the list of members', path => path, { method: 'HEAD' }),
]
