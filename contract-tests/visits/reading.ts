import {
  type Contract,
  type Form,
  type Operation,
  type OperationId,
  contract as ours,
} from '../../fixtures/built-contract/index.ts'
import { findOperation } from '../engine/contract.ts'
import { isSuccess } from '../engine/exchange.ts'
import { operationsOf } from '../engine/paths.ts'
import { because } from '../engine/reasons.ts'
import type { RunContext, Step } from '../engine/step.ts'
import { listedParentsOf, valuesFrom } from './listed-id.ts'
import { lastDay } from './samples.ts'
import { type CallOptions, stepOfCall } from './visit.ts'

/** The steps that read what no other step has read successfully, so that a baseline has the fields of all families. */
export function readingSteps(form: Form, others: Iterable<Step>, contract: Contract = ours): readonly Step[] {
  const otherSteps = [...others]
  const goodReads = otherSteps.filter(({ method, as }) => method === 'GET' && as === 'key')
  return operationsOf(form, contract)
    .filter(id => isReadOperation(contract.operations[id]))
    .sort((a, b) => listedParentsOf(a, form, contract).length - listedParentsOf(b, form, contract).length)
    .map(id => {
      const parent = listedParentsOf(id, form, contract).at(-1)
      const answersTo = (context: RunContext, operation: OperationId) =>
        [
          nameOf(operation, form),
          ...goodReads.filter(one => one.operation === operation).map(({ name }) => name),
        ].flatMap(name => context.exchange(name) ?? [])
      return stepOfCall(
        form,
        `${form}:readings`,
        id,
        {
          name: `${id}-reading`,
          why: 'reads the fields of the answer',
          // Last, so that nothing is read twice.
          after: otherSteps.map(({ name }) => name),
          from: parent ? [nameOf(parent.list, form)] : [],
          unless: context =>
            answersTo(context, id).some(exchange => isSuccess(exchange) || !parent)
              ? 'another step has read it'
              : undefined,
          values: context =>
            parent
              ? answersTo(context, parent.list)
                  .map(exchange => valuesFrom(exchange, parent, form, contract))
                  .find(values => values !== undefined)
              : {},
          ...queryOf(contract.operations[id]),
          skipReason: because('no id for {operation} is known', { operation: id }),
        },
        contract,
      )
    })
}

/** The lines of the reads for which no visit has a line: on what the target names, else on what a list shows. */
export function plainReads(form: Form, others: readonly Step[], contract: Contract = ours): readonly Step[] {
  const names = new Set(others.map(({ name }) => name))
  const isLeft = (id: OperationId) =>
    findOperation(id) !== undefined &&
    isReadOperation(contract.operations[id]) &&
    Object.values(contract.operations[id].query ?? {}).every(({ optional }) => optional) &&
    !names.has(`${form}:${id}`)
  return operationsOf(form, contract)
    .filter(isLeft)
    .map(id => stepOfCall(form, `${form}:${id}`, id, {}, contract))
}

const isReadOperation = ({ method, isPublic, basis }: Operation) =>
  method === 'GET' && !isPublic && basis !== 'invented'

const nameOf = (operation: OperationId, form: Form) => `${form}:${operation}-reading`

/** A query for the day before the run if dates are required; undefined if other fields are required. */
function queryOf({ query = {} }: Operation): Pick<CallOptions, 'query'> {
  const required = Object.keys(query).filter(name => !query[name]!.optional)
  if (required.length === 0) return {}
  const isKnown = required.every(name => name === 'from_date' || name === 'to_date')
  return { query: context => (isKnown ? lastDay(context) : undefined) }
}
