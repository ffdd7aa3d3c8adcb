import { describe, expect, it } from 'vitest'
import type { Client, Incoming, Outgoing } from '../engine/clients/client.ts'
import { verify } from '../run/verify.ts'

/**
 * Keys and roles of a deployment that has only custom roles and makes other choices than the mock, and variants of it that each
 * have one defect.
 */

type Defect =
  | 'disabled keys are accepted'
  | 'deleted keys are accepted'
  | 'an empty access list admits everybody'
  | 'every key may do everything'
  | 'roles give nothing'
  | 'a get of a key shows its secret'
  | 'an update resets the fields that it leaves out'
  | 'requested permissions are lost'
  | 'deleted roles stay'

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

function deploy(defect?: Defect): Client {
  let made = 0
  const keys = new Map<string, Key>()
  const deletedKeys = new Map<string, Key>()
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
    (defect === 'roles give nothing' ? [] : (key.assignedRoleIds ?? [])).flatMap(id =>
      ((roles.get(id)?.policies ?? []) as Policy[]).flatMap(({ permissions }) => permissions),
    )
  const showKey = ({ secret, assignedRoleIds = [], ...key }: Key) => ({
    state: 'enabled',
    expireAt: null,
    ...key,
    roles: [],
    keySuffix: 'last',
    createdAt: '2026-01-01T00:00:00+01:00',
    assignedRoles: assignedRoleIds.map(roleId => ({ roleId, roleName: 'x', roleType: 'custom' })),
    ...(defect === 'a get of a key shows its secret' && { keySecret: secret }),
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
        defect === 'requested permissions are lost' ? [] : ['control-plane:organization:ping', ...policy.permissions],
    })),
  })

  /** The key of a request, `owner` for the key that may do everything, or undefined. */
  function recognise({ headers }: Outgoing): Key | 'owner' | undefined {
    const [id = '', secret] = atob(headers.authorization?.replace(/^Basic /, '') ?? '').split(':')
    if (id === 'owner' && secret === 'owner-secret') return 'owner'
    const key = keys.get(id) ?? (defect === 'deleted keys are accepted' ? deletedKeys.get(id) : undefined)
    return key?.secret === secret ? key : undefined
  }

  function send(request: Outgoing): Incoming {
    const caller = recognise(request)
    if (!caller) return refuse(403)
    if (caller !== 'owner') {
      if (caller.state === 'disabled' && defect !== 'disabled keys are accepted') return refuse(404)
      if (Date.parse(caller.expireAt ?? '') < Date.now()) return refuse(401)
      if (!caller.ipAccessList?.length && defect !== 'an empty access list admits everybody') return refuse(401)
    }
    const { method, path, body } = request
    if (path === '/v1/organizations') return succeed([{ id: organization, name: 'x' }])
    const [, kind = '', id] = /organizations\/[^/]+\/(\w+)(?:\/(.+))?$/.exec(path) ?? []
    if (kind === 'members') return succeed([])
    const needed = `control-plane:organization:${method === 'GET' ? 'view' : 'create'}-api-keys`
    const isAllowed = caller === 'owner' || defect === 'every key may do everything'
    if (!isAllowed && !permissionsOf(caller).includes(needed)) return refuse(404)
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
      if (kind === 'keys') deletedKeys.set(id, found as Key)
      if (kind === 'keys' || defect !== 'deleted roles stay') all.delete(id)
      return answer(204)
    }
    const reset = defect === 'an update resets the fields that it leaves out' && {
      state: 'disabled',
      actors: ['user/x'],
    }
    const changed = { ...found, ...reset, ...sent }
    all.set(id, changed)
    return succeed(show(changed))
  }
  return { send: async request => send(request) }
}

async function judge(defect?: Defect) {
  const cloud = {
    baseUrl: 'http://other.test',
    keyId: 'owner',
    keySecret: 'owner-secret',
    organizationId: organization,
  }
  const report = await verify({
    target: { cloud, notOffered: ['managed'], writes: true },
    client: deploy(defect),
    rules: ['key/', 'role/'],
    readOnly: false,
    rate: 1e6,
    allowEffects: ['grants', 'disrupts'],
  })
  expect(report.left ?? []).toEqual(defect === 'deleted roles stay' ? expect.anything() : [])
  const idsOf = (outcome: string) => report.rules.filter(rule => rule.outcome === outcome).map(({ id }) => id)
  return { broken: idsOf('broken'), held: idsOf('held'), report }
}

describe('keys and roles of another deployment', () => {
  it('keep every rule, and the report has the choices of the deployment', async () => {
    const { broken, held, report } = await judge()
    expect(report.rules.filter(({ outcome }) => outcome === 'errored')).toEqual([])
    expect(broken).toEqual([])
    const observed = (id: string) => report.rules.find(rule => rule.id === id)?.observed
    expect(observed('role/legacy-roles')).toBe('refused')
    expect(observed('key/address-not-allowed')).toBe('401 json')
    expect(held).toHaveLength(report.rules.length - 2)
  })

  it.each<[Defect, string]>([
    ['disabled keys are accepted', 'key/disabled-key-is-refused'],
    ['deleted keys are accepted', 'key/deleted-key-is-refused'],
    ['an empty access list admits everybody', 'key/empty-access-list-admits-nobody'],
    ['every key may do everything', 'role/permissions-decide'],
    ['roles give nothing', 'role/permissions-decide'],
    ['a get of a key shows its secret', 'key/secret-is-shown-once'],
    ['an update resets the fields that it leaves out', 'role/unsent-stays'],
    ['requested permissions are lost', 'role/created-is-got'],
    ['deleted roles stay', 'role/deleted-is-gone'],
  ])('break a rule when %s: %s', async (defect, rule) => {
    expect((await judge(defect)).broken).toContain(rule)
  })
})
