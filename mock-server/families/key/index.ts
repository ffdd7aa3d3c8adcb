import type { OperationId, ValuesOf } from '../../../fixtures/contract/index.ts'
import { type keyBody, type keyChange, key as keyResource } from '../../../fixtures/contract/key.ts'
import { invalid, Refusal, refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { pick } from '../../world/record.ts'
import type { Activity } from '../activity/model.ts'
import type { Handler, Request } from '../family.ts'
import { drawCredentials, type Key, keys, suffixOf } from './model.ts'

export { faults } from './faults.ts'
export const models = [keys]

const mostKeys = 100

const present = (key: Key) => pick(key, keyResource.fields)

const keysOf = ({ in: records, ids }: Request) =>
  records(keys)
    .list()
    .filter(({ organizationId }) => organizationId === ids.organizationId)

function find(request: Request): Key {
  const key = request.in(keys).get(request.ids.keyId!)
  if (key?.organizationId === request.ids.organizationId) return key!
  throw new Refusal('unknownId', request.ids.keyId!)
}

const log = (request: Request, { id }: Key, keyUpdateType: Activity['keyUpdateType']) =>
  request.log({ type: 'openapi_key_update', targetKeyId: id, keyUpdateType })

/** The organization has the two roles of old, so that there is none that an id could name. */
function refuseRoles(ids: readonly string[] = []): void {
  const [received] = ids
  if (received === undefined) return
  throw invalid([{ part: 'Body', path: ['assignedRoleIds', 0], says: 'There is no such role', received }])
}

/** What each changed field is called in the log. */
const changes = [
  ['name', 'name-changed'],
  ['roles', 'role-changed'],
  ['state', 'state-changed'],
  ['expireAt', 'date-changed'],
  ['ipAccessList', 'ip-access-list-changed'],
] as const

export const handlers = {
  'key.list': request => ({ kind: 'list', json: JSON.stringify(keysOf(request).map(present)) }),
  'key.get': request => ({ kind: 'object', json: JSON.stringify(present(find(request))) }),
  'key.create': request => {
    const { hashData, assignedRoleIds, expireAt, ...sent } = request.body as ValuesOf<typeof keyBody.fields>
    refuseRoles(assignedRoleIds)
    if (keysOf(request).length >= mostKeys) throw refused(`An organization has at most ${mostKeys} keys`)
    const id = request.world.newUuid()
    const { seed } = request.world
    const { keyId, keySecret } = drawCredentials(createRandom(seedOf(seed, 'credentials', id)))
    const own = hashData
      ? { keyIdHash: hashData.keyIdHash, keySecretHash: hashData.keySecretHash }
      : { keyId, keySecret }
    const key: Key = {
      id,
      state: 'enabled',
      roles: [],
      assignedRoles: [],
      // From no address at all the key is of no use.
      ipAccessList: [],
      ...sent,
      keySuffix: hashData?.keyIdSuffix ?? suffixOf(keyId),
      createdAt: new Date(request.now).toISOString(),
      ...(expireAt != null && { expireAt }),
      organizationId: request.ids.organizationId!,
      ...own,
    }
    request.in(keys).create(key)
    log(request, key, 'created')
    const shown = hashData ? {} : { keyId, keySecret }
    return { kind: 'object', json: JSON.stringify({ key: present(key), ...shown }) }
  },
  'key.update': request => {
    const before = find(request)
    const { assignedRoleIds, ...sent } = request.body as ValuesOf<typeof keyChange.fields>
    refuseRoles(assignedRoleIds)
    const { expireAt, ...rest } = { ...before, ...sent }
    const changed: Key = { ...rest, ...(expireAt != null && { expireAt }) }
    request.in(keys).replace(changed)
    for (const [field, kind] of changes) {
      if (JSON.stringify(changed[field]) !== JSON.stringify(before[field])) log(request, changed, kind)
    }
    return { kind: 'object', json: JSON.stringify(present(changed)) }
  },
  'key.delete': request => {
    const key = find(request)
    if (request.actor.kind === 'key' && request.actor.id === key.id)
      throw refused('A key cannot delete itself: delete it with another one')
    request.in(keys).remove(key.id)
    log(request, key, 'deleted')
    return { kind: 'deleted' }
  },
} as const satisfies Partial<Record<OperationId, Handler>>
