import type { Field } from '../../../fixtures/contract/index.ts'
import { fieldsWithVariant } from '../../engine/contract.ts'
import type { Exchange } from '../../engine/exchange.ts'
import { isObject, type KeyPath, valueAt } from '../../engine/recognise.ts'
import type { Shape } from './whole-bodies.ts'

/** Leaves out of a refused body what the refusal names, so that a field that a deployment does not know costs no other. */

/** Names of so general a meaning that a sentence may use them without meaning the field. */
const GENERAL_NAMES = /^(?:.{1,2}|name|type|body|source|field|fields|value|values|items|where|state|format|id)$/

export function withoutNamed(body: unknown, { response }: Exchange, shape: Shape): unknown {
  const places = placesIn(body, { type: 'object', ...shape }).toReversed()
  const text = response.text
  const paths = [...text.matchAll(/[A-Za-z_]\w*(?:(?:\.|\[)\w+\]?)+/g)].map(([path]) =>
    path.replace(/\[(\w+)\]/g, '.$1').replace(/^body\./, ''),
  )
  const words = new Set(text.match(/\w+/g))
  const isNamed = ({ keys }: Place) =>
    paths.some(path => keys.join('.') === path || path.startsWith(`${keys.join('.')}.`))
  // The innermost place that may be left out.
  const byPath = places.filter(place => place.mayGo && isNamed(place))
  const innermost = byPath.filter(one => !byPath.some(other => other !== one && isBelow(other.keys, one.keys)))
  const byName = places.filter(({ keys, mayGo }) => {
    const name = String(keys.at(-1))
    return mayGo && words.has(name) && !GENERAL_NAMES.test(name)
  })
  const gone = innermost.length > 0 ? innermost : byName
  return gone.length === 0 ? undefined : gone.reduce((rest, { keys }) => without(rest, keys), body)
}

interface Place {
  readonly keys: KeyPath
  /** True for an optional field, and for an item of a list. */
  readonly mayGo: boolean
}

const isBelow = (keys: KeyPath, above: KeyPath) =>
  keys.length > above.length && above.every((key, index) => keys[index] === key)

function placesIn(value: unknown, field: Field, keys: KeyPath = []): readonly Place[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => [
      { keys: [...keys, index], mayGo: true },
      ...(field.items ? placesIn(item, field.items, [...keys, index]) : []),
    ])
  if (!isObject(value)) return []
  const fields = fieldsWithVariant(field, value)
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = fields[name]
    const mayGo = own?.optional === true || own?.optional === 'request'
    return [{ keys: [...keys, name], mayGo }, ...(own ? placesIn(inner, own, [...keys, name]) : [])]
  })
}

function without(value: unknown, [key, ...rest]: KeyPath): unknown {
  if (rest.length > 0) {
    const inner = without(valueAt(value, [key!]), rest)
    return Array.isArray(value) ? value.with(key as number, inner) : { ...(value as object), [key!]: inner }
  }
  if (Array.isArray(value)) return value.filter((_, index) => index !== key)
  const { [key as string]: _, ...others } = value as Record<string, unknown>
  return others
}
