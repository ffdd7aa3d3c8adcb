import { day } from '../../words/durations.ts'
import { databaseType } from '../query/columns-of-kind.ts'
import { type Call, call, column, type Expression, value } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'
import { Budget } from './budget.ts'
import {
  type Compiled,
  compileEagerCall,
  compileLazyCall,
  constantOf,
  type Evaluate,
  ofColumn,
  type Run,
  type Scalar,
} from './compiled.ts'
import { isAggregate } from './functions/aggregate-functions.ts'
import { compileLambdaCall, isTrue, takesLambda } from './functions/lambda-functions.ts'
import { aliases, sqlFunctions } from './functions/sql-functions.ts'
import type { RowStore } from './row-store.ts'
import { bareOf, defaultOf, isNothing, isNullable, nullable, type Type, typeOfNumber, widthOf } from './types.ts'

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
      return compileExpression(store, expression.expression, budget, params)
    case 'given':
      return expression.values as Compiled
    case 'query':
      throw new InvalidQuery('Expected no query of a table here', expression.at)
    case 'lambda':
      throw new InvalidQuery(
        'Expected a value, but this is a lambda function',
        expression.at,
        undefined,
        'BAD_ARGUMENTS',
      )
  }
}

function compileLiteral({ value, isFraction = false }: Extract<Expression, { kind: 'literal' }>): Compiled {
  if (value === null) return constantOf('Nullable(Nothing)', null)
  if (typeof value === 'boolean') return constantOf('Bool', Number(value))
  return constantOf(typeof value === 'number' ? typeOfNumber(value, isFraction) : 'String', value)
}

/** Steps charged for reading one key of a map, and for writing it into the map of a row. */
const stepsPerKey = 10

function compileColumn(store: RowStore, qualifiedName: string, at: number, budget: Budget): Compiled {
  const name = withoutTable(store, qualifiedName)
  const computed = store.computed?.get(name)
  if (computed) return computed
  if (store.computed) throw unknownColumn(store, qualifiedName, at)
  const type = store.typeOf(name)
  if (type === 'time') return { type: 'DateTime64(9)', constant: false, at: row => store.times[row]! }
  if (name === 'TimestampTime' && (store.kind === 'log' || store.kind === 'session')) {
    return { type: 'DateTime', constant: false, at: row => Math.floor(store.times[row]! / 1000) * 1000 }
  }
  const [, mapName, part] = /^(.+)\.(keys|values)$/.exec(name) ?? []
  if (mapName && store.columns.get(mapName)?.type === 'map')
    return compileCall(store, call(part === 'keys' ? 'mapKeys' : 'mapValues', [column(mapName, at)], at), budget)
  const [, map, key] = /^([^.]+)\.(.+)$/.exec(name) ?? []
  if (map !== undefined && store.extraColumns.has(map) && store.typeOf(map) === 'map')
    return compileCall(store, call('arrayElement', [column(map, at), value(key!)], at), budget)
  const stored = type && store.columns.get(name)
  if (!stored) throw unknownColumn(store, qualifiedName, at)
  if (stored.type === 'text') return ofColumn('String', stored, code => stored.texts[code]!)
  const read = (row: number) => {
    if (stored.type === 'map') budget.spend(stored.keys.size * stepsPerKey)
    return stored.at(row)
  }
  return { type: databaseType(name, type), constant: false, at: read }
}

/** Removes `table.` or `database.table.` from the start of the name of a column. */
function withoutTable({ table }: RowStore, name: string): string {
  const { tableName = '', databaseName = '' } = table ?? {}
  const prefix = [`${databaseName}.${tableName}.`, `${tableName}.`].find(one => name.startsWith(one))
  return prefix && tableName ? name.slice(prefix.length) : name
}

function unknownColumn({ kind, columnNames, computed }: RowStore, name: string, at: number): InvalidQuery {
  const sentence = `Expected a column of the ${computed ? 'subquery' : `${kind} table`}, but "${name}" is none. Its columns are ${columnNames.join(', ')}`
  return new InvalidQuery(sentence, at, `Unknown expression or function identifier \`${name}\``, 'UNKNOWN_IDENTIFIER')
}

