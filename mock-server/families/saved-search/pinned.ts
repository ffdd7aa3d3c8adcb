import type { SearchFilter } from './model.ts'

/** The text without the contents of quotes, in which quotes are doubled or escaped by a backslash. */
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

/** The brackets must be balanced: those around the whole predicate begin here and end after the list. */
const isColumn = (text: string) =>
  text.trim() !== '' && !/\b(?:NOT|AND|OR)\b/i.test(text) && text.split('(').length === text.split(')').length
