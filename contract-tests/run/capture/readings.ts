import {
  type Form,
  familyOf,
  type Operation,
  type OperationId,
  operations,
} from '../../../fixtures/built-contract/index.ts'
import { operationsOf, pathTemplateOf } from '../../engine/paths.ts'

/** An operation that a capture reads, once for each combination of ids in its path. */
export interface Reading {
  readonly operation: OperationId
  readonly form: Form
  readonly template: string
  /** The reading whose items supply the last id of the path that the target does not name. */
  readonly parent?: { readonly reading: Reading; readonly parameter: string }
  /** The resource of the records; undefined where only ids are read. */
  readonly records?: string
}

/** Path parameters that the target supplies. */
const supplied: readonly string[] = ['organizationId', 'segment']

/** By path parameter: the list that shows the ids in a field of its items, where no operation lists the objects. */
const listsOfIds: Readonly<Record<string, readonly [list: OperationId, field: string]>> = {
  byocInfrastructureId: ['organization.list', 'byocConfig'],
}

/** The field of an item whose ids fill in a path parameter; undefined for the item's own id. */
export const fieldWithIds = (parameter: string): string | undefined => listsOfIds[parameter]?.[1]

type Reader = Pick<Reading, 'operation' | 'form' | 'template'>

/** The reading operations of a form, also those that the specification calls absent: some deployments have them. */
const readersOf = (form: Form): readonly Reader[] =>
  operationsOf(form).flatMap(operation => {
    const { method, isPublic }: Operation = operations[operation]
    return method === 'GET' && !isPublic ? [{ operation, form, template: pathTemplateOf(operation, form)! }] : []
  })

/**
 * The operations that read the records of a scenario, parents first; the get of a listed item belongs to the reading of the
 * list. `families` limits them to these families and what their paths need.
 */
export function planReadings(
  forms: readonly Form[],
  capturable: ReadonlySet<string>,
  families?: ReadonlySet<string>,
): readonly Reading[] {
  const planned = new Map<string, Reading>()
  const add = (reader: Reader): Reading | undefined => {
    const place = `${reader.form} ${reader.operation}`
    const lastOpen = [...reader.template.matchAll(/\/\{(\w+)\}/g)]
      .filter(([, name]) => !supplied.includes(name!))
      .at(-1)
    const list = lastOpen && listAt(reader.template.slice(0, lastOpen.index), reader.form, lastOpen[1])
    const parent = list && (planned.get(`${list.form} ${list.operation}`) ?? add(list))
    if (lastOpen && !parent) return undefined
    const records = recordsOf(reader.operation, capturable)
    planned.set(place, { ...reader, records, ...(parent && { parent: { reading: parent, parameter: lastOpen![1]! } }) })
    return planned.get(place)
  }
  for (const reader of forms.flatMap(readersOf)) {
    const { operation, form, template } = reader
    const isWanted = families?.has(familyOf[operation]) ?? true
    const isListed = template.endsWith('}') && listAt(aboveId(template), form) !== undefined
    if (isWanted && !isListed && recordsOf(operation, capturable) !== undefined && !planned.has(`${form} ${operation}`))
      add(reader)
  }
  return [...planned.values()]
}

const aboveId = (template: string) => template.replace(/\/\{\w+\}$/, '')

/** The list at a path, or the list that shows the ids of a parameter. Parents of managed paths are listed by the cloud form. */
const listAt = (path: string, form: Form, parameter = ''): Reader | undefined =>
  [...readersOf(form), ...readersOf('cloud')].find(
    ({ operation, template }) => template === path || operation === listsOfIds[parameter]?.[0],
  )

/** The resource of the answer, or the one in the operation's name: the first that scenarios have. */
function recordsOf(id: OperationId, capturable: ReadonlySet<string>): string | undefined {
  const { result, mediaType } = operations[id] as Operation
  const [resource = '', verb = ''] = id.split('.')
  if (mediaType !== undefined || !['list', 'get'].includes(verb)) return undefined
  return [result.resource, resource].find(name => name !== undefined && capturable.has(name))
}

/** The get for the items of a list, if there is one. */
export const getOf = ({ template: list, form }: Reading): Reader | undefined =>
  readersOf(form).find(
    ({ operation, template }) => operation.endsWith('.get') && template !== list && aboveId(template) === list,
  )
