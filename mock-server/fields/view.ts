import type { Edition, Field, Fields, Form, OneOf, Side } from '../../fixtures/contract/index.ts'

export interface Shape {
  readonly fields: Fields
  readonly oneOf?: OneOf
}

/** The side that sees the fields: requests, answers, or records, which hold the fields of both; in one edition, or in all. */
export interface View {
  readonly side: Side | 'record'
  readonly edition?: Edition
  /** Without it, of all forms. */
  readonly form?: Form
}

/** A field as one side sees it, with `optional` and `nullable` resolved; undefined where the side does not have it. */
export function viewOf(field: Field, view: View): Field | undefined {
  const { side, edition, form } = view
  const { in: variants, ...ofAll } = field
  const own = edition && { ...variants?.[edition], ...(form === 'managed' && variants?.[`${edition} managed`]) }
  const { optional, nullable, readOnly, writeOnly, editions, forms, answered, fields, oneOf, ...rest } = {
    ...ofAll,
    ...own,
  }
  // In the view of all editions, an object may hold what one of them keeps.
  const isOpen = !edition && Object.values(variants ?? {}).some(({ others }) => others === 'kept')
  if ((side === 'request' && readOnly) || (side === 'answer' && writeOnly)) return undefined
  if (!isIn({ editions, forms }, view)) return undefined
  const isOf = (sides: Field['nullable']) =>
    sides === true || sides === (side === 'record' ? 'answer' : side) || (sides === 'managed' && form !== 'selfHosted')
  const isOptional = isOf(optional) || (side === 'record' && writeOnly) || (!edition && editions)
  const { items, each, names, values } = rest
  return {
    ...rest,
    ...(values && answered && side !== 'request' && { values: [...values, ...answered] }),
    ...(isOptional && { optional: true }),
    ...(side === 'request' && writeOnly && { writeOnly }),
    ...(isOf(nullable) && { nullable: true }),
    ...(isOpen && { others: 'kept' }),
    ...(oneOf ? viewOfShape({ fields: fields ?? {}, oneOf }, view) : fields && { fields: viewOfAll(fields, view) }),
    ...(items && { items: viewOf(items, view) }),
    ...(each && { each: viewOf(each, view) }),
    ...(names && { names: viewOf(names, view) }),
  }
}

/** A union of which an edition or a form has only one object becomes that object. */
export function viewOfShape({ fields, oneOf }: Shape, view: View): Shape {
  const own = viewOfAll(fields, view)
  if (!oneOf) return { fields: own }
  const union = viewOfUnion(oneOf, view)
  const [[value, only], another] = Object.entries(union.of) as [[string, Fields], unknown?]
  const values = own[union.by]?.values?.filter(one => one in union.of)
  const decided = values ? { ...own, [union.by]: { ...own[union.by]!, values } } : own
  if (another || union.instead?.length) return { fields: decided, oneOf: union }
  return { fields: { ...own, [union.by]: { type: 'string', ...own[union.by], values: [value] }, ...only } }
}

const isIn = ({ editions, forms }: Pick<Field, 'editions' | 'forms'>, { edition, form }: View) =>
  (!edition || (editions?.includes(edition) ?? true)) && (!form || (forms?.includes(form) ?? true))

const viewOfAll = (fields: Fields, view: View): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const own = viewOf(field, view)
      return own ? [[name, own]] : []
    }),
  )

/** The default of the deciding field is for requests: an answer always has the field. */
function viewOfUnion({ by, defaultValue, of, editions = {}, forms = {}, instead }: OneOf, view: View): OneOf {
  const viewOfEach = (of: OneOf['of']) =>
    Object.fromEntries(
      Object.entries(of)
        .filter(([value]) => isIn({ editions: editions[value], forms: forms[value] }, view))
        .map(([value, fields]) => [value, viewOfAll(fields, view)]),
    )
  return {
    by,
    ...(view.side === 'request' && { defaultValue }),
    of: viewOfEach(of),
    ...(instead && {
      instead: instead.filter(one => isIn(one, view)).map(one => ({ ...one, of: viewOfEach(one.of) })),
    }),
  }
}

/** The fields of every object of a union. */
export const variantsOf = ({ by, of, instead }: OneOf): readonly Fields[] => [
  ...Object.entries(of).map(([value, own]) => ({ [by]: { type: 'string', values: [value] }, ...own }) as const),
  ...(instead ?? []).flatMap(({ where, is, of }) =>
    Object.entries(of).map(
      ([value, own]) =>
        ({ [where]: { type: 'string', values: [is] }, [by]: { type: 'string', values: [value] }, ...own }) as const,
    ),
  ),
]

/** All fields of a shape. Those of variants are optional; a field of several variants keeps the properties that all share. */
export function fieldsOf({ fields, oneOf }: Shape): Fields {
  const all: Record<string, Field> = {}
  for (const variant of oneOf ? variantsOf(oneOf) : []) {
    for (const [name, field] of Object.entries(variant)) {
      if (name in fields) continue
      all[name] = { ...(all[name] ? alike(all[name], field) : field), optional: true }
    }
  }
  return { ...fields, ...all }
}

const alike = (one: Field, other: Field): Field => ({
  type: one.type,
  ...Object.fromEntries(
    Object.entries(one).filter(([name, value]) => JSON.stringify(value) === JSON.stringify(other[name as keyof Field])),
  ),
  ...((one.nullable || other.nullable) && { nullable: true }),
})

/** Reduces a record to what an answer shows, or a request sends: the fields of its resource in an edition and a form. */
export function presenterOf(shape: Shape, side: Side = 'answer', form?: Form) {
  const namesIn = (edition: Edition) => Object.keys(fieldsOf(viewOfShape(shape, { side, edition, form })))
  const names = { '2.24': namesIn('2.24'), '2.36': namesIn('2.36') }
  return (record: object, edition: Edition): object => {
    const presented: Record<string, unknown> = {}
    for (const name of names[edition]) presented[name] = (record as Readonly<Record<string, unknown>>)[name]
    return presented
  }
}
