import type { Row } from './row-store.ts'

/**
 * The bytes that a row takes at least in a saved state, known without writing it, because many rows would take all memory.
 * Quotes, escapes and the further bytes of letters beyond ASCII are left out; empty values are not saved.
 */
export function sizeOfRow(row: Row): number {
  let bytes = smallestRow
  for (const [name, value] of Object.entries(row)) {
    // Times are saved in one format, whatever was sent.
    if (name === 'Timestamp' || name === 'TimeUnix') continue
    if (Array.isArray(value)) bytes += name.length + 2 * value.length + ',"":['.length
    else if (typeof value !== 'object') bytes += sizeOfField(name, value)
    else if (value !== null) for (const [key, text] of Object.entries(value)) bytes += sizeOfField(key, text)
  }
  return bytes
}

const smallestRow = '{"TimeUnix":"1970-01-01T00:00:00.000Z"},'.length

function sizeOfField(name: string, value: unknown): number {
  if (!value) return 0
  return name.length + (typeof value === 'string' ? value.length : 1) + ',"":'.length
}
