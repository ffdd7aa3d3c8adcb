import { type Field, type Fields, type OneOf, resources } from '../../../fixtures/contract/index.ts'
import { isDateTime, isObject, type JsonObject } from '../../engine/recognise.ts'
import { isSecretName } from '../../engine/secrets.ts'
import { type Sighted, selfHosted } from './collect.ts'
import { createInventor, type Random } from './invent.ts'

/** What became of a field. */
export type Fate = 'kept' | 'replaced' | 'moved' | 'scaled' | 'left out'

export interface AnonymiseOptions {
  /** When the answers came, in epoch milliseconds. */
  readonly at: number
  readonly random: Random
  /** Takes out of a text that is kept what must not leave. */
  readonly redact: (text: string) => string
  readonly isVerbatim?: boolean
  readonly keepsAmounts?: boolean
}

export interface Anonymised {
  /** The scenario, as `mock --scenario` takes it. */
  readonly world: Readonly<Record<string, unknown>>
  /** How often what became of each field, by its name behind that of its kind. */
  readonly fates: ReadonlyMap<string, Readonly<Partial<Record<Fate, number>>>>
}

/** The moment that times of an anonymised world are written relative to: it does not say when it was captured. */
const anyMoment = Date.UTC(2026, 0, 1)

/**
 * Writes records as a scenario. What is replaced follows from the fields of the contract: a text is, unless it is one of the
 * values that the contract names or marked as the vendor's own; a time is moved, and an amount scaled. What the contract does
 * not know, and what is secret, is left out.
 */
