/** An SQL expression. Operators are calls by the database's own names for them: `a = b` is `equals(a, b)`. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | null; readonly at: number }
  | { readonly kind: 'column'; readonly name: string; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly at: number }

export const column = (name: string, at = 0): Expression => ({ kind: 'column', name, at })
export const value = (of: string | number | null, at = 0): Expression => ({ kind: 'literal', value: of, at })
export const call = (name: string, args: readonly Expression[], at = args[0]?.at ?? 0): Expression => ({
  kind: 'call',
  name,
  args,
  at,
})

/** The name that the database gives to the column of a result that holds this expression. */
export function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return expression.name
    case 'literal':
      if (expression.value === null) return 'NULL'
      return typeof expression.value === 'number'
        ? String(expression.value)
        : `'${expression.value.replace(/[\\']/g, '\\$&')}'`
    case 'list':
      return `tuple(${expression.items.map(nameOf).join(', ')})`
    case 'call':
      return `${expression.name}(${expression.args.map(nameOf).join(', ')})`
  }
}
