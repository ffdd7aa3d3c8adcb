import type { Field, Fields } from '../../../fixtures/contract/index.ts'
import type { Finding } from '../../engine/check.ts'
import { fieldsWithVariant } from '../../engine/contract.ts'
import { isDateTime, isObject, type JsonObject, momentOf, valueAt } from '../../engine/recognise.ts'

/** Compares what was sent with what an answer shows, field by field, by the contract of both. */

interface Terms {
  /** The answer to the creation: values that it shows in another spelling count as normalised. */
  readonly answered?: unknown
  /** True if answers may leave out what was sent. */
  readonly mayLose?: boolean
  /** True for an item of a list. */
  readonly isItem?: boolean
}

/**
 * True if an answer has most of the fields that the contract requires of it. A deployment that does not follow the vendor's
 * documents may leave out what it does not know.
 */
export function followsContract(object: JsonObject, shown: Fields): boolean {
  const names = Object.entries(shown).flatMap(([name, { optional, nullable, writeOnly, editions, forms, basis }]) =>
    optional === true || optional === 'answer' || nullable || writeOnly || editions || forms || basis === 'stated'
      ? []
      : [name],
  )
  return 2 * names.filter(name => name in object).length >= names.length
}

type Shape = Pick<Field, 'fields' | 'oneOf'>

/** The first difference; undefined if there is none. `shown` has the fields of answers, `field` those of requests. */
export function compareWhole(
  sent: JsonObject,
  got: JsonObject,
  field: Shape,
  shown: Shape,
  terms: Terms = {},
): Finding | undefined {
  return compareObjects(sent, got, field, '$', terms, fieldsWithVariant(shown, sent))
}

function compareObjects(
  sent: JsonObject,
  got: JsonObject,
  field: Shape,
  path: string,
  terms: Terms,
  shown?: Fields,
): Finding | undefined {
  const fields = fieldsWithVariant(field, sent)
  for (const [name, value] of Object.entries(sent)) {
    const own = fields[name] ?? (isDiscriminator(name, field) ? discriminator : undefined)
    if (!own || (shown && own !== discriminator && !isShownAlike(value, shown[name]))) continue
    // The server replaces the ids of nested objects that a request may leave out.
    if (name === 'id' && (own.readOnly || own.optional === 'request')) continue
    const inner = { ...terms, answered: valueAt(terms.answered, [name]) }
    const finding = compareValues(value, got[name], own, `${path}.${name}`, inner)
    if (finding) return finding
  }
  // Fields of other variants, such as the tile of an alert that now watches a search.
  const others = Object.values(field.oneOf?.variants ?? {}).flatMap(variant => Object.keys(variant))
  const stale = others.find(name => !(name in fields || name in sent) && !isBlank(got[name]))
  return stale === undefined
    ? undefined
    : { path: `${path}.${stale}`, expected: 'no field of another kind of object', got: got[stale] }
}

const discriminator: Field = { type: 'string', values: [] }
const isDiscriminator = (name: string, { oneOf }: Shape) =>
  oneOf?.discriminator === name || oneOf?.overrides?.some(({ field }) => field === name) === true

/** True if answers have the field in the shape in which it was sent. Some changes name the items to add and to remove. */
function isShownAlike(sent: unknown, field: Field | undefined): boolean {
  if (!field) return false
  const [first] = Array.isArray(sent) ? sent : [sent]
  const fields = Array.isArray(sent) ? field.items?.fields : field.fields
  if (Array.isArray(sent) !== (field.type === 'array') && !field.alternativeType) return false
  return !isObject(first) || !fields || field.oneOf || field.items?.oneOf
    ? true
    : Object.keys(first).every(name => name in fields)
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isBlank))

function compareValues(sent: unknown, got: unknown, field: Field, path: string, terms: Terms): Finding | undefined {
  const difference = (expected = JSON.stringify(sent)): Finding => ({ path, expected, got })
  if (field.writeOnly) return got === undefined ? undefined : { path, expected: 'no such field', got: 'a value' }
  const mayBeMissing = terms.mayLose || (terms.isItem && field.isUnlisted)
  if (field.secret || (got === undefined && mayBeMissing)) return undefined
  if (isBlank(sent) && isBlank(got)) return undefined
  if (isObject(sent) && isObject(got)) {
    if (!field.propertyValues) return compareObjects(sent, got, field, path, terms)
    const name = Object.keys({ ...sent, ...got }).find(
      one => compareValues(sent[one], got[one], field.propertyValues!, path, {}) !== undefined,
    )
    return name === undefined
      ? undefined
      : { path: `${path}.${name}`, expected: JSON.stringify(sent[name]), got: got[name] }
  }
  if (Array.isArray(sent) && Array.isArray(got)) {
    if (field.deploymentAddsItems) {
      const lost = sent.find(one => !got.some(other => JSON.stringify(other) === JSON.stringify(one)))
      return lost === undefined ? undefined : difference(`a list with ${JSON.stringify(lost)}`)
    }
    if (sent.length !== got.length)
      return { path, expected: `the ${sent.length} items that were sent`, got: `${got.length} items` }
    for (const [index, item] of sent.entries()) {
      const inner = { ...terms, answered: valueAt(terms.answered, [index]) }
      const finding = compareValues(item, got[index], field.items ?? { type: 'string' }, `${path}[${index}]`, inner)
      if (finding) return finding
    }
    return undefined
  }
  if (JSON.stringify(sent) === JSON.stringify(got) || isSameMoment(sent, got)) return undefined
  return isNormalised(sent, got, field) && JSON.stringify(got) === JSON.stringify(terms.answered)
    ? undefined
    : difference()
}

const isSameMoment = (sent: unknown, got: unknown) =>
  isDateTime(sent) && isDateTime(got) && momentOf(sent) === momentOf(got)

/** True if values differ in outer white space, letter case or rounding only; a value of an enum never may. */
function isNormalised(sent: unknown, got: unknown, { values }: Field): boolean {
  if (values) return false
  if (typeof sent === 'number' && typeof got === 'number') return Math.abs(sent - got) < 1
  const fold = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : undefined)
  return fold(sent) !== undefined && fold(sent) === fold(got)
}
