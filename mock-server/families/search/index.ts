import type { Fault, Faults } from '../../faults/fault.ts'
import { change, inAnswers, successOf } from '../../faults/rewrite.ts'
import {
  call,
  column,
  type Expression,
  nameOf,
  type Order,
  replaceColumns,
  value,
} from '../../telemetry/query/expression.ts'
import { InvalidQuery } from '../../telemetry/query/invalid-query.ts'
import { planFilters, type Range } from '../../telemetry/query/plan.ts'
import { isDistinct, parseSqlColumns, parseSqlOrders } from '../../telemetry/query/sql.ts'
import { dialectOf, filtersOf } from '../../telemetry/source-terms.ts'
import { minute } from '../../words/durations.ts'
import { mapErrors, when } from '../../words/maybe-promise.ts'
import { failed, Refusal, refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { BodyOf, Family, Handler, Handlers, Request } from '../family.ts'

/** Matches a further statement, or a query inside an expression. */
const statementPattern = /;|(?<!\w)SELECT\s/i

export const bodies: Family['bodies'] = {
  searchQuery: {
    sentences: { 'sourceId min': 'sourceId is required', 'sourceId pattern': 'sourceId must be a valid ObjectId' },
    checks: {
      select: (text: string, reportIssue) => {
        if (!statementPattern.test(text)) return
        reportIssue(
          'select must not contain semicolons or SELECT subqueries; use column references, map lookups, or scalar functions only',
        )
      },
    },
  },
}

type SearchBody = BodyOf<'search.query'>

const defaultRange = 15 * minute

/** Answers the rows that a filter finds, and their number. */
const search: Handler<SearchBody> = request => {
  const { body, stack, signal } = request
  const range = readRange(body, request.now)
  const source = findSource(body, request)
  // Deployments have no table to search for a metric source.
  if (source.kind === 'metric' && isRaw(request)) throw failed(failure)
  const refuseIn = (part: Part) => refuseQuery(request, part)
  const wheres = [{ text: body.where, language: body.whereLanguage }, ...filtersOf(source)]
  // Deployments translate Lucene before they send anything to the database.
  const planned = mapErrors(
    () => planFilters(wheres, dialectOfSearch(source, request)),
    refuseIn(body.whereLanguage === 'lucene' ? 'lucene' : 'where'),
  ) as readonly Expression[]
  const columns = mapErrors(() => readColumns(body.select, source, request), refuseIn('select')) as readonly Column[]
  const resolve = mapErrors(() => createResolver(columns), refuseIn('select')) as Resolve
  const orderBy = mapErrors(
    () => readOrder(body.orderBy?.trim() || defaultOrder(source), columns).map(order => resolveOrder(order, resolve)),
    refuseIn('orderBy'),
  ) as readonly Order[]
  // Deployments join it to the condition on time, so that any number is a condition.
  const filters = planned.map(filter => call('and', [value(1), resolve(filter)]))
  // The database reads the range of time in this alias, too.
  const filterByAlias = columns.some(({ name, isAlias }) => isAlias && name === source.timestampValueExpression)
    ? rangeOf(source.timestampValueExpression, range).map(condition => resolve(condition))
    : []
  const expressions = columns.map(({ name, expression, isAlias }) => resolve(expression, isAlias ? name : undefined))
  const all = [...expressions, ...filters, ...orderBy.map(({ expression }) => expression)]
  if (isRaw(request)) mapErrors(() => refuseSeconds(all, source), refuseIn('query'))
  const page = { limit: body.maxResults, offset: body.offset, isDistinct: isDistinct(body.select) }
  const plan = { ...range, ...page, filters: [...filters, ...filterByAlias], columns: expressions, orderBy }
  const rows = mapErrors(() => stack.telemetry.search(source, plan, { signal }), refuseIn('query'))
  return when(rows, rows => {
    const data = rows.map(row => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])))
    return { kind: 'bare', json: JSON.stringify({ data, rows: data.length }) }
  })
}

export const handlers = { 'search.query': search } as const satisfies Handlers

function readRange({ startTime, endTime }: SearchBody, now: number) {
  const end = endTime ? Date.parse(endTime) : now
  const start = startTime ? Date.parse(startTime) : end - defaultRange
  if (Number.isNaN(start) || Number.isNaN(end)) {
    throw refused('Invalid startTime or endTime: must be valid ISO 8601 strings')
  }
  if (start >= end) throw refused('endTime must be greater than startTime')
  return { start, end }
}

function findSource({ sourceId }: SearchBody, { stack }: Request): Source {
  const source = stack.sources.get(sourceId.toLowerCase())
  if (!source) throw new Refusal('unknownId', `Source not found: ${sourceId}`)
  if (stack.connections.get(source.connection)) return source
  throw new Refusal('unknownId', `Connection not found for source: ${sourceId}`)
}

