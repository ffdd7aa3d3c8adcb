import { type Place, type Reason, Refused } from './place.ts'
import { type Count, ids, seededKey, seededRole } from './world.ts'

/** Keys and roles, in an organization that has moved to custom roles: what the specification does not speak of, done in another way. */

type Fields = Readonly<Record<string, unknown>>

interface Kept {
  readonly id: string
  readonly fields: Fields
  readonly deleted: boolean
  /** Of a role that was created: how many lists still come without it. */
  readonly lists: number
  /** Of a key: what it calls with. */
  readonly secret?: { readonly keyId: string; readonly keySecret: string }
}

export type Drawer = Readonly<Record<'key' | 'role', readonly Kept[]>>

const seeded = (fields: Fields): Kept => ({ id: String(fields.id), fields, deleted: false, lists: 0 })

/** What is there at the start. */
export const stockDrawer = (): Drawer => ({ key: [seeded(seededKey)], role: [seeded(seededRole)] })

/** A deployment's drawer, which the deployment puts back when a mutant undoes what was done. */
export interface Office {
  drawer: Drawer
  readonly count: Count
}

const put = (office: Office, kind: keyof Drawer, one: Kept): Kept => {
  office.drawer = { ...office.drawer, [kind]: [...office.drawer[kind].filter(({ id }) => id !== one.id), one] }
  return one
}

/** The types of what is sent of a key or a role. */
const types = { name: 'string', state: 'string', expireAt: 'string' }

/** What their lists hold. */
const items: Readonly<Record<string, (item: Fields) => boolean>> = {
  actors: () => true,
  policies: ({ allowDeny, permissions }) =>
    /^(?:ALLOW|DENY)$/.test(JSON.stringify(allowDeny)?.slice(1, -1)) && Array.isArray(permissions),
  ipAccessList: ({ source }) => typeof source === 'string',
}

const organization = `organization/${ids.organization}`

function fieldsOf(kind: keyof Drawer, id: string, body: Fields, moment: string, roles: readonly Kept[]): Fields {
  if ('roles' in body) throw new Refused('invalid-body', 'this organization has roles of its own: send their ids')
  for (const [name, type] of Object.entries(types))
    if (name in body && body[name] !== null && typeof body[name] !== type)
      throw new Refused('invalid-body', `${name} is no ${type}`)
  for (const [name, isNamed] of Object.entries(items))
    if (name in body && !(Array.isArray(body[name]) && body[name].every(isNamed)))
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

function create(office: Office, kind: keyof Drawer, body: Fields): unknown {
  const { count, drawer } = office
  const [id, moment] = [count.nextRequestId().toLowerCase(), count.nextMoment()]
  const needed = kind === 'role' ? ['name', 'actors', 'policies'] : ['name']
  const missing = needed.find(name => !(name in body))
  if (missing) throw new Refused('invalid-body', `${missing} is missing`)
  const fields = fieldsOf(kind, id, body, moment, drawer.role)
  if (kind === 'role') {
    const role = { id, tenantId: organization, ownerId: organization, type: 'custom', createdAt: moment, ...fields }
    return put(office, kind, { id, fields: role, deleted: false, lists: 1 }).fields
  }
  const secret = { keyId: count.nextId('ck'), keySecret: count.nextId('s3:cr') }
  const own = { id, state: 'enabled', roles: [], assignedRoles: [], ipAccessList: [], createdAt: moment }
  const key = { ...own, ...fields, keySuffix: secret.keyId.slice(-4) }
  return { key: put(office, kind, { id, fields: key, deleted: false, lists: 0, secret }).fields, ...secret }
}

/** Does one of the five operations on a key or a role. A role comes to the list one call later. */
export function administer(office: Office, kind: keyof Drawer, verb: string, id: string, body: unknown): unknown {
  if (verb === 'create') return create(office, kind, body as Fields)
  const all = office.drawer[kind].filter(one => !one.deleted)
  if (verb === 'list') {
    for (const one of all) if (one.lists > 0) put(office, kind, { ...one, lists: one.lists - 1 })
    return all.filter(({ lists }) => lists === 0).map(({ fields }) => fields)
  }
  const one = all.find(kept => kept.id === id.toLowerCase())
  const unknown = { get: 'unknown-document', update: 'update-unknown', delete: 'delete-unknown' } as const
  if (!one) throw new Refused(unknown[verb as keyof typeof unknown], `there is no such ${kind}`)
  if (verb === 'get') return one.fields
  if (verb === 'delete') return void put(office, kind, { ...one, deleted: true })
  const changed = fieldsOf(kind, one.id, body as Fields, office.count.nextMoment(), office.drawer.role)
  return put(office, kind, { ...one, fields: { ...one.fields, ...changed } }).fields
}

/** Whether a created key may do what is asked for; undefined for a call with another key. */
export function examineKey(
  { drawer }: Office,
  header: string | undefined,
  { operation }: Place,
): 'good' | Reason | undefined {
  const [, token = ''] = /^basic (.*)$/i.exec(header ?? '') ?? []
  const held = Buffer.from(token, 'base64').toString()
  const key = drawer.key.find(({ secret }) => secret && held === `${secret.keyId}:${secret.keySecret}`)
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
  const roles = drawer.role.filter(({ id }) => assignedRoles.some(({ roleId }) => roleId === id))
  const may = JSON.stringify(roles.map(({ fields }) => fields.policies)).includes(
    'control-plane:organization:view-api-keys',
  )
  return may && operation === 'key.list' ? 'good' : 'forbidden'
}
