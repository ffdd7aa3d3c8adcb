import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import { type Check, noSuccess } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { type PathValues, pathOf, pathValues } from '../engine/paths.ts'
import { isDateTime, isObject, type JsonObject, momentOf } from '../engine/recognise.ts'
import type { Past, Step } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { mismatch, resultIn } from '../rules/fields.ts'
import { idFor, listedId, stepOf } from '../rules/lifecycle/read.ts'
import { agrees, each, eachSuccess, together } from '../rules/steps.ts'
import { at } from '../visits/make-step.ts'

/** The request of an operation: on what a list shows first, where neither the target file nor `values` name an id. */
export function call(operation: OperationId, values: PathValues = {}): Step {
  const { method, paths, says } = operations[operation]
  const form = paths.cloud ? 'cloud' : 'selfHosted'
  const listed = listedId(operation)
  const [resource = ''] = listed?.list.split('.') ?? []
  return {
    name: `${form}:${operation}`,
    form,
    phase: listed ? 1 : 0,
    operation,
    method,
    as: 'key',
    why: says,
    ...(listed && { from: [stepOf(listed.list)] }),
    draft(past) {
      const [first] = (listed && listIn(past.exchange(stepOf(listed.list)), resource)) ?? []
      const id = first && idFor(operation, first)
      if (listed && id === undefined) return { skip: `no list shows the id of a ${resource}` }
      return at(past, form, operation, { ...values, ...(listed && { [listed.name]: id }) })
    },
  }
}

/** A step with a query string; under another name, it is a request of its own beside the step. */
export const asking = (step: Step, query: (past: Past) => string, name = step.name): Step => ({
  ...step,
  name,
  draft(past) {
    const draft = step.draft(past)
    return 'path' in draft ? { ...draft, path: `${draft.path}?${query(past)}` } : draft
  },
})

/** The draft of a step that is sent only where another one succeeded. */
export const after =
  (step: string, draft: Step['draft']): Step['draft'] =>
  past => {
    const exchange = past.exchange(step)
    return exchange && isSuccess(exchange) ? draft(past) : { skip: `${step} did not succeed` }
  }

/** Sends what a thing has already, which changes nothing. It is not the run's own, so it is sent on loopback only. */
export function rewrite(
  operation: 'organization.update' | 'member.update',
  bodyOf: (object: JsonObject) => object,
): Step {
  const [resource = ''] = operation.split('.')
  const read = `cloud:${resource}.get`
  return {
    ...call(operation),
    phase: 2,
    why: `sends what the ${resource} has already`,
    from: [read],
    draft({ target, exchange }) {
      if (!isLocal(target)) return { skip: `the ${resource} is not the run's own, so it is written on loopback only` }
      const object = resultIn(exchange(read))
      const id = object && idFor(operation, object)
      const path = object && pathOf(operation, 'cloud', { ...pathValues(target), ...(id !== undefined && { id }) })
      return path ? { path, body: bodyOf(object) } : { skip: `no ${resource} was got` }
    },
  }
}

/** Holds when sending what a thing has already is answered with success, and with what it has. */
export const changesNothing = (resource: 'organization' | 'member'): Check =>
  together([`${resource}.update`, `${resource}.get`], ([sent, got]) => {
    if (!sent || !got) return undefined
    if (!isSuccess(sent)) return noSuccess(sent)
    return agrees(mismatch(resultIn(got), resultIn(sent), '$'), ', as before', sent, got)
  })

/** Holds when a list has the newest first, by the field with its moment. */
export const newestFirst = (operation: OperationId, field: string): Check =>
  eachSuccess(
    [`cloud:${operation}`],
    exchange => {
      const moments = (listIn(exchange, operation.split('.')[0]!) ?? []).map(one => one[field])
      if (moments.length < 2) return undefined
      const index = moments.findIndex((at, place) => {
        const before = moments[place - 1]
        return isDateTime(at) && isDateTime(before) && momentOf(at) > momentOf(before)
      })
      const path = `$.result[${index}].${field}`
      return index < 0 ? [] : [{ path, expected: `a time not after ${moments[index - 1]}`, got: moments[index] }]
    },
    'there are fewer than two',
  )

/** Holds when a list from one moment to another, by its query, has only what lies in between. */
export const staysInWindow = (step: string, resource: string, field: string): Check =>
  each([step], exchange => {
    const query = new URLSearchParams(exchange.request.path.split('?')[1])
    const [from = '', to = ''] = ['from_date', 'to_date'].map(name => query.get(name) ?? '')
    const moments = listIn(exchange, resource)?.map(one => one[field])
    const stray = moments?.find(at => isDateTime(at) && (momentOf(at) < momentOf(from) || momentOf(at) > momentOf(to)))
    if (stray === undefined) return moments && []
    return [{ path: `$.${field}`, expected: `a moment from ${from} to ${to}`, got: stray }]
  })

/** Holds when no answer to these steps has a field of one of these names, at whatever depth. */
export const neverShows = (fields: readonly string[], steps: readonly string[]): Check =>
  eachSuccess(steps, ({ json }) => {
    const path = placeOf(fields, json, '$')
    return path ? [{ path, expected: 'no such field', got: 'a value, which is not repeated here' }] : []
  })

/** The path of the first field, at any depth, that has one of these names. */
function placeOf(fields: readonly string[], value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    const found = isObject(value) && fields.includes(name) ? place : placeOf(fields, item, place)
    if (found) return found
  }
  return undefined
}
