import { type ColumnType, columnsOfKind, columnTypes, type TelemetryKind } from './columns-of-kind.ts'
import { call, column, type Expression, lambda, nameOf, value } from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import type { Clauses, Lucene, Operator, Range, Term } from './lucene.ts'
import { parseSql } from './sql.ts'

/** The source and options for which the search dialect is translated to SQL. */
export interface Dialect {
  readonly kind: TelemetryKind
  readonly edition: '2.24' | '2.36'
  /** The expression that bare words search; undefined refuses them. */
  readonly implicitColumn?: string
  /** The expressions of short names such as `level`; undefined if short names are not fields. */
  readonly shortNames?: Readonly<Record<string, string | undefined>>
}

interface Field {
  readonly column: Expression
  /** Strings match if they contain the value, numbers if they equal it. The type of a raw expression is unknown. */
  readonly type: 'text' | 'number' | 'array' | 'unknown'
  /** The part of an element of an array, named `el`, that is compared; absent for a map without a key. */
  readonly element?: Expression
}

const typeOfLayout: Readonly<Record<string, Field['type']>> = {
  text: 'text',
  list: 'array',
  numbers: 'array',
  times: 'array',
}

/** The condition of a filter, or of a part within `group:(…)`; undefined if it has no terms. */
export function luceneToSql(node: Lucene, dialect: Dialect, group?: string): Expression | undefined {
  if (node.kind !== 'clauses') return translateLeaf(node, dialect, group)
  const { name, isNegated } = parseSign(node.field)
  const condition = translateClauses(node, dialect, node.parenthesized && name ? name : group)
  return condition && isNegated ? call('not', [condition], node.at) : condition
}

/** Joins the clauses of one level: AND binds tighter than OR. */
function translateClauses({ parts, at }: Clauses, dialect: Dialect, group?: string): Expression | undefined {
  const first = parts[0]?.operator
  if (first && first !== 'NOT')
    throw new InvalidQuery(`Expected a term before "${first}"`, at, undefined, errorOfFirst(first))
  /** The alternatives, joined by OR. Each is a list of conditions, joined by AND. */
  const alternatives: Expression[][] = [[]]
  for (const { operator, node } of parts) {
    if (opensAlternative(operator)) alternatives.push([])
    const part = luceneToSql(node, dialect, group)
    if (part) alternatives.at(-1)!.push(operator?.endsWith('NOT') ? call('not', [part], node.at) : part)
  }
  const ors = alternatives.filter(ands => ands.length > 0).map(ands => joinBy('and', ands))
  return ors.length === 0 ? undefined : joinBy('or', ors)
}

/** What the database finds wrong with a condition that begins with an operator: it takes `AND (…)` for a call. */
const errorOfFirst = (operator: Operator) =>
  /^(?:AND|OR)$/.test(operator) ? 'UNKNOWN_FUNCTION' : /NOT/.test(operator) ? 'NOT' : 'SYNTAX_ERROR'

const opensAlternative = (operator?: Operator) => operator === 'OR' || operator === 'OR NOT' || operator === '||'
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const joinBy = (name: 'and' | 'or', parts: readonly Expression[]) =>
  parts.length === 1 ? parts[0]! : call(name, parts)

/** A minus before a field negates its condition; a plus makes an expression of its name. */
function parseSign(field?: string): { name?: string; isNegated: boolean } {
  const isNegated = field?.startsWith('-') ?? false
  return { name: isNegated ? field!.slice(1) : field, isNegated }
}

