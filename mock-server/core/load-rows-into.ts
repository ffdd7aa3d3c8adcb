import type { Row } from './charts/telemetry.ts'
import type { Deployment } from './deployment.ts'
import type { Service } from './populate/organizations.ts'
import { selfHostedStack } from './populate/populate.ts'
import { Refusal } from './refusal.ts'

/** Loads rows into a source of whichever stack has it. */
export function loadRowsInto(deployment: Deployment, sourceId: string, rows: unknown, most: number): number {
  if (!Array.isArray(rows)) throw new Error('load rows: rows: Expected an array of objects')
  const stackId = findStack(deployment, sourceId)
  if (stackId === undefined) throw new Error(`load rows: sourceId: There is no source "${sourceId}"`)
  const stack = deployment.stackOf(stackId)
  const { kind } = stack.sources.get(sourceId)!
  if (kind === 'promql') throw new Error('load rows: sourceId: A PromQL source has no rows')
  const had = stack.telemetry.count(sourceId)
  if (had + rows.length > most) {
    throw new Error(`load rows: rows: Expected at most ${most} in a source, which has ${had}: ${advice}`)
  }
  try {
    stack.telemetry.append(sourceId, kind, rows as Row[])
  } catch (error) {
    throw error instanceof Refusal ? new Error(`load rows: ${error.says}`) : error
  }
  return rows.length
}

const advice = 'reset the world, or allow more (limits.rows, --max-rows)'

function findStack({ stackOf, population, world }: Deployment, sourceId: string): string | undefined {
  const has = (id: string) => stackOf(id).sources.get(sourceId) !== undefined
  if (has(selfHostedStack)) return selfHostedStack
  for (const { id } of population.organizations) {
    const service = world
      .collection<Service>('services', id)
      .list()
      .find(one => has(one.id))
    if (service) return service.id
  }
  return undefined
}
