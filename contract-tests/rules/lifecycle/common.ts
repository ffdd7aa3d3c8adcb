import { type Form, type OperationId, operations } from '../../../fixtures/contract/index.ts'
import { absent, describe, type Evidence, notApplicable, type Verdict } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { listIn } from '../../engine/pages.ts'
import { findObject, idOf, isObject, type JsonObject, payloadOf, sameId } from '../../engine/recognise.ts'
import { sentIn } from '../fields.ts'

/** Shared by the checks of a life cycle: the names of its requests, and what is read from their answers. */

export type Resource = string
const things = ['main', 'spare', 'third'] as const
export const creations = (form: Form, resource: Resource) => things.map(thing => `${form}:${resource}.create-${thing}`)

export const createdId = (exchange: Exchange | undefined, resource: Resource) =>
  exchange && isSuccess(exchange) ? idOf(findObject(exchange.json, resource), resource) : undefined

/** True for a request on the thing with the id. */
export function asksFor({ request }: Exchange, id: string): boolean {
  const [last = ''] = /[^/?]*(?=\/?(?:\?|$))/.exec(request.path) ?? []
  try {
    return sameId(decodeURIComponent(last), id)
  } catch {
    return false
  }
}

export const wrong = (
  expected: string,
  got: unknown,
  path: string,
  ...exchanges: [Exchange, ...Exchange[]]
): Verdict => ({
  outcome: 'broken',
  detail: describe({ path, expected, got }, exchanges[0]),
  exchanges,
})

export const updates = (form: Form, resource: Resource) =>
  ['update', 'replace', 'update-by-patch'].map(name => `${form}:${resource}.${name}`)

/**
 * The creation and update of the run's own object, with the gets before and after it; or the verdict when there was no
 * update.
 */
export function readUpdate(evidence: Evidence, resource: Resource) {
  const step = (name: string) => `${evidence.form}:${resource}.${name}`
  const updated = evidence.of(...updates(evidence.form, resource)).find(isSuccess)
  const [got] = evidence.of(step('get-after-update'))
  const [created] = evidence.of(step('create-main'))
  const [before] = evidence.of(step('get'))
  if (!updated) return { why: absent(evidence, ...updates(evidence.form, resource)) }
  const id = createdId(created, resource)
  if (id !== undefined && !asksFor(updated, id))
    return { why: notApplicable('what was created could not be told from others') }
  const objectIn = (exchange: Exchange | undefined) =>
    exchange && isSuccess(exchange) ? objectOf(exchange, resource) : undefined
  return { updated, created, id, got, object: objectIn(got), before: objectIn(before) ?? objectIn(created) }
}

/** True for a singleton: it can be neither created nor listed, and has no id. */
export const isSingleton = (resource: Resource) => operations[`${resource}.list` as OperationId] === undefined

function objectOf({ json }: Exchange, resource: Resource): JsonObject | undefined {
  const payload = payloadOf(json)
  return findObject(json, resource) ?? (isSingleton(resource) && isObject(payload) ? payload : undefined)
}

export const updatesRead = (resource: Resource) => (form: Form) => [
  ...updates(form, resource),
  ...['create-main', 'get', 'get-after-update', 'list-after-update'].map(name => `${form}:${resource}.${name}`),
]

/** The item of the list after an update that has the updated name but another id. */
export function movedTo(evidence: Evidence, resource: Resource, updated: Exchange, id: string | undefined) {
  const [listed] = evidence.of(`${evidence.form}:${resource}.list-after-update`)
  const { name } = sentIn(updated)
  const item = listIn(listed, resource)?.find(one => typeof name === 'string' && one.name === name)
  const shown = idOf(item, resource)
  return id !== undefined && shown !== undefined && !sameId(shown, id) ? { shown, listed: listed! } : undefined
}

export const isOfItself = (object: JsonObject, id: string | undefined, resource: Resource) =>
  isSingleton(resource) || (id !== undefined && sameId(idOf(object, resource) ?? '', id))
