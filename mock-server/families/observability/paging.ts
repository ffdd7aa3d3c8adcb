import { z } from 'zod/v3'
import { perTerms } from './terms.ts'

const schema = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  offset: z.coerce.number().int().min(0).default(0),
})

/** Only the newer edition has pages; the older one does not look at the query. */
export const paging = perTerms(() => schema)
