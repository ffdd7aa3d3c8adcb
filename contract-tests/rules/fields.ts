import { type Contract, type Field, type Fields, contract as ours } from '../../fixtures/built-contract/index.ts'
import type { Finding } from '../engine/check.ts'
import { fieldsOf, resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isDateTime, isObject, type JsonObject, type KeyPath } from '../engine/recognise.ts'

/** Compares the fields of requests and answers. */

export const queryOf = ({ request }: Exchange) => new URLSearchParams(request.path.split('?')[1])

/** The object in a success of the cloud form. */
export function resultIn(exchange: Exchange | undefined): JsonObject | undefined {
  const { json } = isSuccess(exchange) ? exchange : {}
  return isObject(json) && isObject(json.result) ? json.result : undefined
}

/** Returns true if a value may differ from the expected one; `keys` lead to its place. */
export type MayDiffer = (expected: unknown, got: unknown, keys: KeyPath) => boolean

/** The first difference in fields that both sides have, except ids of nested objects. Arrays are compared in order. */
export function findMismatch(
  expected: unknown,
  got: unknown,
  path: string,
  mayDiffer: MayDiffer = () => false,
  keys: KeyPath = [],
): Finding | undefined {
  if (isObject(expected) && isObject(got)) {
    for (const key of Object.keys(expected)) {
      if (!(key in got) || (keys.length > 0 && key === 'id')) continue
      const finding = findMismatch(expected[key], got[key], `${path}.${key}`, mayDiffer, [...keys, key])
      if (finding) return finding
    }
    return undefined
  }
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    for (const [index, item] of expected.entries()) {
      const finding = findMismatch(item, got[index], `${path}[${index}]`, mayDiffer, [...keys, index])
      if (finding) return finding
    }
    return undefined
  }
  if (JSON.stringify(expected) === JSON.stringify(got) || mayDiffer(expected, got, keys)) return undefined
  return { path, expected: JSON.stringify(expected), got }
}

/** True if a list has only gained items, and the contract lets deployments add items. */
const hasOnlyGrown = (
  resource: string,
  contract: Contract | undefined,
  sent: unknown,
  got: unknown,
  keys: KeyPath,
): boolean =>
  Array.isArray(sent) &&
  Array.isArray(got) &&
  sent.every(item => got.includes(item)) &&
  fieldAt({ type: 'object', fields: fieldsOf(resource, contract) }, keys)?.deploymentAddsItems === true

const fieldAt = (field: Field | undefined, [key, ...rest]: KeyPath): Field | undefined =>
  key === undefined ? field : fieldAt(typeof key === 'number' ? field?.items : field?.fields?.[key], rest)

/** Accepts the usual normalisations of the values that were sent. */
export const mayNormalise =
  (resource: string, contract?: Contract): MayDiffer =>
  (...difference) =>
    hasOnlyGrown(resource, contract, ...difference) || isNormalised(resource, contract, ...difference)

/** The fields that requests of a resource may set, and that a deployment therefore does not change by itself. */
export const fieldsOfRequests = (resource: string, contract: Contract = ours): Fields =>
  Object.fromEntries(
    Object.entries(contract.operations)
      .filter(([id]) => resourceOf(id) === resource)
      .flatMap(([, { body }]) => Object.entries(fieldsOf(body, contract)))
      .filter(([, { readOnly }]) => !readOnly),
  )

/** The names of fields that both objects have and that a deployment does not change by itself. */
export function stableFieldNames(
  resource: string,
  one: JsonObject,
  other: JsonObject,
  contract?: Contract,
): readonly string[] {
  const sent = fieldsOfRequests(resource, contract)
  return Object.keys(one).filter(
    name => name in other && (name in sent || !(isVolatile(name, one[name]) || isVolatile(name, other[name]))),
  )
}

/** Accepts differences in nested values that a deployment changes by itself. */
export const isNestedAndVolatile: MayDiffer = (_, value, keys) =>
  keys.length > 1 && isVolatile(String(keys.findLast(key => typeof key === 'string')), value)

/** True if values differ only in letter case, outer white space, rounding or a cut to the maximum length; false in an enum. */
function isNormalised(
  resource: string,
  contract: Contract | undefined,
  sent: unknown,
  value: unknown,
  keys: KeyPath,
): boolean {
  if (typeof sent === 'number' && typeof value === 'number') return Math.abs(sent - value) < 1
  if (typeof sent !== 'string' || typeof value !== 'string') return false
  const fields = { ...fieldsOf(resource, contract), ...fieldsOfRequests(resource, contract) }
  const { values, max } = fieldAt({ type: 'object', fields }, keys) ?? {}
  if (values) return false
  const fold = (text: string) => text.trim().toLowerCase()
  return fold(sent) === fold(value) || (max !== undefined && value.length >= max && sent.startsWith(value))
}

/**
 * Finds a field that was sent and is missing, although the specification says that answers have it, or a missing entry of a
 * map that was sent.
 */
export function findLostField(
  resource: string,
  sent: JsonObject,
  object: JsonObject,
  contract?: Contract,
): Finding | undefined {
  const fields = fieldsOf(resource, contract)
  const names = Object.keys(sent).filter(name => fields[name]?.basis === 'stated' && !fields[name].writeOnly)
  const lost = names.find(name => object[name] === undefined)
  // An answer with none of the fields does not show the object.
  if (lost !== undefined && names.some(name => name in object))
    return { path: `$.${lost}`, expected: JSON.stringify(sent[lost]), got: undefined }
  // A sent map replaces the previous one, so the answer must have each of its entries.
  const maps = Object.keys(sent).filter(name => fields[name]?.propertyValues && !fields[name].writeOnly)
  for (const name of maps) {
    const [sentMap, got] = [sent[name], object[name]]
    const entry = isObject(sentMap) && isObject(got) ? Object.keys(sentMap).find(key => !(key in got)) : undefined
    if (entry !== undefined) return { path: `$.${name}.${entry}`, expected: 'the entry that was sent', got: undefined }
  }
  return undefined
}

export const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter(name => name in object).map(name => [name, object[name]!]))

/** Whether deployments may change a field by themselves: any number, times except of creation, and names such as `version`. */
export const isVolatile = (name: string, value: unknown): boolean =>
  typeof value === 'number' ||
  (isDateTime(value) && !/creat/i.test(name)) ||
  /updat|modif|revis|version|etag|state|status|histor|last|next|hash|run|exec|silenc/i.test(name)

/** The names of the fields that all objects of a list have; undefined for an empty list. */
export const commonFieldNames = ([first, ...more]: readonly JsonObject[]): readonly string[] | undefined =>
  first &&
  Object.keys(first)
    .filter(name => more.every(one => name in one))
    .sort()
