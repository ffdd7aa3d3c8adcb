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
  const { world } = deployment
  const stackId = world.places(sources).find(place => world.in(sources, place).get(sourceId) !== undefined)
  if (stackId === undefined) throw new Error(`load rows: sourceId: There is no source "${sourceId}"`)
  const { sources: sourcesOfStack, telemetry } = deployment.stackOf(stackId)
  const source = sourcesOfStack.get(sourceId)!
  const { kind } = source
  if (kind === 'promql') throw new Error('load rows: sourceId: A PromQL source has no rows')
  const { external } = telemetry
  const count = telemetry.countLoaded(sourceId)
  if (!external && count + rows.length > maxRows) {
    throw new Error(
      `load rows: rows: Expected at most ${maxRows} rows in a source, and it has ${count} already: ${advice}`,
    )
  }
  const load = () => {
    if (external) return external.load(source, rows as Row[])
    telemetry.load(sourceId, kind, rows as Row[])
    return rows.length
  }
  return mapErrors(load, toError)
}

const toError = (error: unknown) => (error instanceof Refusal ? new Error(`load rows: ${error.sentence}`) : error)

const advice = 'reset the world, or allow more (limits.rows, --max-rows)'
