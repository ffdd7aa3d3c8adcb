import { invalid } from '../../words/refusal.ts'
import type { Request } from '../family.ts'

const refuse = (name: string, sentence: string, received: unknown) =>
  invalid([{ part: 'Query', path: [name], sentence, received }])

/** The window of time that a query asks for, in epoch milliseconds; its end is not in it. */
export function readWindow({ query }: Request): { readonly from: number; readonly to: number } {
  const [from, to] = ['from_date', 'to_date'].map(name => {
    const text = query.get(name) ?? ''
    const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(at)) throw refuse(name, 'Expected the format date-time', text)
    return at
  }) as [number, number]
  if (to <= from) throw refuse('to_date', 'Expected a moment after from_date', query.get('to_date'))
  return { from, to }
}

/** A whole number of a query within its bounds. */
export function readNumber(
  { query }: Request,
  name: string,
  usual: number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
) {
  const text = query.get(name)
  if (text === null) return usual
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  const wanted = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  throw refuse(name, `Expected a whole number ${wanted}`, text)
}
