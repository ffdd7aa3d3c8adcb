import { type Form, type OperationId, operations, type ResourceId } from '../../fixtures/built-contract/index.ts'
import { resourceOf } from './contract.ts'
import type { LedgerEntry } from './ledger.ts'
import { fillPath, type PathValues, pathValues, patternOf, valuesIn } from './paths.ts'
import { everyForm } from './target/forms-of.ts'
import type { TargetFile } from './target/target.ts'

/** The resources with a life in the contract: created, got, listed and deleted. */
export type ResourceWithLife = {
  [Resource in ResourceId]: `${Resource}.${'create' | 'get' | 'list' | 'delete'}` extends OperationId ? Resource : never
}[ResourceId]

/** In the order of deletion: longer paths come first, and alerts before their dashboards. */
export const resourcesWithLife: readonly ResourceWithLife[] = (
  [...new Set(Object.keys(operations).map(resourceOf))].filter(resource =>
    ['create', 'get', 'list', 'delete'].every(verb => `${resource}.${verb}` in operations),
  ) as ResourceWithLife[]
).sort((a, b) => depthOf(b) - depthOf(a) || a.localeCompare(b))

export const hasLife = (resource: string): resource is ResourceWithLife =>
  (resourcesWithLife as readonly string[]).includes(resource)

function depthOf(resource: ResourceWithLife): number {
  const paths: readonly string[] = Object.values(operations[`${resource}.get`].paths)
  return Math.max(...paths.map(path => path.split('/').length))
}

export const formsOfLife = (resource: string): readonly Form[] =>
  everyForm.filter(form => operationOf(resource, 'create', form) && operationOf(resource, 'delete', form))

/** The managed form has none of these (§1). A run tries to create them, and deletes those that a deployment creates. */
const absentInManaged = ['webhook', 'chart'] as const
/** Can be created and deleted, but not both got and listed. */
const withoutFullLife = ['webhook', 'byocInfrastructure'] as const

export type CreatableResource = ResourceWithLife | (typeof absentInManaged)[number] | (typeof withoutFullLife)[number]

/** In the order of deletion. */
export const creatableResources: readonly CreatableResource[] = [
  ...new Set([...resourcesWithLife, ...absentInManaged, ...withoutFullLife]),
]

const isAbsent = (resource: CreatableResource, form: Form) =>
  form === 'managed' && (absentInManaged as readonly CreatableResource[]).includes(resource)

export const formsOfCreatable = (resource: CreatableResource): readonly Form[] =>
  everyForm.filter(form => isAbsent(resource, form) || formsOfLife(resource).includes(form))

export function operationOf(resource: string, verb: Verb | 'create', form: Form): OperationId | undefined {
  const operation = `${resource}.${verb}` as OperationId
  return operations[operation]?.paths[form] === undefined ? undefined : operation
}

type Verb = 'list' | 'get' | 'delete'

/** An absent resource is tried on a path like that of dashboards, with its own name instead of `dashboards`. */
function templateOf(resource: CreatableResource, verb: Verb, form: Form): string | undefined {
  const operation = operationOf(resource, verb, form)
  if (operation) return operations[operation].paths[form]
  return isAbsent(resource, form)
    ? operations[`dashboard.${verb}`].paths.managed?.replace(/\/dashboards(?=\/|$)/, `/${resource}s`)
    : undefined
}

export function pathOfCreatable(
  resource: CreatableResource,
  verb: Verb,
  form: Form,
  values: PathValues,
): string | undefined {
  const template = templateOf(resource, verb, form)
  return template === undefined ? undefined : fillPath(template, values)
}

/** The path values of a created object: those in the path of its creation, and the target's for the rest. */
export function pathValuesOf(entry: Pick<LedgerEntry, 'form' | 'resource' | 'path'>, target: TargetFile): PathValues {
  const { form, resource, path = '' } = entry
  const template = templateOf(resource, 'list', form)
  // The path of an object that was created by an update ends with its id.
  const found = template && (valuesIn(template, path) ?? valuesIn(template, path.replace(/\/[^/]*$/, '')))
  return { ...pathValues(target), ...found }
}

/** The resource whose list or object has this path. */
export function resourceAt(path: string, form: Form): CreatableResource | undefined {
  const [pathname] = path.split('?')
  return patterns.find(one => one.form === form && one.pattern.test(pathname!))?.resource
}

export const isListPath = (path: string, resource: CreatableResource, form: Form): boolean =>
  patterns.some(one => one.isList && one.resource === resource && one.form === form && one.pattern.test(path))

const patterns = creatableResources.flatMap(resource =>
  formsOfCreatable(resource).flatMap(form =>
    (['list', 'delete'] as const).flatMap(verb => {
      const template = templateOf(resource, verb, form)
      if (template === undefined) return []
      return [{ resource, form, isList: verb === 'list', pattern: patternOf(template) }]
    }),
  ),
)
