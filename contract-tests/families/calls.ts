import type { OperationId } from '../../fixtures/built-contract/index.ts'
import { type Check, noSuccess } from '../engine/check.ts'
import { resourceOf } from '../engine/contract.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { because } from '../engine/reasons.ts'
import { idOf, isDateTime, isObject, type JsonObject, momentOf } from '../engine/recognise.ts'
import { isSecretName } from '../engine/redact.ts'
import { compareWithContract } from '../rules/documented.ts'
import {
  fieldsOfRequests,
  findMismatch,
  isNestedAndVolatile,
  pick,
  resultIn,
  stableFieldNames,
} from '../rules/fields.ts'
import { eachAnswerTo } from '../rules/operations.ts'
import { brokenBy, describeAnswer, eachSuccess, heldUnless, judgeTogether, observe } from '../rules/steps.ts'
import type { Line, Run } from '../visits/visit.ts'

/** Sends the present values of an object that is not the run's own, on a mock only. This changes nothing. */
export function sendUnchanged(
  run: Run,
  operation: 'organization.update' | 'member.update',
  got: Line,
  bodyOf: (object: JsonObject) => object,
): Line {
  const resource = resourceOf(operation)
  return run.call(operation, {
    why: `sends the present values of the ${resource}`,
    mockOnly: `the ${resource} is not the run's own`,
    from: [got],
    values: context => {
      const object = resultIn(context.exchange(got))
      return object && { id: idOf(object, resource), organizationId: context.target.cloud?.organizationId }
    },
    body: context => bodyOf(resultIn(context.exchange(got))!),
    skipReason: because('no {resource} was got', { resource }),
  })
}

/** Holds when sending the present values succeeds and changes nothing. */
export const changesNothing = (resource: 'organization' | 'member'): Check =>
  judgeTogether([`${resource}.update`, `${resource}.get`], ([sent, got], { history: { contract } }) => {
    if (!sent || !got) return undefined
    if (!isSuccess(sent)) return noSuccess(sent)
    const [difference] = compareWithContract(sent, contract.operations[`${resource}.update`], contract)
    if (difference) return brokenBy(difference, sent)
    const [before = {}, after = {}] = [resultIn(got), resultIn(sent)]
    // Other operations change the objects that the resource lists, such as infrastructures.
    const requestFields = fieldsOfRequests(resource)
    const names = stableFieldNames(resource, before, after).filter(
      name => name in requestFields || !isListOfObjects(before[name]),
    )
    const finding = findMismatch(pick(before, names), pick(after, names), '$', isNestedAndVolatile)
    return heldUnless(finding, [sent, got], ', as before')
  })

const isListOfObjects = (value: unknown) => Array.isArray(value) && value.some(item => isObject(item) && 'id' in item)

/** Holds when no item of a list is newer than the one before it. `field` has the time. */
export const newestFirst = (operation: OperationId, field: string): Check =>
  eachSuccess(
    [`cloud:${operation}`],
    exchange => {
      const moments = (listIn(exchange, resourceOf(operation)) ?? []).map(one => one[field])
      if (moments.length < 2) return undefined
      const index = moments.findIndex((at, place) => {
        const before = moments[place - 1]
        return isDateTime(at) && isDateTime(before) && momentOf(at) > momentOf(before)
      })
      const path = `$.result[${index}].${field}`
      return index < 0 ? [] : [{ path, expected: `a time not after ${moments[index - 1]}`, got: moments[index] }]
    },
    'the list has fewer than two items',
  )

/** Observes the answers to commands that do not fit the state of their object. */
export const observeCommands = (commands: readonly Line[]): Check =>
  observe(commands, exchanges => exchanges.map(one => `${one.step.replace(/^.*\./, '')} ${describeAnswer(one)}`).sort())

/** Sums of decimal fractions are not exact. */
export const isAboutEqual = (value: number, sum: number) => Math.abs(value - sum) <= 1e-6 * Math.max(1, Math.abs(sum))

/** Holds when no answer to the operations has a field whose name is that of a secret, at any depth. */
export const neverShows = (...operations: readonly OperationId[]): Check =>
  eachAnswerTo(operations, ({ json }) => {
    const path = placeOfSecret(json, '$')
    return path ? [{ path, expected: 'no such field', got: 'a value, which is not repeated here' }] : []
  })

function placeOfSecret(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    const found = isObject(value) && isSecretName(name) ? place : placeOfSecret(item, place)
    if (found) return found
  }
  return undefined
}
