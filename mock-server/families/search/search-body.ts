import { z } from 'zod/v3'

/** Expressions alone: no further statement, and no query inside. */
const statement = /;|(?<!\w)SELECT\s/i

export const searchBody = z.object({
  // Twelve characters are an id elsewhere, but not here.
  sourceId: z
    .string()
    .min(1, 'sourceId is required')
    .refine(text => /^[0-9a-f]{24}$/i.test(text), 'sourceId must be a valid ObjectId'),
  startTime: z.string().optional(),
  endTime: z.string().optional(),
  where: z.string().max(8192).optional().default(''),
  whereLanguage: z.enum(['lucene', 'sql']).optional().default('lucene'),
  select: z
    .string()
    .max(4096)
    .optional()
    .default('')
    .refine(
      text => !statement.test(text),
      'select must not contain semicolons or SELECT subqueries; use column references, map lookups, or scalar functions only',
    ),
  orderBy: z.string().max(1024).optional(),
  maxResults: z.number().int().min(1).max(2000).optional().default(100),
  offset: z.number().int().min(0).max(10_000).optional().default(0),
})

export type SearchBody = z.infer<typeof searchBody>
