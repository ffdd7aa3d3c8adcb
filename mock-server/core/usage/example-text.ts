import type { TextFormat } from '../../../fixtures/usage.ts'
import { hasFormat } from '../../fields/formats.ts'

/** For each format a text that tells nothing about the one that it replaces. */
const examples: Readonly<Record<Exclude<TextFormat, 'text'>, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'object-id': '0'.repeat(24),
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  email: 'person@example.com',
  uri: 'https://example.com/',
}
const formats = Object.keys(examples) as (keyof typeof examples)[]

/** Longer texts have none of the formats, and are not searched for them. */
const longest = 254

export const formatOf = (text: string): TextFormat =>
  text.length > longest ? 'text' : (formats.find(format => isOf(text, format)) ?? 'text')

/** A URI has an authority here: `a:b` is a text. */
const isOf = (text: string, format: (typeof formats)[number]) =>
  (format !== 'uri' || /^[a-z][a-z\d+.-]*:\/\//i.test(text)) && hasFormat(text, format)

/** A generated text for a field: of the same format, else its own name, which is not longer than the text that was sent. */
export function exampleText(text: string, name: string, ofField: string | undefined): string {
  const format = formatOf(text)
  if (format !== 'text') return examples[format]
  if (ofField !== undefined) return ofField
  return (name || 'text').slice(0, text.length)
}
