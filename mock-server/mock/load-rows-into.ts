import { sources } from '../families/source/model.ts'
import type { Row } from '../telemetry/telemetry.ts'
import { type MaybePromise, mapErrors } from '../words/maybe-promise.ts'
import { Refusal } from '../words/refusal.ts'
import type { Deployment } from './deployment.ts'

export function loadRowsInto(
  deployment: Deployment,
  sourceId: string,
  rows: unknown,
  maxRows: number,
): MaybePromise<number> {
  if (!Array.isArray(rows)) throw new Error('load rows: rows: Expected an array of objects')
  const stackId = findStack(deployment, sourceId)
  if (stackId === undefined) throw new Error(`load rows: sourceId: There is no source "${sourceId}"`)
  const stack = deployment.stackOf(stackId)
  const source = stack.sources.get(sourceId)!
  const { kind } = source
  if (kind === 'promql') throw new Error('load rows: sourceId: A PromQL source has no rows')
  const { external } = stack.telemetry
  if (external) return mapErrors(() => external.load(source, rows as Row[]), toError)
  const count = stack.telemetry.countLoaded(sourceId)
  if (count + rows.length > maxRows) {
    throw new Error(
      `load rows: rows: Expected at most ${maxRows} rows in a source, and it has ${count} already: ${advice}`,
    )
  }
  try {
    stack.telemetry.load(sourceId, kind, rows as Row[])
  } catch (error) {
    throw toError(error)
  }
  return rows.length
}

const toError = (error: unknown) => (error instanceof Refusal ? new Error(`load rows: ${error.sentence}`) : error)

const advice = 'reset the world, or allow more (limits.rows, --max-rows)'

const findStack = ({ world }: Deployment, sourceId: string): string | undefined =>
  world.places(sources).find(place => world.in(sources, place).get(sourceId) !== undefined)
