import { Unreadable } from '../../query/unreadable.ts'
import type { Budget } from '../budget.ts'
import type { Compiled, Part, Run, Scalar } from '../compiled.ts'
import * as types from '../types.ts'

/**
 * What a function does with arguments of these types: `run` with their values, or `make` with what computes them. Where it
 * runs and does not say that it `takesNull`, a NULL among them makes the result NULL.
 */
export type Meaning =
  | { readonly type: types.Type; readonly run: (...values: never[]) => Scalar; readonly takesNull?: boolean }
  | { readonly type: types.Type; readonly make: (parts: readonly Part[]) => Part }

/** Looks at the arguments, refuses types that the database would refuse, and says what to do with their values. */
export type SqlFunction = (args: readonly Compiled[], budget: Budget) => Meaning

/** What a function that runs does with arguments of these types. */
export const runOf = (of: SqlFunction, args: readonly Compiled[], budget: Budget): Run =>
  (of(args, budget) as Extract<Meaning, { run: unknown }>).run as Run

/** What a signature asks of a type. */
const fits: Readonly<Record<string, (type: types.Type) => boolean>> = {
  Any: () => true,
  String: types.isText,
  Int: types.isInteger,
  Number: types.isNumeric,
  Time: types.isTime,
  Clock: types.isClock,
  Array: types.isList,
  Map: types.isMap,
  Sized: type => types.isText(type) || types.isList(type) || types.isMap(type),
  Truth: types.isTruth,
}

/**
 * A function of a signature such as `String, Int, Int? -> String`: types or kinds of types, `?` behind what may be left out,
 * `...` behind what may come again. In the result `$1` is the type of the first argument, `$1i` that of its elements.
 */
export const taking = (signature: string, run: Run): SqlFunction => making(signature, () => run)

/** As `taking`, where the work needs the budget, or is prepared by the arguments. */
export function making(signature: string, make: (budget: Budget, args: readonly Compiled[]) => Run): SqlFunction {
  const [before = '', result = ''] = signature.split('-> ')
  const wanted = before.trim() === '' ? [] : before.trim().split(', ')
  const least = wanted.filter(want => !/[?.]$/.test(want)).length
  const most = before.includes('...') ? Number.POSITIVE_INFINITY : wanted.length
  return (args, budget) => {
    if (args.length < least || args.length > most) throw wrongCount(args.length, least, most)
    args.forEach((arg, at) => {
      const want = (wanted[at] ?? wanted.at(-1)!).replace(/[?.]+$/, '')
      if (!types.isNothing(arg.type) && !fits[want]!(arg.type)) throw illegal(arg.type, want)
    })
    const typeOf = (_: string, at: string, item: string) => {
      const type = types.bareOf(args[Number(at) - 1]!.type)
      return item ? (types.isList(type) || types.isMap(type) ? types.itemOf(type) : 'Nothing') : type
    }
    return { type: result.replace(/\$(\d)(i?)/g, typeOf), run: make(budget, args) }
  }
}

/** What it takes to look at each character, or to write each word, by itself. */
const stepsPerCharacter = 1
const stepsPerCharacterOfWords = 5

const atCost = (steps: number) => (signature: string, run: Run) =>
  making(signature, budget => (text: string, ...more: Scalar[]) => {
    budget.spend(text.length * steps)
    return run(text, ...more)
  })
/** Functions that take a text apart into its characters, and those that change it word by word. */
export const ofCharacters = atCost(stepsPerCharacter)
export const ofWords = atCost(stepsPerCharacterOfWords)

function wrongCount(count: number, least: number, most: number): Unreadable {
  const wanted = most === Number.POSITIVE_INFINITY ? `${least} or more` : least === most ? least : `${least} to ${most}`
  const raw = `Number of arguments for function {} doesn't match: passed ${count}, should be ${wanted}`
  return new Unreadable(`Expected ${wanted} arguments, but these are ${count}`, 0, raw)
}

export const illegal = (type: types.Type, want: string) =>
  new Unreadable(
    `Expected a value of the type ${want}, but this is ${type}`,
    0,
    `Illegal type ${type} of argument of function {}`,
  )

export const truth = (is: boolean): number => (is ? 1 : 0)
