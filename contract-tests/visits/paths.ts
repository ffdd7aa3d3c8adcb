import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { enumerate } from '../harness/enumerate.ts'
import type { Resource } from '../harness/ledger.ts'
import type { Draft } from '../harness/step.ts'
import type { TargetFile } from '../harness/target.ts'

/** What the paths are made of that a target names. */
export interface PathValues {
  readonly organizationId?: string
  readonly serviceId?: string
  readonly backupId?: string
  readonly segment?: string
  readonly id?: string
}

export function pathValues(target: TargetFile): PathValues {
  const { organizationId, serviceId, backupId, observabilitySegment } = target.cloud ?? {}
  return { organizationId, serviceId, backupId, segment: observabilitySegment ?? 'observability' }
}

/** The path of an operation in a form, with its values filled in; undefined when the target lacks one of them. */
export function pathOf(operation: OperationId, form: Form, values: PathValues): string | undefined {
  const template = (operations[operation].paths as Partial<Record<Form, string>>)[form]
  if (template === undefined) return undefined
  let missing = false
  const path = template.replace(/\{(\w+)\}/g, (_, name: keyof PathValues) => {
    const value = values[name]
    if (value === undefined) missing = true
    return encodeURIComponent(value ?? '')
  })
  return missing ? undefined : path
}

/**
 * The path of an operation on a thing that a run may create. The managed form has no webhooks and charts (§1): where it takes
 * them all the same, they are looked for and deleted beside its dashboards, by the conventional paths.
 */
export function pathOfThing(
  resource: Resource,
  verb: 'list' | 'get' | 'delete',
  form: Form,
  values: PathValues,
): string | undefined {
  if (resource === 'alert' || resource === 'dashboard') return pathOf(`${resource}.${verb}`, form, values)
  if (form !== 'managed') return undefined
  return pathOf(`dashboard.${verb}`, form, values)?.replace(/\/dashboards(?=\/[^/]*$|$)/, `/${resource}s`)
}

/** A request that is not sent, since its path has a part that neither the target file nor reading names. */
export function lacksPath(operation: OperationId, form: Form, target: TargetFile): Draft {
  const template = (operations[operation].paths as Partial<Record<Form, string>>)[form] ?? ''
  const values = pathValues(target)
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof PathValues)
  return lack(names.filter(name => name !== 'id' && values[name] === undefined).map(name => `cloud.${name}`))
}

/** A request that is not sent, since these fields are neither in the target file nor found by reading. */
export const lack = (lacks: readonly string[]): Draft => ({
  skip: `neither the target file nor reading gives ${enumerate(lacks)}`,
  lacks,
})

/** The operations of a form, in the order of the contract. */
export const operationsOf = (form: Form): OperationId[] =>
  (Object.keys(operations) as OperationId[]).filter(id => form in operations[id].paths)

export const isShown = (operation: OperationId, form: Form): boolean =>
  (operations[operation].shown as readonly Form[]).includes(form)
