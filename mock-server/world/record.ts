import { z } from 'zod/v3'

/** A time as records have it. */
export const time = z.string().refine(text => !Number.isNaN(Date.parse(text)), 'Expected an ISO 8601 time')

/** What every record of a stack has. Fields that the mock does not rely on are kept as they are. */
export const recordOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ id: z.string().min(1), ...shape }).passthrough()
