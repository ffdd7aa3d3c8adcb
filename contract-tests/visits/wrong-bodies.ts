import type { Contract, Field, Fields, OperationId, RuleId } from '../../fixtures/built-contract/index.ts'
import { fieldsOf, isDocumented } from '../engine/contract.ts'
import { parseJson } from '../engine/exchange.ts'
import { isObject, type JsonObject, type KeyPath, valueAt } from '../engine/recognise.ts'
import type { RunContext } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import type { ProbeKind } from './probes.ts'
import { skip } from './visit.ts'

/** Probes that repeat a good body with one mistake, at its top level or in a nested object. */

/** Returns a text for a body that is not JSON; undefined if the good body has no such field. */
type ChangeBody = (
  body: JsonObject,
  operation: OperationId,
  context: RunContext,
  contract: Contract,
) => object | string | undefined

/** A field of the contract, and its place in a body. */
interface Place {
  readonly keys: KeyPath
  readonly field: Field
  readonly isPresent: boolean
}

/** False for fields that the server sets, and for those of single editions or forms. */
const isChangeable = ({ readOnly, editions, forms }: Field) => !readOnly && !editions && !forms
export const fieldsSentTo = (operation: OperationId, contract: Contract): Fields =>
  fieldsOf(contract.operations[operation].body, contract)
const isRequired = ({ optional, default: defaultValue }: Field) =>
  optional !== true && optional !== 'request' && defaultValue === undefined

function* placesIn(value: unknown, { fields, oneOf, items }: Field, keys: KeyPath = []): Generator<Place> {
  if (Array.isArray(value) && items && value.length > 0) yield* placesIn(value[0], items, [...keys, 0])
  if (!isObject(value)) return
  const all: Fields = { ...fields, ...oneOf?.variants[String(value[oneOf.discriminator])] }
  for (const [name, field] of Object.entries(all)) {
    if (!isChangeable(field)) continue
    const inner = value[name]
    yield { keys: [...keys, name], field, isPresent: inner !== undefined && inner !== null }
    yield* placesIn(inner, field, [...keys, name])
  }
}

/** Replaces the value at a place; undefined removes it. */
function withValue(value: unknown, [key, ...rest]: KeyPath, newValue: unknown): unknown {
  if (key === undefined) return newValue
  if (Array.isArray(value)) return value.with(key as number, withValue(value[key as number], rest, newValue))
  const object = value as JsonObject
  return { ...object, [key]: withValue(object[key], rest, newValue) }
}

interface Change {
  readonly isCandidate: (field: Field) => boolean
  readonly newValue: (field: Field) => unknown
}

/** Changes the first candidate in the body, preferably one without the run's mark. If the body has no candidate, adds one. */
const changeFirst =
  (isNested: boolean, { isCandidate, newValue }: Change): ChangeBody =>
  (body, operation, { runMark }, contract) => {
    const candidates = [...placesIn(body, { type: 'object', fields: fieldsSentTo(operation, contract) })].filter(
      ({ keys, field }) => keys.length > 1 === isNested && isCandidate(field),
    )
    const present = candidates.filter(({ isPresent }) => isPresent)
    const isUnmarked = ({ keys }: Place) => !JSON.stringify(valueAt(body, keys)).includes(runMark)
    const place = present.find(isUnmarked) ?? present[0] ?? candidates[0]
    if (!place) return undefined
    const value = newValue(place.field)
    return place.isPresent || value !== undefined ? (withValue(body, place.keys, value) as object) : undefined
  }

/** False for operations of the specification, which shows no schema, and for a validation that depends on the account. */
const isDescribed = (operation: OperationId) => isDocumented(operation) && operation !== 'byocInfrastructure.validate'
const hasNestedFields = (operation: OperationId, contract: Contract) =>
  isDescribed(operation) &&
  Object.values(fieldsSentTo(operation, contract)).some(
    ({ fields, items }) => fields !== undefined || items?.fields !== undefined,
  )

const kinds = [
  {
    mistake: 'without a required field',
    rule: 'error/missing-field-is-refused',
    isCandidate: isRequired,
    newValue: () => undefined,
  },
  {
    mistake: 'with a value outside an enum',
    rule: 'error/unknown-value-is-refused',
    isCandidate: ({ values, type }: Field) => values !== undefined && type === 'string',
    newValue: () => 'stack-parity',
  },
  {
    mistake: 'with a value of another type',
    rule: 'error/wrong-type-is-refused',
    isCandidate: ({ alternativeType }: Field) => !alternativeType,
    newValue: ({ type }: Field) => (type === 'object' ? 'stack-parity' : { stackParity: true }),
  },
] as const

/** True if a wrong body that a deployment accepts could affect people. */
const mayReachPeople = (operation: OperationId) => /^(?:invitation|key|byoc|postgres)/.test(operation)

const bodyProbe = (
  mistake: string,
  rule: RuleId,
  isFor: (operation: OperationId, contract: Contract) => boolean,
  changeBody: ChangeBody,
): ProbeKind => ({
  name: mistake,
  why: mistake,
  rule,
  isFor: (operation, _, contract) => contract.operations[operation].body !== undefined && isFor(operation, contract),
  change(good, context, operation, _form, contract) {
    if (!isMock(context.target) && mayReachPeople(operation)) return skip('such bodies are tried on a mock only')
    const { body = parseJson(good.rawBody ?? ''), rawBody: _, ...rest } = good
    const changed = isObject(body) ? changeBody(body, operation, context, contract) : undefined
    if (changed === undefined) return skip('the good body has no such field')
    return { ...rest, rawBody: typeof changed === 'string' ? changed : JSON.stringify(changed) }
  },
})

export const bodyProbes: readonly ProbeKind[] = [
  bodyProbe(
    'with malformed JSON',
    'error/malformed-json-is-refused',
    () => true,
    body => JSON.stringify(body).slice(0, -1),
  ),
  ...kinds.flatMap(({ mistake, rule, ...change }) => [
    bodyProbe(mistake, rule, isDescribed, changeFirst(false, change)),
    bodyProbe(`${mistake} in a nested object`, rule, hasNestedFields, changeFirst(true, change)),
  ]),
]
