import { type Field, type Fields, type OneOf, resources } from '../../../fixtures/built-contract/index.ts'
import { isDateTime, isObject, type JsonObject } from '../../engine/recognise.ts'
import { isSecretName } from '../../engine/redact.ts'
import { type CapturedRecord, selfHosted } from './collect.ts'
import { createInventor, type Random } from './invent.ts'

/** What anonymising does with the value of a field. */
export type Treatment = 'kept' | 'replaced' | 'moved' | 'scaled' | 'left out'

export interface AnonymiseOptions {
  /** The time of the answers, in epoch milliseconds. */
  readonly at: number
  readonly random: Random
  readonly redact: (text: string) => string
  readonly isVerbatim?: boolean
  readonly keepsAmounts?: boolean
}

export interface Anonymised {
  /** A scenario for `mock --scenario`. */
  readonly world: Readonly<Record<string, unknown>>
  /** How many values of each field (`kind.field`) were kept, replaced and so on. */
  readonly treatments: ReadonlyMap<string, Readonly<Partial<Record<Treatment, number>>>>
}

/** The fixed start of anonymised worlds, so that their times do not show when they were captured. */
const FIXED_START = Date.UTC(2026, 0, 1)

/**
 * Writes records as a scenario. Texts are replaced, unless the contract lists them as values or marks them as the vendor's
 * own; times are moved and amounts scaled. Secrets and fields that the contract does not know are left out.
 */
export function anonymise(
  records: readonly CapturedRecord[],
  kinds: Iterable<string>,
  options: AnonymiseOptions,
): Anonymised {
  const { at, random, redact, isVerbatim = false, keepsAmounts = isVerbatim } = options
  const invent = createInventor(isVerbatim ? [] : textsIn(records.map(({ shown }) => shown)), random)
  const start = isVerbatim ? at : FIXED_START
  const treatments = new Map<string, Partial<Record<Treatment, number>>>()
  const note = (path: string, treatment: Treatment, value?: unknown) => {
    const known = treatments.get(path) ?? {}
    treatments.set(path, { ...known, [treatment]: (known[treatment] ?? 0) + 1 })
    return value
  }

  const replace = (path: string, text: string, isQuery = false) =>
    isVerbatim ? note(path, 'kept', redact(text)) : note(path, 'replaced', invent.text(text, isQuery))

  function treatText(path: string, value: string, field: Field, siblings: JsonObject): unknown {
    const { values, format, textKind } = field
    if (values) return values.includes(value) ? note(path, 'kept', value) : note(path, 'left out')
    if (format === 'date-time' || format === 'timestamp') {
      const moved = isDateTime(value) ? move(value, start - at) : undefined
      return moved === undefined ? note(path, 'left out') : note(path, isVerbatim ? 'kept' : 'moved', moved)
    }
    const isOfVendor =
      textKind === 'vendor' || (textKind === 'system' && [siblings.type, siblings.roleType].includes('system'))
    if (isOfVendor && isPlain(value) && redact(value) === value) return note(path, 'kept', value)
    return replace(path, value, textKind === 'query')
  }

  function scale(path: string, value: number): unknown {
    const scaled = Number((value * invent.factor).toPrecision(3))
    return note(path, 'scaled', Number.isInteger(value) ? Math.round(scaled) : scaled)
  }

  function treat(path: string, value: unknown, field: Field, siblings: JsonObject): unknown {
    const { type, alternativeType, items, propertyValues } = field
    if (field.secret || isSecretName(path.replace(/^.*\./s, ''))) return note(path, 'left out')
    if (value === null) return null
    const isList = Array.isArray(value)
    const kind = isList ? 'array' : typeof value
    if (kind !== type && kind !== alternativeType) return note(path, 'left out')
    if (typeof value === 'string') return treatText(path, value, field, siblings)
    if (typeof value === 'number' && field.revealsCustomerSize && !keepsAmounts) return scale(path, value)
    if (isList) {
      const all = value.map(item =>
        items ? treat(`${path}[]`, item, items, siblings) : treatUnknown(`${path}[]`, item),
      )
      return all.filter(item => item !== undefined)
    }
    if (!isObject(value)) return note(path, 'kept', value)
    if (propertyValues) {
      const isOfVendor = propertyValues.textKind === 'vendor'
      return mapEntries(value, (name, inner) => [
        treatName(name, isOfVendor),
        treat(`${path}.*`, inner, propertyValues, {}),
      ])
    }
    if (!field.fields && !field.oneOf) return treatUnknown(path, value, field.textKind === 'vendor')
    return treatObject(path, value, field)
  }

  const treatName = (name: string, isOfVendor: boolean) =>
    isVerbatim || (isOfVendor && isPlain(name)) ? redact(name) : invent.text(name, true)

  function treatObject(
    path: string,
    value: JsonObject,
    { fields = {}, oneOf, additionalProperties }: Pick<Field, 'fields' | 'oneOf' | 'additionalProperties'>,
  ) {
    const known: Fields = { ...fields, ...variantOf(value, oneOf) }
    return mapEntries(value, (name, inner) => {
      const fieldPath = `${path}.${name}`
      const field = Object.hasOwn(known, name) ? known[name] : undefined
      if (field) return [name, treat(fieldPath, inner, field, value)]
      return [name, additionalProperties === 'kept' ? treatUnknown(fieldPath, inner) : note(fieldPath, 'left out')]
    })
  }

  /** Replaces a value that the contract does not describe: only its structure is kept. */
  function treatUnknown(path: string, value: unknown, keepsNames = false): unknown {
    if (typeof value === 'string') return replace(path, value, true)
    if (typeof value === 'number')
      return isVerbatim ? note(path, 'kept', value) : note(path, 'replaced', Number(invent.text(String(value), true)))
    if (Array.isArray(value)) return value.map(item => treatUnknown(`${path}[]`, item))
    if (!isObject(value)) return note(path, 'kept', value)
    return mapEntries(value, (name, inner) =>
      isSecretName(name)
        ? [name, note(`${path}.*`, 'left out')]
        : [treatName(name, keepsNames), treatUnknown(`${path}.*`, inner)],
    )
  }

  const world: Record<string, unknown[]> = Object.fromEntries([...kinds].map(kind => [kind, []]))
  for (const { name, resource, within, shown } of records) {
    const place = within === '' ? {} : { within: within === selfHosted || isVerbatim ? within : invent.text(within) }
    world[name] = [...(world[name] ?? []), { ...place, ...treatObject(name, shown, resources[resource]) }]
  }
  return { world: { captured: { at: new Date(start).toISOString() }, ...world }, treatments }
}

