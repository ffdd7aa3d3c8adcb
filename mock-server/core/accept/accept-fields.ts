import type { Field, Fields, Form, Resource } from '../../../fixtures/contract/index.ts'
import { type Issue, invalid, Refusal, refused } from '../../words/refusal.ts'

/**
 * Judges a body by the fields of its resource, and names everything that is wrong. The cloud refuses the first property that
 * it does not know; the self-hosted form leaves it alone.
 */
export function acceptFields(body: unknown, { fields }: Resource, form: Form): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid([{ part: 'Body', path: [], says: 'Expected an object', received: body }])
  }
  const stranger = Object.keys(body).find(name => !Object.hasOwn(fields, name))
  if (stranger !== undefined && form !== 'selfHosted')
    // The gateway in front of the cloud API answers this, without a code.
    throw new Refusal('malformed', `request body property can't be validated: ${stranger}`, { isWhole: true })
  const issues = judgeFields(body as Record<string, unknown>, fields, [])
  if (issues.length > 0) throw invalid(issues)
}

/** Judges the query of an operation by its fields. What a text means, such as a date, is left to the handler. */
export function acceptQuery(query: URLSearchParams, fields: Fields): void {
  const stranger = [...query.keys()].find(name => !Object.hasOwn(fields, name))
  if (stranger !== undefined) throw refused(`Unknown parameter: ${stranger}`)
  const issues = Object.entries(fields).flatMap(([name, field]): Issue[] => {
    const [part, path, received] = ['Query', [name], query.get(name)] as const
    if (received === null) return field.optional ? [] : [{ part, path, says: 'Required' }]
    const value = field.type === 'number' && /^-?\d+$/.test(received) ? Number(received) : received
    return field.type === 'array' ? [] : judge(value, field, path).map(issue => ({ ...issue, part, received }))
  })
  if (issues.length > 0) throw invalid(issues)
}

function judgeFields(body: Record<string, unknown>, fields: Fields, path: Issue['path']): Issue[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const at = [...path, name]
    const value = body[name]
    if (value === undefined) return field.optional ? [] : [{ part: 'Body' as const, path: at, says: 'Required' }]
    return judge(value, field, at)
  })
}

function judge(value: unknown, field: Field, path: Issue['path']): Issue[] {
  const issue = (says: string): Issue[] => [{ part: 'Body', path, says, received: value }]
  if (value === null) return field.nullable ? [] : issue(`Expected ${field.type}`)
  const type = nameOfType(value)
  if (type !== field.type && type !== field.also)
    return issue(`Expected ${[field.type, ...(field.also ? [field.also] : [])].join(' or ')}`)
  if (field.values && !field.values.includes(String(value))) return issue(`Expected one of ${field.values.join(', ')}`)
  if (field.format && !fits(String(value), field.format)) return issue(`Expected the format ${field.format}`)
  if (field.pattern && !new RegExp(field.pattern).test(String(value)))
    return issue(`Expected a match of ${field.pattern}`)
  if (typeof value === 'number') {
    const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, step } = field
    if (value < least) return issue(`Value must be >= ${least}`)
    if (value > most) return issue(`Value must be <= ${most}`)
    if (step !== undefined && value % step !== 0) return issue(`Value must be a multiple of ${step}`)
  }
  if (typeof value === 'string' || Array.isArray(value)) {
    const unit = typeof value === 'string' ? 'characters' : 'items'
    if (value.length < (field.least ?? 0)) return issue(`Expected at least ${field.least} ${unit}`)
    if (value.length > (field.most ?? Number.POSITIVE_INFINITY)) return issue(`Expected at most ${field.most} ${unit}`)
  }
  if (Array.isArray(value) && field.items) return value.flatMap((item, at) => judge(item, field.items!, [...path, at]))
  if (field.entries) return judgeMap(value as Record<string, unknown>, field, field.entries, path)
  return field.fields ? judgeFields(value as Record<string, unknown>, field.fields, path) : []
}

function judgeMap(
  map: Record<string, unknown>,
  { least = 0, most }: Field,
  entry: Field,
  path: Issue['path'],
): Issue[] {
  const entries = Object.entries(map)
  const issue = (says: string): Issue[] => [{ part: 'Body', path, says, received: map }]
  if (entries.length < least) return issue(`Expected at least ${least} entries`)
  if (most !== undefined && entries.length > most) return issue(`Expected at most ${most} entries`)
  return entries.flatMap(([name, value]) => judge(value, entry, [...path, name]))
}

const nameOfType = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** Whether a text has a format. A date must exist in the calendar. */
export const fits = (text: string, format: NonNullable<Field['format']>): boolean =>
  formats[format].test(text) && (!format.startsWith('date') || !Number.isNaN(Date.parse(text)))

const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
} as const
