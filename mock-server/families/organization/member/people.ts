import { faker } from '@faker-js/faker/locale/en'
import { memoize } from '../../../words/memoize.ts'
import { createRandom, type Random, seedOf } from '../../../world/random.ts'

const Faker = faker.constructor as new (options: object) => typeof faker

/**
 * Uses its own Faker instance, because other code in the process may use the shared one. The entry point of one language
 * loads five times as fast as the entry point of all languages.
 */
function createDraw() {
  let random = createRandom(0)
  const randomizer = { next: () => random.next(), seed: () => {} }
  const english = new Faker({ locale: [faker.rawDefinitions], randomizer })
  return <T>(seed: number, from: (english: typeof faker) => T): T => {
    random = createRandom(seed)
    return from(english)
  }
}

/** This many people have generated names; the names of all others combine these. */
const generatedNames = 100

/** People by number: the same seed and number is the same person, in whichever organization. */
export function createPeople(seed: number, identity = seed) {
  const draw = createDraw()
  const personOf = memoize(
    (number: number) =>
      draw(seedOf(seed, 'person', number), ({ person, internet }) => {
        const [first, last] = [person.firstName(), person.lastName()]
        // The family name first, so that addresses and names sort differently.
        const email = internet.exampleEmail({ firstName: last, lastName: first }).toLowerCase()
        const [mailbox = '', domain = ''] = email.split('@')
        return { first, last, mailbox, domain }
      }),
    generatedNames,
  )
  return (number: number) => {
    const { first, mailbox, domain } = personOf(number % generatedNames)
    const { last } = personOf((number + Math.floor(number / generatedNames)) % generatedNames)
    // The number makes addresses unique, because they identify users.
    const email = `${mailbox}.${number + 1}@${domain}`
    return {
      userId: userIdOf(createRandom(seedOf(identity, 'user', number)), number, email),
      name: `${first} ${last}`,
      email,
    }
  }
}

/** Users with a password have a UUID; users of other identity providers have the provider's id. */
function userIdOf(random: Random, number: number, email: string): string {
  if (number % 5 === 3) return `Google_1${random.int(10 ** 9, 10 ** 10 - 1)}${random.int(10 ** 9, 10 ** 10 - 1)}`
  return number % 10 === 7 ? `samlp|${random.uuid()}|${email}` : random.uuid()
}

export const nameCompany = (seed: number): string => createDraw()(seed, ({ company }) => company.name())
