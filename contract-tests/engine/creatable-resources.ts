import {
  type Contract,
  type Form,
  type OperationId,
  contract as ours,
  type ResourceId,
} from '../../fixtures/built-contract/index.ts'
import { isOnlyInDocuments, onceFor, resourceOf } from './contract.ts'
import type { LedgerEntry } from './ledger.ts'
import { fillPath, type PathValues, pathValues, patternOf, valuesIn } from './paths.ts'
import { everyForm } from './target/forms-of.ts'
import type { TargetFile } from './target/target.ts'

/** The resources with a life in the contract: created, got, listed and deleted. */
export type ResourceWithLife = {
  [Resource in ResourceId]: `${Resource}.${'create' | 'get' | 'list' | 'delete'}` extends OperationId ? Resource : never
}[ResourceId]

/** In the order of deletion: longer paths come first, and alerts before their dashboards. */
export const resourcesWithLifeOf = onceFor((contract): readonly ResourceWithLife[] => {
  const { operations } = contract
  const depthOf = (resource: ResourceWithLife) =>
    Math.max(...Object.values(operations[`${resource}.get`].paths).map(path => path.split('/').length))
  return (
    [...new Set(Object.keys(operations).map(resourceOf))].filter(resource =>
      ['create', 'get', 'list', 'delete'].every(verb => `${resource}.${verb}` in operations),
    ) as ResourceWithLife[]
  ).sort((a, b) => depthOf(b) - depthOf(a) || a.localeCompare(b))
})
export const resourcesWithLife = resourcesWithLifeOf(ours)

export const hasLife = (resource: string, contract?: Contract): resource is ResourceWithLife =>
  (resourcesWithLifeOf(contract) as readonly string[]).includes(resource)

export const formsOfLife = (resource: string, contract?: Contract): readonly Form[] =>
  everyForm.filter(
    form => operationOf(resource, 'create', form, contract) && operationOf(resource, 'delete', form, contract),
  )

/** The managed form has none of these (§1). A run tries to create them, and deletes those that a deployment creates. */
const absentInManaged = ['webhook', 'chart'] as const
/** Can be created and deleted, but not both got and listed. */
const withoutFullLife = ['webhook', 'byocInfrastructure'] as const

export type CreatableResource = ResourceWithLife | (typeof absentInManaged)[number] | (typeof withoutFullLife)[number]

/** In the order of deletion. */
export const creatableResourcesOf = onceFor((contract): readonly CreatableResource[] => [
  ...new Set([...resourcesWithLifeOf(contract), ...absentInManaged, ...withoutFullLife]),
])

const isAbsent = (resource: CreatableResource, form: Form) =>
  form === 'managed' && (absentInManaged as readonly CreatableResource[]).includes(resource)

const formsOfCreatable = (resource: CreatableResource, contract?: Contract): readonly Form[] =>
  everyForm.filter(form => isAbsent(resource, form) || formsOfLife(resource, contract).includes(form))

export function operationOf(
  resource: string,
  verb: Verb | 'create',
  form: Form,
  { operations }: Contract = ours,
): OperationId | undefined {
  const operation = `${resource}.${verb}` as OperationId
  return operations[operation]?.paths[form] === undefined ? undefined : operation
}

type Verb = 'list' | 'get' | 'delete'

/** An absent resource is tried on a path like that of dashboards, with its own name instead of `dashboards`. */
function templateOf(
  resource: CreatableResource,
  verb: Verb,
  form: Form,
  contract: Contract = ours,
): string | undefined {
  const operation = operationOf(resource, verb, form, contract)
  if (operation) return contract.operations[operation].paths[form]
  return isAbsent(resource, form)
    ? ours.operations[`dashboard.${verb}`].paths.managed?.replace(/\/dashboards(?=\/|$)/, `/${resource}s`)
    : undefined
}

/**
 * The path of the list of what was created, or of the object with this id. A resource that only a document has lies below the
 * path of its creation, so that what the ledger has can be deleted without the document.
 */
export function pathOfCreated(
  entry: Pick<LedgerEntry, 'form' | 'resource' | 'path'>,
  verb: Verb,
  target: TargetFile,
  id?: string,
): string | undefined {
  const { form, resource, path } = entry
  if (isOnlyInDocuments(resource)) return verb === 'list' || !path ? path : `${path}/${encodeURIComponent(id ?? '')}`
  const template = templateOf(resource, verb, form)
  return template === undefined ? undefined : fillPath(template, { ...pathValuesOf(entry, target), id })
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
export function resourceAt(path: string, form: Form, contract?: Contract): CreatableResource | undefined {
  const [pathname] = path.split('?')
  return patternsIn(contract).find(one => one.form === form && one.pattern.test(pathname!))?.resource
}

export const isListPath = (path: string, resource: CreatableResource, form: Form, contract?: Contract): boolean =>
  patternsIn(contract).some(
    one => one.isList && one.resource === resource && one.form === form && one.pattern.test(path),
  )

const patternsIn = onceFor(contract =>
  creatableResourcesOf(contract).flatMap(resource =>
    formsOfCreatable(resource, contract).flatMap(form =>
      (['list', 'delete'] as const).flatMap(verb => {
        const template = templateOf(resource, verb, form, contract)
        if (template === undefined) return []
        return [{ resource, form, isList: verb === 'list', pattern: patternOf(template) }]
      }),
    ),
  ),
)
