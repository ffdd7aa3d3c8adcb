import type { Request } from '../family.ts'
import { recordAt } from '../records.ts'
import { postgresServices } from './model.ts'

/** The Postgres service of the path. */
export const find = (request: Request) => recordAt(request, postgresServices, 'postgresId')
