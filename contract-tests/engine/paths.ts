import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { enumerate } from './enumerate.ts'
import type { Draft, Past } from './step.ts'
import type { TargetFile } from './target/target.ts'

/** The path values that a target names. */
export interface PathValues {
  readonly organizationId?: string
  readonly serviceId?: string
  readonly backupId?: string
  readonly segment?: string
  /** The id at the end of the path, whatever the contract calls it. */
  readonly id?: string
  readonly [parameter: string]: string | undefined
}

export function pathValues(target: TargetFile): PathValues {
  const { organizationId, serviceId, backupId, observabilitySegment } = target.cloud ?? {}
  return { organizationId, serviceId, backupId, segment: observabilitySegment ?? 'observability' }
}

/** The path of an operation in a form, also where only deployments have it. */
export function templateOf(operation: OperationId, form: Form): string | undefined {
  const { paths, elsewhere } = operations[operation] ?? {}
  return paths?.[form] ?? elsewhere?.[form]
}

/** The path of an operation in a form, with its values filled in; undefined when the target lacks one of them. */
export function pathOf(operation: OperationId, form: Form, values: PathValues): string | undefined {
  const template = templateOf(operation, form)
  return template === undefined ? undefined : fillPath(template, values)
}

/** What the paths of a template of the contract match; their values are its groups. */
export const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)

/** The values that a path of the contract has at a place, by their names; undefined for another path. */
export function valuesIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const { groups } = patternOf(template).exec(path.replace(/\?.*$/s, '')) ?? {}
  return groups && Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]))
}

/** A part of a path in plain text, or as it stands when it cannot be decoded. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A path of the contract with its values filled in; undefined when one of them is not known. */
export function fillPath(template: string, values: PathValues): string | undefined {
  let missing = false
  const last = /\{(\w+)\}\/?$/.exec(template)?.[1]
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (name === last ? values.id : undefined) ?? values[name]
    if (value === undefined) missing = true
    return encodeURIComponent(value ?? '')
  })
  return missing ? undefined : path
}

/** A request that is not sent, since its path has a part that neither the target file nor reading names. */
export function lacksPath(operation: OperationId, form: Form, target: TargetFile): Draft {
  const template = templateOf(operation, form) ?? ''
  const values = pathValues(target)
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const lacked = names.filter(name => ofTarget.includes(name) && values[name] === undefined)
  return lacked.length > 0 ? lack(lacked.map(name => `cloud.${name}`)) : { skip: `no ${names.at(-1)} is known` }
}

/** The path of an operation at what the target names, but for `values`; or the reason why it is not known. */
export function at(
  { target }: Pick<Past, 'target'>,
  form: Form,
  operation: OperationId,
  values: PathValues = {},
): Draft {
  const path = pathOf(operation, form, { ...pathValues(target), ...values })
  return path ? { path } : lacksPath(operation, form, target)
}

/** The ids of paths that a target file names. */
const ofTarget = ['organizationId', 'serviceId', 'backupId']

/** A request that is not sent, since these fields are neither in the target file nor found by reading. */
export const lack = (lacks: readonly string[]): Draft => ({
  skip: `neither the target file nor reading gives ${enumerate(lacks)}`,
  lacks,
})

/** The operations of a form, in the order of the contract. */
export const operationsOf = (form: Form): OperationId[] =>
  (Object.keys(operations) as OperationId[]).filter(id => templateOf(id, form) !== undefined)

export const isShown = (operation: OperationId, form: Form): boolean =>
  operations[operation].shown?.includes(form) ?? false
