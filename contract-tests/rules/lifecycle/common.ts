import { rules } from '../../../fixtures/contract/index.ts'
import { type Evidence, noAnswer, notApplicable, type Verdict } from '../../engine/check.ts'
import { findOperation } from '../../engine/contract.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { listIn } from '../../engine/pages.ts'
import { decode } from '../../engine/paths.ts'
import { findObject, idOf, isObject, type JsonObject, payloadOf, sameId } from '../../engine/recognise.ts'
import { hasLife } from '../../engine/resources-with-life.ts'
import { aliasesOf, updateOf, updatesOf } from '../../visits/life.ts'
import { setterOf } from '../../visits/singleton.ts'
import { sentIn } from '../fields.ts'
import { answersTo, stepsOfForm } from '../steps.ts'

export const creationSteps = (resource: string) => aliasesOf(resource).map(thing => `${resource}.create-${thing}`)

/** A singleton has no id: it can be neither created nor listed. */
export const isSingleton = (resource: string) => findOperation(`${resource}.list`) === undefined

/** The object of a success. */
export function objectIn(exchange: Exchange | undefined, resource: string): JsonObject | undefined {
  if (!isSuccess(exchange)) return undefined
  const payload = payloadOf(exchange.json)
  return findObject(exchange.json, resource) ?? (isSingleton(resource) && isObject(payload) ? payload : undefined)
}

export const createdId = (exchange: Exchange | undefined, resource: string) =>
  idOf(objectIn(exchange, resource), resource)

export const hasId = (object: JsonObject | undefined, resource: string, id: string | undefined) =>
  id !== undefined && sameId(idOf(object, resource) ?? '', id)

export const itemIn = (listed: Exchange | undefined, resource: string, id: string | undefined) =>
  listIn(listed, resource)?.find(item => hasId(item, resource, id))

export const isGone = (exchange: Exchange | undefined) => [404, 410].includes(exchange?.response.status ?? 0)

/** True where a rule of the life judges the effect of an operation. */
export function isJudgedByLife(resource: string, verb: string): boolean {
  if (verb === 'create' && `${resource}/created-is-listed` in rules) return true
  if (verb === 'delete') return `${resource}/deleted-is-gone` in rules || `${resource}/absent-is-not-found` in rules
  const id = `${resource}.${verb}`
  return (
    (id === updateOf(resource) && `${resource}/updated-is-got` in rules) ||
    (id === setterOf(resource) && `${resource}/set-is-got` in rules)
  )
}

export function isRequestFor({ request }: Exchange, id: string): boolean {
  const [last = ''] = /[^/?]*(?=\/?(?:\?|$))/.exec(request.path) ?? []
  return sameId(decode(last), id)
}

/** The update of the run's own object, its creation and the gets around it; or the verdict without an update. */
export function readUpdate(evidence: Evidence, resource: string) {
  const names = stepsOfForm(updatesOf(resource))(evidence.form)
  const updated = evidence.exchangesOf(...names).find(isSuccess)
  const [got, created, gotBefore] = answersTo(
    ['get-after-update', 'create-main', 'get'].map(name => `${resource}.${name}`),
    evidence,
  )
  if (!updated) return noAnswer(evidence, ...names)
  const id = createdId(created, resource)
  if (id !== undefined && !isRequestFor(updated, id))
    return notApplicable('what was created could not be distinguished from others')
  const before = objectIn(gotBefore, resource) ?? objectIn(created, resource)
  return { updated, created, id, got, object: objectIn(got, resource), before }
}

export type Update = Exclude<ReturnType<typeof readUpdate>, Verdict>

export const stepsAroundUpdate = (resource: string) => {
  const updates = updatesOf(resource)
  const created = hasLife(resource) ? ['create-main', ...(updates.length > 0 ? ['list-after-update'] : [])] : []
  const got = ['get', ...(updates.length > 0 ? ['get-after-update'] : [])]
  return stepsOfForm([...updates, ...[...got, ...created].map(name => `${resource}.${name}`)])
}

/** The item that has the updated name under another id. */
export function findUnderOtherId(evidence: Evidence, resource: string, updated: Exchange, id: string | undefined) {
  const [listed] = answersTo([`${resource}.list-after-update`], evidence)
  const { name } = sentIn(updated)
  const item = listIn(listed, resource)?.find(one => typeof name === 'string' && one.name === name)
  const shown = idOf(item, resource)
  return listed && id !== undefined && shown !== undefined && !sameId(shown, id) ? { shown, listed } : undefined
}

export const isSameObject = (object: JsonObject, id: string | undefined, resource: string) =>
  isSingleton(resource) || hasId(object, resource, id)
