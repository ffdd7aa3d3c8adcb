import { call, column, type Expression, value } from './expression.ts'
import { checkLength } from './expression-length.ts'
import { sqlTokens, type Token } from './sql-tokens.ts'
import { Unreadable } from './unreadable.ts'

const comparisons: Readonly<Record<string, string>> = {
  '=': 'equals',
  '==': 'equals',
  '!=': 'notEquals',
  '<>': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
  '>': 'greater',
  '>=': 'greaterOrEquals',
}
const sums: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus' }
const products: Readonly<Record<string, string>> = { '*': 'multiply', '/': 'divide', '%': 'modulo' }
const reserved = new Set('AND OR NOT IN LIKE ILIKE BETWEEN IS AS SELECT FROM WHERE GROUP ORDER LIMIT'.split(' '))
/** Deeper than anybody nests brackets or sums. */
const mostDepth = 200

/** Reads one SQL expression, such as a condition or the value of a series; throws what was expected and where. */
export function parseSql(sql: string): Expression {
  checkLength(sql)
  const reader = new Reader(sqlTokens(sql))
  const expression = reader.expression()
  reader.end()
  return expression
}

/** Reads expressions with commas between them, such as the group of a tile. */
export function parseSqlList(sql: string): readonly Expression[] {
  checkLength(sql)
  const reader = new Reader(sqlTokens(sql))
  const expressions = reader.listOf(() => reader.expression())
  reader.end()
  return expressions
}

/** Recursive descent, a method for each level of precedence from OR down. */
class Reader {
  #next = 0
  #depth = 0

  constructor(readonly tokens: readonly Token[]) {}

  expression(): Expression {
    return this.#deeper(() => this.#chain('OR', 'or', () => this.#chain('AND', 'and', () => this.#negation())))
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#wrong('the end')
  }

  listOf<T>(item: () => T): T[] {
    const items = [item()]
    while (this.#take('sign', ',')) items.push(item())
    return items
  }

  get #token(): Token {
    return this.tokens[this.#next]!
  }

  #wrong(expected: string): Unreadable {
    const { kind, text, at } = this.#token
    return new Unreadable(
      `Expected ${expected}, but ${kind === 'end' ? 'the text ends' : `"${text}" stands there`}`,
      at,
    )
  }

