import { type Contract, type Form, type OperationId, contract as ours } from '../../fixtures/built-contract/index.ts'
import { resourceOf } from '../engine/contract.ts'
import { hasLife } from '../engine/creatable-resources.ts'
import type { Exchange } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { operationsOf, type PathValues, pathTemplateOf, valuesIn } from '../engine/paths.ts'
import { idOf, type JsonObject } from '../engine/recognise.ts'
import { stepOfListBefore } from '../engine/step.ts'

/** Finds the ids of objects that the run did not create and the target file does not name, in lists that show them. */

/** The lists that show the ids in a path, from left to right, except those that the target names. */
export function listedParentsOf(id: OperationId, form: Form, contract: Contract = ours) {
  const path = pathTemplateOf(id, form, contract) ?? ''
  const parents: { readonly list: OperationId; readonly name: string }[] = []
  for (const { 1: name = '', index } of path.matchAll(/\/\{(\w+)\}/g)) {
    const isRead = (one: OperationId) => contract.operations[one].method === 'GET'
    const list = operationsOf(form, contract).find(
      one => isRead(one) && pathTemplateOf(one, form, contract) === path.slice(0, index),
    )
    // Below a parent from a list, the ids of the target do not count: they may belong to another parent.
    const isNamed = parents.length === 0 && /^(?:organizationId|serviceId|backupId)$/.test(name)
    if (list && !isNamed) parents.push({ list, name })
  }
  return parents
}

export type ListedParent = ReturnType<typeof listedParentsOf>[number]

/** The oldest primary, else the one with the first id: whatever the order of the list, a run chooses the same. */
function chooseItem(list: readonly JsonObject[], resource: string): JsonObject | undefined {
  const keyOf = (item: JsonObject) =>
    `${item.isPrimary === false} ${item.createdAt ?? ''} ${idOf(item, resource) ?? item.name ?? ''}`
  return list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))[0]
}

/** The path values of a list and of one of its items. */
export function valuesFrom(
  exchange: Exchange | undefined,
  { list, name }: ListedParent,
  form: Form,
  contract?: Contract,
): PathValues | undefined {
  const resource = resourceOf(list)
  const chosen = chooseItem(listIn(exchange, resource) ?? [], resource)
  const id = chosen && idForParameter(chosen, resource, name)
  const template = pathTemplateOf(list, form, contract) ?? ''
  return id === undefined ? undefined : { ...valuesIn(template, exchange!.request.path), [name]: id }
}

/** The value of an item for a path parameter: the field with the parameter's name, the item's name, or its id. */
export function idForParameter(item: JsonObject, resource: string, parameter: string): string | undefined {
  // Settings have a `name`, which their path calls `settingName`.
  const named = item[parameter] ?? (parameter.endsWith('Name') ? item.name : undefined)
  // An empty name, `.` or `..` would lead to another path.
  return typeof named === 'string' && !/^\.{0,2}$/.test(named) ? named : idOf(item, resource)
}

/** The name of the step that reads a list before the run creates anything. */
export function stepOfList(list: OperationId, form: Form, contract?: Contract): string {
  const resource = resourceOf(list)
  return hasLife(resource, contract) ? stepOfListBefore(form, resource) : `${form}:${list}`
}
