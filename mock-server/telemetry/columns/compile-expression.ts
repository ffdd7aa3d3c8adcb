import { columnsOfKind } from '../query/columns-of-kind.ts'
import type { Expression } from '../query/expression.ts'
import { Unreadable } from '../query/unreadable.ts'
import { Budget } from './budget.ts'
import { applied, type Compiled, constantOf, ofColumn, type Run, type Scalar } from './compiled.ts'
import { sqlFunctions } from './functions/sql-functions.ts'
import type { RowStore } from './row-store.ts'

/** Makes an expression ready for the rows of a store; throws when a column or function is unknown, or a type does not fit. */
export function compileExpression(store: RowStore, expression: Expression, budget = new Budget()): Compiled {
  switch (expression.kind) {
    case 'literal':
      return compileLiteral(expression.value)
    case 'column':
      return compileColumn(store, expression.name, expression.at, budget)
    case 'list':
      return compileList(
        expression.items.map(item => compileExpression(store, item, budget)),
        budget,
      )
    case 'call':
      return compileCall(store, expression, budget)
  }
}

function compileLiteral(value: string | number | null): Compiled {
  return constantOf(typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'float') : 'text', value)
}

function compileList(items: readonly Compiled[], budget: Budget): Compiled {
  return applied(
    'list',
    counting((...values) => values, items.length, budget),
    items,
    budget,
  )
}

/** What it takes to look for one key of a map, and to write it into the map of a row. */
const stepsPerKey = 10

function compileColumn(store: RowStore, name: string, at: number, budget: Budget): Compiled {
  const type = Object.hasOwn(columnsOfKind[store.kind], name) ? columnsOfKind[store.kind][name]! : undefined
  if (type === 'time') return { type: 'time', constant: false, at: row => store.times[row]! }
  if (name === 'TimestampTime' && (store.kind === 'log' || store.kind === 'session')) {
    return { type: 'second', constant: false, at: row => Math.floor(store.times[row]! / 1000) * 1000 }
  }
  const column = type && store.columns.get(name)
  if (!column) {
    const known = Object.keys(columnsOfKind[store.kind]).join(', ')
    throw new Unreadable(
      `Expected a column of the ${store.kind} table, but "${name}" is none. Its columns are ${known}`,
      at,
    )
  }
  if (column.type === 'text') return ofColumn('text', column, code => column.texts[code]!)
  if (column.type === 'number') {
    return { type: type as 'integer' | 'wide' | 'float', constant: false, at: row => column.number(row) }
  }
  if (column.type === 'numbers') return { type: 'list', constant: false, at: row => column.numbers(row) }
  const whole = (row: number) => {
    budget.spend(column.keys.size * stepsPerKey)
    const written = [...column.keys].filter(([, key]) => key.code(row) !== 0)
    return Object.fromEntries(written.map(([key, texts]) => [key, texts.text(row)]))
  }
  return { type: 'map', constant: false, at: whole }
}

/** NULL when a value is; by the number of values, because a list of them for every row would cost more than the rest. */
function whenKnown(run: Run, size: number): Run {
  if (size === 1) return a => (a === null ? null : run(a))
  if (size === 2) return (a, b) => (a === null || b === null ? null : run(a, b))
  return (...values) => (values.includes(null) ? null : run(...values))
}

/** Has the values of every call counted. */
function counting(run: Run, size: number, budget: Budget): Run {
  if (size === 1) {
    return a => {
      budget.take(a)
      return run(a)
    }
  }
  if (size === 2) {
    return (a, b) => {
      budget.take(a)
      budget.take(b)
      return run(a, b)
    }
  }
  return (...values) => {
    for (const value of values) budget.take(value)
    return run(...values)
  }
}

type Call = Extract<Expression, { kind: 'call' }>

/** Functions over one key of a map read the column of that key alone. */
function compileKey(store: RowStore, { name, args }: Call): Compiled | undefined {
  const [map, key] = args
  const isKey = name === 'arrayElement' || name === 'mapContains' || name === 'mapContainsKey'
  if (!isKey || map?.kind !== 'column' || key?.kind !== 'literal' || typeof key.value !== 'string') return undefined
  const column = store.columns.get(map.name)
  if (column?.type !== 'map') return undefined
  const texts = column.keys.get(key.value)
  if (name !== 'arrayElement')
    return texts ? ofColumn('integer', texts, code => (code > 0 ? 1 : 0)) : constantly('integer', 0)
  return texts ? ofColumn('text', texts, code => texts.texts[code]!) : constantly('text', '')
}

/** The same in every row, and yet a column: a key that no row has is no constant of the condition. */
const constantly = (type: Compiled['type'], value: Scalar): Compiled => ({ type, constant: false, at: () => value })

const mapParts: Readonly<Record<string, (map: object) => Scalar>> = { mapKeys: Object.keys, mapValues: Object.values }

function compileCall(store: RowStore, call: Call, budget: Budget): Compiled {
  const key = compileKey(store, call)
  if (key) return key
  const args = call.args.map(arg => compileExpression(store, arg, budget))
  const part = Object.hasOwn(mapParts, call.name) ? mapParts[call.name] : undefined
  if (part && args[0]?.type === 'map') return applied('list', map => part(map as object), args, budget)
  // The database knows the functions of the SQL standard in any case, its own only as they are written.
  const lower = call.name.toLowerCase()
  const name = Object.hasOwn(sqlFunctions, call.name) ? call.name : lower
  if (!Object.hasOwn(sqlFunctions, name))
    throw new Unreadable(`Expected a function, but "${call.name}" is none`, call.at)
  try {
    const { type, run, takesNull } = sqlFunctions[name]!(args, budget)
    if (name === 'and' || name === 'or') {
      const both = counting(run as Run, 2, budget)
      return args.reduce((left, right) => applied(type, both, [left, right], budget))
    }
    const known = takesNull ? (run as Run) : whenKnown(run as Run, args.length)
    return applied(type, counting(known, args.length, budget), args, budget)
  } catch (error) {
    if (error instanceof Unreadable) throw new Unreadable(error.says, call.at, error.raw)
    throw new Unreadable(`Expected a value for ${call.name}, but it fails: ${(error as Error).message}`, call.at)
  }
}
