import { z } from 'zod/v3'
import { perTerms } from '../observability/terms.ts'

const prefix = z.string().regex(/^[a-z0-9_]+$/i)
const endpoint = z.string().url().optional()
const common = { name: z.string(), host: z.string(), username: z.string(), password: z.string().optional() }

const created = z.object({ ...common, hyperdxSettingPrefix: prefix.nullish(), prometheusEndpoint: endpoint })
/** A replacement clears an optional field by null, the prefix by an empty text too. */
const replaced = z.object({
  ...common,
  hyperdxSettingPrefix: prefix.or(z.literal('')).nullish(),
  prometheusEndpoint: endpoint.nullable(),
})

export const newConnection = perTerms(() => created)
export const changedConnection = perTerms(() => replaced)
export type ConnectionBody = z.infer<typeof replaced>
