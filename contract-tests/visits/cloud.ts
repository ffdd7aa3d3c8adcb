import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { at, type PathValues } from '../engine/paths.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { skip, visit } from './visit.ts'

/** The cloud management API (§4.1): members and backups. */

/** A UUID that belongs to nothing. */
export const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
export const MALFORMED = 'not-a-uuid'

/** Without a key for the second organization, nothing is known: the first key may have access to both. */
export function withSecondKey({ target }: Past, draft: Draft): Draft {
  const { keyId, secondKeyId, secondKeySecret } = target.cloud ?? {}
  return secondKeyId !== undefined && secondKeySecret !== undefined && secondKeyId !== keyId
    ? draft
    : skip('the target file does not name a second organization with a key of its own')
}

export function underSecond(past: Past, form: Form, operation: OperationId): Draft {
  const organizationId = past.target.cloud?.secondOrganizationId
  return organizationId
    ? at(past, form, operation, { organizationId })
    : skip('the target file does not name a secondOrganizationId')
}

export const { steps: cloudSteps, lines } = visit('cloud', 'members and backups', run => {
  const members = (name: string, why: string, values?: PathValues, more: Partial<Step> = {}) =>
    run.send(name, why, past => at(past, 'cloud', 'member.list', values), more)
  const backup = (name: string, why: string, values?: PathValues, more: Partial<Step> = {}) =>
    run.send(name, why, past => at(past, 'cloud', 'backup.get', values), more)
  /** A request beside the operations, at a path derived from that of the members. */
  const beside = (name: string, why: string, change: (path: string) => string, more: Partial<Step> = {}) => {
    const draft = (past: Past) => {
      const draft = at(past, 'cloud', 'member.list')
      return 'path' in draft ? { path: change(draft.path) } : draft
    }
    return run.send(name, why, draft, { beyond: true, ...more })
  }
  const list = { operation: 'member.list' } as const
  const bySecond = { as: 'secondKey' } as const

  const listed = members('members', 'lists the members of the organization', {}, list)
  run.send(
    'members-of-second-organization',
    'lists the members of the second organization: people keep their userId',
    past => underSecond(past, 'cloud', 'member.list'),
    { ...list, ...bySecond },
  )
  backup('backup', 'gets the backup', {}, { operation: 'backup.get' })
  backup('unknown-backup', 'gets a backup that does not exist', { backupId: UNKNOWN })
  run.send(
    'foreign-service',
    'gets the backup under the second organization, to which its service does not belong, with the key of that organization',
    past => underSecond(past, 'cloud', 'backup.get'),
    bySecond,
  )
  members('malformed-organization-id', 'lists the members of an organization whose id is no UUID', {
    organizationId: MALFORMED,
  })
  backup('malformed-organization-id-of-backup', 'gets a backup of an organization whose id is no UUID', {
    organizationId: MALFORMED,
  })
  backup('malformed-service-id', 'gets a backup of a service whose id is no UUID', { serviceId: MALFORMED })
  backup('malformed-backup-id', 'gets a backup whose id is no UUID', { backupId: MALFORMED })
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
  const again = members(
    'members-again',
    'lists them again: the list holds all of them each time',
    {},
    { ...list, from: [listed] },
  )
  members('members-once-more', 'and once more, with nothing in between', {}, { ...list, from: [again] })
  return { members: listed }
})
