import { Declined } from './declined.ts'

interface Bounds {
  /** Taken where nothing is asked for. */
  readonly usual: number
  readonly least?: number
  /** A larger number is taken as this one. */
  readonly most?: number
}

/** Reads a whole number from a query. */
export function readCount(
  query: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
  { usual, least = 0, most = Number.POSITIVE_INFINITY }: Bounds,
): number {
  const text = query[name]
  if (text === undefined) return usual
  if (typeof text === 'string' && /^\d{1,10}$/.test(text) && Number(text) >= least) return Math.min(Number(text), most)
  throw new Declined(400, `"${name}" must be a whole number${least > 0 ? `, at least ${least}` : ''}.`)
}