const rangeOf = (name: string, { start, end }: Range): readonly Expression[] => {
  const moment = (time: number) => call('fromUnixTimestamp64Milli', [value(time)])
  return [call('greaterOrEquals', [column(name), moment(start)]), call('lessOrEquals', [column(name), moment(end)])]
}

/** A column of the answer. */
interface Column {
  readonly name: string
  readonly expression: Expression
  readonly isAlias?: boolean
}

/** The table of logs of the vendor's present collector has no column of whole seconds; older tables have one. */
function refuseSeconds(expressions: readonly Expression[], source: Source): void {
  const seconds = 'TimestampTime'
  if (source.kind !== 'log' || Object.values(source).includes(seconds)) return
  for (const one of expressions)
    replaceColumns(one, ({ name, at }) => {
      if (name !== seconds) return column(name, at)
      const raw = `Unknown expression identifier \`${name}\``
      throw new InvalidQuery(`Expected a column of the table, but "${name}" is none`, at, raw, 'UNKNOWN_IDENTIFIER')
    })
}

/** Reads items such as `expression`, `expression AS name` or `*`. The database names expressions. */
function readColumns(select: string, source: Source, request: Request): readonly Column[] {
  const all = request.stack.telemetry.columns(source)
  const withoutTable = (name: string) => removeTable(name, source)
  return parseSqlColumns(chooseColumns(select, source, request)).flatMap((expression): readonly Column[] => {
    if (expression.kind === 'alias') return [{ ...expression, isAlias: true }]
    if ('except' in expression) {
      const names = all.filter(name => !expression.except.includes(name))
      return names.map(name => ({ name, expression: column(name, expression.at) }))
    }
    const named = replaceColumns(expression, one => column(withoutTable(one.name), one.at))
    return [{ name: nameOf(named), expression }]
  })
}

/** The columns to show, those of the source if none are given. Deployments do not check them for a blank. */
function chooseColumns(select: string, { defaultTableSelectExpression: text }: Source, request: Request): string {
  if (isRaw(request) ? select : select.trim()) return select
  if (typeof text === 'string' && text.trim() !== '') return text
  if (isRaw(request)) return ''
  throw new InvalidQuery('Expected the columns to show, because this source has none by default')
}

/** Removes `table.` or `database.table.` from the start of a name. */
const removeTable = (name: string, { from: { databaseName, tableName } }: Source) =>
  [`${databaseName}.${tableName}.`, `${tableName}.`].reduce(
    (rest, prefix) => (tableName && rest.startsWith(prefix) ? rest.slice(prefix.length) : rest),
    name,
  )

/** The order that the source sets; empty: newest first. */
const defaultOrder = ({ orderByExpression: text }: Source) => (typeof text === 'string' ? text.trim() : '')

/** Reads items such as `expression DESC`; brackets may hold several expressions for one direction, and a number is a place. */
const readOrder = (text: string, columns: readonly Column[]): readonly Order[] =>
  text === ''
    ? []
    : parseSqlOrders(text).flatMap(order => {
        const { expression } = order
        const all = expression.kind === 'list' ? expression.items : [columnAt(expression, columns)]
        return all.map(one => ({ ...order, expression: one }))
      })

/** The column at a place, which counts from 1, or backwards from -1. */
function columnAt(expression: Expression, columns: readonly Column[]): Expression {
  const place = expression.kind === 'literal' && !expression.isFraction ? expression.value : undefined
  if (typeof place !== 'number') return expression
  const found = place === 0 ? undefined : columns.at(place > 0 ? place - 1 : place)
  if (found) return found.isAlias ? column(found.name, expression.at) : found.expression
  const raw = `Positional argument number ${place} is out of bounds. Expected in range [1, ${columns.length}]`
  throw new InvalidQuery(`Expected a place from 1 to ${columns.length}`, expression.at, raw, 'BAD_ARGUMENTS')
}

/** Replaces the names of columns by what they are the alias of. An alias that refers to itself means the column. */
type Resolve = (expression: Expression, resolving?: string) => Expression

function createResolver(columns: readonly Column[]): Resolve {
  const aliases = new Map<string, Expression>()
  for (const { name, expression, isAlias } of columns) {
    if (!isAlias) continue
    const other = aliases.get(name)
    if (other && nameOf(other) !== nameOf(expression)) {
      const raw = `Multiple expressions ${nameOf(expression)} AS ${name} and ${nameOf(other)} AS ${name} for alias ${name}`
      throw new InvalidQuery(`Expected one expression for "${name}"`, expression.at, raw)
    }
    aliases.set(name, expression)
  }
  const resolve = (expression: Expression, resolving: readonly string[]): Expression =>
    replaceColumns(expression, one => {
      const target = resolving.includes(one.name) ? undefined : aliases.get(one.name)
      return target ? resolve(target, [...resolving, one.name]) : one
    })
  if (aliases.size === 0) return expression => expression
  return (expression, resolving) => resolve(expression, resolving === undefined ? [] : [resolving])
}

