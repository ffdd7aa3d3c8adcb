import { sources } from '../families/source/model.ts'
import type { Row } from '../telemetry/telemetry.ts'
import { type Eventually, mapErrors } from '../words/eventually.ts'
import { Refusal } from '../words/refusal.ts'
import type { Deployment } from './deployment.ts'

export function loadRowsInto(
  deployment: Deployment,
  sourceId: string,
  rows: unknown,
  most: number,
): Eventually<number> {
  if (!Array.isArray(rows)) throw new Error('load rows: rows: Expected an array of objects')
  const stackId = findStack(deployment, sourceId)
  if (stackId === undefined) throw new Error(`load rows: sourceId: There is no source "${sourceId}"`)
  const stack = deployment.stackOf(stackId)
  const source = stack.sources.get(sourceId)!
  const { kind } = source
  if (kind === 'promql') throw new Error('load rows: sourceId: A PromQL source has no rows')
  const { elsewhere } = stack.telemetry
  if (elsewhere) return mapErrors(() => elsewhere.load(source, rows as Row[]), explain)
  const had = stack.telemetry.loaded(sourceId)
  if (had + rows.length > most) {
    throw new Error(`load rows: rows: Expected at most ${most} to be loaded into a source, which has ${had}: ${advice}`)
  }
  try {
    stack.telemetry.append(sourceId, kind, rows as Row[])
  } catch (error) {
    throw explain(error)
  }
  return rows.length
}

const explain = (error: unknown) => (error instanceof Refusal ? new Error(`load rows: ${error.sentence}`) : error)

const advice = 'reset the world, or allow more (limits.rows, --max-rows)'

const findStack = ({ world }: Deployment, sourceId: string): string | undefined =>
  world.places(sources).find(place => world.in(sources, place).get(sourceId) !== undefined)
