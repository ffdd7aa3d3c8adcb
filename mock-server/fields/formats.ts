import { RE2JS } from 're2js'
import type { Field } from '../../fixtures/contract/index.ts'

export type Format = NonNullable<Field['format']>

/** Whether a text has a format. A date must exist in the calendar. */
export const hasFormat = (text: string, format: Format): boolean =>
  format === 'uri'
    ? URL.canParse(text)
    : patterns[format].test(text) && (!dateFormats.has(format) || !Number.isNaN(Date.parse(text)))

/** Whether self-hosted deployments accept a text as an email address. */
export const isDeployedEmail = (text: string): boolean =>
  /^(?!\.)(?!.*\.\.)[A-Z0-9_'+\-.]*[A-Z0-9_+-]@([A-Z0-9][A-Z0-9-]*\.)+[A-Z]{2,}$/i.test(text)

/** Makes a test of the pattern of a field. A pattern of a user's document is matched in linear time. */
export function testOf({ pattern = '', isFromDocument }: Field): (text: string) => boolean {
  if (!isFromDocument) {
    const expression = new RegExp(pattern)
    return text => expression.test(text)
  }
  try {
    const expression = RE2JS.compile(pattern)
    return text => expression.matcher(text).find()
  } catch {
    // A pattern that only RegExp reads is not judged.
    return () => true
  }
}

const dateFormats: ReadonlySet<Format> = new Set(['date', 'date-time', 'timestamp'])

const patterns = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/,
  moment: /^/, // any text: the handler reads it
  'object-id': /^[0-9a-f]{24}$/i,
} as const
