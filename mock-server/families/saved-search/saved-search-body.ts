import { z } from 'zod/v3'
import { savedSearchInput } from '../../../fixtures/contract/saved-search.ts'
import type { SearchFilter } from '../../words/resources.ts'
import { objectId } from '../observability/object-id.ts'
import { perTerms } from '../observability/terms.ts'

const expression = z.string().max(8192)

/** The shapes that are stored; `isPinned` says which of them the API lets in. */
const filter = z.union([
  z.object({ type: z.enum(['lucene', 'sql']).optional().default('sql'), condition: expression }),
  z.object({
    type: z.literal('sql_ast'),
    operator: z.enum(['=', '<', '>', '!=', '<=', '>=']),
    left: expression,
    right: expression,
  }),
])

/** The body of a saved search, for creation and for replacement alike: what is left out has its default. */
export const savedSearchBody = perTerms(terms =>
  z.object({
    name: z.string().trim().min(1).max(1024),
    sourceId: objectId(terms),
    select: z.string().max(4096).optional().default(''),
    where: expression.optional().default(''),
    whereLanguage: z.enum(['lucene', 'sql']).optional().default('lucene'),
    orderBy: z.string().max(1024).optional().default(''),
    tags: z.array(z.string().max(32)).max(50).optional().default([]),
    filters: z.array(filter).max(100).default([]),
  }),
)

export type SavedSearchBody = z.infer<ReturnType<typeof savedSearchBody>>

export const savedSearchProperties: ReadonlySet<string> = new Set(Object.keys(savedSearchInput.fields))

/** The text with what stands in quotes left out; a quote is doubled inside, or has a backslash before it. */
const outsideQuotes = (text: string) => text.replace(/'(?:[^'\\]|\\[\s\S]|'')*'/g, "''")

/**
 * Whether a filter is one that the user interface shows beside a search: one column with a list of values, or between two
 * numbers, and nothing else.
 */
export function isPinned(filter: SearchFilter): boolean {
  if (filter.type !== 'sql') return false
  const text = outsideQuotes(filter.condition)
  const range = /^(.+?)\sBETWEEN\s+(\S+)\s+AND\s+(\S+)\s*$/i.exec(text)
  if (range) return isColumn(range[1]!) && [range[2], range[3]].every(bound => Number.isFinite(Number(bound)))
  if (/[=<>]| OR | AND /i.test(text)) return false
  const list = /^(.+?) (?:NOT )?IN (.+)$/is.exec(text)
  return (
    list !== null &&
    isColumn(list[1]!) &&
    list[2]!
      .trim()
      .replace(/^\((.*)\)$/s, '$1')
      .replaceAll(',', '')
      .trim() !== ''
  )
}

const isColumn = (text: string) => text.trim() !== '' && !/\b(?:NOT|AND|OR)\b/i.test(text)
