/** An SQL expression. Operators are calls of the database's functions: `a = b` is `equals(a, b)`. */
export type Expression =
  | { readonly kind: 'query'; readonly query: Union; readonly at: number }
  | { readonly kind: 'given'; readonly values: GivenValues; readonly name: string; readonly at: number }
  | { readonly kind: 'literal'; readonly value: Literal; readonly at: number; readonly isFraction?: boolean }
  | { readonly kind: 'column'; readonly name: string; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly at: number }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Expression[]
      readonly at: number
      /** The parameters of an aggregate, such as the level of `quantile(0.5)(Duration)`. */
      readonly params?: readonly Expression[]
    }
  | { readonly kind: 'lambda'; readonly params: readonly string[]; readonly body: Expression; readonly at: number }
  | { readonly kind: 'alias'; readonly name: string; readonly expression: Expression; readonly at: number }

type Literal = string | number | boolean | null

/** The rows of one SELECT, or of several one after the other. */
export interface Union {
  readonly selects: readonly Select[]
  readonly isDistinct: boolean
  readonly at: number
}

/** Values that are sent with a statement are columns with names such as `{startDateMilliseconds}`. */
export interface Select {
  /** Expressions of WITH, which have names. */
  readonly aliases: readonly Expression[]
  /** Queries of WITH by name. */
  readonly queries: readonly (readonly [name: string, query: Union])[]
  readonly isDistinct: boolean
  readonly columns: readonly (Expression | Star)[]
  /** Without it, there is one row without columns. */
  readonly from?: { readonly name?: TableName; readonly query?: Union; readonly alias?: string }
  readonly where: readonly Expression[]
  readonly groupBy?: readonly Expression[] | 'all'
  readonly having?: Expression
  readonly orderBy: readonly Order[]
  /** The limit for each combination of values of some columns. */
  readonly limitBy?: LimitBy
  readonly limit?: number
  readonly offset: number
}

export interface LimitBy {
  readonly limit: number
  readonly offset: number
  readonly columns: readonly Expression[]
}

export interface TableName {
  readonly databaseName?: string
  readonly tableName: string
  readonly at: number
}

/** All columns of the table but some. */
export type Star = Column & { readonly except: readonly string[] }

export const isStar = (one: Expression | Star): one is Star => 'except' in one

export interface Order {
  readonly expression: Expression
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}

/** Values that an engine computed in place of a part of an expression, by row. */
export interface GivenValues {
  readonly type: string
  readonly constant: boolean
  at(row: number): unknown
}

export const column = (name: string, at = 0): Expression => ({ kind: 'column', name, at })
/** A number with a point or an exponent has `isFraction` set, even if its value is an integer. */
export const value = (literal: Literal, at = 0, isFraction = false): Expression =>
  isFraction ? { kind: 'literal', value: literal, at, isFraction } : { kind: 'literal', value: literal, at }
export type Column = Extract<Expression, { kind: 'column' }>
export type Call = Extract<Expression, { kind: 'call' }>

export const call = (name: string, args: readonly Expression[], at = args[0]?.at ?? 0): Call => ({
  kind: 'call',
  name,
  args,
  at,
})
export const lambda = (params: readonly string[], body: Expression, at: number): Expression => ({
  kind: 'lambda',
  params,
  body,
  at,
})
export const alias = (name: string, expression: Expression): Expression => ({
  kind: 'alias',
  name,
  expression,
  at: expression.at,
})

