import { z } from 'zod/v3'
import type { Issue } from '../../words/refusal.ts'
import { perTerms, type Terms } from './terms.ts'

const digits = /^[0-9a-f]{24}$/i

/** The deployments take any twelve characters for the twelve bytes of an id; nothing is ever found under such an id. */
export const isObjectId = (text: string, terms: Terms) =>
  digits.test(text) || (terms.twelveCharacters && text.length === 12)

/** The older edition gives no reason, and says what every union says. */
const complaint = ({ newer }: Terms) => (newer ? 'Invalid ObjectId' : 'Invalid input')

export const objectId = (terms: Terms) => z.string().refine(text => isObjectId(text, terms), complaint(terms))

export const idCheck = perTerms(terms => (text: string) => isObjectId(text, terms))

/** The finding against the id of a path, if there is one. */
export const idIssue = perTerms(
  terms =>
    (id: string): Issue[] =>
      isObjectId(id, terms) ? [] : [{ part: 'Params', path: ['id'], says: complaint(terms), received: id }],
)
