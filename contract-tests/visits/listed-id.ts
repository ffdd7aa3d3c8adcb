import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { resourceOf } from '../engine/contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { operationsOf, type PathValues, templateOf, valuesIn } from '../engine/paths.ts'
import { idOf, isObject, type JsonObject } from '../engine/recognise.ts'
import { isLiving } from '../engine/resources-with-life.ts'
import { listBefore } from '../engine/step.ts'

/** Ids of things of others, which neither the target file nor the run names: they come from lists of the contract. */

/** The lists that show the ids in a path, from left to right; not for ids that the target names. */
export function parentsOf(id: OperationId, form: Form) {
  const path = templateOf(id, form) ?? ''
  const parents: { readonly list: OperationId; readonly name: string }[] = []
  for (const { 1: name = '', index } of path.matchAll(/\/\{(\w+)\}/g)) {
    const isRead = (one: OperationId) => operations[one].method === 'GET'
    const list = operationsOf(form).find(one => isRead(one) && templateOf(one, form) === path.slice(0, index))
    // The target's own service need not be the parent of a listed thing.
    const isNamed = parents.length === 0 && /^(?:organizationId|serviceId|backupId)$/.test(name)
    if (list && !isNamed) parents.push({ list, name })
  }
  return parents
}

export type Parent = ReturnType<typeof parentsOf>[number]

/** The path values of a list, and of the first item that it shows. */
export function valuesFrom(exchange: Exchange | undefined, { list, name }: Parent, form: Form): PathValues | undefined {
  const resource = resourceOf(list)
  const [first] = listIn(exchange, resource) ?? []
  const id = isObject(first) ? idBelow(first, resource, name) : undefined
  const template = templateOf(list, form) ?? ''
  return id === undefined ? undefined : { ...valuesIn(template, exchange!.request.path), [name]: id }
}

/** The value of an item for a parameter: the field of that name, its name, or its id. */
export function idBelow(item: JsonObject, resource: string, parameter: string): string | undefined {
  // Settings have a `name`, which their path calls `settingName`.
  const named = item[parameter] ?? (parameter.endsWith('Name') ? item.name : undefined)
  // A name of dots would lead to another path.
  return typeof named === 'string' && !/^\.{0,2}$/.test(named) ? named : idOf(item, resource)
}

/** The step that reads a list before the run creates anything. */
export function stepOfList(list: OperationId, form: Form): string {
  const resource = resourceOf(list)
  if (list === 'member.list') return 'cloud:members'
  return isLiving(resource) ? listBefore(form, resource) : `${form}:${list}`
}
