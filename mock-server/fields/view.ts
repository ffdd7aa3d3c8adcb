import type { Edition, Field, Fields, Form, OneOf, Side } from '../../fixtures/contract/index.ts'

export interface Shape {
  readonly fields: Fields
  readonly oneOf?: OneOf
}

/** Whose fields are seen: those of requests, of answers, or of records, which have both. Default: all editions and forms. */
export interface View {
  readonly side: Side | 'record'
  readonly edition?: Edition
  readonly form?: Form
}

/** A field as one side sees it, with `optional` and `nullable` resolved; undefined where the side does not have it. */
export function viewOf(field: Field, view: View): Field | undefined {
  const { side, edition, form } = view
  const { byEdition, ...ofAllEditions } = field
  const own = edition && { ...byEdition?.[edition], ...(form === 'managed' && byEdition?.[`${edition} managed`]) }
  const { optional, nullable, readOnly, writeOnly, editions, forms, answerOnlyValues, fields, oneOf, ...rest } = {
    ...ofAllEditions,
    ...own,
  }
  // In the view of all editions, an object keeps unknown fields if it does so in any edition.
  const isOpen =
    !edition && Object.values(byEdition ?? {}).some(({ additionalProperties }) => additionalProperties === 'kept')
  if ((side === 'request' && readOnly) || (side === 'answer' && writeOnly)) return undefined
  if (!isIn({ editions, forms }, view)) return undefined
  const isOf = (sides: Field['nullable']) =>
    sides === true || sides === (side === 'record' ? 'answer' : side) || (sides === 'managed' && form !== 'selfHosted')
  const isOptional = isOf(optional) || (side === 'record' && writeOnly) || (!edition && editions)
  const { items, propertyValues, propertyNames, values } = rest
  return {
    ...rest,
    ...(values && answerOnlyValues && side !== 'request' && { values: [...values, ...answerOnlyValues] }),
    ...(isOptional && { optional: true }),
    ...(side === 'request' && writeOnly && { writeOnly }),
    ...(isOf(nullable) && { nullable: true }),
    ...(isOpen && { additionalProperties: 'kept' }),
    ...(oneOf ? viewOfShape({ fields: fields ?? {}, oneOf }, view) : fields && { fields: viewOfAll(fields, view) }),
    ...(items && { items: viewOf(items, view) }),
    ...(propertyValues && { propertyValues: viewOf(propertyValues, view) }),
    ...(propertyNames && { propertyNames: viewOf(propertyNames, view) }),
  }
}

/** A union that has only one variant in an edition and a form becomes a plain object. */
export function viewOfShape({ fields, oneOf }: Shape, view: View): Shape {
  const own = viewOfAll(fields, view)
  if (!oneOf) return { fields: own }
  const union = viewOfUnion(oneOf, view)
  const [[value, only], another] = Object.entries(union.variants) as [[string, Fields], unknown?]
  const values = own[union.discriminator]?.values?.filter(one => one in union.variants)
  const limited = values ? { ...own, [union.discriminator]: { ...own[union.discriminator]!, values } } : own
  if (another || union.overrides?.length) return { fields: limited, oneOf: union }
  return {
    fields: {
      ...own,
      [union.discriminator]: { type: 'string', ...own[union.discriminator], values: [value] },
      ...only,
    },
  }
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

/** Only requests have the default of the discriminator: in answers it is never omitted. */
function viewOfUnion(
  { discriminator, defaultValue, variants, editions = {}, forms = {}, overrides }: OneOf,
  view: View,
): OneOf {
  const viewOfVariants = (variants: OneOf['variants']) =>
    Object.fromEntries(
      Object.entries(variants)
        .filter(([value]) => isIn({ editions: editions[value], forms: forms[value] }, view))
        .map(([value, fields]) => [value, viewOfAll(fields, view)]),
    )
  return {
    discriminator,
    ...(view.side === 'request' && { defaultValue }),
    variants: viewOfVariants(variants),
    ...(overrides && {
      overrides: overrides
        .filter(one => isIn(one, view))
        .map(one => ({ ...one, variants: viewOfVariants(one.variants) })),
    }),
  }
}

/** The fields of each variant of a union, the discriminator among them. */
export const variantsOf = ({ discriminator, variants, overrides }: OneOf): readonly Fields[] => [
  ...Object.entries(variants).map(
    ([value, own]) => ({ [discriminator]: { type: 'string', values: [value] }, ...own }) as const,
  ),
  ...(overrides ?? []).flatMap(({ field, value: fieldValue, variants }) =>
    Object.entries(variants).map(
      ([value, own]) =>
        ({
          [field]: { type: 'string', values: [fieldValue] },
          [discriminator]: { type: 'string', values: [value] },
          ...own,
        }) as const,
    ),
  ),
]

/** All fields of a shape. Those of variants are optional; a field of several variants keeps the properties that all share. */
export function fieldsOf({ fields, oneOf }: Shape): Fields {
  const all: Record<string, Field> = {}
  for (const variant of oneOf ? variantsOf(oneOf) : []) {
    for (const [name, field] of Object.entries(variant)) {
      if (name in fields) continue
      all[name] = { ...(all[name] ? keepCommonProperties(all[name], field) : field), optional: true }
    }
  }
  return { ...fields, ...all }
}

const keepCommonProperties = (one: Field, other: Field): Field => ({
  type: one.type,
  ...Object.fromEntries(
    Object.entries(one).filter(([name, value]) => JSON.stringify(value) === JSON.stringify(other[name as keyof Field])),
  ),
  ...((one.nullable || other.nullable) && { nullable: true }),
})

/** Makes a function that reduces a record to the fields that an answer shows or a request sends in an edition. */
export function presenterOf(shape: Shape, side: Side = 'answer', form?: Form) {
  const namesIn = (edition: Edition) => Object.keys(fieldsOf(viewOfShape(shape, { side, edition, form })))
  const names = { '2.24': namesIn('2.24'), '2.36': namesIn('2.36') }
  return (record: object, edition: Edition): object => {
    const presented: Record<string, unknown> = {}
    for (const name of names[edition]) presented[name] = (record as Readonly<Record<string, unknown>>)[name]
    return presented
  }
}
