import { day } from '../../words/durations.ts'
import { databaseType } from '../query/columns-of-kind.ts'
import { type Call, call, column, type Expression, value } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import { Budget } from './budget.ts'
import {
  applied,
  appliedLazily,
  type Compiled,
  constantOf,
  ofColumn,
  type Part,
  type Run,
  type Scalar,
} from './compiled.ts'
import { compileLambdaCall, takesLambda } from './functions/lambda-functions.ts'
import { aliases, sqlFunctions } from './functions/sql-functions.ts'
import type { RowStore } from './row-store.ts'
import { bareOf, defaultOf, isNothing, isNullable, nullable, type Type, typeOfNumber } from './types.ts'

/** The values of lambda parameters in scope, by name. */
type Params = ReadonlyMap<string, Compiled>

/** Compiles an expression for the rows of a store. Throws if a column or function is unknown or a type does not match. */
export function compileExpression(
  store: RowStore,
  expression: Expression,
  budget = new Budget(),
  params: Params = new Map(),
): Compiled {
  switch (expression.kind) {
    case 'literal':
      return compileLiteral(expression)
    case 'column':
      return params.get(expression.name) ?? compileColumn(store, expression.name, expression.at, budget)
    case 'list':
      return compileCall(store, call('tuple', expression.items, expression.at), budget, params)
    case 'call':
      return compileCall(store, expression, budget, params)
    case 'alias':
      return compileExpression(store, expression.of, budget, params)
    case 'lambda':
      throw new InvalidQuery('Expected a value, but this is a lambda function', expression.at)
  }
}

function compileLiteral({ value, isFraction = false }: Extract<Expression, { kind: 'literal' }>): Compiled {
  if (value === null) return constantOf('Nullable(Nothing)', null)
  if (typeof value === 'boolean') return constantOf('Bool', Number(value))
  return constantOf(typeof value === 'number' ? typeOfNumber(value, isFraction) : 'String', value)
}

/** Steps charged for reading one key of a map, and for writing it into the map of a row. */
const stepsPerKey = 10

function compileColumn(store: RowStore, written: string, at: number, budget: Budget): Compiled {
  const name = withoutTable(store, written)
  const type = store.typeOf(name)
  if (type === 'time') return { type: 'DateTime64(9)', constant: false, at: row => store.times[row]! }
  if (name === 'TimestampTime' && (store.kind === 'log' || store.kind === 'session')) {
    return { type: 'DateTime', constant: false, at: row => Math.floor(store.times[row]! / 1000) * 1000 }
  }
  const [, whole, part] = /^(.+)\.(keys|values)$/.exec(name) ?? []
  if (whole && store.columns.get(whole)?.type === 'map')
    return compileCall(store, call(part === 'keys' ? 'mapKeys' : 'mapValues', [column(whole, at)], at), budget)
  const [, owner, key] = /^([^.]+)\.(.+)$/.exec(name) ?? []
  if (owner !== undefined && store.own.has(owner) && store.typeOf(owner) === 'map')
    return compileCall(store, call('arrayElement', [column(owner, at), value(key!)], at), budget)
  const found = type && store.columns.get(name)
  if (!found) throw unknownColumn(store, written, at)
  if (found.type === 'text') return ofColumn('String', found, code => found.texts[code]!)
  const map = found.type === 'map' ? found : undefined
  const read = (row: number) => {
    if (map) budget.spend(map.keys.size * stepsPerKey)
    return found.at(row)
  }
  return { type: databaseType(name, type), constant: false, at: read }
}

/** The name of a column, which may be qualified by its table, and the table by its database. */
function withoutTable({ table }: RowStore, name: string): string {
  const { tableName = '', databaseName = '' } = table ?? {}
  const prefix = [`${databaseName}.${tableName}.`, `${tableName}.`].find(one => name.startsWith(one))
  return prefix && tableName ? name.slice(prefix.length) : name
}

function unknownColumn({ kind, columnNames }: RowStore, name: string, at: number): InvalidQuery {
  const sentence = `Expected a column of the ${kind} table, but "${name}" is none. Its columns are ${columnNames.join(', ')}`
  return new InvalidQuery(sentence, at, `Unknown expression or function identifier \`${name}\``)
}

/** Functions of one key of a map read only the column of that key. */
function compileKey(store: RowStore, { name, args }: Call): Compiled | undefined {
  const [map, key] = args
  const isKey = name === 'arrayElement' || name === 'mapContains' || name === 'mapContainsKey'
  if (!isKey || map?.kind !== 'column' || key?.kind !== 'literal' || typeof key.value !== 'string') return undefined
  const column = store.columns.get(map.name)
  if (column?.type !== 'map') return undefined
  const texts = column.keys.get(key.value)
  if (name !== 'arrayElement')
    return texts ? ofColumn('UInt8', texts, code => (code > 0 ? 1 : 0)) : valueOfMissingKey('UInt8', 0)
  return texts ? ofColumn('String', texts, code => texts.texts[code]!) : valueOfMissingKey('String', '')
}

