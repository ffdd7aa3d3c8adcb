import { columnsOfKind, type TelemetryKind, timeColumnOf } from '../query/columns-of-kind.ts'
import type { Expression } from '../query/expression.ts'
import { compileExpression, compileFilters } from './compile-expression.ts'
import { type ExtraColumn, type ExtraColumns, RowStore } from './row-store.ts'
import { isNumeric } from './types.ts'

/** An expression of a source or of a query. `like` is the standard column that it replaces, `as` the type that it must have. */
export interface ExpressionUse {
  readonly expression: Expression
  readonly like?: string | undefined
  readonly as?: 'number' | 'condition'
}

/** With more unknown columns in an expression, all are assumed to be texts, because trying all combinations would be slow. */
const maxUnknown = 3

/** Infers the additional columns of a table from the fields of its source and from the expressions of its queries. */
export function inferColumns(kind: TelemetryKind, uses: readonly ExpressionUse[]): ExtraColumns {
  const known = columnsOfKind[kind]
  const attributesColumn = Object.keys(known).find(name => /^(?:Log|Span)?Attributes$/.test(name))!
  const columns = new Map<string, ExtraColumn>()
  // TimestampTime is derived from Timestamp (`compile-expression.ts`).
  const isUnknown = (name: string) =>
    !(Object.hasOwn(known, name) || name === 'TimestampTime' || columns.has(name) || columns.has(name.split('.')[0]!))
  /** The map of a name, which may be an alias; undefined if it is not a map. */
  const mapOf = (name: string) => {
    const extra = columns.get(name)
    const map = extra && 'like' in extra ? extra.like : name
    return known[map] === 'map' ? map : undefined
  }

  for (const { expression, like } of uses) {
    const [name, key] = columnRefOf(expression) ?? []
    if (name !== undefined && like !== undefined && isUnknown(name))
      columns.set(name, { like: key === undefined ? like : attributesColumn })
  }
  const candidates: readonly ExtraColumn[] = [
    { type: 'text' },
    { type: 'float' },
    ...[attributesColumn, timeColumnOf(kind)].map(like => ({ like })),
  ]
  // Numeric expressions come first: they determine the types of their columns.
  for (const use of uses.toSorted((a, b) => Number(b.as === 'number') - Number(a.as === 'number'))) {
    const names = [...new Set(partsOf(use.expression).flatMap(one => (one.kind === 'column' ? one.name : [])))]
    const unknown = names.filter(isUnknown)
    const valid = combinationsOf(candidates, unknown.length <= maxUnknown ? unknown.length : 0).find(combination => {
      const triedColumns = new Map([
        ...columns,
        ...combination.map((extra, index) => [unknown[index]!, extra] as const),
      ])
      return fits(new RowStore(kind, triedColumns), use)
    })
    for (const [index, name] of unknown.entries()) columns.set(name, valid?.[index] ?? { type: 'text' })
  }

  // Texts for the generated rows of the inferred columns and map keys, so that the filters of the queries match some.
  const contents = new Map<string, ExtraColumns['contents'][number]>()
  const parts = uses.flatMap(({ expression }) => partsOf(expression))
  const literals = parts.flatMap(one => (one.kind === 'call' ? literalsOf(one.args) : []))
  const numericRefs = uses.flatMap(({ expression, as }) =>
    as === 'number' ? partsOf(expression).map(one => JSON.stringify(columnRefOf(one))) : [],
  )
  for (const { expression, like } of [...uses, ...parts.map(expression => ({ expression, like: undefined }))]) {
    const [name = '', key] = columnRefOf(expression, name => !Object.hasOwn(known, name) && !columns.has(name)) ?? []
    const extra = columns.get(name)
    const textColumn = extra && 'type' in extra && extra.type === 'text' ? name : undefined
    const column = key === undefined ? textColumn : mapOf(name)
    const ref = JSON.stringify([column, key])
    if (column === undefined || contents.has(ref)) continue
    const writtenRef = JSON.stringify(columnRefOf(expression))
    const comparedTexts = literals.flatMap(([comparedRef, text]) => (comparedRef === writtenRef ? text : []))
    const sampleTexts = numericRefs.includes(writtenRef)
      ? ['12', '180', '2500']
      : [1, 2, 3].map(number => `${key ?? name}-${number}`)
    const texts = comparedTexts.length > 0 ? comparedTexts : sampleTexts
    contents.set(ref, { column, ...(key !== undefined && { key }), content: like === undefined ? texts : { like } })
  }
  return { columns, contents: [...contents.values()] }
}

/** All lists of `length` candidates, with repetitions. */
const combinationsOf = <Candidate>(
  candidates: readonly Candidate[],
  length: number,
): readonly (readonly Candidate[])[] =>
  length === 0
    ? [[]]
    : combinationsOf(candidates, length - 1).flatMap(shorter => candidates.map(candidate => [...shorter, candidate]))

/** Whether an expression can be computed with the columns of a store, and has the type that it must have. */
function fits(store: RowStore, { expression, as }: ExpressionUse): boolean {
  try {
    if (as === 'condition') compileFilters(store, [expression])
    const { type } = compileExpression(store, expression)
    return as !== 'number' || isNumeric(type)
  } catch {
    return false
  }
}

/** The column that an expression reads, or the key of a map: `map['key']`, or `map.key` if `mayBeMapKey` accepts the name. */
function columnRefOf(
  expression: Expression,
  mayBeMapKey = (_: string) => false,
): readonly [column: string, key?: string] | undefined {
  if (expression.kind === 'alias') return columnRefOf(expression.expression, mayBeMapKey)
  if (expression.kind === 'column') {
    const [, map, key] = (mayBeMapKey(expression.name) && /^([^.]+)\.(.+)$/.exec(expression.name)) || []
    return map === undefined ? [expression.name] : [map, key]
  }
  if (expression.kind !== 'call' || expression.name !== 'arrayElement') return undefined
  const [map, key] = expression.args
  return map?.kind === 'column' && key?.kind === 'literal' ? [map.name, String(key.value)] : undefined
}

/** The texts that a call, such as `equals`, compares with a column or with a key of a map. */
function literalsOf(args: readonly Expression[]): readonly (readonly [ref: string, text: string])[] {
  const [first, ...others] = args
  const ref = first && columnRefOf(first)
  if (!ref) return []
  // Without the wildcards of LIKE.
  return others
    .flatMap(one => (one.kind === 'list' ? one.items : one.kind === 'call' ? one.args : [one]))
    .flatMap(one => (one.kind === 'literal' && typeof one.value === 'string' ? one.value.replace(/%/g, '') : []))
    .flatMap(text => (text === '' ? [] : [[JSON.stringify(ref), text] as const]))
}

/** An expression and all its subexpressions. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return [expression, ...expression.args.flatMap(partsOf)]
    case 'list':
      return [expression, ...expression.items.flatMap(partsOf)]
    case 'alias':
      return [expression, ...partsOf(expression.expression)]
    case 'lambda':
      return partsOf(expression.body).filter(one => one.kind !== 'column' || !expression.params.includes(one.name))
    default:
      return [expression]
  }
}
