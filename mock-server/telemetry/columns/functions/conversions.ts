import { Unreadable } from '../../query/unreadable.ts'
import { type Compiled, isTime, type Scalar, type ValueType } from '../compiled.ts'
import { readFloat, readInteger, readTime, writeTime } from './database-text.ts'
import type { SqlFunction } from './sql-functions.ts'

/** The text that the database makes of a value of this type. */
export function textOf(type: ValueType, value: Scalar): string {
  if (typeof value === 'number' && type === 'day') return writeTime(value, false).slice(0, 10)
  if (typeof value === 'number') return isTime(type) ? writeTime(value, type === 'time') : String(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `[${value.map(item => `'${item}'`).join(',')}]`
  return `{${Object.entries(value ?? {})
    .map(([key, text]) => `'${key}':'${text}'`)
    .join(',')}}`
}

/** What happens to a text that is no number: an error, or one of these instead. */
const otherwise = { '': undefined, OrZero: 0, OrDefault: 0, OrNull: null } as const

type Ending = keyof typeof otherwise

function toNumber(name: string, ending: Ending): SqlFunction {
  const isFloat = name.startsWith('Float')
  const bits = Number(/\d+$/.exec(name)![0])
  const isSigned = name.startsWith('Int')
  const most = 2 ** (isSigned ? bits - 1 : bits)
  const fits = (number: number) => isFloat || (number < most && number >= (isSigned ? -most : 0))
  const read = (text: string) => {
    const number = isFloat ? readFloat(text) : readInteger(text, isSigned)
    return number !== undefined && fits(number) ? number : undefined
  }
  return ([arg]) => {
    if (!arg) throw new Unreadable(`Expected a value for to${name}${ending}`)
    if (ending && arg.type !== 'text') throw new Unreadable(`Expected a text, but this is a ${arg.type}`)
    if (arg.type === 'map' || arg.type === 'list')
      throw new Unreadable(`Expected a text or number, but this is a ${arg.type}`)
    return {
      type: isFloat ? 'float' : bits >= 64 ? 'wide' : 'integer',
      run: (value: Scalar) => {
        if (typeof value === 'number') return numberOf(arg, value, isFloat)
        const found = read(String(value)) ?? otherwise[ending]
        if (found === undefined) throw new Unreadable(`Expected a number, but this is the text "${value}"`)
        return found
      },
    }
  }
}

const numberOf = (arg: Compiled, value: number, isFloat: boolean) => {
  const number = isTime(arg.type) ? value / 1000 : value
  return isFloat ? number : Math.trunc(number)
}

const widths = ['8', '16', '32', '64']
const names = [...widths.flatMap(bits => [`UInt${bits}`, `Int${bits}`]), 'Float32', 'Float64']
const endings = Object.keys(otherwise) as Ending[]
const toNumbers = Object.fromEntries(
  names.flatMap(name => endings.map(ending => [`to${name}${ending}`, toNumber(name, ending)])),
)

const wholeOf = { time: 0, second: 1000, day: 86_400_000 }

const toTime =
  (type: 'time' | 'second' | 'day'): SqlFunction =>
  ([arg]) => ({
    type,
    run: (value: Scalar) => {
      const time = typeof value === 'number' ? (isTime(arg!.type) ? value : value * 1000) : readTime(String(value))
      if (time === undefined) throw new Unreadable(`Expected a time, but this is the text "${value}"`)
      return type === 'time' ? time : Math.floor(time / wholeOf[type]) * wholeOf[type]
    },
  })

const toText: SqlFunction = ([arg]) => {
  if (!arg) throw new Unreadable('Expected a value for toString')
  return { type: 'text', run: (value: Scalar) => textOf(arg.type, value) }
}

const byType: Readonly<Record<string, SqlFunction>> = {
  ...toNumbers,
  toString: toText,
  toDateTime: toTime('second'),
  toDate: toTime('day'),
}

export const conversions: Readonly<Record<string, SqlFunction>> = {
  ...byType,
  toDateTime64: toTime('time'),
  toUnixTimestamp: ([arg]) => ({
    type: 'integer',
    run: (value: number) => Math.floor(isTime(arg!.type) ? value / 1000 : value),
  }),
  CAST: ([arg, type], budget) => {
    const name = type?.constant ? String(type.at(0)) : ''
    const conversion = Object.hasOwn(byType, `to${name}`) ? byType[`to${name}`] : undefined
    if (!arg || !conversion) throw new Unreadable(`Expected a type that values can be cast to, but this is "${name}"`)
    const { type: to, run } = conversion([arg], budget)
    return { type: to, run: (value: Scalar) => run(value as never) }
  },
}
