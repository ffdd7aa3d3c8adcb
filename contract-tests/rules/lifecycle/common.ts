import { rules } from '../../../fixtures/built-contract/index.ts'
import { findOperation } from '../../engine/contract.ts'
import { hasLife } from '../../engine/creatable-resources.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { listIn } from '../../engine/pages.ts'
import { decode } from '../../engine/paths.ts'
import { findObject, idOf, isObject, type JsonObject, payloadOf, sameId } from '../../engine/recognise.ts'
import { aliasesOf, updateOf, updatesOf } from '../../visits/life.ts'
import { setterOf } from '../../visits/singleton.ts'
import { stepsOfForm } from '../steps.ts'

export const creationSteps = (resource: string) => aliasesOf(resource).map(thing => `${resource}.create-${thing}`)

/** True for a resource without a list, such as a configuration: its object has no id. */
export const isSingleton = (resource: string) => findOperation(`${resource}.list`) === undefined

export function objectIn(exchange: Exchange | undefined, resource: string): JsonObject | undefined {
  if (!isSuccess(exchange)) return undefined
  const payload = payloadOf(exchange.json)
  return findObject(exchange.json, resource) ?? (isSingleton(resource) && isObject(payload) ? payload : undefined)
}

export const createdId = (exchange: Exchange | undefined, resource: string) =>
  idOf(objectIn(exchange, resource), resource)

export const hasId = (object: JsonObject | undefined, resource: string, id: string | undefined) =>
  id !== undefined && sameId(idOf(object, resource) ?? '', id)

export const itemIn = (list: Exchange | undefined, resource: string, id: string | undefined) =>
  listIn(list, resource)?.find(item => hasId(item, resource, id))

export const isGone = (exchange: Exchange | undefined) => [404, 410].includes(exchange?.response.status ?? 0)

/** True if a rule of the life cycle judges the effect of the operation. */
export function isJudgedByLife(resource: string, verb: string): boolean {
  if (verb === 'create' && `${resource}/created-is-listed` in rules) return true
  if (verb === 'delete') return `${resource}/deleted-is-gone` in rules || `${resource}/absent-is-not-found` in rules
  const id = `${resource}.${verb}`
  return (
    (id === updateOf(resource) && `${resource}/updated-is-got` in rules) ||
    (id === setterOf(resource) && `${resource}/set-is-got` in rules)
  )
}

/** True if the path of the request ends with the id. */
export function isRequestFor({ request }: Exchange, id: string): boolean {
  const [lastSegment = ''] = /[^/?]*(?=\/?(?:\?|$))/.exec(request.path) ?? []
  return sameId(decode(lastSegment), id)
}

/** The steps that checks of an update read. */
export const stepsAroundUpdate = (resource: string) => {
  const updates = updatesOf(resource)
  const created = hasLife(resource) ? ['create-main', ...(updates.length > 0 ? ['list-after-update'] : [])] : []
  const got = ['get', ...(updates.length > 0 ? ['get-after-update'] : [])]
  return stepsOfForm([...updates, ...[...got, ...created].map(name => `${resource}.${name}`)])
}
