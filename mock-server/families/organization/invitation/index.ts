import type { Faults } from '../../../faults/fault.ts'
import { inRecords } from '../../../faults/rewrite.ts'
import { refused } from '../../../words/refusal.ts'
import { type Handlers, type Request, serve } from '../../family.ts'
import { acceptRoles, presentAssigned } from '../../role/assigned.ts'
import { members } from '../member/model.ts'
import { hasExpired, invitations, since } from './model.ts'

export const models = [invitations]

const { find, get, list, create, remove } = serve(invitations, ({ assignedRoleIds, ...invitation }, request) => ({
  ...invitation,
  ...presentAssigned(request, assignedRoleIds),
}))

/** Refuses members and invited people. Removes an expired invitation. */
function makeRoomFor(request: Request, email: string): void {
  const isMember = request.list(members).some(one => one.email.toLowerCase() === email)
  if (isMember) throw refused(`${email} is a member of the organization already`)
  const known = request.list(invitations).find(one => one.email === email)
  if (!known) return
  if (!hasExpired(known, request.now)) throw refused(`${email} is invited already`)
  request.in(invitations).remove(known.id)
}

export const handlers = {
  'invitation.list': list,
  'invitation.get': get,
  'invitation.create': request => {
    const sent = acceptRoles(request, request.body)
    const email = sent.email.toLowerCase()
    makeRoomFor(request, email)
    const id = request.world.newUuid()
    request.log({ type: 'organization_invite_create' })
    return create(request, { id, role: 'developer', ...sent, email, ...since(request.now) })
  },
  'invitation.delete': request => {
    const invitation = find(request)
    request.log({ type: 'organization_invite_delete' })
    return remove(request, invitation)
  },
} as const satisfies Handlers

const operations = ['invitation.list', 'invitation.create', 'invitation.get'] as const

export const faults = {
  'invitation/email-is-in-lower-case': inRecords(operations, one => ({
    ...one,
    email: String(one.email).toUpperCase(),
  })),
} as const satisfies Faults
