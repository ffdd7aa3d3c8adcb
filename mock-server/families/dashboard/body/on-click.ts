import { z } from 'zod/v3'
import { objectId } from '../../observability/object-id.ts'
import type { Terms } from '../../observability/terms.ts'
import { expression, language } from '../../observability/vocabulary.ts'

/** Where a click on a row of a table leads. */
export function onClick(terms: Terms) {
  const target = z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('id'), id: objectId(terms) }),
    z.object({ mode: z.literal('template'), template: expression.min(1) }),
  ])
  const filter = z.object({
    kind: z.literal('expressionTemplate'),
    expression: z.string().min(1, 'Expression is required').max(10_000),
    template: z.string().min(1, 'Template is required').max(10_000),
  })
  const link = {
    target,
    whereTemplate: expression.optional(),
    whereLanguage: language(terms).optional(),
    filters: z.array(filter).max(50).optional(),
  }
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('search'), ...link }),
    z.object({ type: z.literal('dashboard'), ...link }),
    z.object({ type: z.literal('external'), urlTemplate: expression.min(1) }),
  ])
}
