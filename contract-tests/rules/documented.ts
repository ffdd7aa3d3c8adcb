import {
  type Field,
  type Fields,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  resources,
} from '../../fixtures/contract/index.ts'
import { type Check, type Finding, judgeEach } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isDateTime, isEmail, isObject, isUuid, type JsonObject } from '../engine/recognise.ts'
import { answers } from './observations.ts'
import { reconsider } from './steps.ts'

/** What the vendor's document says of an answer: its fields are there, with their types, formats and values. */

/** Holds when an operation succeeds and each of its successes in the cloud form has the fields of its contract. */
export const answersAsDocumented = (operation: OperationId, steps: readonly string[] = [operation]): Check =>
  reconsider(answers(steps), (verdict, { form, all }) =>
    verdict.outcome === 'held' && form === 'cloud'
      ? judgeEach(
          all.filter(one => one.operation === operation && isSuccess(one)),
          exchange => misfitsIn(exchange, operations[operation]),
          () => verdict,
        )
      : verdict,
  )

/** The places where an answer differs from its operation's contract. */
export function misfitsIn({ json }: Exchange, { result, media, page, isBare }: Operation): readonly Finding[] {
  const fields = result.of === undefined ? undefined : resources[result.of as ResourceId].fields
  if (!fields || media !== undefined || (!isObject(json) && !isBare)) return []
  const key = isObject(json) ? ['result', 'data'].find(one => one in json) : undefined
  const field = { type: 'object', fields } as const
  const shape: Field = result.is === 'array' ? { type: 'array', items: field } : field
  const payload = key === undefined ? json : (json as JsonObject)[key]
  // An older document has the records of a page within the result.
  if (page && result.is === 'array' && isObject(payload)) return misfits(payload.items, shape, `$.${key}.items`)
  return misfits(payload, shape, key === undefined ? '$' : `$.${key}`)
}

/** The places where a value differs from a field of the contract. */
export function misfits(value: unknown, field: Field, path: string): readonly Finding[] {
  if (value === null && field.nullable) return []
  const wrong = (expected: string): readonly Finding[] => [{ path, expected, got: value }]
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  if (type !== field.type && type !== field.also)
    return wrong(`${/^[aeiou]/.test(field.type) ? 'an' : 'a'} ${field.type}`)
  const values = field.values && [...field.values, ...(field.answered ?? [])]
  if (values && !values.includes(value as string)) return wrong(`one of ${values.join(', ')}`)
  if (field.format && !formats[field.format](value)) return wrong(`a string of format ${field.format}`)
  if (Array.isArray(value) && field.items)
    return value.flatMap((item, index) => misfits(item, field.items!, `${path}[${index}]`))
  const { each } = field
  if (isObject(value) && each)
    return Object.entries(value).flatMap(([name, one]) => misfits(one, each, `${path}.${name}`))
  return isObject(value) && field.fields ? misfitsOf(value, field.fields, path) : []
}

const misfitsOf = (object: object, fields: Fields, path: string): readonly Finding[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = (object as Readonly<Record<string, unknown>>)[name]
    if (value !== undefined) return misfits(value, field, `${path}.${name}`)
    return field.optional ? [] : [{ path: `${path}.${name}`, expected: 'the field', got: undefined }]
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
