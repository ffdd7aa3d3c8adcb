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
import { type Exchange, isSuccess, parseJson } from '../engine/exchange.ts'
import { isDateTime, isEmail, isObject, isUuid, type JsonObject } from '../engine/recognise.ts'
import { anySucceeds } from './observations.ts'
import { adjustVerdict } from './steps.ts'

/** Answers have the fields of the vendor's document, with their types, formats and values. */

export const answersAsDocumented = (operation: OperationId, steps: readonly string[] = [operation]): Check =>
  adjustVerdict(anySucceeds(steps), (verdict, { all }) =>
    verdict.outcome === 'held'
      ? judgeEach(
          all.filter(one => one.operation === operation && !one.isProbe && isSuccess(one)),
          exchange => compareWithContract(exchange, operations[operation]),
          () => verdict,
        )
      : verdict,
  )

/** By media type: how the text begins. */
const beginnings: Readonly<Record<string, string>> = { 'application/x-pem-file': '-----BEGIN ' }

export function compareWithContract(
  { json, form, request, response }: Exchange,
  { result, media, page, isBare, basis, showsOnce }: Operation,
): readonly Finding[] {
  const begins = beginnings[media ?? '']
  if (begins !== undefined && !response.text.startsWith(begins))
    return [{ expected: `a text that begins with ${begins}`, got: response.text.slice(0, begins.length) }]
  const { fields, oneOf, always = [] } = resources[result.of as ResourceId] ?? {}
  if (!fields || media !== undefined || (!isObject(json) && !isBare)) return []
  const isUnwrapped = result.is === 'bare' && form === 'selfHosted'
  const key = isObject(json) && !isUnwrapped ? ['result', 'data'].find(one => one in json) : undefined
  const field: Field = { type: 'object', fields, oneOf }
  const shape: Field = result.is === 'array' ? { type: 'array', items: field } : field
  const payload = key === undefined ? json : (json as JsonObject)[key]
  // For the observability API, the vendor's document makes nearly all fields optional.
  const isComplete = basis === 'documented' && form === 'cloud'
  // In an older document, the records of a page are inside the result.
  if (page && result.is === 'array' && isObject(payload))
    return compareWithField(payload.items, shape, `$.${key}.items`, isComplete)
  const path = key === undefined ? '$' : `$.${key}`
  const sent = parseJson(request.body ?? '')
  const isBrought = showsOnce?.unless !== undefined && isObject(sent) && showsOnce.unless in sent
  const lacking = showsOnce && !isBrought ? showsOnce.fields.filter(name => !isObject(payload) || !payload[name]) : []
  return [
    ...compareWithField(payload, shape, path, isComplete),
    ...(form === 'cloud' ? [] : findMissing(payload, always, path)),
    ...(Array.isArray(payload) && !request.path.includes('?') ? compareCount(json, payload, page) : []),
    ...lacking.map(name => ({ path: `${path}.${name}`, expected: 'what no other answer shows', got: undefined })),
  ]
}

const findMissing = (payload: unknown, names: readonly string[], path: string): readonly Finding[] =>
  (Array.isArray(payload) ? payload : [payload]).flatMap((one, index) =>
    names
      .filter(name => isObject(one) && one[name] === undefined)
      .map(name => ({
        path: Array.isArray(payload) ? `${path}[${index}].${name}` : `${path}.${name}`,
        expected: 'the field',
        got: undefined,
      })),
  )

/** A first page has as many records as it counts, unless more pages follow. */
function compareCount(json: unknown, list: readonly unknown[], page: Operation['page']): readonly Finding[] {
  const { totalCount, nextCursor, meta } = isObject(json) ? json : {}
  const { total, limit, offset } = isObject(meta) ? meta : {}
  const isLast = page?.by === 'cursor' && typeof nextCursor !== 'string'
  const max =
    offset === 0 && typeof limit === 'number' && typeof total === 'number' ? Math.min(limit, total) : undefined
  const count = isLast ? totalCount : max
  return typeof count === 'number' && list.length < count
    ? [{ path: '$', expected: `${count} records, as many as there are`, got: list.length }]
    : []
}

/** Fields may be missing unless `isWhole`. */
export function compareWithField(value: unknown, field: Field, path: string, isWhole = true): readonly Finding[] {
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
    return value.flatMap((item, index) => compareWithField(item, field.items!, `${path}[${index}]`, isWhole))
  const { each, oneOf } = field
  if (!isObject(value)) return []
  if (each)
    return Object.entries(value).flatMap(([name, one]) => compareWithField(one, each, `${path}.${name}`, isWhole))
  const variant = oneOf?.of[String(value[oneOf.by])]
  if (oneOf && value[oneOf.by] !== undefined && !variant)
    return [
      { path: `${path}.${oneOf.by}`, expected: `one of ${Object.keys(oneOf.of).join(', ')}`, got: value[oneOf.by] },
    ]
  return compareFields(value, { ...field.fields, ...variant }, path, isWhole)
}

const compareFields = (object: JsonObject, fields: Fields, path: string, isWhole: boolean): readonly Finding[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const { optional, editions, writeOnly, basis } = field
    // An edition may have another type of field.
    const kinds = [field, ...Object.values(field.in ?? {}).map(other => ({ ...field, ...other }))]
    const isThere = object[name] !== undefined && (object[name] !== null || field.nullable || basis === 'stated')
    if (isThere) {
      const found = kinds.map(kind => compareWithField(object[name], kind, `${path}.${name}`, isWhole))
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
