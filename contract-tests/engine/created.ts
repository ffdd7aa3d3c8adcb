import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { LedgerEntry } from './ledger.ts'
import { formsOfLife, type Living, living } from './living.ts'
import { fillPath, type PathValues, pathValues, patternOf, valuesIn } from './paths.ts'
import { everyForm } from './target/forms-of.ts'
import type { TargetFile } from './target/target.ts'

/** The managed form has none of these (§1). A run tries to create them; one that comes to be is deleted. */
const absent = ['webhook', 'chart'] as const
/** Can be created and deleted, but not both got and listed. */
const halfLiving = ['webhook', 'byocInfrastructure'] as const

export type Created = Living | (typeof absent)[number] | (typeof halfLiving)[number]

/** In the order of deletion. */
export const created: readonly Created[] = [...new Set([...living, ...absent, ...halfLiving])]

const isAbsent = (resource: Created, form: Form) =>
  form === 'managed' && (absent as readonly Created[]).includes(resource)

export const formsOfCreated = (resource: Created): readonly Form[] =>
  everyForm.filter(form => isAbsent(resource, form) || formsOfLife(resource).includes(form))

type Verb = 'list' | 'get' | 'delete'

export function operationOf(resource: Created, verb: Verb, form: Form): OperationId | undefined {
  const operation = `${resource}.${verb}` as OperationId
  return operations[operation]?.paths[form] === undefined ? undefined : operation
}

/** Absent resources are tried on conventional paths, beside the dashboards of the form. */
function templateOf(resource: Created, verb: Verb, form: Form): string | undefined {
  const operation = operationOf(resource, verb, form)
  if (operation) return operations[operation].paths[form]
  return isAbsent(resource, form)
    ? operations[`dashboard.${verb}`].paths.managed?.replace(/\/dashboards(?=\/|$)/, `/${resource}s`)
    : undefined
}

export function pathOfCreated(resource: Created, verb: Verb, form: Form, values: PathValues): string | undefined {
  const template = templateOf(resource, verb, form)
  return template === undefined ? undefined : fillPath(template, values)
}

/** The values in the path of a creation, and the target's for the others. */
export function placeOf(thing: Pick<LedgerEntry, 'form' | 'resource' | 'path'>, target: TargetFile): PathValues {
  const { form, resource, path = '' } = thing
  const template = templateOf(resource, 'list', form)
  // An object that an update made has the path of the update.
  const found = template && (valuesIn(template, path) ?? valuesIn(template, path.replace(/\/[^/]*$/, '')))
  return { ...pathValues(target), ...found }
}

/** The resource whose list or thing has this path. */
export function resourceAt(path: string, form: Form): Created | undefined {
  const [plain] = path.split('?')
  return patterns.find(one => one.form === form && one.pattern.test(plain!))?.resource
}

export const isListPath = (path: string, resource: Created, form: Form): boolean =>
  patterns.some(one => one.isList && one.resource === resource && one.form === form && one.pattern.test(path))

const patterns = created.flatMap(resource =>
  formsOfCreated(resource).flatMap(form =>
    (['list', 'delete'] as const).flatMap(verb => {
      const template = templateOf(resource, verb, form)
      if (template === undefined) return []
      return [{ resource, form, isList: verb === 'list', pattern: patternOf(template) }]
    }),
  ),
)