/** A key that no row has: the value is constant, but conditions must not treat it as a constant of the query. */
const valueOfMissingKey = (type: Type, value: Scalar): Compiled => ({ ...constantOf(type, value), constant: false })

function compileCall(store: RowStore, call: Call, budget: Budget, params: Params = new Map()): Compiled {
  const key = compileKey(store, call)
  if (key) return key
  const moment = Object.hasOwn(timeFunctions, call.name.toLowerCase())
    ? timeFunctions[call.name.toLowerCase()]
    : undefined
  if (moment) return constantOf(moment.type, moment.of(store.now))
  if (call.name === 'caseWithExpression') return compileExpression(store, withConditions(call), budget, params)
  const [first, ...rest] = call.args
  const name = first?.kind === 'lambda' && takesLambda(call.name) ? call.name : nameOfFunction(call)
  try {
    if (first?.kind === 'lambda') {
      const lists = rest.map(arg => compileExpression(store, arg, budget, params))
      const body = (bound: Params) => compileExpression(store, first.body, budget, new Map([...params, ...bound]))
      return compileLambdaCall(name, first.params, lists, body, budget)
    }
    return compileFunction(
      name,
      call.args.map(arg => compileExpression(store, arg, budget, params)),
      budget,
    )
  } catch (error) {
    if (error instanceof InvalidQuery) throw withPosition(error, call)
    throw new InvalidQuery(`Expected a value for ${call.name}, but it fails: ${(error as Error).message}`, call.at)
  }
}

/** Adds name and position of a function to the error about its arguments; errors of nested calls already have them. */
const withPosition = ({ sentence, at, raw }: InvalidQuery, call: Call) =>
  new InvalidQuery(sentence, at || call.at, raw.replaceAll('{}', call.name))

function compileFunction(name: string, args: readonly Compiled[], budget: Budget): Compiled {
  const implementation = sqlFunctions[name]!(args, budget)
  if ('make' in implementation) {
    const counted = (parts: readonly Part[]) => {
      const part = implementation.make(parts)
      return (key: number) => {
        budget.spend(stepsPerCall)
        return part(key)
      }
    }
    return appliedLazily(implementation.type, counted, args, budget)
  }
  const { type, run, takesNull } = implementation
  const mayBeNull = !takesNull && args.some(arg => isNullable(arg.type))
  if (mayBeNull && args.some(arg => isNothing(arg.type))) return constantOf('Nullable(Nothing)', null)
  // Arrays and maps cannot be NULL: the default of the type replaces NULL.
  const isNeverNull = nullable(type) === type && !isNullable(type)
  const defaults = args.map(arg => defaultOf(bareOf(arg.type)))
  const filled: Run = (...values) => (run as Run)(...values.map((value, at) => value ?? defaults[at]))
  const called = { type: mayBeNull ? nullable(type) : type, skipsNull: mayBeNull && !isNeverNull }
  return applied({ ...called, run: mayBeNull && isNeverNull ? filled : (run as Run) }, args, budget)
}

/** Steps charged for choosing among branches. */
const stepsPerCall = 4

/** The database ignores letter case in functions of the SQL standard only. */
function nameOfFunction({ name, at }: Call): string {
  const lower = name.toLowerCase()
  const found = [name, aliases[name], lower, aliases[lower]].find(one => one && Object.hasOwn(sqlFunctions, one))
  if (found) return found
  throw new InvalidQuery(
    `Expected a function, but the embedded engine does not have "${name}": with --telemetry URL a ClickHouse computes the charts`,
    at,
    `Function with name \`${name}\` does not exist.`,
  )
}

const today = (now: number) => Math.floor(now / day) * day

/** now(): the same time in every row. */
const timeFunctions: Readonly<Record<string, { readonly type: Type; readonly of: (now: number) => number }>> = {
  now: { type: 'DateTime', of: now => Math.floor(now / 1000) * 1000 },
  now64: { type: 'DateTime64(3)', of: now => now },
  today: { type: 'Date', of: today },
  yesterday: { type: 'Date', of: now => today(now) - day },
}

/** CASE with an operand compares it with the value of each WHEN. */
function withConditions({ args: [subject, ...rest], at }: Call): Expression {
  const args = rest.map((arg, place) =>
    place % 2 === 0 && place < rest.length - 1 ? call('equals', [subject!, arg], at) : arg,
  )
  return call('multiIf', args, at)
}
