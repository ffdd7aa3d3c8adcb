import { faker } from '@faker-js/faker/locale/en'
import { createRandom, type Random, seedOf } from '../random.ts'

export interface Person {
  readonly userId: string
  readonly name: string
  readonly email: string
}

let random: Random = createRandom(0)
const Faker = faker.constructor as new (options: object) => typeof faker

/**
 * An instance of our own: whoever else in the process uses the shared one would otherwise disturb it, and be disturbed.
 * The door of one language starts five times as fast as that of all.
 */
const english = new Faker({
  locale: [faker.rawDefinitions],
  randomizer: { next: () => random.next(), seed: () => {} },
})

function deal<T>(seed: number, draw: (from: typeof faker) => T): T {
  random = createRandom(seed)
  return draw(english)
}

/** How many people have names of their own; further ones combine these, because a large world has a million. */
const named = 100

/** People by number: the same seed and number is the same person, in whichever organization. */
export function createPeople(seed: number): (number: number) => Person {
  const names: { readonly first: string; readonly last: string }[] = []
  const nameOf = (number: number) => {
    names[number] ??= deal(seedOf(seed, 'person', number), ({ person }) => ({
      first: person.firstName(),
      last: person.lastName(),
    }))
    return names[number]
  }
  return number => {
    const { first } = nameOf(number % named)
    const { last } = nameOf((number + Math.floor(number / named)) % named)
    // The number keeps two people of one name apart: who shares an address is the same user.
    const mailbox = `${first}.${last}`.toLowerCase().replace(/[^a-z.]/g, '')
    return {
      // keeps: member/user-id-is-the-same-in-every-organization
      userId: createRandom(seedOf(seed, 'user', number)).uuid(),
      name: `${first} ${last}`,
      email: `${mailbox}${number || ''}@example.com`,
    }
  }
}

/** A name for an organization. */
export const nameCompany = (seed: number): string => deal(seed, ({ company }) => company.name())
