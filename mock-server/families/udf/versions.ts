import { Refusal } from '../../words/refusal.ts'
import type { Request } from '../family.ts'
import { type Udf, udfs } from './model.ts'

/** The versions of a function, the newest first; none: it is not there. */
export function versionsOf(request: Request, functionName = request.ids.functionName!): readonly Udf[] {
  return request
    .in(udfs)
    .list()
    .filter(one => one.functionName === functionName)
    .sort((a, b) => b.version - a.version)
}

export function findVersions(request: Request): readonly [Udf, ...Udf[]] {
  const [newest, ...others] = versionsOf(request)
  if (!newest) throw new Refusal('unknownId', request.ids.functionName!)
  return [newest, ...others]
}
