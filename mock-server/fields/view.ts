import type { Edition, Field, Fields, OneOf, Side } from '../../fixtures/contract/index.ts'

export interface Shape {
  readonly fields: Fields
  readonly oneOf?: OneOf
}

/** Whose view: that of requests or of answers, or of records, which hold what both have; in an edition, or in all. */
export interface View {
  readonly side: Side | 'record'
  readonly edition?: Edition
}

/** A field as one side has it: what is optional or nullable there is so without condition. Undefined where it has none. */
export function viewOf(field: Field, view: View): Field | undefined {
  const { side, edition } = view
  const { optional, nullable, readOnly, writeOnly, editions, in: variants, ...rest } = field
  if ((side === 'request' && readOnly) || (side === 'answer' && writeOnly)) return undefined
  if (edition && editions && !editions.includes(edition)) return undefined
  const own = edition && variants?.[edition]
  const isOf = (sides: Field['optional']) => sides === true || sides === (side === 'record' ? 'answer' : side)
  const isOptional = isOf(optional) || (side === 'record' && writeOnly) || (!edition && editions)
  const { fields, oneOf, items, each, names } = { ...rest, ...own }
  return {
    ...rest,
    ...own,
    ...(isOptional && { optional: true }),
    ...(isOf(nullable) && { nullable: true }),
    ...(fields && { fields: viewOfAll(fields, view) }),
    ...(oneOf && { oneOf: viewOfUnion(oneOf, view) }),
    ...(items && { items: viewOf(items, view) }),
    ...(each && { each: viewOf(each, view) }),
    ...(names && { names: viewOf(names, view) }),
  }
}

export const viewOfShape = ({ fields, oneOf }: Shape, view: View): Shape => ({
  fields: viewOfAll(fields, view),
  ...(oneOf && { oneOf: viewOfUnion(oneOf, view) }),
})

const viewOfAll = (fields: Fields, view: View): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const own = viewOf(field, view)
      return own ? [[name, own]] : []
    }),
  )

/** An answer always has the value that decides. */
const viewOfUnion = ({ by, usual, of }: OneOf, view: View): OneOf => ({
  by,
  ...(view.side === 'request' && { usual }),
  of: Object.fromEntries(Object.entries(of).map(([value, fields]) => [value, viewOfAll(fields, view)])),
})

/** All fields of a shape: those that only some of its objects have are optional. */
export const fieldsOf = ({ fields, oneOf }: Shape): Fields => ({
  ...fields,
  ...Object.fromEntries(
    Object.values(oneOf?.of ?? {}).flatMap(own =>
      Object.entries(own).map(([name, field]) => [name, fields[name] ?? { ...field, optional: true as const }]),
    ),
  ),
})

/** Makes what an answer shows of a record: the fields that the contract gives its resource in an edition. */
export function presenterOf(shape: Shape) {
  const namesIn = (edition: Edition) => Object.keys(fieldsOf(viewOfShape(shape, { side: 'answer', edition })))
  const names = { '2.24': namesIn('2.24'), '2.36': namesIn('2.36') }
  return (record: object, edition: Edition): object => {
    const presented: Record<string, unknown> = {}
    for (const name of names[edition]) presented[name] = (record as Readonly<Record<string, unknown>>)[name]
    return presented
  }
}
