import { z } from 'zod/v3'
import { type Issue, invalid, Refusal, refused, unknownId } from '../../words/refusal.ts'
import { uiOrigin } from '../../words/ui-origin.ts'
import type { Handlers, Request } from '../family.ts'
import { objectId } from '../observability/object-id.ts'
import { perTerms } from '../observability/terms.ts'
import { answerList, answerObject } from '../records.ts'
import { dealToken, teamInvitations, teamMembers } from './members.ts'
import { teams } from './model.ts'

const invited = perTerms(() => z.object({ email: z.string().email(), name: z.string().optional() }))
const params = perTerms(terms => z.object({ id: objectId(terms) }))

/** Judges one part of a request; these operations have a refusal of their own, which older releases gave everywhere. */
function judge<T>(request: Request, part: Issue['part'], schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  const found = issues.map(({ path, message }): Issue => ({ part, path, says: message }))
  const gap = 'teamInvitation/refused-body'
  if (request.choice(gap) === 'sentence') throw invalid(found)
  const json = [{ type: part, errors: { issues, name: 'ZodError' } }]
  throw new Refusal('invalid', '', { issues: found, own: { gap, json } })
}

const idOf = (request: Request) => judge(request, 'Params', params(request), request.ids).id.toLowerCase()

const urlOf = (token: string) => `${uiOrigin}/join-team?token=${token}`
const sameEmail = (email: string) => (one: { readonly email: string }) => one.email.toLowerCase() === email

export const handlers = {
  'team.get': request => {
    const { id, name = '' } = request.in(teams).get('team')!
    return answerObject({ id, name })
  },
  'teamMember.list': request => {
    const { user } = request.in(teams).get('team')!
    const members = request.in(teamMembers).list()
    return answerList(members.map(({ id, email, name }) => ({ id, email, name, isCurrentUser: id === user?._id })))
  },
  'teamMember.delete': request => {
    const id = idOf(request)
    if (id === request.in(teams).get('team')!.user?._id) throw refused('You cannot remove yourself from the team')
    if (!request.in(teamMembers).remove(id)) throw unknownId('Member')
    return answerObject({ success: true })
  },
  'teamInvitation.list': request => {
    const invitations = request.in(teamInvitations).list()
    return answerList(
      invitations.map(({ id, createdAt, email, name, token }) => ({ id, createdAt, email, name, url: urlOf(token) })),
    )
  },
  'teamInvitation.create': request => {
    const { email: sent, name } = judge(request, 'Body', invited(request), request.body)
    const email = sent.toLowerCase()
    if (request.in(teamMembers).list().some(sameEmail(email))) {
      throw refused('User already exists. Please contact HyperDX team for support')
    }
    const { world, now } = request
    const invitations = request.in(teamInvitations)
    let invitation = invitations.list().find(sameEmail(email))
    if (!invitation) {
      const id = world.newObjectId()
      invitation = { id, email, name, token: dealToken(id), createdAt: new Date(now).toISOString() }
      invitations.create(invitation)
    }
    return answerObject({ email, invitationId: invitation.id, status: 'pending', url: urlOf(invitation.token) })
  },
  'teamInvitation.delete': request => {
    if (!request.in(teamInvitations).remove(idOf(request))) throw unknownId('Invitation')
    return answerObject({ success: true })
  },
} as const satisfies Handlers
