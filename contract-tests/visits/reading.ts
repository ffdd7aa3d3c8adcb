import { type Form, type Operation, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { lacksPath, operationsOf, pathOf, pathValues } from '../engine/paths.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { type Parent, parentsOf, valuesFrom } from './listed-id.ts'

const MILLISECONDS_OF_A_DAY = 86_400_000

/**
 * Reads every operation of a form that only reads and that no other step got an answer of, so that a baseline has the
 * fields of all families.
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
        // Last, so that nothing is read twice.
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

function draft(
  past: Past,
  id: OperationId,
  form: Form,
  parent: Parent | undefined,
  answered: (operation: OperationId) => readonly Exchange[],
): Draft {
  const query = queryOf(operations[id], past)
  if (query === undefined) return { skip: `nothing is known to ask of ${id}` }
  const found =
    parent &&
    answered(parent.list)
      .map(exchange => valuesFrom(exchange, parent, form))
      .find(values => values !== undefined)
  if (parent && !found) return { skip: `no list shows what ${id} could get` }
  const path = pathOf(id, form, { ...pathValues(past.target), ...found })
  return path ? { path: `${path}${query && `?${query}`}` } : lacksPath(id, form, past.target)
}

/** The required fields of the query: the day before the run. Undefined where it needs others. */
function queryOf({ query = {} }: Operation, { now }: Past): string | undefined {
  const demanded = Object.keys(query).filter(name => !query[name]!.optional)
  const values = new Map([
    ['from_date', new Date(now - MILLISECONDS_OF_A_DAY).toISOString()],
    ['to_date', new Date(now).toISOString()],
  ])
  if (demanded.some(name => !values.has(name))) return undefined
  return `${new URLSearchParams(demanded.map(name => [name, values.get(name)!]))}`
}