const resolveOrder = (order: Order, resolve: Resolve): Order => ({ ...order, expression: resolve(order.expression) })

/** Deployments search free text only in sources of logs and traces, which have an implicit column. */
function dialectOfSearch(source: Source, request: Request) {
  const hasImplicitColumn = source.kind === 'log' || source.kind === 'trace'
  return dialectOf(source, request, hasImplicitColumn || !isRaw(request))
}

type Part = 'select' | 'orderBy' | 'where' | 'lucene' | 'query'

/** Whether, by choice, errors are refused as deployments do: with the name of the database's error, or without a reason. */
const isRaw = ({ choice }: Request) => choice('chart/unreadable-where').startsWith('500')

/** The errors of the database that deployments show, with status 400. All others are a failure. */
const shownErrors: ReadonlySet<string> = new Set([
  'SYNTAX_ERROR',
  'UNKNOWN_IDENTIFIER',
  'UNKNOWN_TABLE',
  'UNKNOWN_FUNCTION',
  'UNKNOWN_AGGREGATE_FUNCTION',
  'UNKNOWN_TYPE',
  'BAD_ARGUMENTS',
  'CANNOT_CONVERT_TYPE',
  'THERE_IS_NO_COLUMN',
  'NO_COMMON_TYPE',
  'ILLEGAL_TYPE_OF_ARGUMENT',
])

const failure = 'Query execution failed'

const refuseQuery = (request: Request, part: Part) => (error: unknown) => {
  if (!(error instanceof InvalidQuery)) return error
  if (isRaw(request)) return refuseAsDeployments(request.body as SearchBody, part, error)
  return refused(`${error.part ?? (part === 'lucene' ? 'where' : part)}, column ${error.at + 1}: ${error.sentence}`)
}

function refuseAsDeployments(body: SearchBody, part: Part, { code: found, raw, at, sentence }: InvalidQuery): Refusal {
  // A second LIMIT or FROM is read, and fails at what follows it.
  const isRead = part === 'orderBy' ? /^(?:LIMIT|OFFSET)$/ : part === 'select' ? /^FROM$/ : undefined
  const code = isRead?.test(found ?? '') ? 'SYNTAX_ERROR' : found

  // Deployments translate Lucene themselves, and answer a failure of their own if they cannot.
  if (part === 'lucene' && code === undefined) return failed('Internal server error')
  const isShown = code !== undefined && shownErrors.has(code) && !isMisnamed(body, part, code, at, sentence)
  return isShown ? refused(`${code}: ${raw}`) : failed(failure)
}

/**
 * Whether the client of deployments takes another word for the name of the error: the first one in brackets that has three
 * capitals in a row. A condition that ends too early fails at the ORDER that follows it, and other errors quote the query.
 */
function isMisnamed({ where, select, orderBy }: SearchBody, part: Part, code: string, at: number, sentence: string) {
  if (code !== 'SYNTAX_ERROR') {
    return [select, where, orderBy].some(text => /\w\((?=[A-Z0-9_]*[A-Z]{3})[A-Z0-9_]+\)/.test(text ?? ''))
  }
  const hasOpenBracket = (where.match(/[([]/g)?.length ?? 0) > (where.match(/[)\]]/g)?.length ?? 0)
  const lacksOperand =
    at >= where.trimEnd().length &&
    (/^Expected a (?:column, a value or a function|name)/.test(sentence) || /\sBETWEEN\s+\S+\s*$/i.test(where))
  return part === 'where' && lacksOperand && !hasOpenBracket
}

/** Changes the rows of an answer, and their number accordingly. */
const inRows =
  (how: (rows: readonly unknown[], asked: unknown) => readonly unknown[]): (() => Fault) =>
  () =>
  async (call, next, context) => {
    const answer = await next(call)
    if (!successOf('search.query')(answer, context)) return answer
    return change(answer, json => {
      const data = Array.isArray(json.data) ? how(json.data, JSON.parse(call.body).maxResults) : []
      return { ...json, data, rows: data.length }
    })
  }

export const faults = {
  'search/rows-are-counted': inAnswers(successOf('search.query'), answer =>
    change(answer, json => ({ ...json, rows: Number(json.rows) + 1 })),
  ),
  'search/gives-no-more-than-asked': inRows((rows, asked) => (rows.length === asked ? [...rows, ...rows] : rows)),
  'search/agrees-with-chart': inRows(rows => rows.slice(1)),
} as const satisfies Faults
