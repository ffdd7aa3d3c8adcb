import { type Form, type OperationId, operations, type ResourceId } from '../../fixtures/contract/index.ts'
import { operationsOf } from './paths.ts'

/** The resources that have a life by the contract: one can be created, got, listed and deleted. */
export type Living = {
  [Resource in ResourceId]: `${Resource}.${'create' | 'get' | 'list' | 'delete'}` extends OperationId ? Resource : never
}[ResourceId]

const has = (resource: string, verb: string, form?: Form): boolean => {
  const operation = operations[`${resource}.${verb}` as OperationId]
  return operation !== undefined && (form === undefined || operation.paths[form] !== undefined)
}

/** What lies within another resource is deleted before it: longer paths come first, and alerts before their dashboards. */
export const living: readonly Living[] = (
  [...new Set(Object.keys(operations).map(id => id.split('.')[0]!))].filter(resource =>
    ['create', 'get', 'list', 'delete'].every(verb => has(resource, verb)),
  ) as Living[]
).sort((a, b) => depthOf(b) - depthOf(a) || a.localeCompare(b))

function depthOf(resource: Living): number {
  const paths: readonly string[] = Object.values(operations[`${resource}.get`].paths)
  return Math.max(...paths.map(path => path.split('/').length))
}

/** The forms in which a resource can be created and deleted. */
export const formsOfLife = (resource: Living): readonly Form[] =>
  (['cloud', 'managed', 'selfHosted'] as const).filter(
    form => has(resource, 'create', form) && has(resource, 'delete', form),
  )

/** The resource that a path is about: its list, or one thing of it. */
export function resourceOf(path: string, form: Form): Living | undefined {
  const [plain] = path.split('?')
  return patterns.find(one => one.form === form && one.pattern.test(plain!))?.resource
}

/** True for the path of a resource's list. */
export const isListPath = (path: string, resource: Living, form: Form): boolean =>
  patterns.some(one => one.isList && one.resource === resource && one.form === form && one.pattern.test(path))

const patterns = (['cloud', 'managed', 'selfHosted'] as const).flatMap(form =>
  operationsOf(form).flatMap(operation => {
    const [resource, verb] = operation.split('.') as [Living, string]
    if (!living.includes(resource) || (verb !== 'list' && verb !== 'get')) return []
    const template = operations[operation].paths[form]!
    return [
      { resource, form, isList: verb === 'list', pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`) },
    ]
  }),
)
