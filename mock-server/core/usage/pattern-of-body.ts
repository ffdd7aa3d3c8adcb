import { formatOf } from './example-text.ts'
import { maxDepth, type Place, placeBelow } from './place.ts'

/** Longer bodies have expressions that take long to compile. */
const maxLength = 4096

/**
 * An expression that matches a body which was noted, and others of which there is nothing to note but their number: they have
 * the same fields, enum values and numbers, and texts of the same formats within the lengths that came. Matching takes less
 * than a tenth of the time of parsing and noting. Undefined for a body that is written in another way than `JSON.stringify`
 * does, or whose texts need escapes.
 */
export function patternOfBody(place: Place, value: unknown, body: string): RegExp | undefined {
  if (body.length > maxLength) return undefined
  const pattern = new RegExp(`^${body === '' ? '' : sourceOf(place, value)}$`)
  return pattern.test(body) ? pattern : undefined
}

function sourceOf(place: Place, value: unknown, depth = 0): string {
  if (typeof value === 'string') return sourceOfText(place, value)
  if (typeof value !== 'object' || value === null || depth > maxDepth) return exactly(value)
  if (Array.isArray(value)) {
    const items = placeBelow(place, '[]')
    return `\\[${value.map(item => sourceOf(items, item, depth + 1)).join(',')}\\]`
  }
  const fields = Object.entries(value).map(
    ([name, item]) => `${exactly(name)}:${sourceOf(placeBelow(place, name), item, depth + 1)}`,
  )
  return `\\{${fields.join(',')}\\}`
}

function sourceOfText(place: Place, text: string): string {
  const format = place.listed.size > 0 ? undefined : formatOf(text)
  if (format === 'uuid') return `"${hex}{8}(?:-${hex}{4}){3}-${hex}{12}"`
  if (format === 'object-id') return `"${hex}{24}"`
  if (format !== 'text') return exactly(text)
  const extent = place.length ? `{${place.length.join()}}` : '*'
  return `"${withoutFormat}[^"\\\\@:\\x00-\\x1f]${extent}"`
}

const hex = '[\\da-fA-F]'
/** With the characters that are left out, nothing that may have a format: stricter than `formatOf`, never less strict. */
const withoutFormat = `(?!\\d{4}-|${hex}{8}(?:-|${hex}{16}"))`

/** The source of an expression that matches the JSON of a value. */
export const exactly = (value: unknown) => JSON.stringify(value).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
