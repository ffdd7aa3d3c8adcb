import { z } from 'zod/v3'
import { perTerms } from '../observability/terms.ts'

export interface ConnectionBody {
  readonly name: string
  readonly host: string
  readonly username: string
  readonly password?: string
  readonly hyperdxSettingPrefix?: string | null
  readonly prometheusEndpoint?: string | null
}

const prefix = z.string().regex(/^[a-z0-9_]+$/i)
const endpoint = z.string().url().optional()
const common = { name: z.string(), host: z.string(), username: z.string(), password: z.string().optional() }

type Schema = z.ZodType<ConnectionBody, z.ZodTypeDef, unknown>

const created: Schema = z.object({ ...common, hyperdxSettingPrefix: prefix.nullish(), prometheusEndpoint: endpoint })
/** A replacement clears an optional field by null, the prefix by an empty text too. */
const replaced: Schema = z.object({
  ...common,
  hyperdxSettingPrefix: prefix.or(z.literal('')).nullish(),
  prometheusEndpoint: endpoint.nullable(),
})

export const newConnection = perTerms(() => created)
export const changedConnection = perTerms(() => replaced)
