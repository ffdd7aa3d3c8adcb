import { type Call, type Expression, findColumn, nameOf, partsOf, replaceParts } from '../query/expression.ts'
import { InvalidQuery, inPart } from '../query/invalid-query.ts'
import type { RowsPlan } from '../query/plan.ts'
import type { Budget } from './budget.ts'
import { type Compiled, constantOf, type Scalar } from './compiled.ts'
import { isAggregate, prepareAggregate } from './functions/aggregate-functions.ts'
import { isTrue } from './functions/lambda-functions.ts'
import type { Lines, Matches } from './search-rows.ts'

const hasAggregate = (expression: Expression): boolean =>
  (expression.kind === 'call' && isAggregate(expression.name)) || partsOf(expression).some(hasAggregate)

/** Whether the rows of a query become groups. */
export const isAggregated = ({ groupBy, columns, orderBy }: RowsPlan): boolean =>
  groupBy !== undefined || [...columns, ...orderBy.map(({ expression }) => expression)].some(hasAggregate)

interface Group {
  readonly key: readonly Scalar[]
  readonly lines: number[]
}

/** One line for each group of the matching rows: one for all of them without `groupBy`. */
export function aggregateRows({ lines, compile }: Matches, query: RowsPlan, budget: Budget): Lines {
  const { groupBy = [], columns, orderBy, having } = query
  const keys = inPart('groupBy', () => groupBy.map(compile))
  const names = groupBy.map(nameOf)
  const groups = new Map<string, Group>()
  const add = (key: readonly Scalar[], added: readonly number[]) => {
    const text = JSON.stringify(key)
    const group = groups.get(text) ?? { key, lines: [] }
    if (group.lines.length === 0) budget.chargeMemory(text)
    group.lines.push(...added)
    groups.set(text, group)
  }
  if (keys.length === 0) add([], [])
  for (const line of lines)
    add(
      keys.map(({ at }) => at(line)),
      [line],
    )

  /** The value of an expression for a group. */
  const ofGroup = (expression: Expression, group: Group): Compiled => {
    const replaced = replaceParts(expression, part => {
      const given = (values: Compiled): Expression => ({ kind: 'given', values, name: nameOf(part), at: part.at })
      const place = names.indexOf(nameOf(part))
      if (place >= 0) return given(constantOf(keys[place]!.type, group.key[place]!))
      if (part.kind !== 'call' || !isAggregate(part.name)) return undefined
      const level = part.params?.[0] && Number(compile(part.params[0]).at(0))
      budget.spend(group.lines.length * (1 + part.args.length))
      const aggregate = inCall(part, () => prepareAggregate(part.name, part.args.map(compile), level))
      return given(constantOf(aggregate.type, aggregate.of(group.lines)))
    })
    const compiled = compile(replaced)
    const column = findColumn([replaced])
    if (!column) return compiled
    throw notAggregated(`Expected aggregates alone, but "${column.name}" is of single rows`, column.at)
  }
  // Names and types are checked even if there is no group.
  const none: Group = { key: keys.map(() => null), lines: [] }
  const sortedBy = orderBy.map(({ expression }) => expression)
  if (sortedBy.length === 0)
    throw notAggregated('Expected an order, such as 1, because rows are sorted by time without one', 0).with({
      part: 'orderBy',
    })
  const types = inPart('select', () => columns.map(column => ofGroup(column, none).type))
  inPart('orderBy', () => sortedBy.map(key => ofGroup(key, none)))
  const kept = [...groups.values()].filter(group => !having || isTrue(ofGroup(having, group).at(0)))
  return {
    types,
    lines: [...kept.keys()],
    time: () => 0,
    show: line => columns.map(column => ofGroup(column, kept[line]!).at(0)),
    keys: line => sortedBy.map(key => ofGroup(key, kept[line]!).at(0)),
  }
}

const notAggregated = (sentence: string, at: number) => new InvalidQuery(sentence, at, undefined, 'NOT_AN_AGGREGATE')

function inCall<T>({ name, at }: Call, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    throw error.with({ at: error.at || at, raw: error.raw.replaceAll('{}', name) })
  }
}
