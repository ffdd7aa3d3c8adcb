import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { resourceOf } from '../engine/contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import { isLiving } from '../engine/living.ts'
import { listIn } from '../engine/pages.ts'
import { operationsOf, type PathValues, templateOf, valuesIn } from '../engine/paths.ts'
import { idOf, isObject, type JsonObject } from '../engine/recognise.ts'
import { listBefore } from '../engine/step.ts'

/** What is read of the things of others: ids that neither a target file nor the run names come from lists of the contract. */

export interface Parent {
  readonly list: OperationId
  /** The part of the path that an item of the list fills in. */
  readonly name: string
}

/** The lists that show the ids in a path which the target does not name, from left to right. */
export function parentsOf(id: OperationId, form: Form): readonly Parent[] {
  const path = templateOf(id, form) ?? ''
  const parents: Parent[] = []
  for (const { 1: name = '', index } of path.matchAll(/\/\{(\w+)\}/g)) {
    const isRead = (one: OperationId) => operations[one].method === 'GET'
    const list = operationsOf(form).find(one => isRead(one) && templateOf(one, form) === path.slice(0, index))
    // Below something that a list showed, the target's own service need not be there.
    const isNamed = parents.length === 0 && /^(?:organizationId|serviceId|backupId)$/.test(name)
    if (list && !isNamed) parents.push({ list, name })
  }
  return parents
}

/** The ids in the path of a list, and that of the first thing that it shows. */
export function valuesFrom(exchange: Exchange | undefined, { list, name }: Parent, form: Form): PathValues | undefined {
  const resource = resourceOf(list)
  const [first] = listIn(exchange, resource) ?? []
  const id = isObject(first) ? idBelow(first, resource, name) : undefined
  const template = templateOf(list, form) ?? ''
  return id === undefined ? undefined : { ...valuesIn(template, exchange!.request.path), [name]: id }
}

/** What a path below a list calls one of its items: a field of the parameter's name, its name, or its id. */
export function idBelow(item: JsonObject, resource: string, parameter: string): string | undefined {
  // A setting is found by its `name`, which its path calls `settingName`.
  const named = item[parameter] ?? (parameter.endsWith('Name') ? item.name : undefined)
  // A name of points alone would lead to another path.
  return typeof named === 'string' && !/^\.{0,2}$/.test(named) ? named : idOf(item, resource)
}

/** The step that lists the things of others: that of members is one of the specification's. */
export function stepOfList(list: OperationId, form: Form): string {
  const resource = resourceOf(list)
  if (list === 'member.list') return 'cloud:members'
  return isLiving(resource) ? listBefore(form, resource) : `${form}:${list}`
}
