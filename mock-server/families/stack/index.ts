import { externalTelemetry } from '../../telemetry/external-engine.ts'
import { generateShopTelemetry } from '../../telemetry/story/telemetry.ts'
import { createTelemetry, type Telemetry } from '../../telemetry/telemetry.ts'
import { minute } from '../../words/durations.ts'
import { seedOf } from '../../world/random.ts'
import { selfHosted, type World } from '../../world/world.ts'
import { alerts } from '../alert/index.ts'
import { type Connection, connections } from '../connection/index.ts'
import { type Arranged, type Family, type OriginOfStacks, patch, type Stacks } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { savedSearches } from '../saved-search/index.ts'
import { serviceOf, services } from '../service/model.ts'
import { sources } from '../source/index.ts'
import { teams } from '../team/index.ts'
import { incidents } from './incidents.ts'
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

export const completeCaptured: Family['completeCaptured'] = ({ world, stackOf }, answers) => {
  const captured = (answers[sources.name] ?? []) as readonly { readonly within?: string }[]
  for (const place of new Set(captured.map(({ within }) => String(within)))) addUnlisted(world, place)
  // Alerts are evaluated in stacks that are in use.
  for (const stack of world.seededPlaces(alerts)) stackOf(stack)
}

/** Adds the connections and the team that sources and searches name, which no operation of the managed form lists. */
function addUnlisted(world: World, place: string): void {
  const existing = world.in(connections, place)
  for (const { connection: id } of world.list(sources, place))
    if (!existing.get(id)) existing.create({ ...(world.sample(connections, place, world.start) as Connection), id })
  const [first] = [...world.list(savedSearches, place), ...world.list(alerts, place)]
  if (first?.teamId) patch(world, teams, place, 'team', { id: first.teamId })
}

export const scenarios = { incident: setOffIncident }

/** An alert threshold in errors per hour: more than on a calm day, fewer than in an incident at night. */
const incidentThreshold = 15

/** Moves the seeded incident to the present, in the self-hosted stack and in that of the first service. */
function setOffIncident({ world, stackOf }: Arranged): void {
  const [organization] = world.list(organizations)
  const [service] = world.list(services, organization!.id)
  const timeAt = (minutesFromStart: number) => new Date(world.start + minutesFromStart * minute).toISOString()
  for (const stack of [selfHosted, ...(service ? [service.id] : [])]) {
    const [incident] = world.list(incidents, stack)
    // It began two hours ago, so that the last full hour lies within it.
    world.in(incidents, stack).replace({ ...incident!, startTime: timeAt(-120), endTime: timeAt(30) })
    stackOf(stack)
    const [errorAlert] = world.list(alerts, stack)
    world
      .in(alerts, stack)
      .replace({ ...errorAlert!, threshold: incidentThreshold, state: 'ALERT', updatedAt: timeAt(-55) })
  }
}
