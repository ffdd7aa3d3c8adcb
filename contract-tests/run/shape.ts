import { idOf, isDateTime, isEmail, isObject, isUuid } from '../engine/recognise.ts'

/** One observed field; its types are `string`, `string uuid`, `number`, `null`, `array`, `object` and the like. */
export interface FieldShape {
  readonly types: readonly string[]
  readonly presence: 'always' | 'sometimes'
  /** The number of different records with the field, when fewer than ENOUGH_RECORDS. */
  readonly records?: number
  /** The values seen, for fields with a fixed set of values. */
  readonly values?: readonly string[]
}

/** The shape of the answers to one operation: fields by JSON path, array items as `[]`. */
export type Shape = Readonly<Record<string, FieldShape>>

/** Bounds that keep a hostile answer from filling the memory. */
const MAX_FIELDS = 2000
const MAX_LENGTH = 100
const MAX_VALUES = 50

/** What fewer records than this have in common may be a coincidence. */
export const ENOUGH_RECORDS = 3

/**
 * Fields with a fixed set of values; the values of all others are user data. `state` and `status` are missing: they change
 * with a record, not with the API, and the field checks know their values.
 */
const enumFields = new Set([
  'role',
  'type',
  'kind',
  'source',
  'interval',
  'thresholdType',
  'service',
  'displayType',
  'bucketProvider',
  'aggFn',
  'whereLanguage',
  'savedQueryLanguage',
])

/** The beginning of the record key of an answer that has no id. */
const ANSWER = 'answer '

interface Seen {
  readonly types: Set<string>
  readonly values: Set<string>
  readonly records: Set<string>
  readonly holder: string
}

/** The shape of several answers to one operation. A record counts once, by its id or else by its content. */
export function shapeOf(answers: readonly unknown[], resource = ''): Shape {
  const fields = new Map<string, Seen>()
  const counts = new Map<string, number>([['', answers.length]])
  const visit = (value: unknown, path: string, record: string) => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        counts.set(`${path}[]`, (counts.get(`${path}[]`) ?? 0) + 1)
        // A part of a record is identified by its position.
        visit(item, `${path}[]`, record.startsWith(ANSWER) ? JSON.stringify(item) : `${record} ${index}`)
      }
      return
    }
    if (!isObject(value)) return
    const recordKey = idOf(value, resource) ?? record
    for (const [key, item] of Object.entries(value)) {
      const at = `${path}.${key.slice(0, MAX_LENGTH)}`
      if (!fields.has(at) && fields.size >= MAX_FIELDS) continue
      const field: Seen = fields.get(at) ?? { types: new Set(), values: new Set(), records: new Set(), holder: path }
      fields.set(at, field)
      field.types.add(typeOf(item))
      if (field.records.size < ENOUGH_RECORDS) field.records.add(recordKey)
      const isEnumValue = typeof item === 'string' && enumFields.has(key) && item.length <= MAX_LENGTH
      if (isEnumValue && field.values.size < MAX_VALUES) field.values.add(item)
      counts.set(at, (counts.get(at) ?? 0) + 1)
      visit(item, at, recordKey)
    }
  }
  for (const [index, answer] of answers.entries()) visit(answer, '', `${ANSWER}${index}`)
  const entries = [...fields].map(([path, { types, values, records, holder }]): [string, FieldShape] => [
    `$${path}`,
    {
      types: [...types].sort(),
      presence: counts.get(path) === counts.get(holder) ? 'always' : 'sometimes',
      ...(records.size < ENOUGH_RECORDS ? { records: records.size } : {}),
      ...(values.size > 0 ? { values: [...values].sort() } : {}),
    },
  ])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'string') return typeof value
  if (isUuid(value)) return 'string uuid'
  if (isDateTime(value)) return 'string date-time'
  return isEmail(value) ? 'string email' : 'string'
}
