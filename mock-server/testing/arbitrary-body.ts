import fc from 'fast-check'
import type { Field, OneOf } from '../../fixtures/contract/index.ts'
import type { Shape } from '../fields/view.ts'

/** Values that a body must name, because a record has them: ids by the name of the field. */
type Given = Readonly<Record<string, string | undefined>>

/** Bodies that the contract describes: every value of an enumeration, every variant, with and without optional fields. */
export function arbitraryBody({ fields, oneOf }: Shape, given: Given): fc.Arbitrary<Record<string, unknown>> {
  const plain = recordOf(fields, given)
  if (!oneOf) return plain
  const variants = listVariants(oneOf).map(({ named, fields: own }) =>
    fc.tuple(plain, recordOf(own, given)).map(([one, other]) => ({ ...one, ...other, ...named })),
  )
  return fc.oneof(...variants)
}

const listVariants = ({ discriminator, variants, overrides = [] }: OneOf) => [
  ...Object.entries(variants).map(([value, fields]) => ({ named: { [discriminator]: value }, fields })),
  ...overrides.flatMap(one =>
    Object.entries(one.variants).map(([value, fields]) => ({
      named: { [discriminator]: value, [one.field]: one.value },
      fields,
    })),
  ),
]

function recordOf(fields: Shape['fields'], given: Given): fc.Arbitrary<Record<string, unknown>> {
  const arbitraries = Object.entries(fields).map(([name, field]) => {
    const value = field.nullable
      ? fc.oneof(
          { weight: 3, arbitrary: arbitraryValue(name, field, given) },
          { weight: 1, arbitrary: fc.constant(null) },
        )
      : arbitraryValue(name, field, given)
    const isOptional = field.optional !== undefined || field.default !== undefined
    return [name, isOptional ? fc.option(value, { nil: undefined, freq: 2 }) : value] as const
  })
  return fc
    .record(Object.fromEntries(arbitraries))
    .map(one => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)))
}

function arbitraryValue(name: string, field: Field, given: Given): fc.Arbitrary<unknown> {
  const { type, alternativeType, ...rest } = field
  if (alternativeType) {
    const { values, ...plain } = rest
    const numbers = arbitraryValue(name, { ...plain, type: 'number' }, given)
    return fc.oneof(numbers, values ? fc.constantFrom(...values) : numbers.map(String))
  }
  const { values, example, format, pattern, min = 0, max, multipleOf, fields, oneOf, items, propertyValues } = field
  if (type === 'string' && given[name] !== undefined) return fc.constant(given[name])
  if (values) return fc.constantFrom(...values.map(value => (type === 'number' ? Number(value) : value)))
  switch (type) {
    case 'string':
      if (example !== undefined) return fc.constant(example)
      if (format) return byFormat[format] ?? fc.constant('2026-03-01T00:00:00Z')
      if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
      return fc.string({ unit: 'grapheme', minLength: min, maxLength: Math.max(min, Math.min(max ?? 12, min + 12)) })
    case 'number': {
      const step = multipleOf ?? 1
      const largest = Math.floor((max ?? min + 1000) / step)
      return fc.integer({ min: Math.ceil(min / step), max: largest }).map(count => count * step)
    }
    case 'boolean':
      return fc.boolean()
    case 'array': {
      const item = items ? arbitraryValue(name.replace(/s$/, ''), items, given) : fc.jsonValue()
      return fc.array(item, { minLength: min, maxLength: Math.min(max ?? 3, min + 2) })
    }
    case 'object': {
      if (propertyValues)
        return fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), arbitraryValue('', propertyValues, given))
      return fields || oneOf
        ? arbitraryBody({ fields: fields ?? {}, oneOf }, given)
        : fc.dictionary(fc.string(), fc.jsonValue())
    }
  }
}

const byFormat: Readonly<Partial<Record<NonNullable<Field['format']>, fc.Arbitrary<unknown>>>> = {
  uuid: fc.uuid({ version: 4 }),
  email: fc.emailAddress({ size: 'small' }),
  date: fc.constant('2026-06-02'),
  uri: fc.webUrl(),
  'object-id': fc.constant('0123456789abcdef01234567'),
}
