import { type Request, recordAt } from '../family.ts'
import { postgresServices } from './model.ts'

/** The Postgres service of the path. */
export const find = (request: Request) => recordAt(request, postgresServices)
