import type { Core } from '../core/core.ts'
import { serviceOf } from '../families/service/model.ts'
import { sources } from '../families/source/index.ts'
import { inferExtras } from '../families/stack/infer-extras.ts'
import { openStack, type Stack } from '../families/stack/stack.ts'
import { type ExternalEngine, externalTelemetry } from '../telemetry/external-engine.ts'
import { incidents } from '../telemetry/incidents.ts'
import { generateShopTelemetry } from '../telemetry/story/telemetry.ts'
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts'
import type { AnyModel } from '../world/collection.ts'
import { seedOf } from '../world/random.ts'
import type { Size } from '../world/size.ts'
import { createWorld } from '../world/world.ts'

export type Deployment = ReturnType<typeof createDeployment>

export interface DeploymentOptions {
  readonly core: Core
  readonly seed: number
  /** The index among the worlds of a mock: 0 for the first. */
  readonly ordinal: number
  readonly size: Size
  /** The time of its creation, in epoch milliseconds. Telemetry continues from there with the clock. */
  readonly start: number
  readonly now: () => number
  readonly externalEngine?: ExternalEngine
  readonly isBare?: boolean
  /** Whether the records of a model in a place were captured, so that none are seeded. */
  readonly captured?: (model: string, place: string) => boolean
}

export function createDeployment(options: DeploymentOptions) {
  const { core, seed, ordinal, size, start, now, externalEngine, isBare = false, captured } = options
  const { contract, models } = core
  const select = (model: AnyModel, place: string, records: Iterable<object>) =>
    selectForEmptyWorld(core, seed, model, records, captured?.(model.name, place))
  const world = createWorld({
    contract,
    seed,
    ordinal,
    size,
    start,
    models,
    ...(isBare && { select }),
  })
  const stacks = new Map<string, Stack>()
  const telemetries = new Map<string, Telemetry>()

  const incidentsOf = (id: string) =>
    world.in(incidents, id).derive('times', list =>
      list.map(({ service, startTime, endTime }) => ({
        service,
        start: Date.parse(startTime),
        end: Date.parse(endTime),
      })),
    )

  /** The telemetry that a stack generates, wherever its rows are stored. */
  const generateTelemetry = (id: string): Telemetry => {
    const telemetry = createTelemetry(now, () => world.list(sources, id))
    const service = serviceOf(world, id)
    // A service has no telemetry from before its creation.
    const logs = service && Date.parse(service.createdAt) > start ? 0 : size.logs
    const shop = { seed: seedOf(seed, id), logs, incidents: () => incidentsOf(id) }
    const isCaptured = captured?.('source', id) ?? false
    generateShopTelemetry(world.list(sources, id), telemetry, shop, source =>
      isCaptured ? inferExtras(world, id, source) : undefined,
    )
    return telemetry
  }

  const telemetryOf = (id: string): Telemetry => {
    const create = () => (externalEngine ? externalTelemetry(externalEngine) : generateTelemetry(id))
    const telemetry = telemetries.get(id) ?? create()
    telemetries.set(id, telemetry)
    return telemetry
  }

  return {
    core,
    world,
    /** Whether only the records of a new organization and a new stack were seeded. */
    isBare,
    /** The stack of a service, or the self-hosted one, which is in use from now on. */
    stackOf(id: string): Stack {
      const stack = stacks.get(id) ?? openStack(world, id, telemetryOf)
      stacks.set(id, stack)
      return stack
    },
    /** The same for its ids alone, without use: as long as nobody has used a stack, its alerts are not evaluated. */
    peekAtStack: (id: string): Stack => openStack(world, id, telemetryOf),
    generateTelemetry,
    rowsInMemory: () => [...telemetries.values()].reduce((sum, telemetry) => sum + telemetry.countRows(), 0),
    /** Frees the generated rows; the next query generates the same ones again. */
    freeRows(): void {
      for (const telemetry of telemetries.values()) telemetry.freeRows()
    },
    /** The stacks in use: those that a call, a test or a loaded state has opened. */
    openStacks(): Iterable<Stack> {
      const places = new Set(world.models.filter(one => one.within === 'stack').flatMap(one => world.seededPlaces(one)))
      for (const id of stacks.keys()) {
        // Drops a stack whose service was deleted, or whose records nobody has read.
        if (places.has(id)) continue
        stacks.delete(id)
        telemetries.delete(id)
      }
      return stacks.values()
    },
  }
}

/** Whether a place may lack the singleton, because an operation deletes it. */
export const mayBeAbsent = ({ contract }: Core, { name }: AnyModel) => `${name}.delete` in contract.operations

/** Keeps the seeded records that an empty world has; where the records were captured, the singletons that must exist. */
function selectForEmptyWorld(
  core: Core,
  seed: number,
  model: AnyModel,
  records: Iterable<object>,
  isCaptured = false,
): Iterable<object> {
  const { inEmptyWorld, isSingleton } = model
  if (isSingleton) return mayBeAbsent(core, model) ? [] : records
  return isCaptured || !inEmptyWorld ? [] : [...records].filter((record, index) => inEmptyWorld(record, index, seed))
}
