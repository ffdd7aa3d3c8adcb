import { columnsOfKind, type TelemetryKind, timeColumnOf } from '../query/columns-of-kind.ts'
import type { Expression } from '../query/expression.ts'
import { compileExpression, compileFilters } from './compile-expression.ts'
import { type ExtraColumn, type ExtraColumns, RowStore } from './row-store.ts'
import { isNumeric } from './types.ts'

/** An expression of a source or of a query. `like` is the column of the kind that it stands for, `as` the type that it must have. */
export interface Use {
  readonly expression: Expression
  readonly like?: string | undefined
  readonly as?: 'number' | 'condition'
}

/** If an expression has more unknown columns, they are assumed to be texts, because trying all combinations would be slow. */
const maxUnknown = 3

/** Infers the additional columns of a table from the fields of its source, and from what its queries need to be computed. */
export function inferColumns(kind: TelemetryKind, uses: readonly Use[]): ExtraColumns {
  const known = columnsOfKind[kind]
  const attributes = Object.keys(known).find(name => /^(?:Log|Span)?Attributes$/.test(name))!
  const columns = new Map<string, ExtraColumn>()
  const isUnknown = (name: string) =>
    !(Object.hasOwn(known, name) || name === 'TimestampTime' || columns.has(name) || columns.has(name.split('.')[0]!))
  /** The map of a name, which may be an alias; undefined if it is not a map. */
  const mapOf = (name: string) => {
    const extra = columns.get(name)
    const map = extra && 'like' in extra ? extra.like : name
    return known[map] === 'map' ? map : undefined
  }

  for (const { expression, like } of uses) {
    const [name, key] = placeOf(expression) ?? []
    if (name !== undefined && like !== undefined && isUnknown(name))
      columns.set(name, { like: key === undefined ? like : attributes })
  }
  const candidates: readonly ExtraColumn[] = [
    { type: 'text' },
    { type: 'float' },
    ...[attributes, timeColumnOf(kind)].map(like => ({ like })),
  ]
  // Numeric expressions come first: they determine the types of their columns.
  for (const use of uses.toSorted((a, b) => Number(b.as === 'number') - Number(a.as === 'number'))) {
    const names = [...new Set(partsOf(use.expression).flatMap(one => (one.kind === 'column' ? one.name : [])))]
    const unknown = names.filter(isUnknown)
    let combinations: (readonly ExtraColumn[])[] = [[]]
    if (unknown.length <= maxUnknown)
      for (const _ of unknown)
        combinations = combinations.flatMap(combination => candidates.map(candidate => [...combination, candidate]))
    const valid = combinations.find(combination => {
      const triedColumns = new Map([
        ...columns,
        ...combination.map((extra, index) => [unknown[index]!, extra] as const),
      ])
      return isReadable(new RowStore(kind, triedColumns), use)
    })
    for (const [index, name] of unknown.entries()) columns.set(name, valid?.[index] ?? { type: 'text' })
  }

  const contents = new Map<string, ExtraColumns['contents'][number]>()
  const parts = uses.flatMap(({ expression }) => partsOf(expression))
  const literals = parts.flatMap(one => (one.kind === 'call' ? literalsOf(one.args) : []))
  const numericPlaces = uses.flatMap(({ expression, as }) =>
    as === 'number' ? partsOf(expression).map(one => JSON.stringify(placeOf(one))) : [],
  )
  for (const { expression, like } of [...uses, ...parts.map(expression => ({ expression, like: undefined }))]) {
    const [name = '', key] = placeOf(expression, name => !Object.hasOwn(known, name) && !columns.has(name)) ?? []
    const extra = columns.get(name)
    const column =
      key !== undefined ? mapOf(name) : extra && 'type' in extra && extra.type === 'text' ? name : undefined
    const place = JSON.stringify([column, key])
    if (column === undefined || contents.has(place)) continue
    const writtenPlace = JSON.stringify(placeOf(expression))
    const comparedTexts = literals.flatMap(([comparedPlace, text]) => (comparedPlace === writtenPlace ? text : []))
    const sampleTexts = numericPlaces.includes(writtenPlace)
      ? ['12', '180', '2500']
      : [1, 2, 3].map(number => `${key ?? name}-${number}`)
    const texts = comparedTexts.length > 0 ? comparedTexts : sampleTexts
    contents.set(place, { column, ...(key !== undefined && { key }), content: like === undefined ? texts : { like } })
  }
  return { columns, contents: [...contents.values()] }
}

/** Whether an expression can be computed with the columns of a store. */
function isReadable(store: RowStore, { expression, as }: Use): boolean {
  try {
    if (as === 'condition') compileFilters(store, [expression])
    const { type } = compileExpression(store, expression)
    return as !== 'number' || isNumeric(type)
  } catch {
    return false
  }
}

/** The column that an expression reads, or the key of a map: `map['key']`, or `map.key` if no column has this name. */
function placeOf(
  expression: Expression,
  isPath = (_: string) => false,
): readonly [column: string, key?: string] | undefined {
  if (expression.kind === 'alias') return placeOf(expression.expression, isPath)
  if (expression.kind === 'column') {
    const [, map, key] = (isPath(expression.name) && /^([^.]+)\.(.+)$/.exec(expression.name)) || []
    return map === undefined ? [expression.name] : [map, key]
  }
  if (expression.kind !== 'call' || expression.name !== 'arrayElement') return undefined
  const [map, key] = expression.args
  return map?.kind === 'column' && key?.kind === 'literal' ? [map.name, String(key.value)] : undefined
}

/** The texts that a call, such as `equals`, compares with a column or with a key of a map. */
function literalsOf(args: readonly Expression[]): readonly (readonly [place: string, text: string])[] {
  const [first, ...others] = args
  const place = first && placeOf(first)
  if (!place) return []
  return others
    .flatMap(one => (one.kind === 'list' ? one.items : one.kind === 'call' ? one.args : [one]))
    .flatMap(one => (one.kind === 'literal' && typeof one.value === 'string' ? one.value.replace(/%/g, '') : []))
    .flatMap(text => (text === '' ? [] : [[JSON.stringify(place), text] as const]))
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
