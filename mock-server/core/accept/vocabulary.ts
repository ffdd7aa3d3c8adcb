import { z } from 'zod/v3'
import type { Terms } from './terms.ts'

const words = (list: readonly string[]) => z.enum(list as [string, ...string[]])

export const aggregateFunction = (terms: Terms) =>
  words([
    'avg',
    'count',
    'count_distinct',
    'last_value',
    'max',
    'min',
    'quantile',
    'sum',
    'any',
    'none',
    ...(terms.newer ? ['increase'] : []),
  ])

export const language = (terms: Terms) => words(['sql', 'lucene', ...(terms.newer ? ['promql'] : [])])
/** Filters are never written in PromQL. */
export const filterLanguage = words(['sql', 'lucene'])
export const metricType = words(['gauge', 'histogram', 'sum', 'summary', 'exponential histogram'])

/** The length that expressions, filters and aliases may have. */
export const expression = z.string().max(10_000)
