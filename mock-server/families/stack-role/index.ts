import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { stackRole } from '../../../fixtures/contract/stack-role.ts'
import { invalidAt, refused } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { keep, pick, recordSchema } from '../../world/record.ts'
import { selfHosted } from '../../world/world.ts'
import type { BodyOf, Handlers, Request } from '../family.ts'
import { idAndTimes, serveDocuments } from '../stack/documents.ts'

type StackRole = ValuesOf<typeof stackRole.fields, 'answer'>

const integration = 'mongodb'
const predefinedRoles = [
  { name: 'Admin', permissions: [{ action: 'manage', subject: 'all', integration }] },
  {
    name: 'Member',
    permissions: (['Dashboard', 'Alert', 'SavedSearch'] as const).map(
      subject => ({ action: 'manage', subject, integration }) as const,
    ),
  },
  { name: 'ReadOnly', permissions: [{ action: 'read', subject: 'all', integration }] },
] as const satisfies readonly Pick<StackRole, 'name' | 'permissions'>[]

/** The roles of a team. Self-hosted teams have none. */
const stackRoles: Model<StackRole, 'stackRole'> = {
  name: 'stackRole',
  within: 'stack',
  inEmptyWorld: () => true,
  record: recordSchema(stackRole.fields),
  defaults: () => ({ name: 'Viewer', permissions: [], isPredefined: false }),
  seed(stackId, { identitySeed }) {
    if (stackId === selfHosted) return []
    const random = createRandom(seedOf(identitySeed, 'roles', stackId))
    return predefinedRoles.map(role => ({ id: `65${random.hex(22)}`, ...role, isPredefined: true }))
  },
}

export const models = [stackRoles]

const { find, get, list, create, replace, remove } = serveDocuments(stackRoles, 'Role', role =>
  pick(role, stackRole.fields),
)

function findOwn(request: Request): StackRole {
  const role = find(request)
  if (role.isPredefined) throw refused(`The predefined role ${role.name} cannot be changed or deleted`)
  return role
}

function refuseDuplicate(request: Request, name: string, id?: string) {
  const isDuplicate = (role: StackRole) => role.name.toLowerCase() === name.toLowerCase() && role.id !== id
  if (request.list(stackRoles).some(isDuplicate)) throw refused('A role with this name already exists')
}

/** The conditions that a permission on rows of ClickHouse requires. */
const rowConditions = ['connection', 'from', 'where', 'whereLanguage']

/** Judges the conditions of a body, and adds the default integration to its permissions. */
function readBody<Body extends BodyOf<'stackRole.create'> | BodyOf<'stackRole.update'>>(body: Body) {
  const permissions = body.permissions.map((one, index) => {
    const missing =
      one.integration === 'clickhouse' && one.conditions && rowConditions.find(name => !(name in one.conditions!))
    if (missing) throw invalidAt(['permissions', index, 'conditions', missing], 'Required')
    return { integration: 'mongodb' as const, ...one }
  })
  return { ...(keep(body, stackRole.fields) as Body), permissions }
}

export const handlers = {
  'stackRole.list': list,
  'stackRole.get': get,
  'stackRole.create': request => {
    const sent = readBody(request.body)
    refuseDuplicate(request, sent.name)
    return create(request, { ...sent, isPredefined: false, ...idAndTimes(request) })
  },
  'stackRole.update': request => {
    const before = findOwn(request)
    const sent = readBody(request.body)
    const { name = before.name } = sent
    refuseDuplicate(request, name, before.id)
    return replace(request, { ...before, ...sent, name, ...idAndTimes(request, before) })
  },
  'stackRole.delete': request => remove(request, findOwn(request)),
} as const satisfies Handlers
