import { createBasicAuthentication, createBearerAuthentication } from './authenticate.ts'
import { createTelemetry, type Telemetry } from './charts/telemetry.ts'
import type { Key } from './populate/credentials.ts'
import { everywhere, type Population, populate, type SelfHosted, type Size } from './populate/populate.ts'
import { dealIds } from './populate/stack.ts'
import { identityOf, seedOf } from './random.ts'
import type { Stack } from './stack.ts'
import { createWorld, type World } from './world.ts'

/** A world at work: its records, its credentials, and its stacks of observability. */
export interface Deployment {
  readonly seed: number
  /** Where it stands among the worlds of a mock: 0 for the first. */
  readonly ordinal: number
  readonly size: Size
  /** The moment at which it was laid out, in epoch milliseconds. From there, telemetry goes on with the clock. */
  readonly start: number
  readonly population: Population
  readonly world: World
  readonly selfHosted: SelfHosted
  /** The key that a header of HTTP Basic holds, when id and secret are right; `inAnyCase`: the id in any letter case. */
  keyOf(authorization: string | undefined, inAnyCase?: boolean): Key | undefined
  /** Whether a header holds the access key of the self-hosted team; `inAnyCase`: in any letter case. */
  isOurs(authorization: string | undefined, inAnyCase?: boolean): boolean
  /** The stack of a service, or the self-hosted one. */
  stackOf(id: string): Stack
  /** The stacks that somebody has looked at. */
  openStacks(): Iterable<Stack>
  /** A fresh id; `sequence` tells how many were dealt, so that a saved world goes on from there. */
  newId(): string
  sequence(): number
}

export function createDeployment(
  seed: number,
  size: Size,
  start: number,
  now: () => number,
  kept: { readonly ordinal?: number; readonly sequence?: number; readonly selfHosted?: SelfHosted } = {},
): Deployment {
  const { ordinal = 0 } = kept
  const population = populate(seed, size, start, ordinal)
  const selfHosted = kept.selfHosted ?? population.selfHosted
  const world = createWorld(population.plan)
  const stacks = new Map<string, Stack>()
  let dealt = kept.sequence ?? 0
  const deal = dealIds(seedOf(identityOf(seed, ordinal), 'created'), '68', dealt + 1)
  const keys = () => world.collection<Key>('keys', everywhere)
  const basic = createBasicAuthentication(keyId => keys().get(keyId))
  const basicInAnyCase = createBasicAuthentication(
    keyId =>
      keys().get(keyId) ??
      keys()
        .list()
        .find(({ id }) => id.toLowerCase() === keyId.toLowerCase()),
  )
  const bearer = createBearerAuthentication(selfHosted.accessKey)
  const bearerInAnyCase = createBearerAuthentication(selfHosted.accessKey, { inAnyCase: true })

  return {
    seed,
    ordinal,
    size,
    start,
    population,
    world,
    selfHosted,
    keyOf: (authorization, inAnyCase) => (inAnyCase ? basicInAnyCase : basic)(authorization),
    isOurs: (authorization, inAnyCase) => (inAnyCase ? bearerInAnyCase : bearer)(authorization) !== undefined,
    stackOf(id) {
      let stack = stacks.get(id)
      if (!stack) {
        stack = openStack(id, world, population, now)
        stacks.set(id, stack)
      }
      return stack
    },
    openStacks: () => stacks.values(),
    newId() {
      dealt++
      return deal()
    },
    sequence: () => dealt,
  }
}

/** Nothing of a stack is laid out before somebody looks at it. */
function openStack(id: string, world: World, population: Population, now: () => number): Stack {
  let telemetry: Telemetry | undefined
  return {
    id,
    get teamId() {
      return population.teamIdOf(id)
    },
    get dashboards() {
      return world.collection<never>('dashboards', id)
    },
    get alerts() {
      return world.alerts(id)
    },
    get sources() {
      return world.collection<never>('sources', id)
    },
    get webhooks() {
      return world.collection<never>('webhooks', id)
    },
    get connections() {
      return world.collection<never>('connections', id)
    },
    get telemetry() {
      if (!telemetry) {
        telemetry = createTelemetry(now)
        population.fillTelemetry(id, telemetry)
      }
      return telemetry
    },
  }
}