/** Compiles a function of one key of a map, so that it reads the column of that key alone; undefined for other calls. */
function compileKeyAccess(store: RowStore, { name, args }: Call): Compiled | undefined {
  const [map, key] = args
  const isKey = name === 'arrayElement' || name === 'mapContains' || name === 'mapContainsKey'
  if (!isKey || store.computed || map?.kind !== 'column' || key?.kind !== 'literal' || typeof key.value !== 'string')
    return undefined
  const column = store.columns.get(map.name)
  if (column?.type !== 'map') return undefined
  const texts = column.keys.get(key.value)
  if (name !== 'arrayElement')
    return texts ? ofColumn('UInt8', texts, code => (code > 0 ? 1 : 0)) : valueOfMissingKey('UInt8', 0)
  return texts ? ofColumn('String', texts, code => texts.texts[code]!) : valueOfMissingKey('String', '')
}

/** The value of a key that no row has. Conditions must not treat it as a constant of the query. */
const valueOfMissingKey = (type: Type, value: Scalar): Compiled => ({ ...constantOf(type, value), constant: false })

function compileCall(store: RowStore, call: Call, budget: Budget, params: Params = new Map()): Compiled {
  const keyAccess = compileKeyAccess(store, call)
  if (keyAccess) return keyAccess
  const clockFunction = clockFunctions.get(call.name.toLowerCase())
  if (clockFunction) return constantOf(clockFunction.type, clockFunction.run(store.now))
  if (/^rand(?:32)?$/i.test(call.name)) return { type: 'UInt32', constant: false, at: scramble }
  if (call.name === 'caseWithExpression') return compileExpression(store, withConditions(call), budget, params)
  const [first, ...rest] = call.args
  // The database looks for the names in the arguments first.
  const args =
    first?.kind === 'lambda' ? undefined : call.args.map(arg => compileExpression(store, arg, budget, params))
  const name = first?.kind === 'lambda' && takesLambda(call.name) ? call.name : nameOfFunction(call)
  try {
    if (first?.kind === 'lambda') {
      const lists = rest.map(arg => compileExpression(store, arg, budget, params))
      const body = (bound: Params) => compileExpression(store, first.body, budget, new Map([...params, ...bound]))
      return compileLambdaCall(name, first.params, lists, body, budget)
    }
    return compileFunction(name, args!, budget)
  } catch (error) {
    // Where one argument is NULL itself, the types of the others do not matter.
    const isIllegal = error instanceof InvalidQuery && error.code === 'ILLEGAL_TYPE_OF_ARGUMENT'
    if (isIllegal && args?.some(arg => arg.type === 'Nullable(Nothing)')) return constantOf('Nullable(Nothing)', null)
    if (error instanceof InvalidQuery) throw withPosition(error, call)
    throw new InvalidQuery(`Expected a value for ${call.name}, but it fails: ${(error as Error).message}`, call.at)
  }
}

/** Adds name and position of a function to the error about its arguments; errors of nested calls already have them. */
const withPosition = (error: InvalidQuery, call: Call) =>
  error.with({ at: error.at || call.at, raw: error.raw.replaceAll('{}', call.name) })

