import { exampleWords } from '../../../fixtures/contract/examples/index.ts'
import type { TextFormat } from '../../../fixtures/usage.ts'
import { hasFormat } from '../../fields/formats.ts'
import { examplesByFormat } from '../openapi/openapi-examples.ts'

const formats: readonly Exclude<TextFormat, 'text'>[] = ['uuid', 'object-id', 'date-time', 'date', 'email', 'uri']

/** Longer texts have none of the formats, and are not searched for them. */
const longest = 254

export const formatOf = (text: string): TextFormat =>
  text.length > longest || !mayHaveFormat.test(text) ? 'text' : (formats.find(format => isOf(text, format)) ?? 'text')

/** What all texts of a format have, so that most others are told in one step. */
const mayHaveFormat = /@|:\/\/|^\d{4}-|^[\da-f]{24}$|^[\da-f]{8}-/i

/** A URI has an authority here: `a:b` is a text. */
const isOf = (text: string, format: (typeof formats)[number]) =>
  (format !== 'uri' || /^[a-z][a-z\d+.-]*:\/\//i.test(text)) && hasFormat(text, format)

/** A generated text for a field: of the same format, else its example, else its name, which is not longer than what was sent. */
export function exampleText(text: string, name: string, ofField: string | undefined): string {
  const format = formatOf(text)
  if (format !== 'text') return examplesByFormat[format]
  if (ofField !== undefined) return ofField
  return exampleWords[name] ?? (name || 'text').slice(0, text.length)
}