  #take(kind: Token['kind'], text: string): Token | undefined {
    const token = this.#token
    const same = kind === 'word' ? token.text.toUpperCase() === text : token.text === text
    if (token.kind !== kind || !same) return undefined
    this.#next += 1
    return token
  }

  #demand(text: string): void {
    if (!this.#take(/\w/.test(text) ? 'word' : 'sign', text)) throw this.#wrong(`"${text}"`)
  }

  #deeper(read: () => Expression): Expression {
    if (++this.#depth > mostDepth) throw this.#wrong(`at most ${mostDepth} levels`)
    const found = read()
    this.#depth -= 1
    return found
  }

  #chain(word: string, name: string, part: () => Expression): Expression {
    const parts = [part()]
    while (this.#take('word', word)) parts.push(part())
    return parts.length === 1 ? parts[0]! : call(name, parts)
  }

  #negation(): Expression {
    const not = this.#take('word', 'NOT')
    return not ? call('not', [this.#deeper(() => this.#negation())], not.at) : this.#comparison()
  }

  #comparison(): Expression {
    let left = this.#joined()
    while (true) {
      const sign = this.#token
      const name = sign.kind === 'sign' ? comparisons[sign.text] : undefined
      if (name) {
        this.#next += 1
        left = call(name, [left, this.#joined()])
      } else if (this.#take('word', 'IS')) {
        const not = this.#take('word', 'NOT')
        this.#demand('NULL')
        left = call(not ? 'isNotNull' : 'isNull', [left])
      } else {
        const found = this.#membership(left)
        if (!found) return left
        left = found
      }
    }
  }

  /** LIKE, ILIKE, IN, BETWEEN, each with or without NOT. */
  #membership(left: Expression): Expression | undefined {
    const before = this.#next
    const not = this.#take('word', 'NOT')
    if (this.#take('word', 'LIKE')) return call(not ? 'notLike' : 'like', [left, this.#joined()])
    if (this.#take('word', 'ILIKE')) return call(not ? 'notILike' : 'ilike', [left, this.#joined()])
    if (this.#take('word', 'IN')) return call(not ? 'notIn' : 'in', [left, this.#set()])
    if (this.#take('word', 'BETWEEN')) {
      const low = this.#joined()
      this.#demand('AND')
      const within = call('and', [call('greaterOrEquals', [left, low]), call('lessOrEquals', [left, this.#joined()])])
      return not ? call('not', [within]) : within
    }
    this.#next = before
    return undefined
  }

  #set(): Expression {
    const { at } = this.#token
    if (!this.#take('sign', '(')) {
      const only = this.#joined()
      return only.kind === 'list' ? only : { kind: 'list', items: [only], at }
    }
    const items = this.listOf(() => this.expression())
    this.#demand(')')
    return { kind: 'list', items, at }
  }

  #joined(): Expression {
    return this.#infix({ '||': 'concat' }, () => this.#infix(sums, () => this.#infix(products, () => this.#prefixed())))
  }

  #infix(names: Readonly<Record<string, string>>, part: () => Expression): Expression {
    let left = part()
    for (let depth = 0; this.#token.kind === 'sign' && Object.hasOwn(names, this.#token.text); depth++) {
      if (depth > mostDepth) throw this.#wrong(`at most ${mostDepth} operators in a row`)
      const name = names[this.#token.text]!
      this.#next += 1
      left = call(name, [left, part()])
    }
    return left
  }

  #prefixed(): Expression {
    const minus = this.#take('sign', '-')
    if (!minus) return this.#indexed()
    const operand = this.#deeper(() => this.#prefixed())
    const isNumber = operand.kind === 'literal' && typeof operand.value === 'number'
    return isNumber ? value(-(operand.value as number), minus.at) : call('negate', [operand], minus.at)
  }

  #indexed(): Expression {
    let found = this.#primary()
    while (true) {
      if (this.#take('sign', '[')) {
        found = call('arrayElement', [found, this.expression()])
        this.#demand(']')
      } else if (this.#take('sign', '::')) {
        found = call('CAST', [found, value(this.#type())])
      } else return found
    }
  }

  #primary(): Expression {
    const token = this.#token
    this.#next += 1
    if (token.kind === 'text') return value(token.text, token.at)
    if (token.kind === 'number') return value(Number(token.text), token.at)
    if (token.kind === 'name') return this.#dotted(token)
    if (token.kind === 'word' && !reserved.has(token.text.toUpperCase())) return this.#word(token)
    if (token.kind === 'sign' && token.text === '(') {
      const inner = this.listOf(() => this.expression())
      this.#demand(')')
      return inner.length === 1 ? inner[0]! : { kind: 'list', items: inner, at: token.at }
    }
    if (token.kind === 'sign' && token.text === '[') {
      const items = this.#take('sign', ']') ? [] : this.listOf(() => this.expression())
      if (items.length > 0) this.#demand(']')
      return { kind: 'list', items, at: token.at }
    }
    this.#next -= 1
    throw this.#wrong('a column, a value or a function')
  }

  #word(token: Token): Expression {
    const upper = token.text.toUpperCase()
    if (this.#take('sign', '(')) return this.#call(token)
    if (upper === 'NULL') return value(null, token.at)
    if (upper === 'TRUE' || upper === 'FALSE') return value(upper === 'TRUE' ? 1 : 0, token.at)
    return this.#dotted(token)
  }

  #call(token: Token): Expression {
    if (this.#take('sign', ')')) return call(token.text, [], token.at)
    const args = this.listOf(() => this.expression())
    if (token.text.toUpperCase() === 'CAST' && this.#take('word', 'AS')) args.push(value(this.#type()))
    this.#demand(')')
    return call(token.text, args, token.at)
  }

  #type(): string {
    const token = this.#token
    if (token.kind !== 'word') throw this.#wrong('a type')
    this.#next += 1
    return token.text
  }

  #dotted(token: Token): Expression {
    let name = token.text
    while (this.#take('sign', '.')) {
      const part = this.#token
      if (part.kind !== 'word' && part.kind !== 'name') throw this.#wrong('a name')
      this.#next += 1
      name += `.${part.text}`
    }
    return column(name, token.at)
  }
}
