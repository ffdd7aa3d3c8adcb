import { type Form, type OperationId, operations, type ResourceId } from '../../fixtures/contract/index.ts'
import { findOperation, resourceOf } from './contract.ts'
import { everyForm } from './target/forms-of.ts'

/** The resources with a life in the contract: created, got, listed and deleted. */
export type ResourceWithLife = {
  [Resource in ResourceId]: `${Resource}.${'create' | 'get' | 'list' | 'delete'}` extends OperationId ? Resource : never
}[ResourceId]

const has = (resource: string, verb: string, form?: Form): boolean => {
  const operation = findOperation(`${resource}.${verb}`)
  return operation !== undefined && (form === undefined || operation.paths[form] !== undefined)
}

/** In the order of deletion: longer paths come first, and alerts before their dashboards. */
export const resourcesWithLife: readonly ResourceWithLife[] = (
  [...new Set(Object.keys(operations).map(resourceOf))].filter(resource =>
    ['create', 'get', 'list', 'delete'].every(verb => has(resource, verb)),
  ) as ResourceWithLife[]
).sort((a, b) => depthOf(b) - depthOf(a) || a.localeCompare(b))

export const hasLife = (resource: string): resource is ResourceWithLife =>
  (resourcesWithLife as readonly string[]).includes(resource)

function depthOf(resource: ResourceWithLife): number {
  const paths: readonly string[] = Object.values(operations[`${resource}.get`].paths)
  return Math.max(...paths.map(path => path.split('/').length))
}

export const formsOfLife = (resource: string): readonly Form[] =>
  everyForm.filter(form => has(resource, 'create', form) && has(resource, 'delete', form))
