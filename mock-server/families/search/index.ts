import type { Fault, Faults } from '../../faults/fault.ts'
import { change, inAnswers, successOf } from '../../faults/rewrite.ts'
import { type Expression, nameOf } from '../../telemetry/query/expression.ts'
import { InvalidQuery } from '../../telemetry/query/invalid-query.ts'
import { type Order, planFilters } from '../../telemetry/query/plan.ts'
import { splitList } from '../../telemetry/query/split-list.ts'
import { parseSql, parseSqlList } from '../../telemetry/query/sql.ts'
import { dialectOf } from '../../telemetry/source-terms.ts'
import { minute } from '../../words/durations.ts'
import { mapErrors, when } from '../../words/maybe-promise.ts'
import { failed, Refusal, refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { BodyOf, Family, Handler, Handlers, Request } from '../family.ts'
import { filtersOf } from '../saved-search/index.ts'

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
  const { body } = request
  const { start, end } = readRange(body, request.now)
  const source = findSource(body, request)
  const columns = readPart('select', () => readColumns(body.select.trim() || defaultColumns(source, request)))
  const orderBy = readPart('orderBy', () => readOrder(body.orderBy?.trim() || defaultOrder(source)))
  const { stack, signal } = request
  const wheres = [{ text: body.where, language: body.whereLanguage }, ...filtersOf(source)]
  const filters = mapErrors(
    () => planFilters(wheres, dialectOf(source, request)),
    // Deployments translate Lucene themselves, and answer a 500 if they cannot.
    isRaw(request) && body.whereLanguage === 'lucene' ? refuseAs('Internal server error') : refuseIn('where'),
  ) as readonly Expression[]
  const expressions = columns.map(({ expression }) => expression)
  const plan = { filters, columns: expressions, orderBy, start, end, limit: body.maxResults, offset: body.offset }
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

function defaultColumns({ defaultTableSelectExpression: text }: Source, request: Request): string {
  if (typeof text === 'string' && text.trim() !== '') return text
  if (isRaw(request)) throw failed('Query execution failed')
  throw new InvalidQuery('Expected the columns to show, because this source has none by default')
}

/** The order that the source sets; empty: newest first. */
const defaultOrder = ({ orderByExpression: text }: Source) => (typeof text === 'string' ? text.trim() : '')

/** Reads items such as `expression` or `expression AS name`, with commas between them. */
const readColumns = (text: string) => parseSqlList(text).map(expression => ({ name: nameOf(expression), expression }))

/** Reads items such as `expression DESC`; brackets may hold several expressions for one direction. */
const readOrder = (text: string): readonly Order[] =>
  splitList(text).flatMap(part => {
    const [, before = part, direction = 'ASC'] = /^(.*\S)\s+(ASC|DESC)$/is.exec(part) ?? []
    const expression = parseSql(before)
    const isDescending = direction.toUpperCase() === 'DESC'
    const all = expression.kind === 'list' ? expression.items : [expression]
    return all.map(one => ({ expression: one, isDescending }))
  })

const readPart = <T>(part: string, read: () => T) => mapErrors(read, refuseIn(part)) as T

/** Whether, by choice, unreadable Lucene and missing default columns get the 500 of deployments, without a reason. */
const isRaw = ({ choice }: Request) => choice('chart/unreadable-where').startsWith('500')

const refuseAs = (message: string) => (error: unknown) => (error instanceof InvalidQuery ? failed(message) : error)

const refuseIn = (part: string) => (error: unknown) =>
  error instanceof InvalidQuery ? refused(`${error.part ?? part}, column ${error.at + 1}: ${error.sentence}`) : error

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
