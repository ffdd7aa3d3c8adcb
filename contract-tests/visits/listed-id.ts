import { type Form, type Operation, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isLiving } from '../engine/living.ts'
import { listIn } from '../engine/pages.ts'
import { operationsOf, type PathValues, valuesIn } from '../engine/paths.ts'
import { idOf, isObject } from '../engine/recognise.ts'
import { listBefore } from '../engine/step.ts'

/** What is read of the things of others: ids that neither a target file nor the run names come from lists of the contract. */

export interface Parent {
  readonly list: OperationId
  /** The part of the path that an item of the list fills in. */
  readonly name: string
}

/** The lists that show the ids in a path which the target does not name, from left to right. */
export function parentsOf(id: OperationId, form: Form): readonly Parent[] {
  const path = (operations[id] as Operation).paths[form] ?? ''
  const parents: Parent[] = []
  for (const { 1: name = '', index } of path.matchAll(/\/\{(\w+)\}/g)) {
    const isRead = (one: OperationId) => operations[one].method === 'GET'
    const list = operationsOf(form).find(one => isRead(one) && operations[one].paths[form] === path.slice(0, index))
    // Below something that a list showed, the target's own service need not be there.
    const isNamed = parents.length === 0 && /^(?:organizationId|serviceId|backupId)$/.test(name)
    if (list && !isNamed) parents.push({ list, name })
  }
  return parents
}

/** The ids in the path of a list, and that of the first thing that it shows. */
export function valuesFrom(exchange: Exchange | undefined, { list, name }: Parent, form: Form): PathValues | undefined {
  const [resource = ''] = list.split('.')
  const [first] = (exchange && isSuccess(exchange) && listIn(exchange, resource)) || []
  // A setting is found by its `name`, which its path calls `settingName`.
  const named = isObject(first) ? (first[name] ?? (name.endsWith('Name') ? first.name : undefined)) : undefined
  const id = typeof named === 'string' ? named : first && idOf(first, resource)
  const template = (operations[list] as Operation).paths[form] ?? ''
  return id === undefined ? undefined : { ...valuesIn(template, exchange!.request.path), [name]: id }
}

/** The step that lists the things of others: that of members is one of the specification's. */
export function stepOfList(list: OperationId, form: Form): string {
  const [resource = ''] = list.split('.')
  if (list === 'member.list') return 'cloud:members'
  return isLiving(resource) ? listBefore(form, resource) : `${form}:${list}`
}
