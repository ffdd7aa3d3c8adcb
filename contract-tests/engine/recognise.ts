import { operations } from '../../fixtures/contract/index.ts'

/**
 * How the suite recognises ids, dates and objects. This judgement is its own, not shared with the mock. Where the
 * specification is silent, deployments wrap their answers differently, so objects are searched for, not expected in one
 * place.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)

/** A UUID of version 4 with the variant of RFC 9562. */
export const isUuidV4 = (value: unknown): value is string => isUuid(value) && /^.{14}4.{4}[89ab]/i.test(value)

export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 254 && /^(?:"[^"]+"|[^\s@"]+)@[^\s@.]+(?:\.[^\s@.]+)*$/.test(value)

const dateTime = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** A date and time of RFC 3339 (the profile of ISO 8601 behind `format: date-time`) that the calendar has. */
export function isDateTime(value: unknown): value is string {
  const [, day, time] = (typeof value === 'string' && dateTime.exec(value)) || []
  if (!day || !time) return false
  const written = `${day}T${time.replace(/:60$/, ':59')}`
  const read = new Date(`${written}Z`)
  const isInCalendar = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(written)
  // A leap second is the last one of a UTC day.
  return isInCalendar && (!time.endsWith(':60') || Math.floor(momentOf(value as string) / 1000) % 86_400 === 0)
}

/** Epoch milliseconds of a date and time, with its fraction however long. */
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

/** The object that an answer is about, out of the wrappings that deployments use; undefined when there is none. */
export function findObject(json: unknown, resource: string): JsonObject | undefined {
  const seen: JsonObject[] = []
  const collect = (value: unknown, depth: number) => {
    if (!isObject(value)) return
    // What is created may come beside what is shown this once: `{key, keyId, keySecret}`.
    if (depth > 0) collect(value[resource], depth - 1)
    seen.push(value)
    if (depth === 0) return
    for (const key of ['data', 'result', 'item', 'object', 'value']) collect(value[key], depth - 1)
  }
  collect(json, 3)
  return seen.find(object => idOf(object, resource) !== undefined)
}

/** What an answer holds, out of the envelopes in use. */
export const payloadOf = (json: unknown): unknown => (isObject(json) ? (json.result ?? json.data ?? json) : json)

/** A text that can stand in a path and mean one thing, and be read by a person: `..` would climb out, control codes act on terminals. */
const isIdText = (value: string) =>
  value !== '' && value.length <= 200 && !/^\.\.?$|[\p{Surrogate}\p{Cc}\p{Cf}]/u.test(value)

/** A value that can stand in a path as an id. */
function asId(value: unknown): string | undefined {
  if (typeof value === 'string' && isIdText(value)) return value
  return typeof value === 'number' ? String(value) : undefined
}

/** Names of an id without separators and in lower case, best first; the resource's name may stand before each. */
const idNames = ['id', 'uuid', 'guid', 'uid', 'identifier', 'objectid']

/** The names that ids have in the paths of the contract, where they are no `id`: such as `userId` and `functionName`. */
const named = new Map(
  Object.entries(operations).flatMap(([operation, { paths }]) => {
    const [resource = '', verb] = operation.split('.')
    const name = /\{(\w+)\}$/.exec(Object.values(paths)[0] ?? '')?.[1]
    const isOwn = name !== undefined && name !== 'id' && name !== `${resource}Id`
    return isOwn && (verb === 'get' || verb === 'delete') ? [[resource, name] as const] : []
  }),
)

/** What the paths of the contract call the id of a resource. */
export const idNameOf = (resource: string): string => named.get(resource) ?? `${resource}Id`

/** The id of an object as text: what its path calls it, `id`, `_id`, `<resource>Id`, `uuid`, `guid` and the like, in any letter case. */
export function idOf(object: unknown, resource: string): string | undefined {
  if (!isObject(object)) return undefined
  for (const key of [named.get(resource) ?? 'id', 'id', '_id', `${resource}Id`, `${resource}_id`, 'uuid']) {
    const id = asId(object[key])
    if (id !== undefined) return id
  }
  const keys = new Map(Object.keys(object).map(key => [key.replace(/[_$@-]/g, '').toLowerCase(), key]))
  // Some deployments send a million of them.
  if (keys.size === 0) return undefined
  for (const name of idNames.flatMap(name => [name, resource.toLowerCase() + name])) {
    const id = asId(object[keys.get(name) ?? ''])
    if (id !== undefined) return id
  }
  return undefined
}

/** How many values of an object are tried as its id when none has the name of an id. */
const MOST_CANDIDATES = 4

/** The values of an object that could be its id under a name that is not known: one word, and nothing that was sent. */
export function idCandidates(object: JsonObject, sent: JsonObject = {}): readonly string[] {
  const known = new Set(Object.values(sent).map(String))
  const rank = (key: string) => (/id|key|ref|slug/i.test(key) ? 0 : 1)
  return Object.keys(object)
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(key => asId(object[key]) ?? [])
    .filter(value => !/\s/.test(value) && !known.has(value) && !isDateTime(value))
    .slice(0, MOST_CANDIDATES)
}

/** The ids of a list, when each of its items has one that is recognised. */
export function idsOf(list: readonly JsonObject[] | undefined, resource: string): readonly string[] | undefined {
  const ids = list?.flatMap(item => idOf(item, resource) ?? [])
  return ids && ids.length === list!.length ? ids : undefined
}

/** The list in an answer: the first array of objects at most two wrappings deep; an empty array counts, null does not. */
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
        if (list && (list.length > 0 || keys.length <= 4 || key === 'result')) return list
        next.push(object[key])
      }
    }
    level = next
  }
  return undefined
}

export const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
