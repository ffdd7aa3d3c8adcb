import { nameCompany, type Person } from '../../families/member/people.ts'
import { createRandom, seedOf } from '../../world/random.ts'

export interface Organization {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

export interface Service {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly region: string
  readonly state: string
}

/** A membership: the person, and what differs from organization to organization. */
export interface Member {
  /** The `userId`, under which the record lies; it is not answered. */
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: 'admin' | 'developer'
  readonly joinedAt: string
}

const day = 86_400_000

export function layOutOrganizations(
  seed: number,
  count: number,
  start: number,
  identity: number,
): readonly Organization[] {
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, number) => {
    const random = createRandom(seedOf(identity, 'organization', number))
    const age = random.int(700, 1500) * day
    let id = random.uuid()
    // Seeds have 32 bits: of 100,000 organizations two are likely to draw alike.
    for (let draws = 0; taken.has(id); draws++)
      id = createRandom(seedOf(identity, 'organization', number, draws)).uuid()
    taken.add(id)
    // A large world has no use for a million invented companies.
    const name = number < 50 ? nameCompany(seedOf(seed, 'company', number)) : `Organization ${number + 1}`
    return { id, name, createdAt: new Date(start - age).toISOString() }
  })
}

const regions = [
  ['aws', 'eu-central-1'],
  ['aws', 'us-east-1'],
  ['gcp', 'europe-west4'],
  ['azure', 'westeurope'],
] as const

export function layOutServices(seed: number, organizationId: string, count: number): readonly Service[] {
  const random = createRandom(seedOf(seed, 'services', organizationId))
  const purposes = ['production', 'staging', 'analytics', 'sandbox']
  return Array.from({ length: count }, (_, number) => {
    const [provider, region] = regions[number % regions.length]!
    const purpose = purposes[number % purposes.length]
    const name = number < purposes.length ? purpose! : `${purpose}-${number + 1}`
    return { id: random.uuid(), name, provider, region, state: number % 4 === 3 ? 'idle' : 'running' }
  })
}

/**
 * The members of an organization. The first third of the people are in every organization, with a role and a day of
 * joining of its own; the others are in this one only.
 */
export function layOutMembers(
  people: (number: number) => Person,
  seed: number,
  number: number,
  count: number,
  start: number,
): readonly Member[] {
  const random = createRandom(seedOf(seed, 'members', number))
  const shared = Math.max(1, Math.floor(count / 3))
  const members = Array.from({ length: count }, (_, i): Member => {
    const person = people(i < shared ? i : shared + number * (count - shared) + (i - shared))
    // The first person is an admin here and a developer there.
    const role = i === 0 ? (['admin', 'developer'] as const)[number % 2]! : random.next() < 0.3 ? 'admin' : 'developer'
    const joinedAt = new Date(start - random.int(day, 600 * day)).toISOString()
    return { id: person.userId, ...person, role, joinedAt }
  })
  // keeps: member/list-is-whole-and-steady
  return members.sort((a, b) => (a.joinedAt < b.joinedAt ? -1 : 1))
}
