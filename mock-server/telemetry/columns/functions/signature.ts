import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Evaluate, Run, Scalar } from '../compiled.ts'
import * as types from '../types.ts'

/**
 * The result type of a call, and its computation. `run` takes the values of all arguments, and is not called if one is
 * NULL, unless `takesNull` is set. `make` takes the compiled arguments, so that it can evaluate only some of them.
 */
export type Implementation =
  | { readonly type: types.Type; readonly run: (...values: never[]) => Scalar; readonly takesNull?: boolean }
  | { readonly type: types.Type; readonly make: (parts: readonly Evaluate[]) => Evaluate }

/** Checks the types of the arguments, throws where the database would, and returns the implementation. */
export type SqlFunction = (args: readonly Compiled[], budget: Budget) => Implementation

/** The `run` of a function for arguments of the given types. */
export const runOf = (sqlFunction: SqlFunction, args: readonly Compiled[], budget: Budget): Run =>
  (sqlFunction(args, budget) as Extract<Implementation, { run: unknown }>).run as Run

/** The kinds of types that signatures may name: whether a type is of the kind. */
const isOfKind: Readonly<Record<string, (type: types.Type) => boolean>> = {
  Any: () => true,
  String: types.isText,
  Int: types.isInteger,
  Number: types.isNumeric,
  Time: types.isTime,
  Clock: types.hasTimeOfDay,
  Array: types.isList,
  Map: types.isMap,
  Sized: type => types.isText(type) || types.isList(type) || types.isMap(type),
  Truth: types.mayBeCondition,
}

/**
 * Defines a function by a signature such as `String, Int, Int? -> String`: the kind of each argument, with `?` if it is
 * optional and `...` if it may be repeated, and the type of the result, in which `$1` is the type of the first argument
 * and `$1i` that of its elements.
 */
export const defineFunction = (signature: string, run: Run): SqlFunction => definePrepared(signature, () => run)

/** Checks the arguments of a call by a signature, and returns the type of the result. */
export const checkArguments = (signature: string, args: readonly Compiled[], budget: Budget): types.Type =>
  defineFunction(signature, () => null)(args, budget).type

/** Like `defineFunction`, for functions that need the budget or prepare something from their arguments. */
export function definePrepared(
  signature: string,
  make: (budget: Budget, args: readonly Compiled[]) => Run,
): SqlFunction {
  const [params = '', result = ''] = signature.split('-> ')
  const kinds = params.trim() === '' ? [] : params.trim().split(', ')
  const min = kinds.filter(kind => !/[?.]$/.test(kind)).length
  const max = params.includes('...') ? Number.POSITIVE_INFINITY : kinds.length
  return (args, budget) => {
    if (args.length < min || args.length > max) throw wrongCount(args.length, min, max)
    args.forEach((arg, at) => {
      const kind = (kinds[at] ?? kinds.at(-1)!).replace(/[?.]+$/, '')
      if (!types.isNothing(arg.type) && !isOfKind[kind]!(arg.type)) throw illegalType(arg.type, kind)
    })
    const typeOf = (_: string, at: string, item: string) => {
      const type = types.bareOf(args[Number(at) - 1]!.type)
      return item ? (types.isList(type) || types.isMap(type) ? types.itemOf(type) : 'Nothing') : type
    }
    return { type: result.replace(/\$(\d)(i?)/g, typeOf), run: make(budget, args) }
  }
}

/** Steps per character for functions that visit each character, and for those that rewrite each word. */
const stepsPerCharacter = 1
const stepsPerCharacterOfWords = 5

const defineAtCost = (steps: number) => (signature: string, run: Run) =>
  definePrepared(signature, budget => (text: string, ...more: Scalar[]) => {
    budget.spend(text.length * steps)
    return run(text, ...more)
  })
/** Defines functions that split their first argument into characters, and functions that rewrite it word by word. */
export const defineAtCostOfCharacters = defineAtCost(stepsPerCharacter)
export const defineAtCostOfWords = defineAtCost(stepsPerCharacterOfWords)

function wrongCount(count: number, min: number, max: number): InvalidQuery {
  const expected = max === Number.POSITIVE_INFINITY ? `${min} or more` : min === max ? min : `${min} to ${max}`
  const raw = `Number of arguments for function {} doesn't match: passed ${count}, should be ${expected}`
  return new InvalidQuery(`Expected ${expected} arguments, but got ${count}`, 0, raw)
}

export const illegalType = (type: types.Type, kind: string, name = '{}') =>
  new InvalidQuery(
    `Expected a value of the type ${kind}, but this is ${type}`,
    0,
    `Illegal type ${type} of argument of function ${name}`,
    'ILLEGAL_TYPE_OF_ARGUMENT',
  )

/** The value of a boolean in the database. */
export const truth = (isTrue: boolean): number => (isTrue ? 1 : 0)
