import type { OwnColumns } from '../columns/row-store.ts'
import type { MetricType } from '../query/metric.ts'
import type { Arrivals, Row, RowGenerator } from '../telemetry.ts'
import { chanceOf } from './arrivals.ts'

/** Additional columns, contents and metrics of a source. */
export interface Own extends OwnColumns {
  /** Names of metrics by type. */
  readonly metrics: ReadonlyMap<string, readonly string[]>
}

/** The metric of each type whose points the additional metrics repeat. */
const templates: Readonly<Partial<Record<MetricType, string>>> = {
  gauge: 'system.cpu.utilization',
  sum: 'http.server.requests',
  histogram: 'http.server.duration',
}

/** Adds columns and metrics to the rows of a generator. The contents of metrics are the same for each service. */
export const withOwn =
  (open: RowGenerator['open'], { columns, contents, metrics }: Own, seed: number): RowGenerator['open'] =>
  () => {
    const generate = open()
    const numbers = [...columns].flatMap(([name, own]) => ('type' in own && own.type === 'float' ? name : []))
    const fill = (time: number, row: Row, index: number): Row => {
      const own: Record<string, unknown> = { ...row }
      const place = row.MetricName === undefined ? time + index : hash(String(row.ServiceName))
      for (const [at, name] of numbers.entries())
        own[name] = Math.round(1e5 * chanceOf(seed, time + index, at) ** 3) / 100
      for (const [at, { column, key, content }] of contents.entries()) {
        const isAlias = 'like' in content
        const text = isAlias ? row[content.like] : content[Math.floor(chanceOf(seed, place, at) * content.length)]
        if (text !== undefined) own[column] = key === undefined ? text : { [key]: text, ...(own[column] as object) }
      }
      return own
    }
    return function* (slot): Arrivals {
      const rows = generate(slot)
      let index = 0
      for (let next = rows.next(); !next.done; next = rows.next()) {
        const [time, row] = next.value
        yield [time, fill(time, row, index++)]
        if (templates[row.MetricType as MetricType] !== row.MetricName) continue
        for (const MetricName of metrics.get(String(row.MetricType)) ?? [])
          yield [time, fill(time, { ...row, MetricName }, index++)]
      }
    }
  }

const hash = (text: string) => [...text].reduce((sum, one) => (Math.imul(sum, 31) + one.charCodeAt(0)) | 0, 7)
