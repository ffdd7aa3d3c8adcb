/** An SQL expression. Operators are calls of the database's functions: `a = b` is `equals(a, b)`. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Literal; readonly at: number; readonly isFraction?: boolean }
  | { readonly kind: 'column'; readonly name: string; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly at: number }
  | { readonly kind: 'lambda'; readonly params: readonly string[]; readonly body: Expression; readonly at: number }
  | { readonly kind: 'alias'; readonly name: string; readonly expression: Expression; readonly at: number }

type Literal = string | number | boolean | null

export const column = (name: string, at = 0): Expression => ({ kind: 'column', name, at })
/** A number with a point or an exponent has `isFraction` set, even if its value is an integer. */
export const value = (literal: Literal, at = 0, isFraction = false): Expression =>
  isFraction ? { kind: 'literal', value: literal, at, isFraction } : { kind: 'literal', value: literal, at }
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

/** The name of the result column that the database gives to this expression. */
export function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return expression.name
    case 'literal':
      if (expression.value === null) return 'NULL'
      return typeof expression.value === 'string'
        ? `'${expression.value.replace(/[\\']/g, '\\$&')}'`
        : String(expression.value)
    case 'list':
      return `tuple(${expression.items.map(nameOf).join(', ')})`
    case 'lambda':
      return `lambda(tuple(${expression.params.join(', ')}), ${nameOf(expression.body)})`
    case 'alias':
      return expression.name
    case 'call':
      // An array of constants is a constant.
      if (expression.name === 'array' && expression.args.every(({ kind }) => kind === 'literal'))
        return `[${expression.args.map(nameOf).join(', ')}]`
      return `${expression.name}(${expression.args.map(nameOf).join(', ')})`
  }
}
