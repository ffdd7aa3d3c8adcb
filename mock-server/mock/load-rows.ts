import type { ExternalEngine } from '../telemetry/external-engine.ts'
import { value } from '../telemetry/query/expression.ts'
import type { Row } from '../telemetry/telemetry.ts'
import { type MaybePromise, mapErrors } from '../words/maybe-promise.ts'
import { Refusal } from '../words/refusal.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'

export function loadRowsInto(
  deployment: Deployment,
  sourceId: string,
  rows: unknown,
  maxRows: number,
): MaybePromise<number> {
  if (!Array.isArray(rows)) throw new Error('load rows: rows: Expected an array of objects')
  const { stackIds, peekAtStack, stackOf } = deployment
  const stackId = stackIds().find(id => peekAtStack(id).sources.get(sourceId) !== undefined)
  if (stackId === undefined) throw new Error(`load rows: sourceId: There is no source "${sourceId}"`)
  const { sources, telemetry } = stackOf(stackId)
  const source = sources.get(sourceId)!
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

const batchSize = 20_000

/** Writes the telemetry of the self-hosted stack into an external engine, unless it has logs. Returns the number of rows. */
export async function writeStory(deployment: Deployment, externalEngine: ExternalEngine, now: number): Promise<number> {
  const telemetry = deployment.generateTelemetry(selfHosted)
  const list = deployment.peekAtStack(selfHosted).sources.list()
  const logs = list.find(({ kind }) => kind === 'log')
  const oneRow = { filters: [], columns: [value(1)], orderBy: [], start: 0, end: now, limit: 1, offset: 0 }
  if (logs && (await externalEngine.search(logs, oneRow)).length > 0) return 0
  let written = 0
  for (const source of list) {
    const store = telemetry.rows(source.id)
    const rows: number[] = []
    store?.visit(0, now, row => rows.push(row))
    for (let from = 0; from < rows.length; from += batchSize) {
      written += await externalEngine.load(
        source,
        rows.slice(from, from + batchSize).map(row => store!.row(row)),
      )
    }
  }
  return written
}
