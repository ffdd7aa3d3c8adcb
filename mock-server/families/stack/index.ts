import { externalTelemetry } from '../../telemetry/external-engine.ts'
import { incidents } from '../../telemetry/incidents.ts'
import { generateShopTelemetry } from '../../telemetry/story/telemetry.ts'
import { createTelemetry, type Telemetry } from '../../telemetry/telemetry.ts'
import { seedOf } from '../../world/random.ts'
import { selfHosted } from '../../world/world.ts'
import type { OriginOfStacks, Stacks } from '../family.ts'
import { serviceOf } from '../service/model.ts'
import { sources } from '../source/index.ts'
import { inferExtras } from './infer-extras.ts'
import { openStack, type Stack } from './stack.ts'

export function openStacks({ world, now, externalEngine, captured }: OriginOfStacks): Stacks {
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

  const generateTelemetry = (id: string): Telemetry => {
    const telemetry = createTelemetry(now, () => world.list(sources, id))
    const service = serviceOf(world, id)
    const { seed, size, start } = world
    // A service has no telemetry from before its creation.
    const logs = service && Date.parse(service.createdAt) > start ? 0 : size.logs
    const shop = { seed: seedOf(seed, id), logs, incidents: () => incidentsOf(id) }
    const isCaptured = captured?.(sources.name, id) ?? false
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
    stackOf(id) {
      const stack = stacks.get(id) ?? openStack(world, id, telemetryOf)
      stacks.set(id, stack)
      return stack
    },
    peekAtStack: id => openStack(world, id, telemetryOf),
    stackIds: () => world.places(sources),
    hasStack: id => id === selfHosted || serviceOf(world, id) !== undefined,
    generateTelemetry,
    rowsInMemory: () => [...telemetries.values()].reduce((sum, telemetry) => sum + telemetry.countRows(), 0),
    freeRows() {
      for (const telemetry of telemetries.values()) telemetry.freeRows()
    },
    openStacks() {
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
