import type { Bases, Mock, MockWorld, Worlds } from '../mock/mock.ts'

/** The name of the world in which the console runs the suite. */
const name = 'suite-run'

/**
 * Opens a world with the seed, size, scenario, faults, chaos and choices of another one, as a mock that has no other world:
 * on ports of its own, not even a call without credentials meets the stubs, records and journal of others.
 */
export function openSuiteWorld(mock: Mock, like: MockWorld): { readonly mock: Mock; readonly close: () => void } {
  const { seed, size } = like.deployment().world
  const { segment: _, ...choices } = like.choices()
  const { world, isNew } = mock.worlds.open({ name, seed, size, scenario: like.scenario() })
  if (!isNew) throw new Error(`run the suite: A world ${name} is open already, which the run needs: close it`)
  world.setFaults(like.faults())
  world.setChaos(like.chaos())
  world.setChoices(choices)
  let bases: Bases = {}
  return {
    mock: {
      ...mock,
      ...world,
      worldOf: () => world,
      worlds: noWorlds,
      // A listener for SQL would write certificates, and the suite sends no SQL.
      sql: { ...world.sql, engine: undefined },
      setBases(given) {
        bases = given
      },
      target: (given = bases) => world.target(given),
    },
    close: () => void mock.worlds.close(name),
  }
}

const noWorlds: Worlds = {
  size: 0,
  open() {
    throw new Error('open a world: These ports have the world of one run of the suite alone')
  },
  get: () => undefined,
  close: () => false,
  all: () => [],
  list: () => [],
}
