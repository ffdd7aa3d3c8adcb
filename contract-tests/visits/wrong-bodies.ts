import { type Field, type Fields, type OperationId, operations, type RuleId } from '../../fixtures/contract/index.ts'
import { fieldsOf, isDocumented } from '../engine/contract.ts'
import { isObject, type JsonObject } from '../engine/recognise.ts'
import type { RunContext } from '../engine/step.ts'

/** Bodies with one mistake, made of one that succeeds: at its top level, or in a nested object. */

interface WrongBody {
  readonly what: string
  readonly rule: RuleId
  readonly isFor: (operation: OperationId) => boolean
  /** A text where the body is not JSON; undefined where the good body has no such field. */
  readonly change: (body: JsonObject, operation: OperationId, context: RunContext) => object | string | undefined
}

type Keys = readonly (string | number)[]

/** A field of the contract, and its place in a body. */
interface Place {
  readonly keys: Keys
  readonly field: Field
  readonly isThere: boolean
}

/** Not fields of other editions, nor those that the server sets. */
const isProbed = ({ readOnly, editions, forms }: Field) => !readOnly && !editions && !forms
export const fieldsSentTo = (operation: OperationId): Fields => fieldsOf(operations[operation].body)
const isNeeded = ({ optional, default: defaultValue }: Field) =>
  optional !== true && optional !== 'request' && defaultValue === undefined

function* placesIn(value: unknown, { fields, oneOf, items }: Field, keys: Keys = []): Generator<Place> {
  if (Array.isArray(value) && items && value.length > 0) yield* placesIn(value[0], items, [...keys, 0])
  if (!isObject(value)) return
  const all: Fields = { ...fields, ...oneOf?.of[String(value[oneOf.by])] }
  for (const [name, field] of Object.entries(all)) {
    if (!isProbed(field)) continue
    const inner = value[name]
    yield { keys: [...keys, name], field, isThere: inner !== undefined && inner !== null }
    yield* placesIn(inner, field, [...keys, name])
  }
}

const valueAt = (value: unknown, keys: Keys): unknown =>
  keys.reduce<unknown>((held, key) => (held as Record<string | number, unknown>)[key], value)

/** undefined removes the field. */
function withValue(value: unknown, [key, ...rest]: Keys, other: unknown): unknown {
  if (key === undefined) return other
  if (Array.isArray(value)) return value.with(key as number, withValue(value[key as number], rest, other))
  const object = value as JsonObject
  return { ...object, [key]: withValue(object[key], rest, other) }
}

interface Change {
  readonly fits: (field: Field) => boolean
  readonly other: (field: Field) => unknown
}

/** Changes the first field that fits, preferably one without the run's mark; else adds one. */
const changeFirst =
  (isInner: boolean, { fits, other }: Change): WrongBody['change'] =>
  (body, operation, { run }) => {
    const fitting = [...placesIn(body, { type: 'object', fields: fieldsSentTo(operation) })].filter(
      ({ keys, field }) => keys.length > 1 === isInner && fits(field),
    )
    const there = fitting.filter(({ isThere }) => isThere)
    const isOthers = ({ keys }: Place) => !JSON.stringify(valueAt(body, keys)).includes(run)
    const { keys, field, isThere } = there.find(isOthers) ?? there[0] ?? fitting[0] ?? {}
    const value = field && other(field)
    return field && (isThere || value !== undefined) ? (withValue(body, keys!, value) as object) : undefined
  }

/** The specification shows no schema, and a validation of infrastructure depends on the account. */
const isDescribed = (operation: OperationId) => isDocumented(operation) && operation !== 'byocInfrastructure.validate'
const hasInner = (operation: OperationId) =>
  isDescribed(operation) &&
  Object.values(fieldsSentTo(operation)).some(
    ({ fields, items }) => fields !== undefined || items?.fields !== undefined,
  )

const kinds = [
  {
    what: 'without a required field',
    rule: 'error/missing-field-is-refused',
    fits: isNeeded,
    other: () => undefined,
  },
  {
    what: 'with a value outside an enum',
    rule: 'error/unknown-value-is-refused',
    fits: ({ values, type }: Field) => values !== undefined && type === 'string',
    other: () => 'stack-parity',
  },
  {
    what: 'with a value of another type',
    rule: 'error/wrong-type-is-refused',
    fits: ({ also }: Field) => !also,
    other: ({ type }: Field) => (type === 'object' ? 'stack-parity' : { stackParity: true }),
  },
] as const

export const wrongBodies: readonly WrongBody[] = [
  {
    what: 'with malformed JSON',
    rule: 'error/malformed-json-is-refused',
    isFor: () => true,
    change: body => JSON.stringify(body).slice(0, -1),
  },
  ...kinds.flatMap(({ what, rule, fits, other }): WrongBody[] => [
    { what, rule, isFor: isDescribed, change: changeFirst(false, { fits, other }) },
    { what: `${what} further in`, rule, isFor: hasInner, change: changeFirst(true, { fits, other }) },
  ]),
]
