import { type Expression, nameOf, replaceParts } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import type { Budget } from './budget.ts'
import { compileExpression } from './compile-expression.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { illegalType } from './functions/signature.ts'
import type { RowStore } from './row-store.ts'
import { isList, itemOf } from './types.ts'

/** The rows of a query with `arrayJoin`: one line for each element. Equal calls are one, different ones are combined. */
export interface ArrayJoin {
  /** Puts the elements of the current line in place of the calls. */
  replace(expression: Expression): Expression
  /** Visits the lines of a row, each of which becomes the current one. */
  visit(row: number, visitLine: (elements: readonly Scalar[]) => void): void
  /** Makes a line the current one. */
  select(elements: readonly Scalar[]): void
}

/** The join of a query; undefined if its expressions have no `arrayJoin`. */
export function joinArrays(store: RowStore, expressions: readonly Expression[], budget: Budget): ArrayJoin | undefined {
  const lists = new Map<string, Compiled>()
  let current: readonly Scalar[] = []
  const replace = (expression: Expression): Expression =>
    replaceParts(expression, part => {
      if (part.kind !== 'call' || part.name !== 'arrayJoin') return undefined
      const name = nameOf(part)
      if (part.args.length !== 1) throw new InvalidQuery('Expected one array to join', part.at)
      const list = lists.get(name) ?? compileExpression(store, part.args[0]!, budget)
      if (!isList(list.type)) throw illegalType(list.type, 'Array', 'arrayJoin').with({ at: part.at })
      lists.set(name, list)
      const index = [...lists.keys()].indexOf(name)
      const values = { type: itemOf(list.type), constant: false, at: () => current[index] }
      return { kind: 'given', values, name, at: part.at }
    })
  for (const expression of expressions) replace(expression)
  if (lists.size === 0) return undefined
  const select = (elements: readonly Scalar[]) => {
    current = elements
  }
  return {
    replace,
    select,
    visit(row, visitLine) {
      const combine = (elements: readonly Scalar[], [list, ...rest]: readonly Compiled[]): void => {
        if (!list) {
          budget.spend(elements.length)
          select(elements)
          visitLine(elements)
          return
        }
        for (const item of list.at(row) as readonly Scalar[]) combine([...elements, item], rest)
      }
      combine([], [...lists.values()])
    },
  }
}
