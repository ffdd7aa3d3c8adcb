import { type Field, type Fields, operations } from '../../fixtures/contract/index.ts'
import type { Finding } from '../engine/check.ts'
import { fieldsOf, resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess, parseJson } from '../engine/exchange.ts'
import { isDateTime, isObject, type JsonObject } from '../engine/recognise.ts'

/** Compares what was sent with what is answered, in the fields that both have. */

export function sentIn(exchange: Pick<Exchange, 'request'> | undefined): JsonObject {
  const body = exchange?.request.body ? parseJson(exchange.request.body) : undefined
  return isObject(body) ? body : {}
}

export const queryOf = ({ request }: Exchange) => new URLSearchParams(request.path.split('?')[1])

/** The object in a success of the cloud form. */
export function resultIn(exchange: Exchange | undefined): JsonObject | undefined {
  const { json } = isSuccess(exchange) ? exchange : {}
  return isObject(json) && isObject(json.result) ? json.result : undefined
}

type Keys = readonly (string | number)[]

/** True where a value may differ from the expected one. */
export type MayDiffer = (wanted: unknown, got: unknown, keys: Keys) => boolean

/** The first difference in fields of both sides, except ids of nested objects; arrays are compared in order. */
export function findMismatch(
  wanted: unknown,
  got: unknown,
  path: string,
  accepts: MayDiffer = () => false,
  keys: Keys = [],
): Finding | undefined {
  if (isObject(wanted) && isObject(got)) {
    for (const key of Object.keys(wanted)) {
      if (!(key in got) || (keys.length > 0 && key === 'id')) continue
      const found = findMismatch(wanted[key], got[key], `${path}.${key}`, accepts, [...keys, key])
      if (found) return found
    }
    return undefined
  }
  if (Array.isArray(wanted) && Array.isArray(got) && wanted.length === got.length) {
    for (const [index, item] of wanted.entries()) {
      const found = findMismatch(item, got[index], `${path}[${index}]`, accepts, [...keys, index])
      if (found) return found
    }
    return undefined
  }
  if (JSON.stringify(wanted) === JSON.stringify(got) || accepts(wanted, got, keys)) return undefined
  return { path, expected: JSON.stringify(wanted), got }
}

/** True for a list that contains all that was sent, where the contract lets deployments add items. */
const hasOnlyGrown = (resource: string, wanted: unknown, got: unknown, keys: Keys): boolean =>
  Array.isArray(wanted) &&
  Array.isArray(got) &&
  wanted.every(item => got.includes(item)) &&
  fieldAt({ type: 'object', fields: fieldsOf(resource) }, keys)?.grows === true

const fieldAt = (field: Field | undefined, [key, ...rest]: Keys): Field | undefined =>
  key === undefined ? field : fieldAt(typeof key === 'number' ? field?.items : field?.fields?.[key], rest)

export const valueAt = (value: unknown, keys: Keys): unknown =>
  keys.reduce<unknown>((held, key) => (held as Record<string | number, unknown> | null | undefined)?.[key], value)

/** What an answer may make of the values that were sent. */
export const mayNormalise =
  (resource: string): MayDiffer =>
  (...about) =>
    hasOnlyGrown(resource, ...about) || isNormalised(resource, ...about)

/** The fields that requests of a resource send: only clients change them. */
export const fieldsOfRequests = (resource: string): Fields =>
  Object.fromEntries(
    Object.entries(operations)
      .filter(([id]) => resourceOf(id) === resource)
      .flatMap(([, { body }]) => Object.entries(fieldsOf(body)))
      .filter(([, { readOnly }]) => !readOnly),
  )

/** The fields of two readings that do not change by themselves. */
export function stableFields(resource: string, one: JsonObject, other: JsonObject): readonly string[] {
  const sent = fieldsOfRequests(resource)
  return Object.keys(one).filter(
    name => name in other && (name in sent || !(isVolatile(name, one[name]) || isVolatile(name, other[name]))),
  )
}

/** True for a nested value that a deployment changes by itself. */
export const isNestedAndVolatile: MayDiffer = (_, value, keys) =>
  keys.length > 1 && isVolatile(String(keys.findLast(key => typeof key === 'string')), value)

/** True where only letter case, outer white space, rounding or a maximal length differs; never in an enum. */
function isNormalised(resource: string, sent: unknown, value: unknown, keys: Keys): boolean {
  if (typeof sent === 'number' && typeof value === 'number') return Math.abs(sent - value) < 1
  if (typeof sent !== 'string' || typeof value !== 'string') return false
  const fields = { ...fieldsOf(resource), ...fieldsOfRequests(resource) }
  const { values, max } = fieldAt({ type: 'object', fields }, keys) ?? {}
  if (values) return false
  const plain = (text: string) => text.trim().toLowerCase()
  return plain(sent) === plain(value) || (max !== undefined && value.length >= max && sent.startsWith(value))
}

/** A field, or an entry of a map, that was sent, must be answered by the specification, and is missing. */
export function findLostField(resource: string, sent: JsonObject, object: JsonObject): Finding | undefined {
  const fields = fieldsOf(resource)
  const names = Object.keys(sent).filter(name => fields[name]?.basis === 'stated' && !fields[name].writeOnly)
  const lost = names.find(name => object[name] === undefined)
  if (lost !== undefined && names.some(name => name in object))
    return { path: `$.${lost}`, expected: JSON.stringify(sent[lost]), got: undefined }
  // A map is sent whole: entries that it lacks are gone.
  const maps = Object.keys(sent).filter(name => fields[name]?.each && !fields[name].writeOnly)
  for (const name of maps) {
    const [wanted, got] = [sent[name], object[name]]
    const entry = isObject(wanted) && isObject(got) ? Object.keys(wanted).find(key => !(key in got)) : undefined
    if (entry !== undefined) return { path: `$.${name}.${entry}`, expected: 'what was sent', got: undefined }
  }
  return undefined
}

export const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter(name => name in object).map(name => [name, object[name]!]))

/** True for a field that deployments change by themselves: times, versions, states, counts, histories. */
export const isVolatile = (name: string, value: unknown): boolean =>
  typeof value === 'number' ||
  (isDateTime(value) && !/creat/i.test(name)) ||
  /updat|modif|revis|version|etag|state|status|histor|last|next|hash|run|exec|silenc/i.test(name)

/** The fields that all objects of a list have; undefined for an empty list. */
export const fieldsOfAll = ([first, ...more]: readonly JsonObject[]): readonly string[] | undefined =>
  first &&
  Object.keys(first)
    .filter(name => more.every(one => name in one))
    .sort()
