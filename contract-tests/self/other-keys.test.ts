import { describe, expect, it } from 'vitest'
import type { Client, Incoming, Outgoing } from '../engine/clients/client.ts'
import { verify } from '../run/verify.ts'

/**
 * Keys and roles as another deployment has them, which has moved to custom roles and chooses otherwise wherever it may; and
 * what is wrong with it, one thing at a time.
 */

type Wrong =
  | 'disabled keys are good'
  | 'deleted keys are good'
  | 'an empty list admits everybody'
  | 'every key may do everything'
  | 'roles give nothing'
  | 'a get of a key shows its secret'
  | 'a change resets what it leaves out'
  | 'permissions that were asked for are lost'
  | 'roles stay when they are deleted'

const organization = 'B0F6926E-49A0-4497-853B-9C401037B1A4'
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

interface Thing {
  readonly id: string
  readonly name: string
  readonly [field: string]: unknown
}
interface Key extends Thing {
  readonly secret: string
  readonly state?: string
  readonly assignedRoleIds?: readonly string[]
  readonly ipAccessList?: readonly object[]
  readonly expireAt?: string
}
interface Policy {
  readonly permissions: readonly string[]
}

function deploy(wrong?: Wrong): Client {
  let made = 0
  const keys = new Map<string, Key>()
  const gone = new Map<string, Key>()
  const roles = new Map<string, Thing>()
  const answer = (status: number, json?: object): Incoming => ({
    status,
    headers: { 'content-type': 'application/json' },
    text: json === undefined ? '' : JSON.stringify(json),
  })
  const succeed = (result: unknown, status = 200) =>
    answer(status, { requestId: uuid(++made), status, result, took: '1 ms' })
  const refuse = (status: number) => answer(status, { status, error: `REFUSED: ${status}`, requestId: uuid(++made) })

  const permissionsOf = (key: Key) =>
    (wrong === 'roles give nothing' ? [] : (key.assignedRoleIds ?? [])).flatMap(id =>
      ((roles.get(id)?.policies ?? []) as Policy[]).flatMap(({ permissions }) => permissions),
    )
  const showKey = ({ secret, assignedRoleIds = [], ...key }: Key) => ({
    state: 'enabled',
    ...key,
    roles: [],
    keySuffix: 'last',
    createdAt: '2026-01-01T00:00:00+01:00',
    expireAt: null,
    assignedRoles: assignedRoleIds.map(roleId => ({ roleId, roleName: 'x', roleType: 'custom' })),
    ...(wrong === 'a get of a key shows its secret' && { keySecret: secret }),
  })
  const showRole = ({ policies, ...role }: Thing) => ({
    ...role,
    tenantId: organization,
    ownerId: organization,
    type: 'custom',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    policies: (policies as Policy[]).map((policy, index) => ({
      id: `${role.id}-${index}`,
      roleId: role.id,
      tenantId: organization,
      ...policy,
      permissions:
        wrong === 'permissions that were asked for are lost'
          ? []
          : ['control-plane:organization:ping', ...policy.permissions],
    })),
  })

  /** Who calls: a key, the owner of everything, or nobody. */
  function recognise({ headers }: Outgoing): Key | 'owner' | undefined {
    const [id = '', secret] = atob(headers.authorization?.replace(/^Basic /, '') ?? '').split(':')
    if (id === 'owner' && secret === 'owner-secret') return 'owner'
    const key = keys.get(id) ?? (wrong === 'deleted keys are good' ? gone.get(id) : undefined)
    return key?.secret === secret ? key : undefined
  }

  function send(request: Outgoing): Incoming {
    const caller = recognise(request)
    if (!caller) return refuse(403)
    if (caller !== 'owner') {
      if (caller.state === 'disabled' && wrong !== 'disabled keys are good') return refuse(404)
      if (Date.parse(caller.expireAt ?? '') < Date.now()) return refuse(401)
      if (!caller.ipAccessList?.length && wrong !== 'an empty list admits everybody') return refuse(401)
    }
    const { method, path, body } = request
    if (path === '/v1/organizations') return succeed([{ id: organization, name: 'x' }])
    const [, kind = '', id] = /organizations\/[^/]+\/(\w+)(?:\/(.+))?$/.exec(path) ?? []
    if (kind === 'members') return succeed([])
    const needed = `control-plane:organization:${method === 'GET' ? 'view' : 'create'}-api-keys`
    const may = caller === 'owner' || wrong === 'every key may do everything'
    if (!may && !permissionsOf(caller).includes(needed)) return refuse(404)
    const all: Map<string, Thing> = kind === 'keys' ? keys : roles
    const show = (thing: Thing) => (kind === 'keys' ? showKey(thing as Key) : showRole(thing))
    const sent = body === undefined ? {} : JSON.parse(body)
    if (kind !== 'keys' && kind !== 'roles') return refuse(404)
    if ('roles' in sent) return refuse(400)
    if (id === undefined && method === 'GET') return succeed([...all.values()].toReversed().map(show))
    if (id === undefined) {
      const thing: Thing = { ...sent, id: uuid(++made), secret: `secret-${made}-of-a-key` }
      all.set(thing.id, thing)
      return succeed(
        kind === 'keys' ? { keySecret: thing.secret, keyId: thing.id, key: show(thing) } : show(thing),
        201,
      )
    }
    const found = all.get(id)
    if (!found) return refuse(410)
    if (method === 'GET') return succeed(show(found))
    if (method === 'DELETE') {
      if (kind === 'keys') gone.set(id, found as Key)
      if (kind === 'keys' || wrong !== 'roles stay when they are deleted') all.delete(id)
      return answer(204)
    }
    const reset = wrong === 'a change resets what it leaves out' && { state: 'disabled', actors: ['user/x'] }
    const changed = { ...found, ...reset, ...sent }
    all.set(id, changed)
    return succeed(show(changed))
  }
  return { send: async request => send(request) }
}

