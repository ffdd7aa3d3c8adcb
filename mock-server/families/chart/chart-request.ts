import { z } from 'zod/v3'
import { aggregates } from '../../telemetry/columns/aggregate.ts'
import { granularities } from '../../telemetry/query/granularity.ts'
import type { Edition } from '../../words/edition.ts'
import type { Issue } from '../../words/refusal.ts'
import { metricType } from '../observability/vocabulary.ts'

/** Twelve characters of any kind are an id, too: their bytes are. */
const isId = (text: string) => /^[0-9a-f]{24}$/i.test(text) || new TextEncoder().encode(text).length === 12

/** Seconds have ten digits: whoever sends them meant another moment. */
const moment = z
  .number()
  .int({ message: 'Timestamp must be an integer' })
  .positive({ message: 'Timestamp must be positive' })
  .refine(time => String(time).length >= 13, { message: 'Timestamp must be in milliseconds' })

const oneOf = <T extends string>(words: readonly T[]) => z.enum(words as readonly [T, ...T[]])

/** Issues come in the order of the fields here, which is that of the real deployments. */
function schemaOf(edition: Edition, most: number) {
  const isNewer = edition === '2.36'
  const aggFn = isNewer ? aggregates : aggregates.filter(name => name !== 'increase')
  const languages = isNewer ? ['sql', 'lucene', 'promql'] : ['sql', 'lucene']
  const series = z.object({
    sourceId: z.string().refine(isId, { message: isNewer ? 'Invalid ObjectId' : 'Invalid input' }),
    dataSource: z.enum(['events', 'metrics']).optional(),
    aggFn: oneOf(aggFn),
    level: z.number().min(0).max(1).optional(),
    field: z.string().optional(),
    where: z.string(),
    whereLanguage: oneOf(languages).optional(),
    groupBy: z.array(z.string()).max(10),
    sortOrder: z.union([z.literal('desc'), z.literal('asc')]).optional(),
    metricDataType: metricType.optional(),
    metricName: z.string().optional(),
  })
  const sameGroups = (all: readonly z.infer<typeof series>[]) =>
    new Set(all.map(one => JSON.stringify(one.groupBy))).size <= 1
  return z.object({
    series: z
      .array(series)
      .min(1, { message: 'Series array cannot be empty' })
      .max(most)
      .refine(sameGroups, { message: 'All series must have the same groupBy fields' }),
    endTime: moment,
    granularity: oneOf(granularities).optional(),
    startTime: moment,
    seriesReturnType: z.enum(['ratio', 'column']).optional(),
  })
}

const schemas = new Map<string, ReturnType<typeof schemaOf>>()

export type ChartRequest = z.infer<ReturnType<typeof schemaOf>>
export type ChartSeries = ChartRequest['series'][number]

/** The request of a body, or everything that is wrong with it. */
export function readChartRequest(
  body: unknown,
  edition: Edition,
  mostSeries: number,
): { readonly request: ChartRequest } | { readonly issues: readonly Issue[] } {
  const key = `${edition} ${mostSeries}`
  const schema = schemas.get(key) ?? schemaOf(edition, mostSeries)
  schemas.set(key, schema)
  const read = schema.safeParse(body)
  if (read.success) return { request: read.data }
  const issues = read.error.issues.map(
    ({ path, message }): Issue => ({ part: 'Body', path, says: message, received: valueAt(body, path) }),
  )
  return { issues }
}

function valueAt(body: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inside, key) => (inside as Record<string | number, unknown> | undefined)?.[key], body)
}
