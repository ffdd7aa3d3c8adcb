import type { Core } from '../core/core.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import type { AnyModel } from '../world/collection.ts'
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
  return {
    ...core.openStacks({ world, now, externalEngine, captured }),
    core,
    world,
    /** Whether only the records of a new organization and a new stack were seeded. */
    isBare,
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
