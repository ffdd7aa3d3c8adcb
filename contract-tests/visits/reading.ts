import { type Form, type Operation, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { operationsOf } from '../engine/paths.ts'
import type { RunContext, Step } from '../engine/step.ts'
import { parentsOf, valuesFrom } from './listed-id.ts'
import { type Call, callOf } from './visit.ts'

const MILLISECONDS_OF_A_DAY = 86_400_000

/** Reads what no other step read, so that a baseline has the fields of all families. */
export function readingSteps(form: Form, others: Iterable<Step>): readonly Step[] {
  const all = [...others]
  const own = all.filter(({ method, as }) => method === 'GET' && as === 'key')
  return operationsOf(form)
    .filter(id => isReading(operations[id]))
    .sort((a, b) => parentsOf(a, form).length - parentsOf(b, form).length)
    .map(id => {
      const parent = parentsOf(id, form).at(-1)
      const answered = (context: RunContext, operation: OperationId) =>
        [nameOf(operation, form), ...own.filter(one => one.operation === operation).map(({ name }) => name)].flatMap(
          name => context.exchange(name) ?? [],
        )
      return callOf(form, `${form}:readings`, id, {
        name: `${id}-reading`,
        why: 'shows the fields of its answer',
        // Last, so that nothing is read twice.
        after: all.map(({ name }) => name),
        from: parent ? [nameOf(parent.list, form)] : [],
        unless: context =>
          answered(context, id).some(exchange => isSuccess(exchange) || !parent)
            ? 'another step has read it'
            : undefined,
        values: context =>
          parent
            ? answered(context, parent.list)
                .map(exchange => valuesFrom(exchange, parent, form))
                .find(values => values !== undefined)
            : {},
        ...queryOf(operations[id]),
        otherwise: `nothing is known to ask ${id} for`,
      })
    })
}

const isReading = ({ method, isPublic, basis }: Operation) => method === 'GET' && !isPublic && basis !== 'invented'

const nameOf = (operation: OperationId, form: Form) => `${form}:${operation}-reading`

/** The required fields of the query: the day before the run. Undefined where it needs others. */
function queryOf({ query = {} }: Operation): Pick<Call, 'query'> {
  const required = Object.keys(query).filter(name => !query[name]!.optional)
  if (required.length === 0) return {}
  const isKnown = required.every(name => name === 'from_date' || name === 'to_date')
  const moment = (milliseconds: number) => new Date(milliseconds).toISOString()
  return {
    query: ({ now }) =>
      isKnown ? { from_date: moment(now - MILLISECONDS_OF_A_DAY), to_date: moment(now) } : undefined,
  }
}
