import { type Contract, type Form, type OperationId, contract as ours } from '../../fixtures/built-contract/index.ts'
import { enumerate } from './enumerate.ts'
import { because } from './reasons.ts'
import type { RequestOrSkip } from './step.ts'
import type { TargetFile } from './target/target.ts'

export interface PathValues {
  readonly organizationId?: string
  readonly serviceId?: string
  readonly backupId?: string
  readonly segment?: string
  /** The id at the end of the path. */
  readonly id?: string
  readonly [parameter: string]: string | undefined
}

export function pathValues(target: TargetFile): PathValues {
  const { organizationId, serviceId, backupId, observabilitySegment } = target.cloud ?? {}
  return { organizationId, serviceId, backupId, segment: observabilitySegment ?? 'observability' }
}

/** The path of an operation in a form, even if the specification calls it absent there and only deployments have it. */
export function pathTemplateOf(operation: OperationId, form: Form, { operations }: Contract = ours) {
  const { paths, pathsBeyondSpecification } = operations[operation] ?? {}
  return paths?.[form] ?? pathsBeyondSpecification?.[form]
}

export function pathOf(operation: OperationId, form: Form, values: PathValues, contract?: Contract) {
  const template = pathTemplateOf(operation, form, contract)
  return template === undefined ? undefined : fillPath(template, values)
}

/** Matches the paths of a template; its groups are the values. */
export const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)

/** The decoded values in a path; undefined when it does not match the template. */
export function valuesIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const { groups } = patternOf(template).exec(path.replace(/\?.*$/s, '')) ?? {}
  return groups && Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]))
}

/** Returns the part as it stands when it cannot be decoded. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Fills in the values; the last parameter may be called `id`. Undefined when a value is missing. */
export function fillPath(template: string, values: PathValues): string | undefined {
  let isIncomplete = false
  const lastName = /\{(\w+)\}\/?$/.exec(template)?.[1]
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (name === lastName ? values.id : undefined) ?? values[name]
    if (value === undefined) isIncomplete = true
    return encodeURIComponent(value ?? '')
  })
  return isIncomplete ? undefined : path
}

/** Why the path of an operation is not known. */
export function skipForUnknownPath(
  operation: OperationId,
  form: Form,
  target: TargetFile,
  contract?: Contract,
): RequestOrSkip {
  const template = pathTemplateOf(operation, form, contract) ?? ''
  if (template === '' && pathTemplateOf(operation, form))
    return { skip: because('the document has no {operation}', { operation }) }
  const values = pathValues(target)
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const missingNames = names.filter(name => targetIds.includes(name) && values[name] === undefined)
  return missingNames.length > 0
    ? skipForMissing(missingNames.map(name => `cloud.${name}`))
    : { skip: because('no {parameter} is known', { parameter: names.at(-1)! }) }
}

const targetIds = ['organizationId', 'serviceId', 'backupId']

export const skipForMissing = (lacks: readonly string[]): RequestOrSkip => ({
  skip: because('neither the target file nor reading gives {fields}', { fields: enumerate(lacks) }),
  lacks,
})

export const operationsOf = (form: Form, contract: Contract = ours): OperationId[] =>
  (Object.keys(contract.operations) as OperationId[]).filter(id => pathTemplateOf(id, form, contract) !== undefined)

export const isShownBySpecification = (operation: OperationId, form: Form): boolean =>
  ours.operations[operation]?.shownForms?.includes(form) ?? false
