import type { Field } from '../../../fixtures/built-contract/index.ts'
import type { TextFormat, ValueType, ValueUsage } from '../../../fixtures/usage.ts'
import { variantsOf } from '../../fields/view.ts'
import { exampleText, formatOf } from './example-text.ts'

/** A place of a request: what the contract says about it, what was sent there, and the places below. */
export interface Place {
  /** The descriptions of the contract: several where variants of a union have the same field. */
  readonly fields: readonly Field[]
  /** The values of its enums, and whether it may be a secret. */
  readonly listed: ReadonlySet<string>
  readonly isSecret: boolean
  readonly below: Map<string, Place>
  count: number
  readonly types: Set<ValueType>
  readonly values: Set<string | boolean>
  readonly texts: Set<TextFormat>
  range: [number, number] | undefined
  length: [number, number] | undefined
  from: string | undefined
  /** Of an answer: whether the program read the field, or all that lies below. */
  isRead?: boolean
  isWhole?: boolean
}

/** The places of an answer in which its reads are noted: one for each usage that counts the call. */
export interface AnswerReads {
  readonly places: Place[]
}

export const createPlace = (fields: readonly Field[]): Place => ({
  fields,
  listed: new Set(fields.flatMap(({ values, secret }) => (secret ? [] : (values ?? [])))),
  isSecret: fields.some(({ secret }) => secret),
  below: new Map(),
  count: 0,
  types: new Set(),
  values: new Set(),
  texts: new Set(),
  range: undefined,
  length: undefined,
  from: undefined,
})

/** What lies deeper is not noted. */
export const maxDepth = 100

/** Notes what was sent at a place and below it, so many times. Returns true if the place had no such field, type or value before. */
export function note(place: Place, value: unknown, from: string | undefined, times = 1, depth = 0): boolean {
  const type = typeOf(value)
  let isNew = place.count === 0 || !place.types.has(type)
  place.count += times
  if (isNew) place.types.add(type)
  if (from !== place.from && from !== undefined && (place.from === undefined || from < place.from)) place.from = from
  if (typeof value === 'string') {
    if (place.listed.has(value)) isNew = addTo(place.values, value) || isNew
    else {
      isNew = addTo(place.texts, formatOf(value)) || isNew
      if (!place.isSecret) place.length = widen(place.length, value.length)
    }
  } else if (typeof value === 'number') place.range = widen(place.range, value)
  else if (typeof value === 'boolean') isNew = addTo(place.values, value) || isNew
  else if (depth < maxDepth && value !== null && typeof value === 'object') {
    if (Array.isArray(value)) {
      place.length = widen(place.length, value.length)
      const items = placeBelow(place, '[]')
      for (const item of value) isNew = note(items, item, from, times, depth + 1) || isNew
    } else
      for (const name of Object.keys(value))
        isNew = note(placeBelow(place, name), value[name as never], from, times, depth + 1) || isNew
  }
  return isNew
}

/** The value without its texts, except values of an enum: others are generated. */
export function replaceTexts(place: Place, value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (place.listed.has(value)) return value
    return exampleText(value, name, place.fields.find(({ example }) => example !== undefined)?.example)
  }
  if (Array.isArray(value)) return value.map(item => replaceTexts(placeBelow(place, '[]'), item, name))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => {
    const known = nameIn(place, key)
    return [known === '*' ? 'key' : key, replaceTexts(placeBelow(place, known), item, key === known ? key : name)]
  })
  return Object.fromEntries(entries)
}

/**
 * The fields that answers had and that the program never read, without those below. A field that some objects lack is left
 * out: a program that read one of these whole would have read it.
 */
export function* listIgnored(place: Place, path: string): Generator<string> {
  for (const [name, one] of place.below) {
    const at = name === '[]' ? `${path}[]` : `${path}.${name}`
    if (one.isRead) yield* listIgnored(one, at)
    else if (one.count === place.count) yield at
  }
}

/** The names of the fields below a place as paths with what was sent. */
export function* listPlaces(place: Place, path: string): Generator<readonly [path: string, place: Place]> {
  if (place.count > 0) yield [path, place]
  for (const [name, one] of place.below) yield* listPlaces(one, name === '[]' ? `${path}[]` : `${path}.${name}`)
}

export function usageOf({ count, types, values, texts, range, length, from }: Place): ValueUsage {
  return {
    count,
    types: [...types].sort(),
    ...(values.size > 0 && { values: sortValues(values) }),
    ...(texts.size > 0 && { texts: [...texts].sort() }),
    ...(range && { range: [...range] as const }),
    ...(length && { length: [...length] as const }),
    ...(from !== undefined && { from }),
  }
}

export const sortValues = (values: Iterable<string | boolean>) =>
  [...values].sort((a, b) => (String(a) < String(b) ? -1 : 1))

function widen(bounds: [number, number] | undefined, value: number): [number, number] {
  if (!bounds) return [value, value]
  if (value < bounds[0]) bounds[0] = value
  if (value > bounds[1]) bounds[1] = value
  return bounds
}

function addTo<T>(set: Set<T>, value: T): boolean {
  const before = set.size
  return set.add(value).size > before
}

function typeOf(value: unknown): ValueType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'string'
}

/** The place of a field, or with `[]` of the items of a list. */
export function placeBelow(place: Place, field: string): Place {
  const known = place.below.get(field)
  if (known) return known
  const name = nameIn(place, field)
  const other = name === field ? undefined : place.below.get(name)
  if (other) return other
  const made = createPlace(place.fields.flatMap(one => describedBelow(one, name)))
  place.below.set(name, made)
  return made
}

function describedBelow(field: Field, name: string): readonly Field[] {
  if (name === '[]') return field.items ? [field.items] : []
  const variants = field.oneOf ? variantsOf(field.oneOf) : []
  const own = [field.fields ?? {}, ...variants].flatMap(fields =>
    Object.hasOwn(fields, name) ? (fields[name] ?? []) : [],
  )
  return own.length > 0 ? own : field.propertyValues ? [field.propertyValues] : []
}

/** The name of a field, or `*` for one that is the key of a map, or that does not look like the name of a field. */
function nameIn(place: Place, name: string): string {
  if (name === '[]' || place.below.has(name) || place.fields.some(field => isListed(field, name))) return name
  const isMap = place.fields.some(({ propertyValues }) => propertyValues)
  return isMap || !isFieldName.test(name) ? '*' : name
}

const isListed = ({ fields, oneOf }: Field, name: string) =>
  (fields && Object.hasOwn(fields, name)) || (oneOf && variantsOf(oneOf).some(variant => Object.hasOwn(variant, name)))

/** Words, with one short number at most: a longer one occurs in ids and tokens. */
const isFieldName = /^[a-z_][a-z_-]{0,39}(?:\d{1,2}[a-z_-]{0,20})?$/i
