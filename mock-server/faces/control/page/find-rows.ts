import type { QueriedStack } from '../../../families/family.ts'
import { InvalidQuery } from '../../../telemetry/query/invalid-query.ts'
import type { Range } from '../../../telemetry/query/plan.ts'
import { parseSql } from '../../../telemetry/query/sql.ts'
import { filtersOf } from '../../../telemetry/source-terms.ts'
import { hour } from '../../../words/durations.ts'
import { type MaybePromise, mapErrors, when } from '../../../words/maybe-promise.ts'
import type { Source, TileConfig } from '../../../words/resources.ts'
import { ControlRefusal } from '../answer.ts'
import type { TelemetryRow, TelemetryRows, TraceRows } from './answers.ts'
import { drawTile, searchNewest } from './draw-tile.ts'

interface RowSearch extends Range {
  readonly where: string
  readonly language?: string
  readonly limit: number
  readonly offset?: number
}

const commonColumns = ['Timestamp', 'TraceId', 'SpanId', 'ServiceName', 'ResourceAttributes']
const logColumns = [...commonColumns, 'SeverityText', 'Body', 'LogAttributes']
const spanColumns = 'ParentSpanId SpanName SpanKind Duration StatusCode StatusMessage SpanAttributes'.split(' ')
const columnsOf: Readonly<Record<string, readonly string[]>> = {
  log: logColumns,
  session: logColumns,
  trace: [...commonColumns, ...spanColumns],
}
const groupingColumnOf: Readonly<Record<string, string>> = { log: 'SeverityText', session: 'Body', trace: 'StatusCode' }

export function sourceOfKind(stack: QueriedStack['stack'], kind: string): Source {
  const source = stack.sources.list().find(one => one.kind === kind)
  if (!source || !columnsOf[kind])
    throw new ControlRefusal(404, `This stack has no source of the kind ${kind} to search in.`)
  return source
}

/** The newest rows of a source that match a search, as the API finds them. Throws a `ControlRefusal` with the position of an error. */
export async function findRows(queried: QueriedStack, source: Source, search: RowSearch): Promise<TelemetryRows> {
  const { where, language, start, end } = search
  const rows = await readRows(queried, source, search)
  const select = [{ aggFn: 'count', valueExpression: '', where, whereLanguage: language ?? 'lucene' }]
  const config = { displayType: 'stacked_bar', sourceId: source.id, groupBy: groupingColumnOf[source.kind], select }
  return { range: { start, end }, rows, drawing: await drawTile(queried, config as TileConfig, { start, end }) }
}

function readRows(queried: QueriedStack, source: Source, search: RowSearch): MaybePromise<readonly TelemetryRow[]> {
  const { where: text, language, start, end, limit, offset = 0 } = search
  const names = columnsOf[source.kind]!
  const wheres = [{ text, language }, ...filtersOf(source)]
  const page = { start, end, limit, offset }
  const rows = mapErrors(() => searchNewest(queried, source, wheres, names.map(parseSql), page), explain)
  return when(rows, rows =>
    rows.map(row => Object.fromEntries(names.flatMap((name, at) => fieldUnlessEmpty(name, row[at])))),
  )
}

const fieldUnlessEmpty = (name: string, value: unknown): [string, unknown][] =>
  value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
    ? []
    : [[name, value]]

const explain = (error: unknown): unknown =>
  error instanceof InvalidQuery ? new ControlRefusal(400, `Search, column ${error.at + 1}: ${error.sentence}.`) : error

/** The spans and log lines of a trace. `near` is a moment within it. */
export async function findTrace(
  queried: QueriedStack,
  id: string,
  near: number | undefined,
  now: number,
): Promise<TraceRows> {
  if (!/^[\da-f]{1,64}$/i.test(id)) throw new ControlRefusal(400, `A trace id has only hexadecimal digits: ${id}`)
  const range = near === undefined ? { start: now - 24 * hour, end: now } : { start: near - hour, end: near + hour }
  const search = { ...range, where: `TraceId = '${id}'`, language: 'sql', limit: 1000 }
  const read = async (kind: string) => (await readRows(queried, sourceOfKind(queried.stack, kind), search)).toReversed()
  const [spans, logs] = await Promise.all([read('trace'), read('log')])
  return { spans, logs }
}
