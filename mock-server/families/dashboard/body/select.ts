import { z } from 'zod/v3'
import type { Terms } from '../../observability/terms.ts'
import { aggregateFunction, expression, language, metricType } from '../../observability/vocabulary.ts'
import { numberFormat } from './number-format.ts'

export const quantileLevels = [0.5, 0.9, 0.95, 0.99] as const

/** One series of a tile. */
export const selectItem = (terms: Terms) =>
  z
    .object({
      valueExpression: expression.optional(),
      alias: expression.optional(),
      aggFn: aggregateFunction(terms),
      level: z.union([z.literal(0.5), z.literal(0.9), z.literal(0.95), z.literal(0.99)]).optional(),
      where: expression.optional().default(''),
      whereLanguage: language(terms).optional(),
      ...(terms.newer && { numberFormat: numberFormat(terms) }),
      metricType: metricType.optional(),
      metricName: z.string().optional(),
      periodAggFn: z.enum(['delta']).optional(),
    })
    .superRefine((item, context) => {
      const complain = (message: string) => context.addIssue({ code: 'custom', message })
      if (item.level && item.aggFn !== 'quantile') {
        complain('Level can only be used with quantile aggregation function')
      }
      if (item.aggFn === 'count' && item.valueExpression) {
        complain('Value expression cannot be used with count aggregation function')
      }
      if (item.aggFn !== 'count' && !item.valueExpression) {
        complain('Value expression is required for non-count aggregation functions')
      }
    })

/** The only series of a heat map. */
export const heatmapItem = z.object({
  valueExpression: expression.min(1),
  countExpression: expression.optional(),
  heatmapScaleType: z.enum(['log', 'linear']).optional(),
})
