import type { Field, Fields, OneOf } from '../../../fixtures/built-contract/index.ts'
import { exampleOfField } from '../../../mock-server/core/openapi/openapi-examples.ts'
import type { Condition, Location } from '../../run/document/change.ts'

type Shape = Pick<Field, 'fields' | 'oneOf'>
type Values = Readonly<Record<string, unknown>>
type Example = (field: Field, name: string) => unknown

export interface Wish {
  readonly at: Pick<Location, 'path' | 'conditions'>
  /** What stands at the place. */
  leaf(field: Field, example: Example): unknown
  /** Whether it is what answers have, instead of what is sent. */
  readonly isAnswer?: boolean
  /** Values by the names of fields, where not every text is accepted. */
  readonly values: Values
  /** Further fields that a field needs beside it, by its name, or by its object and name. */
  readonly companions: Readonly<Record<string, Values>>
}

/** What a leaf writes to leave its field out. */
export const nothing = Symbol('nothing')

/** The smallest body with a value at a place, and the places of the fields that select the variants in which it lies. */
export function writeBody(shape: Shape, wish: Wish) {
  const plain = write(shape, wish, false)
  if (plain.isKnown) return plain
  const overridden = write(shape, wish, true)
  return overridden.isKnown ? overridden : plain
}

function write(shape: Shape, { at, leaf, isAnswer, values, companions }: Wish, isOverridden: boolean) {
  const selected: string[] = []
  let isKnown = true
  return { body: valueAt({ type: 'object' as const, ...shape }, stepsOf(at.path), '$') as Values, selected, isKnown }

  function valueAt(field: Field | undefined, [step, ...rest]: readonly string[], place: string): unknown {
    isKnown &&= field !== undefined
    if (step === undefined) {
      if (field?.oneOf) selected.push(`${place}.${field.oneOf.discriminator}`)
      return leaf(field ?? { type: 'object' }, example)
    }
    if (step === '[]') return [valueAt(field?.items, rest, `${place}[]`)]
    if (step === '*') return { name: valueAt(field?.propertyValues, rest, `${place}.*`) }
    const { fields, own } = selectVariant(field ?? {}, step, place)
    const others = requiredOf(fields, [step, ...Object.keys(own)])
    const value = valueAt(fields[step], rest, `${place}.${step}`)
    const beside = companions[`${place.replace(/^.*\./, '')}.${step}`] ?? companions[step]
    return { ...others, ...own, ...beside, ...(value !== nothing && { [step]: value }) }
  }

  /** The fields of the variant that the conditions name, or that has the field. */
  function selectVariant({ fields = {}, oneOf }: Shape, step: string, place: string) {
    const conditions = at.conditions.filter(({ paths }) => paths.every(path => path.replace(/\.[^.]*$/, '') === place))
    const valuesOf = (name: string) => conditions.find(one => one.paths.includes(`${place}.${name}`))?.values ?? []
    const own: Record<string, unknown> = {}
    for (const [name, { type }] of Object.entries(fields))
      for (const value of valuesOf(name).slice(0, 1)) own[name] = type === 'number' ? Number(value) : value
    if (!oneOf) return { fields, own }
    const { discriminator, overrides = [] } = oneOf
    const override = overrides.find(
      one =>
        valuesOf(one.field).includes(one.value) ||
        (isOverridden && valuesOf(discriminator).some(value => value in one.variants)),
    )
    const { variants } = override ?? oneOf
    const marks = conditions.flatMap(one => (one.values ? [] : one.paths.map(path => path.slice(place.length + 1))))
    const names = Object.keys(variants)
    const value =
      names.find(one => valuesOf(discriminator).includes(one)) ??
      names.find(one => marks.some(mark => Object.hasOwn(variants[one]!, mark))) ??
      names.find(one => Object.hasOwn(variants[one]!, step)) ??
      names[0]!
    selected.push(`${place}.${discriminator}`)
    own[discriminator] = value
    if (override) own[override.field] = override.value
    return { fields: { ...fields, ...variants[value] } as Fields, own }
  }

  function requiredOf(fields: Fields, given: readonly string[]): Values {
    const isNeeded = ({ optional, readOnly, writeOnly }: Field) =>
      optional !== true && (isAnswer ? optional !== 'answer' && !writeOnly : optional !== 'request' && !readOnly)
    const needed = Object.entries(fields).filter(([name, field]) => isNeeded(field) && !given.includes(name))
    return Object.fromEntries(needed.map(([name, field]) => [name, example(field, name)]))
  }

  function example(field: Field, name: string): unknown {
    const value = values[name]
    if ((Array.isArray(value) ? 'array' : typeof value) === field.type) return value
    if (field.fields || field.oneOf) return smallest(field)
    if (field.items) return Array.from({ length: Math.max(field.min ?? 0, 1) }, () => example(field.items!, name))
    return exampleOfField(field, name)
  }

  function smallest({ fields = {}, oneOf }: { fields?: Fields; oneOf?: OneOf }): Values {
    const [value, own = {}] = Object.entries(oneOf?.variants ?? {})[0] ?? []
    const selector = oneOf && { [oneOf.discriminator]: value }
    return { ...requiredOf({ ...fields, ...own }, oneOf ? [oneOf.discriminator] : []), ...selector }
  }
}

/** The steps of a path such as `$.tiles[].name`. */
export const stepsOf = (path: string): readonly string[] => path.split(/(?=\[\])|\./).slice(1)

/** The values at a place, in objects for which its conditions hold. */
export function valuesAt(value: unknown, { path, conditions }: Wish['at']): readonly unknown[] {
  const visit = (at: unknown, [step, ...rest]: readonly string[], place: string): readonly unknown[] => {
    if (step === undefined) return [at]
    if (step === '[]') return Array.isArray(at) ? at.flatMap(item => visit(item, rest, `${place}[]`)) : []
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return []
    const holds = ({ paths, values }: Condition) =>
      paths.some(one => {
        const name = one.slice(place.length + 1)
        return (
          !one.startsWith(`${place}.`) ||
          /[.[]/.test(name) ||
          (Object.hasOwn(at, name) && (!values || values.includes(String(Reflect.get(at, name)))))
        )
      })
    if (!conditions.every(holds)) return []
    if (step === '*') return Object.values(at).flatMap(item => visit(item, rest, `${place}.*`))
    return Object.hasOwn(at, step) ? visit(Reflect.get(at, step), rest, `${place}.${step}`) : []
  }
  return visit(value, stepsOf(path), '$')
}
