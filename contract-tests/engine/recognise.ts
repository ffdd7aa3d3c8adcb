import { operations } from '../../fixtures/built-contract/index.ts'

/** Recognises ids, dates and objects, in whatever wrappers a deployment puts them. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects in a list; none if the value is not a list. */
export const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The path to a nested value: names of fields and indexes of arrays. */
export type KeyPath = readonly (string | number)[]

export const valueAt = (value: unknown, keys: KeyPath): unknown =>
  keys.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | null | undefined)?.[key], value)

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)

/** Version 4, with the variant of RFC 9562. */
export const isUuidV4 = (value: unknown): value is string => isUuid(value) && /^.{14}4.{4}[89ab]/i.test(value)

export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 254 && /^(?:"[^"]+"|[^\s@"]+)@[^\s@.]+(?:\.[^\s@.]+)*$/.test(value)

const dateTime = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** A date and time of RFC 3339 (the profile of ISO 8601 in `format: date-time`) that exists in the calendar. */
export function isDateTime(value: unknown): value is string {
  const [, day, time] = (typeof value === 'string' && dateTime.exec(value)) || []
  if (!day || !time) return false
  const written = `${day}T${time.replace(/:60$/, ':59')}`
  const read = new Date(`${written}Z`)
  const isInCalendar = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(written)
  // A leap second is the last one of a UTC day.
  return isInCalendar && (!time.endsWith(':60') || Math.floor(momentOf(value as string) / 1000) % 86_400 === 0)
}

/** Epoch milliseconds, with all digits of the fraction. The second 60 is a second after 59, for which Date has no text. */
export function momentOf(value: string): number {
  const fraction = /\.(\d+)/.exec(value)
  const whole = Date.parse(
    value
      .toUpperCase()
      .replace(/\.\d+/, '')
      .replace(/:60(?=[Z+-])/, ':59'),
  )
  return whole + (fraction ? Number(`0.${fraction[1]}`) * 1000 : 0) + (/:60(?:\.|Z|[+-])/i.test(value) ? 1000 : 0)
}

/** The object of an answer, inside the usual wrappers. */
export function findObject(json: unknown, resource: string): JsonObject | undefined {
  const seen: JsonObject[] = []
  const collect = (value: unknown, depth: number) => {
    if (!isObject(value)) return
    // A creation may show the object beside its secrets: `{key, keyId, keySecret}`.
    if (depth > 0) collect(value[resource], depth - 1)
    seen.push(value)
    if (depth === 0) return
    for (const key of ['data', 'result', 'item', 'object', 'value']) collect(value[key], depth - 1)
  }
  collect(json, 3)
  return seen.find(object => idOf(object, resource) !== undefined)
}

export const payloadOf = (json: unknown): unknown => (isObject(json) ? (json.result ?? json.data ?? json) : json)

/** Safe in a path and on a terminal: `..` would leave the path, control characters would affect the terminal. */
const isIdText = (value: string) =>
  value !== '' && value.length <= 200 && !/^\.\.?$|[\p{Surrogate}\p{Cc}\p{Cf}]/u.test(value)

function asId(value: unknown): string | undefined {
  if (typeof value === 'string' && isIdText(value)) return value
  return typeof value === 'number' ? String(value) : undefined
}

/** Names of id fields, best first, without separators and in lower case; the resource may precede each. */
const idNames = ['id', 'uuid', 'guid', 'uid', 'identifier', 'objectid']

/** By resource: the id parameter of its paths, where that is neither `id` nor `<resource>Id`, such as `functionName`. */
const idParameters = new Map(
  Object.entries(operations).flatMap(([operation, { paths }]) => {
    const [resource = '', verb] = operation.split('.')
    const name = /\{(\w+)\}$/.exec(Object.values(paths)[0] ?? '')?.[1]
    const isOwn = name !== undefined && name !== 'id' && name !== `${resource}Id`
    return isOwn && (verb === 'get' || verb === 'delete') ? [[resource, name] as const] : []
  }),
)

export const idNameOf = (resource: string): string => idParameters.get(resource) ?? `${resource}Id`

/** The id of an object: the field of its path, `id`, `_id`, `<resource>Id`, `uuid` … in any letter case. */
export function idOf(object: unknown, resource: string): string | undefined {
  if (!isObject(object)) return undefined
  const usual =
    asId(object[idParameters.get(resource) ?? 'id']) ??
    asId(object.id) ??
    asId(object._id) ??
    asId(object[`${resource}Id`]) ??
    asId(object[`${resource}_id`]) ??
    asId(object.uuid)
  if (usual !== undefined) return usual
  const keys = new Map(Object.keys(object).map(key => [key.replace(/[_$@-]/g, '').toLowerCase(), key]))
  // A shortcut: a body may hold a million empty objects.
  if (keys.size === 0) return undefined
  for (const name of idNames.flatMap(name => [name, resource.toLowerCase() + name])) {
    const id = asId(object[keys.get(name) ?? ''])
    if (id !== undefined) return id
  }
  return undefined
}

const MAX_CANDIDATES = 4

const MAX_WRAPPER_FIELDS = 4

/** Values that could be an id under an unknown name, likely names first: no spaces, no dates, nothing that was sent. */
export function idCandidates(object: JsonObject, sent: JsonObject = {}): readonly string[] {
  const known = new Set(Object.values(sent).map(String))
  const rank = (key: string) => (/id|key|ref|slug/i.test(key) ? 0 : 1)
  return Object.keys(object)
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(key => asId(object[key]) ?? [])
    .filter(value => !/\s/.test(value) && !known.has(value) && !isDateTime(value))
    .slice(0, MAX_CANDIDATES)
}

/** The object of an answer, or the first of its list. */
export const firstObjectIn = (json: unknown, resource: string): JsonObject | undefined =>
  findObject(json, resource) ?? findList(json, resource)?.[0]

/** Undefined unless each item has an id. */
export function idsOf(list: readonly JsonObject[] | undefined, resource: string): readonly string[] | undefined {
  if (!list) return undefined
  const ids: string[] = []
  for (const item of list) {
    const id = idOf(item, resource)
    if (id === undefined) return undefined
    ids.push(id)
  }
  return ids
}

/**
 * The first array of objects inside at most three nested objects; fields that begin with the resource come first. An empty
 * array counts only as `result`, or in an object with so few fields that it is a wrapper.
 */
export function findList(json: unknown, resource: string): readonly JsonObject[] | undefined {
  const asList = (value: unknown) =>
    Array.isArray(value) && value.every(isObject) ? (value as readonly JsonObject[]) : undefined
  const direct = asList(json)
  if (direct) return direct
  let level: unknown[] = [json]
  for (let depth = 0; depth < 3; depth++) {
    const next: unknown[] = []
    for (const object of level.filter(isObject)) {
      const keys = Object.keys(object)
      keys.sort((a, b) => Number(b.startsWith(resource)) - Number(a.startsWith(resource)))
      for (const key of keys) {
        const list = asList(object[key])
        if (list && (list.length > 0 || keys.length <= MAX_WRAPPER_FIELDS || key === 'result')) return list
        next.push(object[key])
      }
    }
    level = next
  }
  return undefined
}

export const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
