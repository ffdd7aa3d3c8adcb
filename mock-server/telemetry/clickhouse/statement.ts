import type { Expression } from '../query/expression.ts'
import { Unreadable } from '../query/unreadable.ts'

/** What the client sends beside a statement: values by the names that stand in it. */
export type Values = Record<string, string | number>

/** One statement while it is written. Whatever comes from a caller becomes a bound value or a quoted name, never a part of the text. */
export class Statement {
  readonly values: Values = {}

  /** The place of a value. */
  value(value: string | number, type = typeOf(value)): string {
    const name = `v${Object.keys(this.values).length}`
    this.values[name] = value
    return `{${name}:${type}}`
  }

  /** An expression; `isSet` for the members of an IN. */
  write(expression: Expression, isSet = false): string {
    switch (expression.kind) {
      case 'literal':
        return expression.value === null ? 'NULL' : this.value(expression.value)
      case 'column':
        return expression.name.split('.').map(quoteName).join('.')
      case 'list': {
        const items = expression.items.map(item => this.write(item))
        return isSet ? `tuple(${items.join(', ')})` : `[${items.join(', ')}]`
      }
      case 'call':
        return this.#writeCall(expression)
    }
  }

  #writeCall({ name, args, at }: Extract<Expression, { kind: 'call' }>): string {
    // The grammar knows no other names; nothing else may ever be written unquoted.
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new Unreadable(`Expected a function, but "${name}" is none`, at)
    const isIn = /^(?:notIn|in)$/i.test(name)
    return `${name}(${args.map((arg, index) => this.write(arg, isIn && index === 1)).join(', ')})`
  }
}

/** A name in backticks. */
export const quoteName = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** The type that the database gives a literal of this value. */
function typeOf(value: string | number): string {
  if (typeof value === 'string') return 'String'
  if (!Number.isSafeInteger(value)) return 'Float64'
  const bits = [8, 16, 32].find(size => (value < 0 ? value >= -(2 ** (size - 1)) : value < 2 ** size)) ?? 64
  return `${value < 0 ? 'Int' : 'UInt'}${bits}`
}
