import {
  type Contract,
  type Field,
  type Fields,
  type Operation,
  type OperationId,
  contract as ours,
  type ResourceId,
} from '../../fixtures/built-contract/index.ts'
import { type Check, type Finding, judgeEach } from '../engine/check.ts'
import { fieldsWithVariant } from '../engine/contract.ts'
import { type Exchange, isSuccess, sentIn } from '../engine/exchange.ts'
import { isDateTime, isEmail, isObject, isUuid, type JsonObject } from '../engine/recognise.ts'
import { adjustVerdict, anySucceeds } from './steps.ts'

/** Judges whether answers have the fields of the contract, with their types, formats and values. */

export const answersAsDocumented = (operation: OperationId, steps: readonly string[] = [operation]): Check =>
  adjustVerdict(anySucceeds(steps), (verdict, { exchanges, history: { contract } }) =>
    verdict.outcome === 'held'
      ? judgeEach(
          exchanges.filter(one => one.operation === operation && !one.isProbe && isSuccess(one)),
          exchange => compareWithContract(exchange, contract.operations[operation], contract),
          () => verdict,
        )
      : verdict,
  )

/** The beginnings of texts, by media type. */
const beginnings: Readonly<Record<string, string>> = { 'application/x-pem-file': '-----BEGIN ' }

/** Compares a success with the result of its operation. */
export function compareWithContract(
  { json, form, request, response }: Exchange,
  { result, mediaType, page, isOutsideEnvelope, basis, shownOnce, ownAnswer }: Operation,
  { resources }: Contract = ours,
): readonly Finding[] {
  const beginning = beginnings[mediaType ?? '']
  if (beginning !== undefined && !response.text.startsWith(beginning))
    return [{ expected: `a text that begins with ${beginning}`, got: response.text.slice(0, beginning.length) }]
  if (ownAnswer && mediaType === undefined) return compareWithField(json, ownAnswer.field, '$', true)
  const { fields, oneOf, requiredInAnswers = [] } = resources[result.resource as ResourceId] ?? {}
  if (!fields || mediaType !== undefined || (!isObject(json) && !isOutsideEnvelope)) return []
  const hasNoWrapper = result.type === 'bare' && form === 'selfHosted'
  const key = isObject(json) && !hasNoWrapper ? ['result', 'data'].find(one => one in json) : undefined
  const field: Field = { type: 'object', fields, oneOf }
  const shape: Field = result.type === 'array' ? { type: 'array', items: field } : field
  const payload = key === undefined ? json : (json as JsonObject)[key]
  // For the observability API, the vendor's document makes nearly all fields optional.
  const isComplete = basis === 'documented' && form === 'cloud'
  // In an older edition of the vendor's document, the records of a page are inside the result.
  if (page && result.type === 'array' && isObject(payload))
    return compareWithField(payload.items, shape, `$.${key}.items`, isComplete)
  const path = key === undefined ? '$' : `$.${key}`
  const isSentByClient = shownOnce?.unlessSent !== undefined && shownOnce.unlessSent in sentIn({ request })
  const missingNames =
    shownOnce && !isSentByClient ? shownOnce.fields.filter(name => !isObject(payload) || !payload[name]) : []
  return [
    ...compareWithField(payload, shape, path, isComplete),
    ...(form === 'cloud' ? [] : findMissing(payload, requiredInAnswers, path)),
    ...(Array.isArray(payload) && !request.path.includes('?') ? compareCount(json, payload, page) : []),
    ...missingNames.map(name => ({
      path: `${path}.${name}`,
      expected: 'the value that only this answer shows',
      got: undefined,
    })),
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

/** Judges whether the first page has as many records as its count requires. */
function compareCount(json: unknown, list: readonly unknown[], page: Operation['page']): readonly Finding[] {
  const { totalCount, nextCursor, meta } = isObject(json) ? json : {}
  const { total, limit, offset } = isObject(meta) ? meta : {}
  const isLast = page?.by === 'cursor' && typeof nextCursor !== 'string'
  const max =
    offset === 0 && typeof limit === 'number' && typeof total === 'number' ? Math.min(limit, total) : undefined
  const count = isLast ? totalCount : max
  return typeof count === 'number' && list.length < count
    ? [{ path: '$', expected: `${count} records, according to the count in the answer`, got: list.length }]
    : []
}

/** Compares a value with a field of the contract. Fields of objects may be missing unless `isComplete`. */
export function compareWithField(value: unknown, field: Field, path: string, isComplete: boolean): readonly Finding[] {
  if (value === null && field.nullable) return []
  const wrong = (expected: string): readonly Finding[] => [{ path, expected, got: value }]
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  if (type !== field.type && type !== field.alternativeType)
    return wrong(`${/^[aeiou]/.test(field.type) ? 'an' : 'a'} ${field.type}`)
  const values = field.values && [...field.values, ...(field.answerOnlyValues ?? [])]
  if (values && !values.includes(String(value))) return wrong(`one of ${values.join(', ')}`)
  // The specification shows no id of the observability API.
  const isAnyFormatAllowed = field.format === 'object-id' && !isComplete
  if (field.format && !isAnyFormatAllowed && !formats[field.format](value))
    return wrong(`a string of format ${field.format}`)
  if (Array.isArray(value) && field.items)
    return value.flatMap((item, index) => compareWithField(item, field.items!, `${path}[${index}]`, isComplete))
  const { propertyValues, oneOf } = field
  if (!isObject(value)) return []
  if (propertyValues)
    return Object.entries(value).flatMap(([name, one]) =>
      compareWithField(one, propertyValues, `${path}.${name}`, isComplete),
    )
  const variant = oneOf?.variants[String(value[oneOf.discriminator])]
  if (oneOf && value[oneOf.discriminator] !== undefined && !variant)
    return [
      {
        path: `${path}.${oneOf.discriminator}`,
        expected: `one of ${Object.keys(oneOf.variants).join(', ')}`,
        got: value[oneOf.discriminator],
      },
    ]
  return compareFields(value, fieldsWithVariant(field, value), path, isComplete)
}

const compareFields = (object: JsonObject, fields: Fields, path: string, isComplete: boolean): readonly Finding[] =>
  Object.keys(fields).flatMap(name => {
    const field = fields[name]!
    const { optional, editions, writeOnly, basis } = field
    const isPresent = object[name] !== undefined && (object[name] !== null || field.nullable || basis === 'stated')
    if (isPresent) {
      const compareWith = (one: Field) => compareWithField(object[name], one, `${path}.${name}`, isComplete)
      const findings = compareWith(field)
      // An edition may have another definition of the field.
      const fits = (other: Partial<Field>) => compareWith({ ...field, ...other }).length === 0
      return findings.length > 0 && Object.values(field.byEdition ?? {}).some(fits) ? [] : findings
    }
    const mayBeMissing =
      !isComplete || writeOnly || editions || field.byEdition || basis === 'invented' || basis === 'observed'
    return optional || mayBeMissing ? [] : [{ path: `${path}.${name}`, expected: 'the field', got: undefined }]
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
