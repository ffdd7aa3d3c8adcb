import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { key } from '../../../fixtures/contract/key.ts'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { organizations } from '../organization/model.ts'
import { type RoleName, rolesOfCaptured, seededRoleId } from '../role/model.ts'

const { assignedRoles: _, ...recordFields } = key.fields

const optionalText = z.string().optional()
const ownFields = {
  organizationId: z.string(),
  // In addition to the legacy roles.
  assignedRoleIds: z.array(z.string()).readonly().optional(),
  // The key id is the user name of HTTP Basic. A key has id and secret, or the hashes of both as its owner sent them.
  keyId: optionalText,
  keySecret: optionalText,
  keyIdHash: optionalText,
  keySecretHash: optionalText,
}

/** The API key of an organization, with its credentials. */
export type Key = ValuesOf<typeof recordFields> & Readonly<z.infer<z.ZodObject<typeof ownFields>>>

/** The prefix of real secrets, composed so that no scanner takes this line for one. */
const secretPrefix = ['4b', '1d'].join('')

const anywhere = [{ source: '0.0.0.0/0', description: 'Anywhere' }] as const

/** A seeded key. In days: `age` and `used` before the start, `expires` after it. */
interface KeyPlan extends Partial<Pick<Key, 'state' | 'roles' | 'ipAccessList'>> {
  readonly name: string
  readonly age: number
  readonly used?: number
  readonly expires?: number
  readonly role?: RoleName
}

const terraform: KeyPlan = { name: 'Terraform', age: 30, roles: ['admin'] }
const office = [
  { source: '203.0.113.0/24', description: 'Office' },
  { source: '2001:db8:42::/48', description: 'Office, IPv6' },
]
const plansOfCompany: readonly KeyPlan[] = [
  terraform,
  { name: 'GitHub Actions', age: 210, used: 0.02, roles: ['admin'], expires: 155 },
  { name: 'Grafana', age: 340, used: 0.001, roles: ['developer'] },
  { name: 'Office scripts', age: 95, used: 3, roles: ['developer'], ipAccessList: office },
  { name: 'Embedded charts', age: 60, used: 0.2, roles: ['query_endpoints'] },
  { name: 'Laptop that was lost', age: 400, used: 41, roles: ['admin'], state: 'disabled' },
  { name: 'Contractor', age: 120, used: 33, roles: ['admin'], expires: -30 },
]
const plansWithCustomRoles: readonly KeyPlan[] = [
  { name: 'Terraform', age: 30, role: 'Admin' },
  { name: 'Deployments', age: 80, used: 0.5, role: 'Deployer' },
  { name: 'On call', age: 45, used: 6, role: 'Production Operator' },
  { name: 'Inventory', age: 300, used: 0.1, role: 'Basic Service API Reader' },
]

export const keys: Model<Key, 'key'> = {
  name: 'key',
  // Keys are found by their key id at authentication, before an organization is known.
  within: 'deployment',
  namedBy: ['openApiKeys'],
  fromCaptured: ({ fields, within }, world) => ({ organizationId: within, ...rolesOfCaptured(fields, within, world) }),
  // Only the key of the target file.
  inEmptyWorld: ({ id, organizationId }, _, seed) => deriveKey(seed, organizationId).id === id,
  record: recordSchema(recordFields, ownFields),
  secrets: ['keySecret', 'keyIdHash', 'keySecretHash'],
  *seed(_, { seed, start, world }) {
    const taken = new Set<string>()
    for (const [index, { id: organizationId, usesCustomRoles }] of world.list(organizations).entries()) {
      const plans = usesCustomRoles ? plansWithCustomRoles : index === 0 ? plansOfCompany : [terraform]
      for (const [number, plan] of plans.entries()) {
        const { keyId, keySecret, id } = deriveKey(seed, organizationId, number)
        // Seeds have 32 bits: among many organizations, two may draw the same key id, and only the first gets the key.
        if (taken.has(keyId)) continue
        taken.add(keyId)
        const { name, age, used, expires, state = 'enabled', roles = [], role, ipAccessList = anywhere } = plan
        yield {
          id,
          name,
          state,
          roles,
          ...(role && { assignedRoleIds: [seededRoleId(seed, organizationId, role)] }),
          keySuffix: suffixOf(keyId),
          createdAt: new Date(start - age * day).toISOString(),
          ...(used !== undefined && { usedAt: minuteOf(start - used * day) }),
          ...(expires !== undefined && { expireAt: new Date(start + expires * day).toISOString() }),
          ipAccessList,
          organizationId,
          keyId,
          keySecret,
        }
      }
    }
  },
}

/** A time cut to the minute, as in `usedAt`. */
export const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}:00Z`

export const suffixOf = (keyId: string): string => keyId.slice(-4)

/** Credentials and record id of the seeded key with this number; that of number 0 is in the target file. */
export function deriveKey(seed: number, organizationId: string, number = 0) {
  // The key in the target file keeps its seed, whatever further keys there are.
  const random = createRandom(seedOf(seed, 'key', organizationId, ...(number === 0 ? [] : [number])))
  return { ...drawCredentials(random), id: random.uuid() }
}

export const drawCredentials = (random: Random) => ({
  keyId: random.alphanumeric(20),
  keySecret: secretPrefix + random.alphanumeric(38),
})

/** The Authorization header of a key. */
export const basicOf = ({ keyId, keySecret }: Pick<Key, 'keyId' | 'keySecret'>): string =>
  `Basic ${btoa(`${keyId}:${keySecret}`)}`

/** Finds a key by its key id. */
export function keyOf(world: World, keyId: string): Key | undefined {
  const all = world.in(keys)
  const ids = all.derive('ids by key id', list => new Map(list.map(one => [one.keyId, one.id])))
  return all.get(ids.get(keyId) ?? '')
}
