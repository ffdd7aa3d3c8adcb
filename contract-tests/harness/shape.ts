import { isDateTime, isEmail, isObject, isUuid } from './recognise.ts'

/** One field of an answer, as it was seen: `string`, `string uuid`, `number`, `null`, `array`, `object`. */
export interface FieldShape {
  readonly types: readonly string[]
  readonly presence: 'always' | 'sometimes'
  /** The values seen, of fields that take one of a few. */
  readonly values?: readonly string[]
}

/** The shape of the answers to one operation: fields by JSON path, array items as `[]`. */
export type Shape = Readonly<Record<string, FieldShape>>

/** More fields than these, or longer names, are no shape of anything: whoever sends them must not fill the memory. */
const MOST_FIELDS = 2000
const LONGEST_NAME = 100
const MOST_VALUES = 50

/** Fields whose values are words of a fixed set; the values of all others are somebody's data. */
const named = new Set([
  'role',
  'state',
  'status',
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

/** The shape of several answers to the same operation. */
export function shapeOf(answers: readonly unknown[]): Shape {
  const fields = new Map<string, { types: Set<string>; values: Set<string>; seen: number; holder: string }>()
  const counts = new Map<string, number>([['', answers.length]])
  const visit = (value: unknown, path: string) => {
    if (Array.isArray(value)) {
      for (const item of value) {
        counts.set(`${path}[]`, (counts.get(`${path}[]`) ?? 0) + 1)
        visit(item, `${path}[]`)
      }
      return
    }
    if (!isObject(value)) return
    for (const [key, item] of Object.entries(value)) {
      const at = `${path}.${key.slice(0, LONGEST_NAME)}`
      if (!fields.has(at) && fields.size >= MOST_FIELDS) continue
      const field = fields.get(at) ?? { types: new Set(), values: new Set(), seen: 0, holder: path }
      fields.set(at, field)
      field.seen++
      field.types.add(typeOf(item))
      if (typeof item === 'string' && named.has(key) && item.length <= LONGEST_NAME && field.values.size < MOST_VALUES)
        field.values.add(item)
      counts.set(at, (counts.get(at) ?? 0) + 1)
      visit(item, at)
    }
  }
  for (const answer of answers) visit(answer, '')
  const entries = [...fields].map(([path, { types, values, seen, holder }]): [string, FieldShape] => [
    `$${path}`,
    {
      types: [...types].sort(),
      presence: seen === counts.get(holder) ? 'always' : 'sometimes',
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
