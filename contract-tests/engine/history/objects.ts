import { findOperation, isOnlyInDocuments } from '../contract.ts'
import { type Exchange, isSuccess } from '../exchange.ts'
import { listIn } from '../pages.ts'
import { findObject, idOf, isObject, type JsonObject, payloadOf, sameId } from '../recognise.ts'

/** The objects of a resource in answers. */

/** True for a resource without a list, such as a configuration: its object has no id. */
export const isSingleton = (resource: string): boolean =>
  !isOnlyInDocuments(resource) && findOperation(`${resource}.list`) === undefined

export function objectIn(exchange: Exchange | undefined, resource: string): JsonObject | undefined {
  if (!isSuccess(exchange)) return undefined
  const payload = payloadOf(exchange.json)
  return findObject(exchange.json, resource) ?? (isSingleton(resource) && isObject(payload) ? payload : undefined)
}

export const createdId = (exchange: Exchange | undefined, resource: string): string | undefined =>
  idOf(objectIn(exchange, resource), resource)

export const hasId = (object: JsonObject | undefined, resource: string, id: string | undefined): boolean =>
  id !== undefined && sameId(idOf(object, resource) ?? '', id)

export const itemIn = (list: Exchange | undefined, resource: string, id: string | undefined): JsonObject | undefined =>
  listIn(list, resource)?.find(item => hasId(item, resource, id))
