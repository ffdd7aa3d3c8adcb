import type { Mock } from '../../../mock-server/index.ts'
import { createMock, type MockOptions } from '../../../mock-server/index.ts'
import { capturableOf } from '../../../mock-server/mock/arrange/captured.ts'
import { core } from '../../../mock-server/mock/made-of.ts'
import { createRedactor } from '../../engine/redact.ts'
import { formsOf } from '../../engine/target/forms-of.ts'
import { trustMock } from '../../engine/target/own-mock.ts'
import { type AnonymiseOptions, anonymise } from '../../run/capture/anonymise.ts'
import { type CapturedRecord, collect } from '../../run/capture/collect.ts'
import { readDeployment } from '../../run/capture/read-deployment.ts'
import { planReadings } from '../../run/capture/readings.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'

/** A source of random numbers that are the same in every run of a test. */
export function countedRandom(seed = 1): AnonymiseOptions['random'] {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const capturable = capturableOf(core)
const allKinds = new Set(capturable)

/** Reads a mock as a capture does; by default with the key of its target file. */
export async function readMock(mock: Mock, target = directTarget(mock)) {
  const readings = planReadings(formsOf(target), allKinds)
  const read = await readDeployment({ target: trustMock(target), client: createDirectClient(mock), readings })
  const kinds = capturable.filter(kind => read.answers.some(({ operation }) => operation.startsWith(`${kind}.`)))
  return {
    read,
    records: collect(read.answers, allKinds),
    kinds,
    at: mock.clock.now(),
    redact: createRedactor(target),
  }
}

type Reading = Awaited<ReturnType<typeof readMock>>

/** Makes a scenario of what was read. */
export const writeWorld = (
  { kinds, ...read }: Reading,
  records: readonly CapturedRecord[],
  more: Partial<AnonymiseOptions> = {},
) => anonymise(records, kinds, { ...read, random: countedRandom(), ...more })

/** Serves a scenario, as `mock --scenario` does. */
export const serve = (world: object, options: MockOptions) =>
  createMock({ ...options, scenario: world as MockOptions['scenario'] & {} })
