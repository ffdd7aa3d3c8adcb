import type { OwnColumns } from '../columns/row-store.ts'
import type { MetricType } from '../query/metric.ts'
import type { Arrival, Arrivals, Observing, Row } from '../telemetry.ts'
import { chanceOf } from './arrivals.ts'

/** What the rows of a source have beside those of the shop. */
export interface Own extends OwnColumns {
  /** The metrics that are asked for, by their type. */
  readonly metrics: ReadonlyMap<string, readonly string[]>
}

/** The metrics of the shop that the others of their type are like. */
const examples: Readonly<Partial<Record<MetricType, string>>> = {
  gauge: 'system.cpu.utilization',
  sum: 'http.server.requests',
  histogram: 'http.server.duration',
}

/** Fills the rows of a generator with what a source of its own has: in a metric, the same for each service. */
export const filled =
  (open: Observing['open'], { columns, contents, metrics }: Own, seed: number): Observing['open'] =>
  () => {
    const lay = open()
    const numbers = [...columns].flatMap(([name, own]) => ('type' in own && own.type === 'float' ? name : []))
    const fill = (time: number, row: Row, index: number): Row => {
      const own: Record<string, unknown> = { ...row }
      const place = row.MetricName === undefined ? time + index : hash(String(row.ServiceName))
      for (const [at, name] of numbers.entries())
        own[name] = Math.round(1e5 * chanceOf(seed, time + index, at) ** 3) / 100
      for (const [at, { column, key, content }] of contents.entries()) {
        const isLike = 'like' in content
        const text = isLike ? row[content.like] : content[Math.floor(chanceOf(seed, place, at) * content.length)]
        if (text !== undefined) own[column] = key === undefined ? text : { [key]: text, ...(own[column] as object) }
      }
      return own
    }
    function* all(rows: Arrivals): Iterable<Arrival> {
      let index = 0
      for (let next = rows.next(); !next.done; next = rows.next()) {
        const [time, row] = next.value
        yield [time, fill(time, row, index++)]
        if (examples[row.MetricType as MetricType] !== row.MetricName) continue
        for (const MetricName of metrics.get(String(row.MetricType)) ?? [])
          yield [time, fill(time, { ...row, MetricName }, index++)]
      }
    }
    return function* (slot): Arrivals {
      yield* all(lay(slot))
    }
  }

const hash = (text: string) => [...text].reduce((sum, one) => (Math.imul(sum, 31) + one.charCodeAt(0)) | 0, 7)