/** The expressions that an expression consists of. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return expression.args
    case 'list':
      return expression.items
    case 'lambda':
      return [expression.body]
    case 'alias':
      return [expression.expression]
    default:
      return []
  }
}

/** A copy of an expression, in which `replace` may put others in place of its parts. Parameters of lambdas are none. */
export function replaceParts(
  expression: Expression,
  replace: (part: Expression) => Expression | undefined,
): Expression {
  const replaced = replace(expression)
  if (replaced) return replaced
  switch (expression.kind) {
    case 'call':
      return { ...expression, args: expression.args.map(arg => replaceParts(arg, replace)) }
    case 'list':
      return { ...expression, items: expression.items.map(item => replaceParts(item, replace)) }
    case 'lambda': {
      const { params } = expression
      const replaceFree = (one: Expression) => (one.kind === 'column' && params.includes(one.name) ? one : replace(one))
      return { ...expression, body: replaceParts(expression.body, replaceFree) }
    }
    case 'alias':
      return { ...expression, expression: replaceParts(expression.expression, replace) }
    default:
      return expression
  }
}

/** A copy of an expression, in which `replace` may put other expressions in place of columns. */
export const replaceColumns = (expression: Expression, replace: (column: Column) => Expression): Expression =>
  replaceParts(expression, one => (one.kind === 'column' ? replace(one) : undefined))

/** The first column that expressions refer to. */
export function findColumn(expressions: readonly Expression[]): Column | undefined {
  for (const expression of expressions) {
    const found = expression.kind === 'column' ? expression : findColumn(partsOf(expression))
    if (found) return found
  }
  return undefined
}

/** The names of the columns that expressions refer to, and of the parameters of lambdas. */
export const columnsIn = (expressions: readonly Expression[]): readonly string[] =>
  expressions.flatMap(one => (one.kind === 'column' ? [one.name] : columnsIn(partsOf(one))))

/** The name of the result column that the database gives to this expression. */
export function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return expression.name
    case 'literal':
      return nameOfLiteral(expression)
    case 'list':
      return `(${expression.items.map(nameOf).join(', ')})`
    case 'lambda':
      return `lambda(tuple(${expression.params.join(', ')}), ${nameOf(expression.body)})`
    case 'alias':
      return expression.name
    case 'call':
      return nameOfCall(expression)
    case 'given':
      return expression.name
    case 'query':
      return '_subquery'
  }
}

function nameOfLiteral({ value, isFraction }: Extract<Expression, { kind: 'literal' }>): string {
  if (typeof value === 'string') return `'${value.replace(/[\\'\n\t\r\0\b\f]/g, one => escapes[one] ?? `\\${one}`)}'`
  if (typeof value !== 'number' || !isFraction) return value === null ? 'NULL' : String(value)
  const digits = String(value).toLowerCase().replace('e+', 'e').replace('infinity', 'inf')
  return /^-?\d+$/.test(digits) ? `${digits}.` : digits
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
}

function nameOfCall({ name, args, params }: Call): string {
  const [first, set] = args
  // A set of one value is that value.
  const only = /^(?:not)?in$/i.test(name) && set?.kind === 'list' && set.items.length === 1 ? set.items[0] : undefined
  if (only) return `${name}(${nameOf(first!)}, ${nameOf(only)})`
  const names = args.map(nameOf).join(', ')
  if (name === 'array') return `[${names}]`
  const level = params ? `(${params.map(nameOf).join(', ')})` : ''
  return name === 'tuple' ? `(${names})` : `${nameAfterParsing[name.toLowerCase()] ?? name}${level}(${names})`
}

/** Functions for which the grammar of the database has another name. */
const nameAfterParsing: Readonly<Record<string, string>> = {
  trim: 'trimBoth',
  ltrim: 'trimLeft',
  rtrim: 'trimRight',
  date_diff: 'dateDiff',
  datediff: 'dateDiff',
  timestampdiff: 'dateDiff',
}

/** Expressions by the names that a list of columns gives them. */
export type Aliases = ReadonlyMap<string, Expression>

export const aliasesOf = (columns: readonly Expression[]): Aliases =>
  new Map(columns.flatMap(one => (one.kind === 'alias' ? [[one.name, one.expression] as const] : [])))

/** Replaces the names in an expression by what they stand for. */
export const resolveAliases = (expression: Expression, aliases: Aliases | undefined): Expression =>
  aliases?.size ? replaceColumns(expression, column => aliases.get(column.name) ?? column) : expression