/** Unescapes quotes, colons and backslashes; a backslash before another character is searched for literally. */
const unescapeTerm = (text: string) => text.replace(/\\(["\\:])/g, '$1')

function translateLeaf(leaf: Term | Range, dialect: Dialect, group?: string): Expression {
  const { name, isNegated: isFieldNegated } = parseSign(leaf.field)
  const isBare = name === undefined
  const field = isBare ? implicitField(dialect, group, leaf.at) : fieldOf(dialect, unescapeTerm(name), leaf.at)
  if (leaf.kind === 'range') return translateRange(leaf, field, isFieldNegated, dialect)

  const isMinus = leaf.prefix === '-'
  const text = (isMinus && !isBare ? '-' : '') + unescapeTerm(leaf.term)
  const isNegated = isFieldNegated || (isBare && isMinus)
  const withSign = (condition: Expression) => (isNegated ? call('not', [condition], leaf.at) : condition)
  if (field.type === 'array')
    return withSign(translateInArray(field, text, { ...leaf, quoted: leaf.quoted && !isBare }))
  /** Bare words within `group:(…)` search that field. */
  const isFreeText = isBare && group === undefined
  const isNewEdition = dialect.edition === '2.36'
  const search = (text: string, before = '%', after = '%', hasWildcard = false) => {
    if (field.type === 'number') return withSign(translateEquality(field, text, leaf.at))
    const pattern = before + (isNewEdition || isFreeText ? escapeLike(text) : text) + after
    return withSign(
      hasWildcard && isBare && (isNewEdition || isFreeText)
        ? likeLower(field.column, pattern)
        : call('ilike', [field.column, value(pattern)]),
    )
  }
  /** The condition of an empty text, even with a minus before it. */
  const matchesAll = value(1)
  if (leaf.quoted && !isBare) return withSign(translateEquality(field, text, leaf.at))
  if (leaf.quoted && text === '') return matchesAll
  if (leaf.quoted) return isFreeText ? withSign(searchTokens(field.column, text, isNewEdition)) : search(text)
  if (text === '*') return withSign(call('notEmpty', [field.column], leaf.at))
  const [, comparison, bound] = /^(>=|<=|>|<)([\s\S]*)$/.exec(text) ?? []
  if (comparison) return withSign(call(comparisons[comparison]!, [field.column, value(bound!)], leaf.at))
  const startsWithWildcard = text.startsWith('*')
  const endsWithWildcard = text.length > (startsWithWildcard ? 1 : 0) && text.endsWith('*')
  const searchText = text.slice(startsWithWildcard ? 1 : 0, endsWithWildcard ? -1 : undefined)
  // `foo*` matches at the start of the text only as a bare word; after a field it matches anywhere.
  const isAnchored = isBare && (startsWithWildcard || endsWithWildcard)
  if (searchText === '' && field.type !== 'number') return matchesAll
  if (isFreeText && !isAnchored) return withSign(searchTokens(field.column, searchText, isNewEdition))
  const before = isAnchored && !startsWithWildcard ? '' : '%'
  const after = isAnchored && !endsWithWildcard ? '' : '%'
  return search(searchText, before, after, startsWithWildcard || endsWithWildcard)
}

/** Letter case is ignored in ASCII only, as in free text of deployments; `ilike` ignores that of all letters. */
const likeLower = (column: Expression, pattern: string): Expression =>
  call('like', [call('lower', [column]), call('lower', [value(pattern)])])

/**
 * Finds texts that have all tokens of a free text and, if it is more than one token, the text itself. Tokens of 2.24 have
 * the same letter case.
 */
function searchTokens(column: Expression, text: string, ignoresCase: boolean): Expression {
  const fold = (part: Expression) => (ignoresCase ? call('lower', [part]) : part)
  const hasWord = (word: string) => call('hasToken', [fold(column), fold(value(word))])
  const words = text.split(separators).filter(word => word !== '')
  return joinBy('and', [
    ...words.map(hasWord),
    ...(words[0] === text ? [] : [likeLower(column, `%${escapeLike(text)}%`)]),
  ])
}

/** ASCII characters other than letters and digits; all others are parts of tokens. */
const separators = /[\0-/:-@[-`{-\x7f]+/

const comparisons: Readonly<Record<string, string>> = {
  '>': 'greater',
  '>=': 'greaterOrEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
}

/** An array matches if one of its elements does. */
function translateInArray({ column: list, element }: Field, text: string, { quoted, at }: Term): Expression {
  if (!quoted && /^[<>]/.test(text)) throw notOfArrays(`${/^[<>]=?/.exec(text)![0]} comparison`, at)
  const anyElement = (condition: Expression) => call('arrayExists', [lambda(['el'], condition, at), list], at)
  const isWhole = element?.kind === 'column'
  if (!quoted && text === '*')
    return element && !isWhole ? anyElement(call('notEmpty', [element])) : call('notEmpty', [list])
  if (!element) {
    const name = nameOf(list)
    const raw = `Map key expression is required for searching column ${name}. Try '${name}.key:value'`
    throw new InvalidQuery(`Expected a key after "${name}.", because its elements are maps`, at, raw)
  }
  const asText = call('toString', [element])
  if (quoted) return anyElement(call('equals', [asText, value(text)]))
  return anyElement(call('ilike', [asText, value(`%${escapeLike(text.replace(/^\*|\*$/g, ''))}%`)]))
}

const notOfArrays = (what: string, at: number) =>
  new InvalidQuery(
    `Expected a text to find in an array, not a ${what}`,
    at,
    `${what} is not supported for Array-type fields`,
  )

function translateEquality(field: Field, text: string, at: number): Expression {
  const operand = field.type === 'number' ? call('CAST', [value(text), value('Float64')], at) : value(text)
  return call('equals', [field.column, operand], at)
}

function translateRange(range: Range, field: Field, isNegated: boolean, dialect: Dialect): Expression {
  if (field.type === 'array') throw notOfArrays('range comparison', range.at)
  const isNewEdition = dialect.edition === '2.36'
  const bound = (text: string) => {
    // Edition 2.24 reads the leading number of a text.
    const number = isNewEdition ? Number(text) : Number.parseFloat(text)
    return value(Number.isNaN(number) ? text : number, range.at)
  }
  // Edition 2.24 includes both bounds with either kind of bracket, and treats `*` as a string.
  const limit = (name: string, text: string, isIncluded: boolean) => {
    if (isNewEdition && text === '*') return []
    return call(isIncluded || !isNewEdition ? `${name}OrEquals` : name, [field.column, bound(text)], range.at)
  }
  const parts = [limit('greater', range.low, range.lowIncluded), limit('less', range.high, range.highIncluded)].flat()
  const condition = parts.length === 0 ? call('notEmpty', [field.column], range.at) : joinBy('and', parts)
  return isNegated ? call('not', [condition], range.at) : condition
}

function implicitField(dialect: Dialect, group: string | undefined, at: number): Field {
  if (group !== undefined) return fieldOf(dialect, unescapeTerm(group), at)
  if (dialect.implicitColumn === undefined) {
    const sentence = 'Expected a field before the value: bare text is not searched here'
    throw new InvalidQuery(sentence, at, 'Can not search bare text without an implicit column set.')
  }
  const names = dialect.implicitColumn.split(',')
  const sql = names.length === 1 ? dialect.implicitColumn : `concatWithSeparator(';', ${dialect.implicitColumn})`
  return { column: parseSql(sql), type: 'text' }
}

/** Resolves a name as a column, with a map key or a path into its JSON after a dot; else as a short name; else as raw SQL. */
function fieldOf({ kind, shortNames }: Dialect, name: string, at: number): Field {
  const columns: Readonly<Record<string, ColumnType>> = { ...columnsOfKind[kind], TimestampTime: 'time' }
  const parts = name.split('.')
  const columnPartCount = parts.findIndex((_, index) => Object.hasOwn(columns, parts.slice(0, index + 1).join('.'))) + 1
  const expression = shortNames && Object.hasOwn(shortNames, name) ? shortNames[name] : undefined
  if (columnPartCount === 0 && expression !== undefined) return { column: parseSql(expression), type: 'text' }
  if (columnPartCount === 0) return { column: rawColumn(name, at), type: 'unknown' }
  const columnName = parts.slice(0, columnPartCount).join('.')
  const type = columns[columnName]!
  const path = parts.slice(columnPartCount)
  if (path.length === 0) {
    if (type === 'map') {
      const sentence = `Expected a key after "${name}.", because it is a map`
      throw new InvalidQuery(sentence, at, 'Map or Tuple types cannot be searched with Lucene.')
    }
    const element = type === 'maps' ? undefined : column('el')
    return { column: column(name, at), type: typeOfLayout[columnTypes[type].layout] ?? 'number', element }
  }
  if (type === 'maps') {
    const element = call('arrayElement', [column('el'), value(path.join('.'))])
    return { column: column(columnName, at), type: 'array', element }
  }
  if (type === 'map')
    return { column: call('arrayElement', [column(columnName, at), value(path.join('.'))]), type: 'text' }
  if (type === 'text') {
    return {
      column: call('JSONExtractString', [column(columnName, at), ...path.map(part => value(part))]),
      type: 'text',
    }
  }
  throw new InvalidQuery(
    `Expected nothing after "${columnName}", which is neither a map nor a text`,
    at,
    'Unsupported column type for prefix match',
  )
}

function rawColumn(name: string, at: number): Expression {
  try {
    const raw = parseSql(name)
    return raw.kind === 'column' ? column(raw.name, at) : raw
  } catch (error) {
    throw error instanceof InvalidQuery ? error.with({ at: at + error.at }) : error
  }
}
