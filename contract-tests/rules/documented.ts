import {
  type Field,
  type Fields,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  resources,
  rules,
} from '../../fixtures/contract/index.ts'
import { type Check, type Finding, judgeEach } from '../engine/check.ts'
import { type Exchange, isSuccess, parseJson } from '../engine/exchange.ts'
import { isDateTime, isEmail, isObject, isUuid, type JsonObject } from '../engine/recognise.ts'
import { answers } from './observations.ts'
import { reconsider } from './steps.ts'

/** What the vendor's document says of an answer: its fields are there, with their types, formats and values. */

/** Holds when an operation succeeds and each of its successes in the cloud and managed forms has the fields of its contract. */
export const answersAsDocumented = (operation: OperationId, steps: readonly string[] = [operation]): Check =>
  reconsider(answers(steps), (verdict, { form, all }) =>
    verdict.outcome === 'held' && form !== 'selfHosted' && !isTyped(operation)
      ? judgeEach(
          all.filter(one => one.operation === operation && !one.isProbe && isSuccess(one)),
          exchange => misfitsIn(exchange, operations[operation]),
          () => verdict,
        )
      : verdict,
  )

/** A resource may have a rule of its own for the types of its fields. */
const isTyped = (operation: OperationId) => `${operation.split('.')[0]}/fields-are-typed` in rules

/** The places where an answer differs from its operation's contract. */
export function misfitsIn(
  { json, form, request }: Exchange,
  { result, media, page, isBare, basis, showsOnce }: Operation,
): readonly Finding[] {
  const { fields, oneOf } = resources[result.of as ResourceId] ?? {}
  if (!fields || media !== undefined || (!isObject(json) && !isBare)) return []
  const key = isObject(json) ? ['result', 'data'].find(one => one in json) : undefined
  const field: Field = { type: 'object', fields, oneOf }
  const shape: Field = result.is === 'array' ? { type: 'array', items: field } : field
  const payload = key === undefined ? json : (json as JsonObject)[key]
  // The specification shows no answer that lacks nothing, and the vendor's lets the managed form leave out nearly all.
  const isWhole = basis === 'documented' && form !== 'managed'
  // An older document has the records of a page within the result.
  if (page && result.is === 'array' && isObject(payload))
    return misfits(payload.items, shape, `$.${key}.items`, isWhole)
  const path = key === undefined ? '$' : `$.${key}`
  const sent = parseJson(request.body ?? '')
  const isBrought = showsOnce?.unless !== undefined && isObject(sent) && showsOnce.unless in sent
  const lacking = showsOnce && !isBrought ? showsOnce.fields.filter(name => !isObject(payload) || !payload[name]) : []
  return [
    ...misfits(payload, shape, path, isWhole),
    ...(page?.by === 'cursor' && !request.path.includes('?') ? miscounted(json, payload) : []),
    ...lacking.map(name => ({ path: `${path}.${name}`, expected: 'what no other answer shows', got: undefined })),
  ]
}

/** A first page that nothing follows has as many records as it says there are. */
function miscounted(json: unknown, list: unknown): readonly Finding[] {
  const { totalCount, nextCursor } = isObject(json) ? json : {}
  const isLast = Array.isArray(list) && typeof totalCount === 'number' && typeof nextCursor !== 'string'
  return isLast && list.length < totalCount
    ? [{ path: '$.result', expected: `${totalCount} records, as many as there are`, got: list.length }]
    : []
}

/** The places where a value differs from a field of the contract. Unless it is to be whole, fields may be missing. */
export function misfits(value: unknown, field: Field, path: string, isWhole = true): readonly Finding[] {
  if (value === null && field.nullable) return []
  const wrong = (expected: string): readonly Finding[] => [{ path, expected, got: value }]
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  if (type !== field.type && type !== field.also)
    return wrong(`${/^[aeiou]/.test(field.type) ? 'an' : 'a'} ${field.type}`)
  const values = field.values && [...field.values, ...(field.answered ?? [])]
  if (values && !values.includes(String(value))) return wrong(`one of ${values.join(', ')}`)
  // The specification shows no id of the observability API.
  const isOpen = field.format === 'object-id' && !isWhole
  if (field.format && !isOpen && !formats[field.format](value)) return wrong(`a string of format ${field.format}`)
  if (Array.isArray(value) && field.items)
    return value.flatMap((item, index) => misfits(item, field.items!, `${path}[${index}]`, isWhole))
  const { each, oneOf } = field
  if (!isObject(value)) return []
  if (each) return Object.entries(value).flatMap(([name, one]) => misfits(one, each, `${path}.${name}`, isWhole))
  const variant = oneOf?.of[String(value[oneOf.by])]
  if (oneOf && value[oneOf.by] !== undefined && !variant)
    return [
      { path: `${path}.${oneOf.by}`, expected: `one of ${Object.keys(oneOf.of).join(', ')}`, got: value[oneOf.by] },
    ]
  return misfitsOf(value, { ...field.fields, ...variant }, path, isWhole)
}

const misfitsOf = (object: JsonObject, fields: Fields, path: string, isWhole: boolean): readonly Finding[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const { optional, editions, writeOnly, basis } = field
    // An edition may have a field of another kind.
    const kinds = [field, ...Object.values(field.in ?? {}).map(other => ({ ...field, ...other }))]
    const isThere = object[name] !== undefined && (object[name] !== null || field.nullable || basis === 'stated')
    if (isThere) {
      const found = kinds.map(kind => misfits(object[name], kind, `${path}.${name}`, isWhole))
      return found.find(one => one.length === 0) ?? found[0]!
    }
    const mayLack = !isWhole || writeOnly || editions || field.in || basis === 'invented' || basis === 'observed'
    return optional || mayLack ? [] : [{ path: `${path}.${name}`, expected: 'the field', got: undefined }]
  })

const formats: Readonly<Record<NonNullable<Field['format']>, (value: unknown) => boolean>> = {
  uuid: isUuid,
  email: isEmail,
  date: value => isDateTime(`${value}T00:00:00Z`),
  'date-time': isDateTime,
  timestamp: isDateTime,
  moment: isDateTime,
  uri: value => URL.canParse(String(value)),
  'object-id': value => /^[0-9a-f]{24}$/i.test(String(value)),
}
