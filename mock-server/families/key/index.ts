import { key as keyResource } from '../../../fixtures/contract/key.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { retryWithOwnKey } from '../../faults/retry-with-own-key.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { pick } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import {
  answerList,
  answerObject,
  type BodyOf,
  type Family,
  type Handlers,
  type Request,
  recordAt,
  serve,
} from '../family.ts'
import type { Activity } from '../organization/activity/index.ts'
import { organizations } from '../organization/model.ts'
import { acceptRoleIds, presentRoles, refuseLegacyRole } from '../role/model.ts'
import { allows, refuseUnlessRanges } from './addresses.ts'
import { isAllowed, keyCredentials } from './authenticate.ts'
import { deriveKey, drawCredentials, type Key, keys, suffixOf } from './model.ts'

export const models = [keys]
export const credentials = { cloud: keyCredentials }

export const completeCaptured: Family['completeCaptured'] = ({ world }, answers) => {
  if (answers[keys.name]) for (const { id } of world.list(organizations)) assignCredentials(world, id)
}

/** Gives the credentials of the target file to the first key that may do everything, or adds such a key. */
function assignCredentials(world: World, organizationId: string): void {
  const { id, keyId, keySecret } = deriveKey(world.seed, organizationId)
  const all = world.in(keys)
  const isOf = (key: Key) => key.organizationId === organizationId
  const mayDoEverything = (key: Key) =>
    key.state === 'enabled' &&
    (key.expireAt == null || Date.parse(key.expireAt) > world.start) &&
    allows(key.ipAccessList ?? [], '127.0.0.1') &&
    isAllowed(world, key, 'org:manage')
  const existing = all.list().find(key => isOf(key) && mayDoEverything(key))
  if (existing) {
    all.replace({ ...existing, keyId, keySecret })
    return
  }
  all.create({
    id,
    name: 'stack-parity',
    state: 'enabled',
    roles: ['admin'],
    keySuffix: suffixOf(keyId),
    createdAt: new Date(world.start).toISOString(),
    ipAccessList: [{ source: '0.0.0.0/0', description: 'Anywhere' }],
    organizationId,
    keyId,
    keySecret,
  })
}

const maxKeys = 100

const { present, answer, replace, remove } = serve(keys, (key, { world }) => {
  const assignedRoles = presentRoles(world, key.organizationId, key.assignedRoleIds)
  return pick({ ...key, assignedRoles }, keyResource.fields)
})

const keysOf = ({ list, ids }: Request) =>
  list(keys).filter(({ organizationId }) => organizationId === ids.organizationId)

function find(request: Request): Key {
  const key = recordAt(request, keys)
  if (key.organizationId !== request.ids.organizationId) throw new Refusal('unknownId', key.id)
  return key
}

const log = (request: Request, { id }: Key, keyUpdateType: Activity['keyUpdateType']) =>
  request.log({ type: 'openapi_key_update', targetKeyId: id, keyUpdateType })

type Change = BodyOf<'key.update'>

function acceptFields<Sent extends Change>(request: Request, sent: Sent) {
  const { assignedRoleIds, ipAccessList = [] } = sent
  refuseLegacyRole(request, 'roles', sent.roles)
  refuseUnlessRanges(['ipAccessList'], ipAccessList)
  return {
    ...sent,
    // Clients expect a description.
    ...(sent.ipAccessList && {
      ipAccessList: ipAccessList.map(({ source, description = '' }) => ({ source, description })),
    }),
    ...(assignedRoleIds && { assignedRoleIds: acceptRoleIds(request, assignedRoleIds) }),
  }
}

/** The names of changed fields in activities. */
const changes = [
  ['name', 'name-changed'],
  ['roles', 'role-changed'],
  ['assignedRoleIds', 'roles-v2-changed'],
  ['state', 'state-changed'],
  ['expireAt', 'date-changed'],
  ['ipAccessList', 'ip-access-list-changed'],
] as const

export const handlers = {
  'key.list': request => answerList(keysOf(request).map(key => present(key, request))),
  'key.get': request => answer(request, find(request)),
  'key.create': request => {
    const { hashData, expireAt, ...sent } = acceptFields(request, request.body)
    if (keysOf(request).length >= maxKeys) throw refused(`An organization has at most ${maxKeys} keys`)
    const id = request.world.newUuid()
    const drawn = drawCredentials(createRandom(seedOf(request.world.seed, 'credentials', id)))
    const { keyIdSuffix = suffixOf(drawn.keyId), ...credentials } = hashData ?? { ...drawn, keyIdSuffix: undefined }
    const key: Key = {
      id,
      state: 'enabled',
      roles: [],
      // Default: no address, so that the key cannot be used.
      ipAccessList: [],
      ...sent,
      keySuffix: keyIdSuffix,
      createdAt: new Date(request.now).toISOString(),
      ...(expireAt != null && { expireAt }),
      organizationId: request.ids.organizationId!,
      ...credentials,
    }
    request.in(keys).create(key)
    log(request, key, 'created')
    return answerObject({ key: present(key, request), ...(!hashData && drawn) })
  },
  'key.update': request => {
    const before = find(request)
    const { expireAt, ...rest } = { ...before, ...acceptFields(request, request.body) }
    const changed: Key = { ...rest, ...(expireAt != null && { expireAt }) }
    for (const [field, kind] of changes) {
      if (JSON.stringify(changed[field]) !== JSON.stringify(before[field])) log(request, changed, kind)
    }
    return replace(request, changed)
  },
  'key.delete': request => {
    const key = find(request)
    if (request.actor.kind === 'key' && request.actor.id === key.id)
      throw refused('A key cannot delete itself: delete it with another one')
    log(request, key, 'deleted')
    return remove(request, key)
  },
} as const satisfies Handlers

export const faults = {
  'key/unsent-stays': wrongFieldAfterUpdate('key', 'roles', ['query_endpoints']),
  'key/secret-is-shown-once': wrongField('key.list', 'keySecret', 'shown again'),
  'key/disabled-key-is-refused': retryWithOwnKey('Key is not active', {
    createdWith: ({ expireAt }) => expireAt === undefined,
  }),
  'key/expired-key-is-refused': retryWithOwnKey('Key is not active', {
    createdWith: ({ expireAt }) => expireAt !== undefined,
  }),
  'key/without-a-role-may-do-nothing': retryWithOwnKey('The key lacks the permission', {
    createdWith: ({ assignedRoleIds }) => Array.isArray(assignedRoleIds) && assignedRoleIds.length === 0,
  }),
  'key/deleted-key-is-refused': retryWithOwnKey('Key is not found', { onlyAfterSuccess: true }),
  'key/empty-access-list-admits-nobody': retryWithOwnKey('IP access list of the key'),
} as const satisfies Faults
