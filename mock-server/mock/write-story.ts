import { sources } from '../families/source/model.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import { value } from '../telemetry/query/expression.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'

const batchSize = 20_000

/**
 * Writes the generated telemetry of the self-hosted stack up to now into an external engine, unless that has logs already.
 * Returns the number of rows.
 */
export async function writeStory(deployment: Deployment, externalEngine: ExternalEngine, now: number): Promise<number> {
  const telemetry = deployment.generateTelemetry(selfHosted)
  const list = deployment.world.list(sources, selfHosted)
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
