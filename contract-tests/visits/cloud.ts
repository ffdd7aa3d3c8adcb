import type { OperationId } from '../../fixtures/contract/index.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import type { RequestOrSkip, RunContext, Step } from '../engine/step.ts'
import { type CallOptions, type Run, skip, visit } from './visit.ts'

/** The cloud management API (§4.1): members and backups. */

/** A UUID that belongs to nothing. */
export const UNKNOWN_UUID = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

/** Skips the request if the second organization has no key of its own: the first key may have access to both. */
export function withSecondKey({ target }: RunContext, request: RequestOrSkip): RequestOrSkip {
  const { keyId, secondKeyId, secondKeySecret } = target.cloud ?? {}
  return secondKeyId !== undefined && secondKeySecret !== undefined && secondKeyId !== keyId
    ? request
    : skip('the target file does not name a second organization with a key of its own')
}

export const inSecondOrganization: CallOptions = {
  as: 'secondKey',
  values: ({ target: { cloud: { secondOrganizationId: organizationId } = {} } }) =>
    organizationId ? { organizationId } : undefined,
  skipReason: 'the target file does not name a secondOrganizationId',
}

export const callMalformed = (run: Run, operation: OperationId, name: string, action: string, parameter: string) =>
  run.call(operation, {
    name,
    why: `${action} whose id is no UUID`,
    values: { [parameter]: 'not-a-uuid' },
    notJudgedByOperation: true,
  })

export const { steps: cloudSteps } = visit('cloud', 'members and backups', run => {
  /** Adds a request that belongs to no operation. Its path is that of the list of members after `change`. */
  const sendToSibling = (name: string, why: string, change: (path: string) => string, more: Partial<Step> = {}) => {
    const makeRequest = ({ target }: RunContext) => {
      const path = pathOf('member.list', 'cloud', pathValues(target))
      return path === undefined ? skip('no organization is known') : { path: change(path) }
    }
    return run.send(name, why, makeRequest, more)
  }

  const members = run.call('member.list', { name: 'members', why: 'lists the members of the organization' })
  run.call('member.list', {
    ...inSecondOrganization,
    name: 'members-of-second-organization',
    why: 'lists the members of the second organization, in which people have the same userId',
  })
  run.call('backup.get', { name: 'backup', why: 'gets the backup', values: {} })
  run.call('backup.get', {
    name: 'unknown-backup',
    why: 'gets a backup that does not exist',
    values: { backupId: UNKNOWN_UUID },
    notJudgedByOperation: true,
  })
  run.call('backup.get', {
    ...inSecondOrganization,
    name: 'foreign-service',
    why: 'gets the backup under the second organization, to which its service does not belong, with the key of that organization',
    notJudgedByOperation: true,
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
  run.send('description', 'looks for the machine-readable description', () => ({ path: '/v1' }))
  sendToSibling(
    'other-operations',
    'requests an operation of a group that the specification names, but does not show',
    path => path.replace(/members$/, 'notificationSettings'),
  )
  run.send('unknown-path', 'requests a path that does not exist', () => ({ path: '/v1/no-such-path' }))
  sendToSibling('trailing-slash', 'lists members with a slash at the end of the path', path => `${path}/`)
  sendToSibling('letter-case', 'lists members with a capital letter in the path', path =>
    path.replace(/members$/, 'Members'),
  )
  sendToSibling('head', 'sends HEAD to the list of members', path => path, { method: 'HEAD' })
  const again = run.call('member.list', {
    name: 'members-again',
    why: 'lists the members again: each list has all of them',
    from: [members],
  })
  run.call('member.list', {
    name: 'members-once-more',
    why: 'lists the members once more, with no request in between',
    from: [again],
  })
})
