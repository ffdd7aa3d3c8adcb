import { type Place, type Reason, Refused } from './place.ts'
import { type Count, ids, seededKey, seededRole } from './world.ts'

/** Keys and roles of an organization with custom roles. Where the specification is silent, they differ from those of the mock. */

type Fields = Readonly<Record<string, unknown>>

interface StoredRecord {
  readonly id: string
  readonly fields: Fields
  readonly deleted: boolean
  /** How many further lists do not show a created role. */
  readonly listsWithout: number
  /** The credentials of a created key. */
  readonly secret?: { readonly keyId: string; readonly keySecret: string }
}

type Kind = 'key' | 'role'
type RecordsByKind = Readonly<Record<Kind, readonly StoredRecord[]>>

const seeded = (fields: Fields): StoredRecord => ({ id: String(fields.id), fields, deleted: false, listsWithout: 0 })

/** The records at the start. */
export const seedRecords = (): RecordsByKind => ({ key: [seeded(seededKey)], role: [seeded(seededRole)] })

/** Each write replaces `records`. The deployment restores the former value when a mutant undoes an operation. */
export interface AdministrativeStore {
  records: RecordsByKind
  readonly count: Count
}

const put = (store: AdministrativeStore, kind: Kind, one: StoredRecord): StoredRecord => {
  store.records = { ...store.records, [kind]: [...store.records[kind].filter(({ id }) => id !== one.id), one] }
  return one
}

/** The types of fields of a key or a role. */
const types = { name: 'string', state: 'string', expireAt: 'string' }

/** By field with a list: true for a valid item. */
const items: Readonly<Record<string, (item: Fields) => boolean>> = {
  actors: () => true,
  policies: ({ allowDeny, permissions }) =>
    /^(?:ALLOW|DENY)$/.test(JSON.stringify(allowDeny)?.slice(1, -1)) && Array.isArray(permissions),
  ipAccessList: ({ source }) => typeof source === 'string',
}

const organization = `organization/${ids.organization}`

function fieldsOf(kind: Kind, id: string, body: Fields, moment: string, roles: readonly StoredRecord[]): Fields {
  if ('roles' in body) throw new Refused('invalid-body', 'this organization has roles of its own: send their ids')
  for (const [name, type] of Object.entries(types))
    if (name in body && body[name] !== null && typeof body[name] !== type)
      throw new Refused('invalid-body', `${name} is no ${type}`)
  for (const [name, isItem] of Object.entries(items))
    if (name in body && !(Array.isArray(body[name]) && body[name].every(isItem)))
      throw new Refused('invalid-body', `${name} is no list of such`)
  if (!['enabled', 'disabled'].includes(String(body.state ?? 'enabled')))
    throw new Refused('invalid-body', 'a key is enabled or disabled')
  if (kind === 'role') {
    const own = { roleId: id, tenantId: organization }
    const policies = (body.policies as readonly Fields[] | undefined)?.map((one, at) => ({
      ...own,
      id: `${id}#${at}`,
      ...one,
    }))
    return { ...body, ...(policies && { policies }), updatedAt: moment }
  }
  const { assignedRoleIds, ...rest } = body
  const assigned = (assignedRoleIds as readonly string[] | undefined)?.map(roleId => {
    const role = roles.find(one => one.id === roleId && !one.deleted)
    if (!role) throw new Refused('invalid-body', `there is no role ${roleId}`)
    return { roleId, roleName: role.fields.name, roleType: 'custom' }
  })
  return { ...rest, ...(assigned && { assignedRoles: assigned }) }
}

function create(store: AdministrativeStore, kind: Kind, body: Fields): unknown {
  const { count, records } = store
  const [id, moment] = [count.nextRequestId().toLowerCase(), count.nextMoment()]
  const needed = kind === 'role' ? ['name', 'actors', 'policies'] : ['name']
  const missing = needed.find(name => !(name in body))
  if (missing) throw new Refused('invalid-body', `${missing} is missing`)
  const fields = fieldsOf(kind, id, body, moment, records.role)
  if (kind === 'role') {
    const role = { id, tenantId: organization, ownerId: organization, type: 'custom', createdAt: moment, ...fields }
    return put(store, kind, { id, fields: role, deleted: false, listsWithout: 1 }).fields
  }
  const secret = { keyId: count.nextId('ck'), keySecret: count.nextId('s3:cr') }
  const own = { id, state: 'enabled', roles: [], assignedRoles: [], ipAccessList: [], createdAt: moment }
  const key = { ...own, ...fields, keySuffix: secret.keyId.slice(-4) }
  return { key: put(store, kind, { id, fields: key, deleted: false, listsWithout: 0, secret }).fields, ...secret }
}

/** Does one of the five operations on a key or a role. The first list after the creation of a role does not show the role. */
export function administer(store: AdministrativeStore, kind: Kind, verb: string, id: string, body: unknown): unknown {
  if (verb === 'create') return create(store, kind, body as Fields)
  const all = store.records[kind].filter(one => !one.deleted)
  if (verb === 'list') {
    for (const one of all) if (one.listsWithout > 0) put(store, kind, { ...one, listsWithout: one.listsWithout - 1 })
    return all.filter(({ listsWithout }) => listsWithout === 0).map(({ fields }) => fields)
  }
  const one = all.find(kept => kept.id === id.toLowerCase())
  const unknown = { get: 'unknown-document', update: 'update-unknown', delete: 'delete-unknown' } as const
  if (!one) throw new Refused(unknown[verb as keyof typeof unknown], `there is no such ${kind}`)
  if (verb === 'get') return one.fields
  if (verb === 'delete') return void put(store, kind, { ...one, deleted: true })
  const changed = fieldsOf(kind, one.id, body as Fields, store.count.nextMoment(), store.records.role)
  return put(store, kind, { ...one, fields: { ...one.fields, ...changed } }).fields
}

/** `good` if a created key may call the operation, else the reason for the refusal; undefined for a call with another key. */
export function examineKey(
  { records }: AdministrativeStore,
  header: string | undefined,
  { operation }: Place,
): 'good' | Reason | undefined {
  const [, token = ''] = /^basic (.*)$/i.exec(header ?? '') ?? []
  const held = Buffer.from(token, 'base64').toString()
  const key = records.key.find(({ secret }) => secret && held === `${secret.keyId}:${secret.keySecret}`)
  if (!key) return undefined
  const { state, ipAccessList, assignedRoles, expireAt } = key.fields as {
    state: string
    expireAt?: string
    ipAccessList: unknown[]
    assignedRoles: Fields[]
  }
  if (key.deleted) return 'key-deleted'
  if (state !== 'enabled') return 'key-disabled'
  if (expireAt && Date.parse(expireAt) < Date.now()) return 'key-expired'
  if (ipAccessList.length === 0) return 'key-from-nowhere'
  if (operation === 'organization.list') return 'good'
  const roles = records.role.filter(({ id }) => assignedRoles.some(({ roleId }) => roleId === id))
  const may = JSON.stringify(roles.map(({ fields }) => fields.policies)).includes(
    'control-plane:organization:view-api-keys',
  )
  return may && operation === 'key.list' ? 'good' : 'forbidden'
}
