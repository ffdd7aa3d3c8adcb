import type { Edition, Field, Fields, Form, OneOf } from '../../../fixtures/contract/index.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'

/**
 * Bodies with every field of the contract, none of which has its default value, and with each variant of each union: in a
 * list, one body has all of them; elsewhere, each body has the next.
 */

export interface Shape {
  readonly fields: Fields
  readonly oneOf?: OneOf
}

/** Exceptions, by the names of fields joined by dots. An entry applies to each path that ends with it; the longest wins. */
export interface WholeExceptions<Context> {
  /** Values that the contract alone does not give, such as ids. A field is left out where its value is undefined. */
  readonly values?: Readonly<Record<string, unknown>>
  readonly valuesFrom?: Readonly<Record<string, (context: Context) => unknown>>
  /** Fields, or variants such as `channel.type=email`, that are not sent, and why. */
  readonly omit?: Readonly<Record<string, string>>
  /** Changes to an object whose fields depend on each other. Undefined leaves it out of its list. */
  readonly fit?: Readonly<Record<string, (object: JsonObject, context: Context) => object | undefined>>
}

export interface Wish<Context> extends WholeExceptions<Context> {
  readonly form: Form
  readonly edition: Edition
  readonly context: Context
  /** The small body: its values of required fields are kept, and its texts with the mark of the run. */
  readonly small: JsonObject
  readonly mark: string
  /** Other values of the same fields are made for another turn. */
  readonly turn: number
}

/** A field as requests of an edition and a form have it; undefined where they do not. */
function fieldIn(field: Field, { form, edition }: { form: Form; edition: Edition }): Field | undefined {
  const { byEdition, ...rest } = field
  const own = { ...rest, ...byEdition?.[edition], ...(form === 'managed' && byEdition?.[`${edition} managed`]) }
  const isHere = (own.editions?.includes(edition) ?? true) && (own.forms?.includes(form) ?? true)
  return own.readOnly || own.basis === 'invented' || !isHere ? undefined : own
}

/** The fields of each variant of a union, with its discriminating values. */
export function variantsIn(oneOf: OneOf, { form, edition }: { form: Form; edition: Edition }) {
  const { discriminator, variants, overrides = [], editions = {}, forms = {} } = oneOf
  const isHere = (value: string) =>
    (editions[value]?.includes(edition) ?? true) && (forms[value]?.includes(form) ?? true)
  const plain = Object.entries(variants)
    .filter(([value]) => isHere(value))
    .map(([value, fields]) => ({ values: { [discriminator]: value } as Readonly<Record<string, string>>, fields }))
  const replaced = overrides
    .filter(one => (one.editions?.includes(edition) ?? true) && (one.forms?.includes(form) ?? true))
    .flatMap(({ field, value, variants }) =>
      Object.entries(variants)
        .filter(([kind]) => isHere(kind))
        .map(([kind, fields]) => ({ values: { [field]: value, [discriminator]: kind }, fields })),
    )
  return [...plain, ...replaced]
}

/** Letters of two, three and four bytes, and characters with a meaning in JSON, HTML and URLs. */
export const ODD_TEXT = ' ü 測試 🧪 "<b>" \\ %'

