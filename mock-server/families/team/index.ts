import { equalsInConstantTime, refuseCaller, tokenOf } from '../../words/authorization.ts'
import { type Issue, invalid, Refusal, refused, unknownId } from '../../words/refusal.ts'
import { uiOrigin } from '../../words/ui-origin.ts'
import { selfHosted, type World } from '../../world/world.ts'
import {
  type Actor,
  answerList,
  answerObject,
  type Caller,
  type Family,
  type Handlers,
  type Request,
} from '../family.ts'
import { dealToken, teamInvitations, teamMembers, teams } from './model.ts'

export const models = [teams, teamMembers, teamInvitations] as const
export const authenticate = { selfHosted: authenticateUser }

/** Refuses with the list of findings of older releases or, by choice, with a sentence. */
function refuse(issues: readonly Issue[], request: Request): Refusal {
  const gap = 'teamInvitation/refused-body'
  if (request.choice(gap) === 'sentence') return invalid(issues)
  const json = [{ type: issues[0]!.part, errors: { issues: issues.map(describeFinding), name: 'ZodError' } }]
  return new Refusal('invalid', '', { issues, ownBody: { gap, json } })
}

/** A finding in the form of Zod, which deployments use. */
function describeFinding({ fault, path, sentence, received }: Issue) {
  const { kind = '', type, format } = fault ?? {}
  const finding = { message: sentence, path }
  if (kind === 'format' && format === 'email') return { validation: format, code: 'invalid_string', ...finding }
  if (kind !== 'type' && kind !== 'required') return { code: 'custom', ...finding }
  const is = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received
  return { code: 'invalid_type', expected: type, received: is, ...finding }
}

export const refusals = {
  'teamMember.delete': refuse,
  'teamInvitation.create': refuse,
  'teamInvitation.delete': refuse,
} as const satisfies Family['refusals']

const urlOf = (token: string) => `${uiOrigin}/join-team?token=${token}`
const sameEmail = (email: string) => (one: { readonly email: string }) => one.email.toLowerCase() === email

export const handlers = {
  'team.get': request => {
    const { id, name = '' } = request.in(teams).get('team')!
    return answerObject({ id, name })
  },
  'teamMember.list': request => {
    const { user } = request.in(teams).get('team')!
    const members = request.list(teamMembers)
    return answerList(members.map(({ id, email, name }) => ({ id, email, name, isCurrentUser: id === user?._id })))
  },
  'teamMember.delete': request => {
    const id = request.ids.id!
    if (id === request.in(teams).get('team')!.user?._id) throw refused('You cannot remove yourself from the team')
    if (!request.in(teamMembers).remove(id)) throw unknownId('Member')
    return answerObject({ success: true })
  },
  'teamInvitation.list': request => {
    const invitations = request.list(teamInvitations)
    return answerList(
      invitations.map(({ id, createdAt, email, name, token }) => ({ id, createdAt, email, name, url: urlOf(token) })),
    )
  },
  'teamInvitation.create': request => {
    const { email: sent, name } = request.body
    const email = sent.toLowerCase()
    if (request.list(teamMembers).some(sameEmail(email))) {
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
    if (!request.in(teamInvitations).remove(request.ids.id!)) throw unknownId('Invitation')
    return answerObject({ success: true })
  },
} as const satisfies Handlers

/** Accepts the personal access key of the self-hosted team. */
function authenticateUser({ world, headers: { authorization }, choice }: Caller): Actor {
  if (isAccessKey(world, authorization, choice('auth/token-letter-case') === 'accept')) return { kind: 'user' }
  const credential = 'a personal API access key'
  throw refuseCaller(
    authorization,
    `No credentials were sent: Expected the header Authorization with the scheme Bearer and ${credential}`,
    `Expected ${credential} with the scheme Bearer in the header Authorization`,
  )
}

/**
 * Whether an Authorization header holds the access key as a bearer token. With `inAnyCase`, the letter case of the token
 * does not count.
 */
export function isAccessKey(world: World, header = '', inAnyCase = false): boolean {
  const token = tokenOf(header)
  const fold = (text: string) => (inAnyCase ? text.toLowerCase() : text)
  const accessKey = world.in(teams, selfHosted).get('team')?.accessKey
  return token !== undefined && accessKey !== undefined && equalsInConstantTime(fold(token), fold(accessKey))
}
