import { z } from 'zod/v3'
import { objectId } from '../../observability/object-id.ts'
import type { Terms } from '../../observability/terms.ts'
import { aggregateFunction, language, metricType } from '../../observability/vocabulary.ts'
import { numberFormat } from './number-format.ts'

/** The former way to say what a tile shows; it is answered as a config. */
export interface SeriesBody {
  readonly type: 'time' | 'table' | 'search' | 'number' | 'markdown'
  readonly sourceId?: string
  readonly aggFn?: string
  readonly level?: number
  readonly field?: string
  readonly alias?: string
  readonly where?: string
  readonly whereLanguage?: string
  readonly groupBy?: readonly string[]
  readonly fields?: readonly string[]
  readonly numberFormat?: object
  readonly metricDataType?: string
  readonly metricName?: string
  readonly displayType?: 'line' | 'stacked_bar'
  readonly content?: string
}

export function tileSeries(terms: Terms) {
  const sourceId = objectId(terms)
  const filtered = { where: z.string(), whereLanguage: language(terms).optional() }
  const aggregate = {
    sourceId,
    aggFn: aggregateFunction(terms),
    level: z.number().min(0).max(1).optional(),
    field: z.string().optional(),
    alias: z.string().optional(),
    ...filtered,
  }
  const grouped = { groupBy: z.array(z.string()).max(10) }
  const shown = {
    numberFormat: numberFormat(terms),
    metricDataType: metricType.optional(),
    metricName: z.string().optional(),
  }
  const series = z.discriminatedUnion('type', [
    z.object({
      type: z.literal('time'),
      ...aggregate,
      ...grouped,
      ...shown,
      displayType: z.union([z.literal('stacked_bar'), z.literal('line')]).optional(),
    }),
    z.object({
      type: z.literal('table'),
      ...aggregate,
      ...grouped,
      sortOrder: z.union([z.literal('desc'), z.literal('asc')]).optional(),
      ...shown,
    }),
    z.object({ type: z.literal('search'), sourceId, fields: z.array(z.string()), ...filtered }),
    z.object({ type: z.literal('number'), ...aggregate, ...shown }),
    z.object({ type: z.literal('markdown'), content: z.string().max(100_000) }),
  ])
  return z
    .array(series)
    .min(1)
    .superRefine((list, context) => {
      if (list.some(({ type }) => type !== list[0]?.type)) {
        context.addIssue({ code: 'custom', message: 'All series must have the same type' })
      }
    })
}
