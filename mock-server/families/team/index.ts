import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { teamInvitation, teamMember } from '../../../fixtures/contract/team.ts'
import { equalsInConstantTime, refuseCaller, tokenOf } from '../../words/authorization.ts'
import { isRecord } from '../../words/check-options.ts'
import { day } from '../../words/durations.ts'
import { type Issue, invalid, Refusal, refused, unknownId } from '../../words/refusal.ts'
import { uiOrigin } from '../../words/ui-origin.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf, recordSchema } from '../../world/record.ts'
import { selfHosted, type World } from '../../world/world.ts'
import {
  type Actor,
  answerList,
  answerObject,
  type Caller,
  type Family,
  type Handlers,
  patch,
  type Request,
} from '../family.ts'
import { createPeople } from '../organization/member/people.ts'
import { planStack } from '../stack/stack-plan.ts'

interface User {
  readonly _id: string
  readonly email: string
  readonly name: string
}

/** The team of a stack. Only the self-hosted team has keys, and only its access key opens the API (§5). */
interface Team {
  readonly id: string
  readonly name?: string
  readonly accessKey?: string
  readonly ingestionKey?: string
  /** The owner of the access key, as `GET /api/v2` answers it. */
  readonly user?: User
}

export const teams: Model<Team, 'team'> = {
  name: 'team',
  within: 'stack',
  isSingleton: true,
  record: recordOf({
    name: z.string().optional(),
    accessKey: z.string().optional(),
    ingestionKey: z.string().optional(),
    user: z.object({ _id: z.string(), email: z.string(), name: z.string() }).passthrough().optional(),
  }),
  secrets: ['accessKey', 'ingestionKey'],
  seed(stackId, from) {
    const { teamId: id } = planStack(stackId, from)
    if (stackId !== selfHosted) return [{ id }]
    const { seed, identitySeed, start } = from
    const keys = createRandom(seedOf(identitySeed, 'access keys'))
    const accessKey = keys.uuid()
    const ingestionKey = keys.uuid()
    const { name, email } = createPeople(seed, identitySeed)(0)
    const _id = `65${createRandom(seedOf(identitySeed, 'self-hosted')).hex(22)}`
    const createdAt = new Date(start - 200 * day).toISOString()
    const user = { _id, email, name, team: id, accessKey, createdAt, updatedAt: createdAt, __v: 0 }
    return [{ id, name: `${email}'s Team`, accessKey, ingestionKey, user }]
  },
}

const { isCurrentUser: _, ...memberFields } = teamMember.fields
const { url: _url, ...invitationFields } = teamInvitation.fields

const colleagueCount = 3

const teamMembers: Model<ValuesOf<typeof memberFields>, 'teamMember'> = {
  name: 'teamMember',
  within: 'stack',
  // The owner of the access key.
  inEmptyWorld: (_, index) => index === 0,
  fromCaptured({ fields: { isCurrentUser, id, email, name }, within }, world) {
    if (isCurrentUser === true) changeUser(world, within, { _id: id, email, name })
    return {}
  },
  record: recordSchema(memberFields),
  seed(stackId, { seed, identitySeed, world }) {
    const user = world.in(teams, stackId).get('team')?.user
    if (stackId !== selfHosted || !user) return []
    const people = createPeople(seed, identitySeed)
    const random = createRandom(seedOf(identitySeed, 'team members'))
    const colleagues = Array.from({ length: colleagueCount }, (_, i) => {
      const { name, email } = people(i + 1)
      return { id: `65${random.hex(22)}`, email, name }
    })
    return [{ id: user._id, email: user.email, name: user.name }, ...colleagues]
  },
}

function changeUser(world: World, stackId: string, fields: object): void {
  const user = { ...world.in(teams, stackId).get('team')?.user, ...fields } as User
  patch(world, teams, stackId, 'team', { user })
}

/** The token is part of the address that accepts the invitation. */
type TeamInvitation = ValuesOf<typeof invitationFields> & { readonly token: string }

const teamInvitations: Model<TeamInvitation, 'teamInvitation'> = {
  name: 'teamInvitation',
  within: 'stack',
  record: recordSchema(invitationFields, { token: z.string() }),
  defaults(_, at, world) {
    const id = world.newObjectId()
    return { id, email: 'somebody@example.com', token: deriveToken(id), createdAt: new Date(at).toISOString() }
  },
}

const deriveToken = (id: string) => createRandom(seedOf(0, 'invitation', id)).hex(64)

export const models = [teams, teamMembers, teamInvitations] as const
export const splits: Family['splits'] = {
  apiRoot: {
    model: teams,
    split({ fields, within }, world) {
      const user = { ...world.in(teams, within).get('team')?.user, ...(isRecord(fields.user) && fields.user) }
      return [{ fields: { user }, within }]
    },
  },
}

export const selfHostedTeam = (world: World): Partial<Team> => world.in(teams, selfHosted).get('team') ?? {}

export const credentials = {
  selfHosted: {
    authenticate: authenticateUser,
    recognise: isAccessKey,
    names(world: World) {
      const { accessKey, ingestionKey } = selfHostedTeam(world)
      return [accessKey, ingestionKey].filter(one => one !== undefined)
    },
    hasName(world: World, name: string) {
      const { accessKey, ingestionKey } = selfHostedTeam(world)
      return name === accessKey || name === ingestionKey
    },
    choose(world: World) {
      const { accessKey } = selfHostedTeam(world)
      return accessKey && `Bearer ${accessKey}`
    },
  },
} satisfies Family['credentials']

/** Makes a refusal with the list of findings of older releases or, by choice, with a sentence. */
function makeRefusal(issues: readonly Issue[], request: Request): Refusal {
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
  const receivedType = received === null ? 'null' : Array.isArray(received) ? 'array' : typeof received
  return { code: 'invalid_type', expected: type, received: receivedType, ...finding }
}

export const refusals = {
  'teamMember.delete': makeRefusal,
  'teamInvitation.create': makeRefusal,
  'teamInvitation.delete': makeRefusal,
} as const satisfies Family['refusals']

const urlOf = (token: string) => `${uiOrigin}/join-team?token=${token}`
const hasEmail = (email: string) => (one: { readonly email: string }) => one.email.toLowerCase() === email

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
    if (request.list(teamMembers).some(hasEmail(email))) {
      throw refused('User already exists. Please contact HyperDX team for support')
    }
    const { world, now } = request
    const invitations = request.in(teamInvitations)
    let invitation = invitations.list().find(hasEmail(email))
    if (!invitation) {
      const id = world.newObjectId()
      invitation = { id, email, name, token: deriveToken(id), createdAt: new Date(now).toISOString() }
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
  const { accessKey } = selfHostedTeam(world)
  return token !== undefined && accessKey !== undefined && equalsInConstantTime(fold(token), fold(accessKey))
}
