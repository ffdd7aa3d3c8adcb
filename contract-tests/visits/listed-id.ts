import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import { isLiving } from '../engine/living.ts'
import { idOf, type JsonObject } from '../engine/recognise.ts'
import { listBefore } from '../engine/step.ts'

/** What is read of the things of others, by the paths of the contract. */

/** The id in the path of an operation that a target file does not name, such as `userId`, and the operation that lists it. */
export function listedId(operation: OperationId): { readonly name: string; readonly list: OperationId } | undefined {
  const { paths } = operations[operation]
  const [, collection, name] = /^(.*)\/\{(?!organizationId|serviceId|backupId)(\w+)\}/.exec(paths.cloud ?? '') ?? []
  const list = (Object.keys(operations) as OperationId[]).find(
    id => operations[id].method === 'GET' && operations[id].paths.cloud === collection,
  )
  return name && list ? { name, list } : undefined
}

/** The step that lists the things of others: that of members is one of the specification's. */
export function stepOfList(list: OperationId): string {
  const [resource = ''] = list.split('.')
  if (list === 'member.list') return 'cloud:members'
  return isLiving(resource) ? listBefore('cloud', resource) : `cloud:${list}`
}

/** The id of a thing by its name in the path of an operation on it, else by any name of an id. */
export function idFor(operation: OperationId, thing: JsonObject): string | undefined {
  const { name = '', list = operation } = listedId(operation) ?? {}
  const id = thing[name]
  return typeof id === 'string' ? id : idOf(thing, list.split('.')[0]!)
}