async function judge(wrong?: Wrong) {
  const cloud = {
    baseUrl: 'http://other.test',
    keyId: 'owner',
    keySecret: 'owner-secret',
    organizationId: organization,
  }
  const report = await verify({
    target: { cloud, notOffered: ['managed'], writes: true },
    client: deploy(wrong),
    rules: ['key/', 'role/'],
    readOnly: false,
    rate: 1e6,
    allowEffects: ['grants', 'disrupts'],
  })
  expect(report.left ?? []).toEqual(wrong === 'roles stay when they are deleted' ? expect.anything() : [])
  const wanted = (outcome: string) => report.rules.filter(rule => rule.outcome === outcome).map(({ id }) => id)
  return { broken: wanted('broken'), held: wanted('held'), report }
}

describe('keys and roles of another deployment', () => {
  it('keep every rule, and its choices are seen', async () => {
    const { broken, held, report } = await judge()
    expect(report.rules.filter(({ outcome }) => outcome === 'errored')).toEqual([])
    expect(broken).toEqual([])
    const observed = (id: string) => report.rules.find(rule => rule.id === id)?.observed
    expect(observed('role/legacy-roles')).toBe('refused')
    expect(observed('key/address-not-allowed')).toBe('401 json')
    expect(held).toHaveLength(report.rules.length - 2)
  })

  it.each<[Wrong, string]>([
    ['disabled keys are good', 'key/disabled-key-is-refused'],
    ['deleted keys are good', 'key/deleted-key-is-refused'],
    ['an empty list admits everybody', 'key/empty-access-list-admits-nobody'],
    ['every key may do everything', 'role/permissions-decide'],
    ['roles give nothing', 'role/permissions-decide'],
    ['a get of a key shows its secret', 'key/secret-is-shown-once'],
    ['a change resets what it leaves out', 'role/unsent-stays'],
    ['permissions that were asked for are lost', 'role/created-is-got'],
    ['roles stay when they are deleted', 'role/deleted-is-gone'],
  ])('are found out when %s', async (wrong, rule) => {
    expect((await judge(wrong)).broken).toContain(rule)
  })
})
