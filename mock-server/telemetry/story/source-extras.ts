import type { ExtraColumns } from '../columns/row-store.ts'
import type { MetricType } from '../query/plan.ts'
import type { Row, RowGenerator, TimedRows } from '../telemetry.ts'
import { chanceOf } from './arrivals.ts'

/** What generated rows of a captured source have in addition, so that its queries find rows: columns, values and metrics. */
export interface SourceExtras extends ExtraColumns {
  /** Names of metrics by type. */
  readonly metrics: ReadonlyMap<string, readonly string[]>
}

/** By type: the generated metric whose points are copied to the additional metrics of this type. */
const copiedMetrics: Readonly<Partial<Record<MetricType, string>>> = {
  gauge: 'system.cpu.utilization',
  sum: 'http.server.requests',
  histogram: 'http.server.duration',
}

/**
 * Adds columns and metrics to generated rows. In rows of metrics, the added texts depend only on the service, so that a
 * series keeps its attributes over time.
 */
export const withExtras =
  (open: RowGenerator['open'], { columns, contents, metrics }: SourceExtras, seed: number): RowGenerator['open'] =>
  () => {
    const generate = open()
    const floats = [...columns].flatMap(([name, extra]) => ('type' in extra && extra.type === 'float' ? name : []))
    const fill = (time: number, row: Row, index: number): Row => {
      const filled: Record<string, unknown> = { ...row }
      const textKey = row.MetricName === undefined ? time + index : hash(String(row.ServiceName))
      // From 0 to 1000 with two decimals, mostly small.
      for (const [salt, name] of floats.entries())
        filled[name] = Math.round(1e5 * chanceOf(seed, time + index, salt) ** 3) / 100
      for (const [salt, { column, key, content }] of contents.entries()) {
        const isAlias = 'like' in content
        const text = isAlias ? row[content.like] : content[Math.floor(chanceOf(seed, textKey, salt) * content.length)]
        if (text !== undefined)
          filled[column] = key === undefined ? text : { [key]: text, ...(filled[column] as object) }
      }
      return filled
    }
    return function* (slot): TimedRows {
      const rows = generate(slot)
      let index = 0
      for (let next = rows.next(); !next.done; next = rows.next()) {
        const [time, row] = next.value
        yield [time, fill(time, row, index++)]
        const isCopied = row.MetricName !== undefined && copiedMetrics[row.MetricType as MetricType] === row.MetricName
        if (!isCopied) continue
        for (const MetricName of metrics.get(String(row.MetricType)) ?? [])
          yield [time, fill(time, { ...row, MetricName }, index++)]
      }
    }
  }

const hash = (text: string) =>
  [...text].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) | 0, 7)