export function createWholeBodies<Context>(shape: Shape, wish: Wish<Context>): readonly JsonObject[] {
  const { omit = {}, fit = {}, values = {}, valuesFrom = {}, context, turn } = wish
  /** Makes each value different from all others of the same kind. */
  let count = 0
  const find = <Entry>(table: Readonly<Record<string, Entry>>, path: string): Entry | undefined => {
    if (path in table) return table[path]
    const end = path.indexOf('.')
    return end < 0 ? undefined : find(table, path.slice(end + 1))
  }
  const isListed = (table: object, path: string) => find(table as Record<string, unknown>, path) !== undefined

  /** Values that together show everything of a field; none if no value is known. */
  function valuesOf(given: Field, path: string, small: unknown): readonly unknown[] {
    const field = fieldIn(given, wish)
    if (!field) return []
    const isRequired = !(field.optional === true || field.optional === 'request')
    const hasType = typeof small === field.type || (field.type === 'array' && Array.isArray(small))
    if (isListed(omit, path)) return isRequired && small !== undefined ? [small] : []
    const make = find(valuesFrom, path)
    if (make) return [make(context)].filter(value => value !== undefined)
    const fixed = find(values, path)
    if (fixed !== undefined) return [fixed]
    const { items, propertyValues, type } = field
    const isMarked = typeof small === 'string' && small.includes(wish.mark)
    if (isMarked || (isRequired && Array.isArray(small) && !small.some(isObject))) return [small]
    if (field.fields || field.oneOf) return objectsOf({ fields: field.fields ?? {}, oneOf: field.oneOf }, path, small)
    if (propertyValues)
      return valuesOf(propertyValues, `${path}.*`, undefined).map(value => ({
        [`X-Stack-Parity-${++count}`]: value,
      }))
    if (type === 'array') {
      if (!items) return small === undefined ? [] : [small]
      const [first] = Array.isArray(small) ? small : []
      const all = [...valuesOf(items, path, first)]
      const least = Math.max(field.min ?? 0, items.type === 'string' ? Math.min(2, field.max ?? 2) : 0)
      for (let more: readonly unknown[] = all; all.length < least && more.length > 0; all.push(...more))
        more = valuesOf(items, path, undefined)
      const size = field.max ?? Math.max(1, all.length)
      return all.length === 0
        ? []
        : Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
    }
    const value =
      small !== undefined && isRequired && hasType ? small : scalarOf(field, path.slice(path.lastIndexOf('.') + 1))
    return value === undefined ? [] : [value]
  }

  function objectsOf({ fields, oneOf }: Shape, path: string, small: unknown): readonly JsonObject[] {
    const given = isObject(small) ? small : {}
    const pathOf = (name: string) => (path ? `${path}.${name}` : name)
    const isOmitted = (own: Readonly<Record<string, string>>) =>
      Object.entries(own).some(([name, value]) => isListed(omit, pathOf(`${name}=${value}`)))
    const variants = oneOf
      ? variantsIn(oneOf, wish).filter(one => !isOmitted(one.values))
      : [{ values: {}, fields: {} }]
    return variants.flatMap((variant, nth) => {
      const all = { ...fields, ...variant.fields }
      let lacksRequired = false
      const lists = Object.entries(all).flatMap(([name, field]) => {
        if (name in variant.values) return []
        const list = valuesOf(field, pathOf(name), given[name])
        const own = list.length > 0 ? undefined : fieldIn(field, wish)
        if (own && !own.optional && own.default === undefined) lacksRequired ||= !isListed(omit, pathOf(name))
        return list.length > 0 ? [[name, list] as const] : []
      })
      if (lacksRequired && (path || oneOf)) return []
      const length = Math.max(1, ...lists.map(([, list]) => list.length))
      return Array.from({ length }, (_, at) => {
        const pick = (list: readonly unknown[]) => list[(at + nth) % list.length]
        const object = { ...Object.fromEntries(lists.map(([name, list]) => [name, pick(list)])), ...variant.values }
        const mend = find(fit, path)
        return (mend ? mend(object as JsonObject, context) : object) as JsonObject | undefined
      }).filter(one => one !== undefined)
    })
  }

  function scalarOf(field: Field, name: string): unknown {
    const { type, values: allowed, format, pattern, min, max, default: byDefault } = field
    const nth = ++count
    if (allowed) {
      const others = allowed.filter(one => one !== String(byDefault))
      const value = others[(nth + turn) % others.length]
      return type === 'number' ? Number(value) : value
    }
    if (type === 'boolean') return typeof byDefault === 'boolean' ? byDefault !== (turn % 2 === 0) : turn % 2 === 0
    if (type === 'number') return numberOf(field, nth)
    if (type !== 'string') return undefined
    const moment = new Date(Date.UTC(2032, turn, (nth % 27) + 1)).toISOString()
    if (format === 'date') return moment.slice(0, 10)
    if (format === 'date-time' || format === 'timestamp' || format === 'moment') return moment
    if (format === 'uri') return `https://stack-parity.invalid/${name}/${nth}-${turn}`
    if (format === 'email') return `stack-parity-${nth}-${turn}@stack-parity.invalid`
    if (format) return undefined
    if (pattern) {
      const candidates = [`stack-parity ${nth} ${turn}`, `stackParity${nth}x${turn}`, `stack_parity_${nth}_${turn}`]
      const fit = candidates.find(one => new RegExp(pattern).test(one))
      return turn === 0 ? (field.example ?? fit) : (fit ?? field.example)
    }
    const text =
      field.textKind === 'query' ? `ServiceName = '${name} ${nth} ${turn}'` : `${name} ${nth} ${turn}${ODD_TEXT}`
    const letters = [...text]
    return (max !== undefined && letters.length > max ? letters.slice(0, max).join('').trimEnd() : text).padEnd(
      min ?? 0,
      '.',
    )
  }

  /** The maximum in the first turn, if there is one. */
  function numberOf({ min = 0, max, multipleOf: step = 0.5, default: byDefault }: Field, nth: number): number {
    const low = Math.ceil(min / step) * step
    const inside = Array.from({ length: 6 }, (_, at) => low + step * at).filter(
      one => one !== byDefault && one < (max ?? Number.POSITIVE_INFINITY),
    )
    const isBound = max !== undefined && max !== byDefault && (turn === 0 || inside.length === 0)
    return isBound ? max : (inside[(nth + turn) % inside.length] ?? low)
  }

  return objectsOf(shape, '', wish.small)
}
