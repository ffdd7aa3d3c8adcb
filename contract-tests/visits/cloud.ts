import { lacksPath, type PathValues, pathOf, pathValues } from '../engine/paths.ts'
import type { Draft, Past, Step } from '../engine/step.ts'

/** The requests that judge the cloud management API: members and backups (§4.1). */

const lacks = (what: string): Draft => ({ skip: `the target file does not name ${what}` })
const unknown = () => crypto.randomUUID()

/** Without a second key, the first key may have access to the second organization. */
export function hasOwnSecondKey({ target }: Past): boolean {
  const { keyId, secondKeyId, secondKeySecret } = target.cloud ?? {}
  return secondKeyId !== undefined && secondKeySecret !== undefined && secondKeyId !== keyId
}
export const ownSecondKey = 'a second organization with a key of its own'

const members =
  (change: (values: PathValues, past: Past) => PathValues = values => values, suffix = '') =>
  (past: Past): Draft => {
    const path = pathOf('member.list', 'cloud', change(pathValues(past.target), past))
    return path ? { path: path + suffix } : lacksPath('member.list', 'cloud', past.target)
  }

const backup =
  (change: (values: PathValues) => PathValues = values => values) =>
  (past: Past): Draft => {
    const path = pathOf('backup.get', 'cloud', change(pathValues(past.target)))
    return path ? { path } : lacksPath('backup.get', 'cloud', past.target)
  }

const read = (name: string, why: string, draft: Step['draft'], more: Partial<Step> = {}): Step => ({
  name: `cloud:${name}`,
  form: 'cloud',
  phase: 0,
  method: 'GET',
  as: 'key',
  why,
  draft,
  ...more,
})

export const cloudSteps: readonly Step[] = [
  read('members', 'lists the members of the organization', members(), { operation: 'member.list' }),
  read('members-again', 'lists them again: the list holds all of them each time', members(), {
    operation: 'member.list',
    phase: 1,
  }),
  read('members-once-more', 'and once more, with nothing in between', members(), {
    operation: 'member.list',
    phase: 2,
  }),
  read(
    'members-of-second-organization',
    'lists the members of the second organization: people keep their userId',
    past => {
      const { secondOrganizationId } = past.target.cloud ?? {}
      return secondOrganizationId
        ? members(values => ({ ...values, organizationId: secondOrganizationId }))(past)
        : lacks('a secondOrganizationId')
    },
    { operation: 'member.list', as: 'secondKey' },
  ),
  read('backup', 'gets the backup', backup(), { operation: 'backup.get' }),
  read(
    'unknown-backup',
    'gets a backup that does not exist',
    backup(values => ({ ...values, backupId: unknown() })),
  ),
  read(
    'unknown-service',
    'gets a backup of a service that does not exist',
    backup(values => ({ ...values, serviceId: unknown() })),
  ),
  read(
    'unknown-organization',
    'lists the members of an organization that does not exist',
    members(values => ({ ...values, organizationId: unknown() })),
  ),
  read(
    'unknown-organization-of-backup',
    'gets the backup under an organization that does not exist',
    backup(values => ({ ...values, organizationId: unknown() })),
  ),
  read(
    'foreign-organization-of-backup',
    'gets the backup with the key of the second organization',
    past => (hasOwnSecondKey(past) ? backup()(past) : lacks(ownSecondKey)),
    { as: 'secondKey' },
  ),
  read(
    'foreign-service',
    'gets the backup under the second organization, to which its service does not belong, with the key of that organization',
    past => {
      const { secondOrganizationId } = past.target.cloud ?? {}
      return secondOrganizationId
        ? backup(values => ({ ...values, organizationId: secondOrganizationId }))(past)
        : lacks('a secondOrganizationId')
    },
    { as: 'secondKey' },
  ),
  read('other-organization', 'lists the members of the second organization with the key of the first', past => {
    const { secondOrganizationId } = past.target.cloud ?? {}
    return secondOrganizationId && hasOwnSecondKey(past)
      ? members(values => ({ ...values, organizationId: secondOrganizationId }))(past)
      : lacks(ownSecondKey)
  }),
  read(
    'malformed-organization-id',
    'lists the members of an organization whose id is no UUID',
    members(values => ({ ...values, organizationId: 'not-a-uuid' })),
  ),
  read(
    'malformed-organization-id-of-backup',
    'gets a backup of an organization whose id is no UUID',
    backup(values => ({ ...values, organizationId: 'not-a-uuid' })),
  ),
  read(
    'malformed-service-id',
    'gets a backup of a service whose id is no UUID',
    backup(values => ({ ...values, serviceId: 'not-a-uuid' })),
  ),
  read(
    'malformed-backup-id',
    'gets a backup whose id is no UUID',
    backup(values => ({ ...values, backupId: 'not-a-uuid' })),
  ),
  read('description', 'looks for the machine-readable description', () => ({ path: '/v1' }), { beyond: true }),
  read(
    'other-operations',
    'asks for an operation whose group is named but not shown',
    past => {
      const draft = members()(past)
      return 'skip' in draft ? draft : { path: draft.path.replace(/members$/, 'activeBalances') }
    },
    {
      beyond: true,
    },
  ),
  read('unknown-path', 'asks for a path that is no operation', () => ({ path: '/v1/no-such-path' }), { beyond: true }),
  read('trailing-slash', 'lists members with a slash at the end of the path', members(undefined, '/'), {
    beyond: true,
  }),
  read(
    'letter-case',
    'lists members with a capital letter in the path',
    past => {
      const draft = members()(past)
      return 'skip' in draft ? draft : { path: draft.path.replace(/members$/, 'Members') }
    },
    { beyond: true },
  ),
  read('head', 'asks for the head of the list of members', members(), { method: 'HEAD', beyond: true }),
]
