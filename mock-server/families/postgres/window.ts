import { invalidAt } from '../../words/refusal.ts'
import { momentIn, type Request } from '../family.ts'

/** The window of time that a query asks for, in epoch milliseconds; its end is not in it. */
export function readWindow(request: Request): { readonly from: number; readonly to: number } {
  const [from, to] = [momentIn(request, 'from_date')!, momentIn(request, 'to_date')!]
  if (to > from) return { from, to }
  throw invalidAt(['to_date'], 'Expected a moment after from_date', request.query.get('to_date'), 'Query')
}
