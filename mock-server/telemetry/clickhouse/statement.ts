import { typeOfNumber } from '../columns/types.ts'
import type { Expression, Select } from '../query/expression.ts'
import { InvalidQuery } from '../query/invalid-query.ts'

export type Values = Record<string, Value>
type Value = string | number | boolean

/**
 * The parameters of one statement, and the writer of its expressions. Values become bound parameters and names are
 * quoted, so that no caller can inject SQL.
 */
export class Statement {
  readonly values: Values = {}

  /** Binds a value, and returns its placeholder. */
  value(value: Value, type = inferType(value)): string {
    const name = `v${Object.keys(this.values).length}`
    this.values[name] = value
    return `{${name}:${type}}`
  }

  write(expression: Expression): string {
    switch (expression.kind) {
      case 'literal':
        if (expression.value === null) return 'NULL'
        return this.value(expression.value, expression.isFraction ? 'Float64' : undefined)
      case 'column':
        return expression.name.split('.').map(quoteName).join('.')
      case 'list':
        if (expression.items[0]?.kind === 'query') return this.write(expression.items[0])
        return `tuple(${expression.items.map(item => this.write(item)).join(', ')})`
      case 'lambda':
        return `((${expression.params.map(quoteName).join(', ')}) -> ${this.write(expression.body)})`
      case 'alias':
        return `(${this.write(expression.expression)} AS ${quoteName(expression.name)})`
      case 'query':
        return `(${expression.query.selects.map(select => this.#writeConstants(select, expression.at)).join(' UNION ALL ')})`
      case 'given':
        throw otherTable(expression.at)
      case 'call': {
        const { name, args, at, params } = expression
        // The grammar allows no other names; anything else must never be written unquoted.
        if (!/^[A-Za-z_]\w*$/.test(name)) throw new InvalidQuery(`Expected a function, but "${name}" is not one`, at)
        const takesTable = membershipFunctions.test(name) && (args[1]?.kind === 'column' || args[1]?.kind === 'alias')
        if (forbiddenFunctions.test(name) || takesTable)
          throw new InvalidQuery(`Expected a function of the columns of the source, but ${name} is not allowed`, at)
        const level = params ? `(${params.map(param => this.write(param)).join(', ')})` : ''
        return `${name}${level}(${args.map(arg => this.write(arg)).join(', ')})`
      }
    }
  }

  /** Writes the SELECT of a subquery that has no table, such as `SELECT 1`. */
  #writeConstants({ columns, from, where }: Select, at: number): string {
    if (from || where.length > 0) throw otherTable(at)
    return `SELECT ${columns.map(one => this.write(one)).join(', ')}`
  }
}

const otherTable = (at: number) =>
  new InvalidQuery('Expected no query of another table, because --telemetry reads that of the source alone', at)

/** Functions that, without any grant, read files, dictionaries or other tables, or block a thread. */
const forbiddenFunctions = /^(?:file|joinGet\w*|dict\w+|hasColumnInTable|catboostEvaluate|sleep\w*)$/i
/** Functions such as `in`. ClickHouse takes a name in their second argument for a table. */
const membershipFunctions = /^(?:global)?(?:not)?(?:null)?in(?:ignoreset)?$/i

export const quoteName = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&')}\``

/** The type that the database infers for a literal of this value. */
function inferType(value: Value): string {
  if (typeof value === 'string') return 'String'
  return typeof value === 'boolean' ? 'Bool' : typeOfNumber(value, !Number.isSafeInteger(value))
}
