import { layOutBackups } from '../../families/backup/seed.ts'
import { createPeople } from '../../families/member/people.ts'
import { observeShop } from '../../telemetry/story/telemetry.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { createRandom, identityOf, seedOf } from '../../world/random.ts'
import type { Size } from '../../world/size.ts'
import type { Plan } from '../world.ts'
import { dealAccessKeys, dealKey, type Key } from './credentials.ts'
import { layOutMembers, layOutOrganizations, layOutServices, type Organization } from './organizations.ts'
import { layOutStack, type StackPlan } from './stack.ts'

export type { Size } from '../../world/size.ts'

/** The scope of organizations and keys, which belong to nobody. */
export const everywhere = 'everywhere'
/** The scope of the self-hosted stack; that of a managed one is the id of its service. */
export const selfHostedStack = 'self-hosted'

/** A world as it is at the start: everything follows from seed, size and moment, part by part, when it is looked at. */
export interface Population {
  readonly organizations: readonly Organization[]
  readonly selfHosted: SelfHosted
  readonly plan: Plan
  keyOf(organizationId: string): Key
  teamIdOf(stackId: string): string
  /** Has a stack observe the shop, as time goes on. */
  fillTelemetry(stackId: string, telemetry: Telemetry): void
}

export interface SelfHosted {
  readonly accessKey: string
  readonly ingestionKey: string
  readonly user: object
}

/** The populations that were asked for last: to reset a world is to lay out the same one again. */
const known = new Map<string, Population>()

export function populate(seed: number, size: Size, start: number, ordinal = 0): Population {
  const name = [seed, ordinal, start, ...Object.values(size)].join()
  const found = known.get(name) ?? layOut(seed, size, start, identityOf(seed, ordinal))
  known.delete(name)
  known.set(name, found)
  if (known.size > 4) known.delete(known.keys().next().value!)
  return found
}

function layOut(seed: number, size: Size, start: number, identity: number): Population {
  const organizations = layOutOrganizations(seed, size.organizations, start, identity)
  const numbers = new Map(organizations.map(({ id }, number) => [id, number]))
  const stacks = new Map<string, StackPlan>()
  const stackOf = (id: string) => {
    const known = stacks.get(id)
    if (known) return known
    const stack = layOutStack(identity, id, start)
    stacks.set(id, stack)
    return stack
  }
  const keyOf = (organizationId: string) => dealKey(seed, organizationId)
  return {
    organizations,
    keyOf,
    selfHosted: layOutSelfHosted(seed, start, identity),
    teamIdOf: stackId => stackOf(stackId).teamId,
    fillTelemetry: (stackId, telemetry) =>
      observeShop(stackOf(stackId).sources, telemetry, { seed: seedOf(seed, stackId), logs: size.logs, start }),
    plan(kind, scope) {
      switch (kind) {
        case 'organizations':
          return organizations
        case 'keys':
          // Where two of 100,000 key ids are alike, only the first organization has a key.
          return firstOfEachId(organizations.map(({ id }) => keyOf(id)))
        case 'members':
          return layOutMembers(createPeople(seed, identity), seed, numbers.get(scope) ?? 0, size.members, start)
        case 'services':
          return layOutServices(seed, scope, size.services)
        case 'backups':
          return layOutBackups(seed, scope, size.backups, start)
        default:
          return stackOf(scope)[kind]
      }
    },
  }
}

function firstOfEachId(keys: readonly Key[]): readonly Key[] {
  const seen = new Set<string>()
  return keys.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function layOutSelfHosted(seed: number, start: number, identity: number): SelfHosted {
  const keys = dealAccessKeys(identity)
  const random = createRandom(seedOf(identity, 'self-hosted'))
  const { name, email } = createPeople(seed, identity)(0)
  const createdAt = new Date(start - 200 * 86_400_000).toISOString()
  const team = layOutStack(identity, selfHostedStack, start).teamId
  const user = {
    _id: `65${random.hex(22)}`,
    email,
    name,
    team,
    accessKey: keys.accessKey,
    createdAt,
    updatedAt: createdAt,
    __v: 0,
  }
  return { ...keys, user }
}