export function anonymise(sighted: readonly Sighted[], kinds: Iterable<string>, options: AnonymiseOptions): Anonymised {
  const { at, random, redact, isVerbatim = false, keepsAmounts = isVerbatim } = options
  const invent = createInventor(isVerbatim ? [] : textsIn(sighted.map(({ shown }) => shown)), random)
  const start = isVerbatim ? at : anyMoment
  const fates = new Map<string, Partial<Record<Fate, number>>>()
  const note = (path: string, fate: Fate, value?: unknown) => {
    const known = fates.get(path) ?? {}
    fates.set(path, { ...known, [fate]: (known[fate] ?? 0) + 1 })
    return value
  }

  const replace = (path: string, text: string, isQuery = false) =>
    isVerbatim ? note(path, 'kept', redact(text)) : note(path, 'replaced', invent.text(text, isQuery))

  function text(path: string, value: string, field: Field, beside: JsonObject): unknown {
    const { values, format, wording } = field
    if (values) return values.includes(value) ? note(path, 'kept', value) : note(path, 'left out')
    if (format === 'date-time' || format === 'timestamp') {
      const moved = isDateTime(value) ? move(value, start - at) : undefined
      return moved === undefined ? note(path, 'left out') : note(path, isVerbatim ? 'kept' : 'moved', moved)
    }
    const isVendors =
      wording === 'vendor' || (wording === 'system' && [beside.type, beside.roleType].includes('system'))
    if (isVendors && isPlain(value) && redact(value) === value) return note(path, 'kept', value)
    return replace(path, value, wording === 'query')
  }

  function scale(path: string, value: number): unknown {
    const scaled = Number((value * invent.factor).toPrecision(3))
    return note(path, 'scaled', Number.isInteger(value) ? Math.round(scaled) : scaled)
  }

  function walk(path: string, value: unknown, field: Field, beside: JsonObject): unknown {
    const { type, also, items, each } = field
    if (field.secret || isSecretName(path.replace(/^.*\./s, ''))) return note(path, 'left out')
    if (value === null) return null
    if (typeof value === 'string')
      return type === 'string' || also === 'string' ? text(path, value, field, beside) : note(path, 'left out')
    if (typeof value === 'number' && field.amount && !keepsAmounts) return scale(path, value)
    if (typeof value !== 'object')
      return type === typeof value || also === typeof value ? note(path, 'kept', value) : note(path, 'left out')
    if (Array.isArray(value)) {
      if (type !== 'array') return note(path, 'left out')
      const all = value.map(item => (items ? walk(`${path}[]`, item, items, beside) : free(`${path}[]`, item)))
      return all.filter(item => item !== undefined)
    }
    if (type !== 'object') return note(path, 'left out')
    if (each) {
      const isVendors = each.wording === 'vendor'
      return mapEntries(value as JsonObject, (name, inner) => [
        nameFor(name, isVendors),
        walk(`${path}.*`, inner, each, {}),
      ])
    }
    if (!field.fields && !field.oneOf) return free(path, value, field.wording === 'vendor')
    return object(path, value as JsonObject, field)
  }

  const nameFor = (name: string, isVendors: boolean) =>
    isVerbatim || (isVendors && isPlain(name)) ? redact(name) : invent.text(name, true)

  function object(
    path: string,
    value: JsonObject,
    { fields = {}, oneOf, others }: Pick<Field, 'fields' | 'oneOf' | 'others'>,
  ) {
    const known: Fields = { ...fields, ...variantOf(value, oneOf) }
    return mapEntries(value, (name, inner) => {
      const at = `${path}.${name}`
      const own = Object.hasOwn(known, name) ? known[name] : undefined
      if (own) return [name, walk(at, inner, own, value)]
      return [name, others === 'kept' ? free(at, inner) : note(at, 'left out')]
    })
  }

  /** A value that the contract does not describe: nothing of it is kept but its form. */
  function free(path: string, value: unknown, keepsNames = false): unknown {
    if (typeof value === 'string') return replace(path, value, true)
    if (typeof value === 'number')
      return isVerbatim ? note(path, 'kept', value) : note(path, 'replaced', Number(invent.text(String(value), true)))
    if (Array.isArray(value)) return value.map(item => free(`${path}[]`, item))
    if (!isObject(value)) return note(path, 'kept', value)
    return mapEntries(value, (name, inner) =>
      isSecretName(name)
        ? [name, note(`${path}.*`, 'left out')]
        : [nameFor(name, keepsNames), free(`${path}.*`, inner)],
    )
  }

  const world: Record<string, unknown[]> = Object.fromEntries([...kinds].map(kind => [kind, []]))
  for (const { name, resource, within, shown } of sighted) {
    const place = within === '' ? {} : { within: within === selfHosted || isVerbatim ? within : invent.text(within) }
    world[name] = [...(world[name] ?? []), { ...place, ...object(name, shown, resources[resource]) }]
  }
  return { world: { captured: { at: new Date(start).toISOString() }, ...world }, fates }
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

/** The further fields of an object by the value of one of its fields. */
function variantOf(value: JsonObject, oneOf: OneOf | undefined): Fields {
  if (!oneOf) return {}
  const { by, usual, instead } = oneOf
  const which = value[by] ?? usual
  const other = instead?.find(({ where, is }) => value[where] === is)
  const { of } = other ?? oneOf
  const fields = typeof which === 'string' && Object.hasOwn(of, which) ? of[which]! : {}
  return {
    ...(other && { [other.where]: { type: 'string', values: [other.is] } }),
    [by]: { type: 'string', values: Object.keys(of) },
    ...fields,
  }
}

/** A word or a few. */
const isPlain = (text: string) => /^[\w .:/+-]{1,80}$/.test(text)

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (isObject(value)) for (const [name, inner] of Object.entries(value)) yield* [name, ...textsIn(inner)]
}

/** A time at another moment, with as many digits as it had; undefined for one that would be in no year of four digits. */
function move(time: string, by: number): string | undefined {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? ''
  const moment = Date.parse(time) + by
  if (!(moment >= Date.UTC(-1, 12) && moment < Date.UTC(10_000))) return undefined
  const moved = new Date(moment).toISOString()
  return `${moved.slice(0, 19)}${fraction && `.${moved.slice(20, 23).padEnd(fraction.length, '0').slice(0, fraction.length)}`}Z`
}
