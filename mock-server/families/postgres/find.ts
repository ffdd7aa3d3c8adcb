import { Refusal } from '../../words/refusal.ts'
import type { Request } from '../family.ts'
import { type Postgres, postgresServices } from './model.ts'

/** The Postgres service of the path. */
export function find(request: Request): Postgres {
  const service = request.in(postgresServices).get(request.ids.postgresId!)
  if (service) return service
  throw new Refusal('unknownId', request.ids.postgresId!)
}
