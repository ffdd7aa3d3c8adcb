import { z } from 'zod/v3'
import { perTerms, type Terms } from './terms.ts'

const digits = /^[0-9a-f]{24}$/i

/** The deployments take any twelve characters for the twelve bytes of an id; nothing is ever found under such an id. */
export const isObjectId = (text: string, terms: Terms) =>
  digits.test(text) || (terms.twelveCharacters && text.length === 12)

export const objectId = (terms: Terms) =>
  z.string().refine((text) => isObjectId(text, terms), terms.newer ? 'Invalid ObjectId' : undefined)

export const idParams = perTerms((terms) => z.object({ id: objectId(terms) }))
export const idCheck = perTerms((terms) => (text: string) => isObjectId(text, terms))
