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

export const callMalformed = (run: Run, operation: OperationId, parameter: string, suffix = '') =>
  run.call(operation, {
    name: `malformed-${parameter.replace('Id', '')}-id${suffix}`,
    why: `calls ${operation} with a malformed ${parameter}`,
    values: { [parameter]: 'not-a-uuid' },
    notJudgedByOperation: true,
  })

/** Adds requests whose paths differ from that of a list. Returns a function that adds more of them. */
export function sendToSiblings(run: Run, list: OperationId) {
  const send = (name: string, why: string, change: (path: string) => string, more: Partial<Step> = {}) => {
    const makeRequest = ({ target }: RunContext) => {
      const path = pathOf(list, run.form, pathValues(target))
      return path === undefined ? skip('no organization is known') : { path: change(path) }
    }
    return run.send(name, why, makeRequest, more)
  }
  send('unknown-path', 'requests a path that does not exist', path => path.replace(/\w+$/, 'no-such-resource'))
  send('trailing-slash', `calls ${list} with a slash at the end of the path`, path => `${path}/`)
  send('letter-case', `calls ${list} with a capital letter in the path`, path =>
    path.replace(/\w(?=\w+$)/, letter => letter.toUpperCase()),
  )
  send('head', `sends HEAD to the path of ${list}`, path => path, { method: 'HEAD' })
  return send
}

export const { steps: cloudSteps } = visit('cloud', 'members and backups', run => {
  const members = run.call('member.list', { why: 'lists the members of the organization' })
  run.call('member.list', {
    ...inSecondOrganization,
    name: 'member.list-of-second-organization',
    why: 'lists the members of the second organization, in which people have the same userId',
  })
  run.call('backup.get', { why: 'gets the backup', values: {} })
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
  callMalformed(run, 'member.list', 'organizationId')
  callMalformed(run, 'backup.get', 'organizationId', '-of-backup')
  callMalformed(run, 'backup.get', 'serviceId')
  callMalformed(run, 'backup.get', 'backupId')
  run.send('description', 'looks for the machine-readable description', () => ({ path: '/v1' }))
  sendToSiblings(run, 'member.list')(
    'other-operations',
    'requests an operation of a group that the specification names, but does not show',
    path => path.replace(/members$/, 'notificationSettings'),
  )
  const again = run.call('member.list', {
    name: 'member.list-again',
    why: 'lists the members again: each list has all of them',
    from: [members],
  })
  run.call('member.list', {
    name: 'member.list-once-more',
    why: 'lists the members once more, with no request in between',
    from: [again],
  })
})