const mapEntries = (
  value: JsonObject,
  change: (name: string, inner: unknown) => readonly [string, unknown],
): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => change(name, inner))
      .filter(([, inner]) => inner !== undefined),
  ) as JsonObject

/** The fields of the alternative that the object selects. */
function variantOf(value: JsonObject, oneOf: OneOf | undefined): Fields {
  if (!oneOf) return {}
  const { discriminator, defaultValue, overrides } = oneOf
  const selector = value[discriminator] ?? defaultValue
  const override = overrides?.find(one => value[one.field] === one.value)
  const { variants } = override ?? oneOf
  const fields = typeof selector === 'string' && Object.hasOwn(variants, selector) ? variants[selector]! : {}
  return {
    ...(override && { [override.field]: { type: 'string', values: [override.value] } }),
    [discriminator]: { type: 'string', values: Object.keys(variants) },
    ...fields,
  }
}

const isPlain = (text: string) => /^[\w .:/+-]{1,80}$/.test(text)

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (isObject(value)) for (const [name, inner] of Object.entries(value)) yield* [name, ...textsIn(inner)]
}

/** The time moved, with the same number of digits; undefined outside the years 0 to 9999. */
function move(time: string, by: number): string | undefined {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  const moment = Date.parse(time) + by
  // The year 0: Date.UTC(0) would be 1900.
  if (!(moment >= Date.UTC(-1, 12) && moment < Date.UTC(10_000))) return undefined
  const moved = new Date(moment).toISOString()
  // Microseconds would show which time it was.
  const microseconds = by === 0 ? fraction.slice(3) : fraction.slice(3).replace(/./g, '0')
  return `${moved.slice(0, 19)}${fraction && `.${`${moved.slice(20, 23)}${microseconds}`.slice(0, fraction.length)}`}Z`
}
