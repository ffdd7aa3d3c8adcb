import type { Edition } from '../../../fixtures/contract/index.ts'
import { resolveAliases } from '../../telemetry/query/expression.ts'
import { planFilters } from '../../telemetry/query/plan.ts'
import { parseSqlColumns, parseSqlOrders } from '../../telemetry/query/sql.ts'
import { dialectOf, kindOf } from '../../telemetry/source-terms.ts'
import { type MaybePromise, when } from '../../words/maybe-promise.ts'
import type { Source } from '../../words/resources.ts'
import type { Stack } from '../stack/stack.ts'
import { aliasesOfSearch, columnsOfSearch, type WatchTarget } from './watched.ts'

const maxRows = 5
const maxLineLength = 500
const maxLength = 2500

/**
 * Rows that a saved search finds in a window, and at its very end, as CSV; none if they cannot be read. Its filters do not
 * apply to them.
 */
export function readSamples(...args: Parameters<typeof searchSamples>): MaybePromise<string> {
  try {
    const samples = searchSamples(...args)
    return samples instanceof Promise ? samples.catch(() => '') : samples
  } catch {
    return ''
  }
}

function searchSamples(
  { savedSearch, series }: Extract<WatchTarget, { kind: 'search' }>,
  { start, end }: { readonly start: number; readonly end: number },
  { stack, edition }: { readonly stack: Stack; readonly edition: Edition },
): MaybePromise<string> {
  const { source } = series
  const { where, whereLanguage, orderBy = '' } = savedSearch
  const aliases = aliasesOfSearch(savedSearch, source)
  const dialect = dialectOf(source, { edition, choice: () => undefined })
  const rows = stack.telemetry.search(source, {
    filters: planFilters([{ text: where, language: whereLanguage }], dialect, aliases),
    columns: parseSqlColumns(columnsOfSearch(savedSearch, source) || source.timestampValueExpression || 'Timestamp'),
    orderBy: parseSqlOrders(orderBy.trim() || orderOfTable(source, edition)).map(order => ({
      ...order,
      expression: resolveAliases(order.expression, aliases),
    })),
    start,
    end,
    limit: maxRows,
    offset: 0,
    format: 'csv',
  })
  return when(rows, rows => {
    const write = stack.telemetry.external ? writeCsv : String
    const lines = rows.flatMap(row => row.map(write).join(',').split('\n'))
    return shorten(lines.map(line => `${shorten(line, maxLineLength)}\n`).join(''), maxLength)
  })
}

const shorten = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}...` : text)

/** Writes a JSON value, which is all that an external engine answers, as CSV. */
function writeCsv(value: unknown): string {
  if (value === null) return '\\N'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`
}

/** Without an order of its own, a search answers in the order of the table's key. */
function orderOfTable(source: Source, edition: Edition): string {
  const kind = kindOf(source)
  if (kind === 'trace') return 'ServiceName, SpanName, toDateTime(Timestamp)'
  return edition === '2.24' ? 'ServiceName, Timestamp' : 'toStartOfFiveMinutes(Timestamp), ServiceName, Timestamp'
}
