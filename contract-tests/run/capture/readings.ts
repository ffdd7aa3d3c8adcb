import {
  type Fields,
  type Form,
  familyOf,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  resources,
} from '../../../fixtures/contract/index.ts'

/** An operation that a capture reads, once for each place that its path can lead to. */
export interface Reading {
  readonly operation: OperationId
  readonly form: Form
  readonly template: string
  /** The reading whose items fill in the last id of its path that no target names. */
  readonly parent?: { readonly reading: Reading; readonly parameter: string }
  /** The resource that a record of the scenario is made from; undefined where only ids are read. */
  readonly records?: string
}

/** What the path of every operation takes from the target. */
const named: readonly string[] = ['organizationId', 'segment']

/** Its path in a form; deployments have some also where the specification calls them absent. */
const pathOf = (id: OperationId, form: Form): string | undefined => {
  const { paths, elsewhere } = operations[id] as Operation
  return paths[form] ?? elsewhere?.[form]
}

/** The operations of a form that read. */
const readersOf = (form: Form): readonly OperationId[] =>
  (Object.keys(operations) as OperationId[]).filter(
    id => operations[id].method === 'GET' && !(operations[id] as Operation).isPublic && pathOf(id, form) !== undefined,
  )

/** The parts of an answer that list what no operation lists, by the parameter of paths that takes their ids. */
const listedIn: Readonly<Record<string, readonly [list: OperationId, field: string]>> = {
  byocInfrastructureId: ['organization.list', 'byocConfig'],
}

/** The ids that an item gives to the paths below it: its own, or those of a part that lists something else. */
export const partOf = (parameter: string): string | undefined => listedIn[parameter]?.[1]

/**
 * The operations that read what a scenario keeps, parents first: lists, and gets of what no list shows whole. `families`
 * leaves the others out, except for what their paths need.
 */
export function planReadings(
  forms: readonly Form[],
  capturable: ReadonlySet<string>,
  families?: ReadonlySet<string>,
): readonly Reading[] {
  const planned = new Map<string, Reading>()
  const add = (operation: OperationId, form: Form): Reading | undefined => {
    const known = planned.get(`${form} ${operation}`)
    if (known) return known
    const template = pathOf(operation, form)!
    const open = [...template.matchAll(/\{(\w+)\}/g)].filter(([, name]) => !named.includes(name!)).at(-1)
    const parameter = open?.[1]
    const list = open && (listedIn[parameter!]?.[0] ?? listAt(template.slice(0, open.index - 1), form))
    const parent = list && add(list, pathOf(list, form) === undefined ? 'cloud' : form)
    if (open && !parent) return undefined
    const reading = {
      operation,
      form,
      template,
      records: recordsOf(operation, capturable),
      ...(parent && { parent: { reading: parent, parameter: parameter! } }),
    }
    planned.set(`${form} ${operation}`, reading)
    return reading
  }
  for (const form of forms)
    for (const id of readersOf(form)) {
      const isWanted = families?.has(familyOf[id]) ?? true
      if (isWanted && recordsOf(id, capturable) !== undefined && !isListedWhole(id, form)) add(id, form)
    }
  return [...planned.values()]
}

const listAt = (path: string, form: Form): OperationId | undefined =>
  // What a managed path lies below is listed by the cloud form.
  ([form, 'cloud'] as const).flatMap(one => readersOf(one).filter(id => pathOf(id, one) === path))[0]

/** The resource of its answer, or the one that it is named after, whichever scenarios have. */
function recordsOf(id: OperationId, capturable: ReadonlySet<string>): string | undefined {
  const { result, media } = operations[id] as Operation
  const [resource = '', verb = ''] = id.split('.')
  if (media !== undefined || !['list', 'get'].includes(verb)) return undefined
  return [result.of, resource].find(name => name !== undefined && capturable.has(name))
}

/** The get of what a list shows in the words of its own resource; undefined where there is none. */
export function getOf({ template, form }: Reading): OperationId | undefined {
  const below = new RegExp(`^${template.replace(/[{}]/g, '\\$&')}/\\{\\w+\\}$`)
  return readersOf(form).find(id => id.endsWith('.get') && below.test(pathOf(id, form)!))
}

/** Whether a get is of what a list shows with all fields. */
function isListedWhole(id: OperationId, form: Form): boolean {
  const path = pathOf(id, form)!
  const list = /\}$/.test(path) ? listAt(path.replace(/\/\{\w+\}$/, ''), form) : undefined
  if (!list) return false
  const listed = fieldsOf(operations[list].result.of)
  // Some lists stand in a field of their own.
  const items = Object.values(listed).find(({ items }) => items)?.items?.fields ?? {}
  const own = Object.keys(fieldsOf(operations[id].result.of))
  return [listed, items].some(fields => own.every(name => name in fields))
}

const fieldsOf = (resource: string | undefined): Fields => resources[resource as ResourceId]?.fields ?? {}
