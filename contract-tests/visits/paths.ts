import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
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

/** The operations of a form, in the order of the contract. */
export const operationsOf = (form: Form): OperationId[] =>
  (Object.keys(operations) as OperationId[]).filter(id => form in operations[id].paths)

export const isShown = (operation: OperationId, form: Form): boolean =>
  (operations[operation].shown as readonly Form[]).includes(form)
