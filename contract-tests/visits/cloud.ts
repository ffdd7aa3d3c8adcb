import type { OperationId } from '../../fixtures/contract/index.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import type { Draft, RunContext, Step } from '../engine/step.ts'
import { type Call, type Run, skip, visit } from './visit.ts'

/** The cloud management API (§4.1): members and backups. */

/** A UUID that belongs to nothing. */
export const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

/** Without a key for the second organization, nothing is known: the first key may have access to both. */
export function withSecondKey({ target }: RunContext, draft: Draft): Draft {
  const { keyId, secondKeyId, secondKeySecret } = target.cloud ?? {}
  return secondKeyId !== undefined && secondKeySecret !== undefined && secondKeyId !== keyId
    ? draft
    : skip('the target file does not name a second organization with a key of its own')
}

export const inSecondOrganization: Call = {
  as: 'secondKey',
  values: ({ target: { cloud: { secondOrganizationId: organizationId } = {} } }) =>
    organizationId ? { organizationId } : undefined,
  otherwise: 'the target file does not name a secondOrganizationId',
}

/** A request with a malformed id in its path. */
export const callMalformed = (run: Run, operation: OperationId, name: string, does: string, parameter: string) =>
  run.call(operation, {
    name,
    why: `${does} whose id is no UUID`,
    values: { [parameter]: 'not-a-uuid' },
    isAside: true,
  })

export const { steps: cloudSteps, lines } = visit('cloud', 'members and backups', run => {
  /** A request beside the operations, at a path derived from that of the members. */
  const beside = (name: string, why: string, change: (path: string) => string, more: Partial<Step> = {}) => {
    const draft = ({ target }: RunContext) => {
      const path = pathOf('member.list', 'cloud', pathValues(target))
      return path === undefined ? skip('no organization is known') : { path: change(path) }
    }
    return run.send(name, why, draft, { beyond: true, ...more })
  }

  const members = run.call('member.list', { name: 'members', why: 'lists the members of the organization' })
  run.call('member.list', {
    ...inSecondOrganization,
    name: 'members-of-second-organization',
    why: 'lists the members of the second organization: people keep their userId',
  })
  run.call('backup.get', { name: 'backup', why: 'gets the backup', values: {} })
  run.call('backup.get', {
    name: 'unknown-backup',
    why: 'gets a backup that does not exist',
    values: { backupId: UNKNOWN },
    isAside: true,
  })
  run.call('backup.get', {
    ...inSecondOrganization,
    name: 'foreign-service',
    why: 'gets the backup under the second organization, to which its service does not belong, with the key of that organization',
    isAside: true,
  })
  callMalformed(
    run,
    'member.list',
    'malformed-organization-id',
    'lists the members of an organization',
    'organizationId',
  )
  const ofBackup = 'malformed-organization-id-of-backup'
  callMalformed(run, 'backup.get', ofBackup, 'gets a backup of an organization', 'organizationId')
  callMalformed(run, 'backup.get', 'malformed-service-id', 'gets a backup of a service', 'serviceId')
  callMalformed(run, 'backup.get', 'malformed-backup-id', 'gets a backup', 'backupId')
  run.send('description', 'looks for the machine-readable description', () => ({ path: '/v1' }), { beyond: true })
  beside('other-operations', 'asks for an operation whose group is named but not shown', path =>
    path.replace(/members$/, 'notificationSettings'),
  )
  run.send('unknown-path', 'asks for a path that is no operation', () => ({ path: '/v1/no-such-path' }), {
    beyond: true,
  })
  beside('trailing-slash', 'lists members with a slash at the end of the path', path => `${path}/`)
  beside('letter-case', 'lists members with a capital letter in the path', path => path.replace(/members$/, 'Members'))
  beside('head', 'asks for the head of the list of members', path => path, { method: 'HEAD' })
  const again = run.call('member.list', {
    name: 'members-again',
    why: 'lists them again: the list holds all of them each time',
    from: [members],
  })
  run.call('member.list', { name: 'members-once-more', why: 'and once more, with nothing in between', from: [again] })
  return { members }
})
