import { z } from 'zod/v3'
import { aggregates } from '../../telemetry/columns/aggregate.ts'
import type { Terms } from './terms.ts'

/** One of these words; refusals list them in this order. */
export const oneOf = (words: readonly string[]) => z.enum(words as [string, ...string[]])

/** The same where deployments have an enumeration of TypeScript: a number is named by its value, not by its type. */
export const enumeration = (words: readonly string[]) =>
  z.nativeEnum(Object.fromEntries(words.map(word => [word, word])))

export const aggregateFunction = (terms: Terms) =>
  oneOf(terms.newer ? aggregates : aggregates.filter(name => name !== 'increase'))

export const language = (terms: Terms) => oneOf(['sql', 'lucene', ...(terms.newer ? ['promql'] : [])])
/** Filters are never written in PromQL. */
export const filterLanguage = oneOf(['sql', 'lucene'])
export const metricType = enumeration(['gauge', 'histogram', 'sum', 'summary', 'exponential histogram'])

/** The length that expressions, filters and aliases may have. */
export const expression = z.string().max(10_000)