function compileFunction(name: string, args: readonly Compiled[], budget: Budget): Compiled {
  const implementation = sqlFunctions[name]!(args, budget)
  if ('make' in implementation) {
    const makeCharged = (parts: readonly Evaluate[]) => {
      const run = implementation.make(parts)
      return (key: number) => {
        budget.spend(stepsPerLazyCall)
        return run(key)
      }
    }
    return compileLazyCall(implementation.type, makeCharged, args, budget)
  }
  const { type, run, takesNull } = implementation
  const mayBeNull = !takesNull && args.some(arg => isNullable(arg.type))
  if (mayBeNull && args.some(arg => isNothing(arg.type))) return constantOf('Nullable(Nothing)', null)
  // A result that cannot be NULL (an array, a map, a tuple) is computed with defaults instead of NULL arguments.
  const isNeverNull = nullable(type) === type && !isNullable(type)
  const defaults = args.map(arg => defaultOf(bareOf(arg.type)))
  const runWithDefaults: Run = (...values) => (run as Run)(...values.map((value, at) => value ?? defaults[at]))
  const adapted = {
    type: mayBeNull ? nullable(type) : type,
    run: mayBeNull && isNeverNull ? runWithDefaults : (run as Run),
    skipsNull: mayBeNull && !isNeverNull,
  }
  return compileEagerCall(adapted, args, budget)
}

/** Steps charged for each call of a function that evaluates only some of its arguments. */
const stepsPerLazyCall = 4

/** The name of a function in `sqlFunctions`. The database ignores letter case in functions of the SQL standard only. */
function nameOfFunction({ name, at, params }: Call): string {
  const lower = name.toLowerCase()
  const known = [name, aliases[name], lower, aliases[lower]].find(one => one && Object.hasOwn(sqlFunctions, one))
  if (known) {
    if (params) throw new InvalidQuery(`Expected an aggregate before the brackets, but "${name}" has no parameters`, at)
    return known
  }
  if (isAggregate(name)) {
    const raw = `Aggregate function ${name} is found in wrong place in query`
    throw new InvalidQuery(
      `Expected a function of single rows, but "${name}" aggregates them`,
      at,
      raw,
      'ILLEGAL_AGGREGATION',
    )
  }
  throw new InvalidQuery(
    `Expected a function, but the embedded engine does not have "${name}": with --telemetry URL a ClickHouse computes the charts`,
    at,
    `Function with name \`${name}\` does not exist.`,
    'UNKNOWN_FUNCTION',
  )
}

/** A random number for each row, which stays the same from query to query. */
function scramble(row: number): number {
  const mixed = Math.imul(row ^ (row >>> 15) ^ 0x9e37_79b9, 0x85eb_ca6b)
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35) >>> 0
}

const today = (now: number) => Math.floor(now / day) * day

/** Functions of the current time, which is the same in every row. */
const clockFunctions = new Map<string, { readonly type: Type; readonly run: (now: number) => number }>([
  ['now', { type: 'DateTime', run: now => Math.floor(now / 1000) * 1000 }],
  ['now64', { type: 'DateTime64(3)', run: now => now }],
  ['today', { type: 'Date', run: today }],
  ['yesterday', { type: 'Date', run: now => today(now) - day }],
])

/** Converts a CASE with an operand to `multiIf`, whose conditions compare the operand with the value of each WHEN. */
function withConditions({ args: [subject, ...rest], at }: Call): Expression {
  const args = rest.map((arg, index) =>
    index % 2 === 0 && index < rest.length - 1 ? call('equals', [subject!, arg], at) : arg,
  )
  return call('multiIf', args, at)
}

/** Whether the row at an index matches. */
export type Filter = (row: number) => boolean

/** Compiles conditions that must all match; undefined if every row matches. */
export function compileFilters(
  store: RowStore,
  conditions: readonly Expression[],
  budget = new Budget(),
): Filter | undefined {
  const filters = conditions.flatMap(condition => compileFilter(store, condition, budget) ?? [])
  return filters.length < 2 ? filters[0] : row => filters.every(filter => filter(row))
}

function compileFilter(store: RowStore, condition: Expression, budget: Budget): Filter | undefined {
  const { type, constant, at } = compileExpression(store, condition, budget)
  // A condition is a boolean or a number of at most 32 bits, or NULL.
  const width = widthOf(type)
  if (!isNothing(type) && (!width || width.bits === 64))
    throw new InvalidQuery(
      `Expected a condition, but this is a ${type}`,
      condition.at,
      undefined,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  if (constant) return isTrue(at(0)) ? undefined : () => false
  return row => isTrue(at(row))
}
