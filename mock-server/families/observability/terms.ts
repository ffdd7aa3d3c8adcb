import type { Edition } from '../../words/edition.ts'
import type { Request } from '../family.ts'

/** What a schema depends on beyond the value that it judges. */
export interface Terms {
  readonly edition: Edition
  readonly newer: boolean
  /** Whether any text of twelve characters passes for an id. */
  readonly twelveCharacters: boolean
  /** The managed form follows the vendor's document, which has nulls that self-hosted deployments refuse. */
  readonly isManaged: boolean
  /** The moment of the request that is being judged; set anew for each one. */
  now: number
}

const every = new Map<string, Terms>()

function termsOf(request: Request): Terms {
  const twelveCharacters = request.form === 'selfHosted' && request.choice('id/twelve-characters') === 'accept'
  const isManaged = request.form === 'managed'
  const key = `${request.edition} ${twelveCharacters} ${isManaged}`
  let terms = every.get(key)
  if (!terms) {
    terms = { edition: request.edition, newer: request.edition === '2.36', twelveCharacters, isManaged, now: 0 }
    every.set(key, terms)
  }
  terms.now = request.now
  return terms
}

/** Builds a schema once for each edition, and hands out the one that a request is judged by. */
export function perTerms<T>(build: (terms: Terms) => T): (request: Request) => T {
  const built = new Map<Terms, T>()
  return request => {
    const terms = termsOf(request)
    let schema = built.get(terms)
    if (schema === undefined) {
      schema = build(terms)
      built.set(terms, schema)
    }
    return schema
  }
}
