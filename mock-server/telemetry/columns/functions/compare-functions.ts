import { Unreadable } from '../../query/unreadable.ts'
import { type Compiled, isNumeric, isTime, type Scalar } from '../compiled.ts'
import { readFloat, readInteger, readTime } from './database-text.ts'
import type { SqlFunction } from './sql-functions.ts'

type Order = (a: never, b: never) => boolean

const isNull = (arg: Compiled) => arg.constant && arg.at(0) === null

/** A text in the condition is read as the type that it is compared with; a column of texts never is. */
function readAs(other: Compiled, text: Compiled): (value: Scalar) => Scalar {
  if (!text.constant) throw new Unreadable(`Expected two values of one type, but these are a text and a ${other.type}`)
  const written = String(text.at(0))
  const read =
    other.type === 'float'
      ? readFloat(written)
      : isNumeric(other.type)
        ? readInteger(written, false)
        : isTime(other.type)
          ? (readEpoch(written) ?? readTime(written))
          : undefined
  if (read === undefined) throw new Unreadable(`Expected a ${other.type}, but this is the text "${written}"`)
  return () => read
}

/** Seconds, as the database writes moments for machines. */
const readEpoch = (text: string) => (/^\d{9,10}(\.\d+)?$/.test(text) ? Number(text) * 1000 : undefined)

const same = (value: Scalar) => value
const inMilliseconds = (value: Scalar) => (value as number) * 1000

/** How the values of both sides are brought to one type. */
function alike(a: Compiled, b: Compiled): readonly [(value: Scalar) => Scalar, (value: Scalar) => Scalar] {
  const isPlain = (arg: Compiled) => arg.type === 'text' || isNumeric(arg.type) || isTime(arg.type)
  if (isNull(a) || isNull(b)) return [same, same]
  if (!isPlain(a) || !isPlain(b))
    throw new Unreadable(`Expected values to compare, but these are a ${a.type} and a ${b.type}`)
  if (a.type === 'text' && b.type !== 'text') return [readAs(b, a), same]
  if (b.type === 'text' && a.type !== 'text') return [same, readAs(a, b)]
  if (isTime(a.type) && isNumeric(b.type)) return [same, inMilliseconds]
  if (isNumeric(a.type) && isTime(b.type)) return [inMilliseconds, same]
  return [same, same]
}

const compare =
  (holds: Order): SqlFunction =>
  ([a, b, ...more]) => {
    if (!a || !b || more.length > 0) throw new Unreadable('Expected two values to compare')
    const [left, right] = alike(a, b)
    const untouched = left === same && right === same
    return {
      type: 'integer',
      run: untouched
        ? (x: Scalar, y: Scalar) => (holds(x as never, y as never) ? 1 : 0)
        : (x: Scalar, y: Scalar) => (holds(left(x) as never, right(y) as never) ? 1 : 0),
    }
  }

export const compareFunctions: Readonly<Record<string, SqlFunction>> = {
  equals: compare((a: Scalar, b: Scalar) => a === b),
  notEquals: compare((a: Scalar, b: Scalar) => a !== b),
  less: compare((a: number, b: number) => a < b),
  lessOrEquals: compare((a: number, b: number) => a <= b),
  greater: compare((a: number, b: number) => a > b),
  greaterOrEquals: compare((a: number, b: number) => a >= b),
}

/** IN: the list is one constant argument whose members were read as the type of the left side. */
const member =
  (wanted: boolean): SqlFunction =>
  ([left, list]) => {
    if (!left || list?.type !== 'list' || !list.constant) throw new Unreadable('Expected a list of constants after IN')
    const members = new Set(
      (list.at(0) as readonly Scalar[]).map(item => {
        const type = typeof item === 'number' ? 'float' : 'text'
        const [, right] = alike(left, { type, constant: true, at: () => item })
        return right(item)
      }),
    )
    return { type: 'integer', run: (value: Scalar) => (members.has(value) === wanted ? 1 : 0) }
  }

export const memberFunctions: Readonly<Record<string, SqlFunction>> = {
  in: member(true),
  notIn: member(false),
  has: ([list, item]) => {
    if (!list || !item || list.type !== 'list') throw new Unreadable('Expected a list and a value')
    return { type: 'integer', run: (values: readonly Scalar[], value: Scalar) => (values.includes(value) ? 1 : 0) }
  },
}
