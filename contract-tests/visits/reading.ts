import { type Form, type Operation, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { lacksPath, operationsOf, type PathValues, pathOf, pathValues, valuesIn } from '../engine/paths.ts'
import { idOf, isObject } from '../engine/recognise.ts'
import type { Draft, Past, Step } from '../engine/step.ts'

const MILLISECONDS_OF_A_DAY = 86_400_000

/**
 * Readings of every operation of a form that only reads, each of them sent when no other step got an answer of it. They show
 * a baseline the fields of all families, those of things that the run did not create, too.
 */
export function readingSteps(form: Form, others: Iterable<Step>): readonly Step[] {
  const all = [...others]
  const own = all.filter(({ method, as }) => method === 'GET' && as === 'key')
  return operationsOf(form)
    .filter(id => isReading(operations[id]))
    .sort((a, b) => parentsOf(a, form).length - parentsOf(b, form).length)
    .map(id => {
      const parents = parentsOf(id, form)
      const answered = (past: Past, operation: OperationId) =>
        [nameOf(operation, form), ...own.filter(one => one.operation === operation).map(({ name }) => name)].flatMap(
          name => past.exchange(name) ?? [],
        )
      return {
        name: nameOf(id, form),
        form,
        visit: `${form}:readings`,
        // Later than every other step: what those have read is not read again.
        after: all.map(({ name }) => name),
        operation: id,
        method: 'GET',
        as: 'key',
        why: 'shows the fields of its answer',
        from: parents.slice(-1).map(({ list }) => nameOf(list, form)),
        draft: (past): Draft =>
          answered(past, id).some(came => isSuccess(came) || parents.length === 0)
            ? { skip: 'not needed' }
            : draft(past, id, form, parents.at(-1), operation => answered(past, operation)),
      }
    })
}

const isReading = ({ method, isPublic, basis }: Operation) => method === 'GET' && !isPublic && basis !== 'invented'

const nameOf = (operation: OperationId, form: Form) => `${form}:${operation}-reading`

interface Parent {
  readonly list: OperationId
  /** The part of the path that an item of the list fills in. */
  readonly name: string
}

/** The lists that show the ids in a path which the target does not name, from left to right. */
function parentsOf(id: OperationId, form: Form): readonly Parent[] {
  const path = (operations[id] as Operation).paths[form] ?? ''
  const parents: Parent[] = []
  for (const { 1: name = '', index } of path.matchAll(/\/\{(\w+)\}/g)) {
    const isRead = (one: OperationId) => operations[one].method === 'GET'
    const list = operationsOf(form).find(one => isRead(one) && operations[one].paths[form] === path.slice(0, index))
    // Below something that a list showed, the target's own service need not be there.
    const isNamed = parents.length === 0 && /^(?:organizationId|serviceId|backupId)$/.test(name)
    if (list && !isNamed) parents.push({ list, name })
  }
  return parents
}

function draft(
  past: Past,
  id: OperationId,
  form: Form,
  parent: Parent | undefined,
  answered: (operation: OperationId) => readonly Exchange[],
): Draft {
  const query = queryOf(operations[id], past)
  if (query === undefined) return { skip: `nothing is known to ask of ${id}` }
  const found = parent && answered(parent.list).flatMap(exchange => valuesFrom(exchange, parent, form))[0]
  if (parent && !found) return { skip: `no list shows what ${id} could get` }
  const path = pathOf(id, form, { ...pathValues(past.target), ...found })
  return path ? { path: `${path}${query && `?${query}`}` } : lacksPath(id, form, past.target)
}

/** The ids in the path of a list, and that of the first thing that it shows. */
function valuesFrom(exchange: Exchange, { list, name }: Parent, form: Form): readonly PathValues[] {
  const [resource = ''] = list.split('.')
  const [first] = (isSuccess(exchange) && listIn(exchange, resource)) || []
  // A setting is found by its `name`, which its path calls `settingName`.
  const named = isObject(first) ? (first[name] ?? (name.endsWith('Name') ? first.name : undefined)) : undefined
  const id = typeof named === 'string' ? named : first && idOf(first, resource)
  const template = (operations[list] as Operation).paths[form] ?? ''
  return id === undefined ? [] : [{ ...valuesIn(template, exchange.request.path), [name]: id }]
}

/** The fields of the query that must be there: the day before the run. Undefined where others are demanded. */
function queryOf({ query = {} }: Operation, { now }: Past): string | undefined {
  const demanded = Object.keys(query).filter(name => !query[name]!.optional)
  const values = new Map([
    ['from_date', new Date(now - MILLISECONDS_OF_A_DAY).toISOString()],
    ['to_date', new Date(now).toISOString()],
  ])
  if (demanded.some(name => !values.has(name))) return undefined
  return `${new URLSearchParams(demanded.map(name => [name, values.get(name)!]))}`
}
