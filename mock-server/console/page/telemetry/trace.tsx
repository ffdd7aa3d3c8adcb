import type { TelemetryRow, TraceRows } from '../../../faces/control/page/answers.ts'
import { controlAddress, pageAddress, read } from '../control.ts'
import {
  Badge,
  CopyButton,
  Definitions,
  Failure,
  formatCount,
  LazyDetails,
  type Pairs,
  ViewWithoutData,
} from '../parts/elements.tsx'
import { useData } from '../reading.ts'
import { colourOf } from './colours.ts'
import { Level, Time, traceAddress } from './drawing.tsx'
import { numberFormatter } from './number-format.ts'

const durations = numberFormatter({ output: 'duration', factor: 1e-3 })
/** The time of a row in epoch milliseconds with a fraction, which Date.parse would truncate. */
const timeOf = (row: TelemetryRow) => {
  const [, fraction = '0'] = /\.(\d+)/.exec(textOf(row, 'Timestamp')) ?? []
  return Math.floor(Date.parse(textOf(row, 'Timestamp')) / 1000) * 1000 + Number(`0.${fraction}`) * 1000
}
const durationOf = (row: TelemetryRow) => Number(row.Duration ?? 0) / 1e6
const isFailed = (span: TelemetryRow) => textOf(span, 'StatusCode') === 'Error'

/** A trace: a waterfall of its spans, and its log lines. */
export function Trace({ stack, id, near }: { stack: string; id: string; near?: string | undefined }) {
  const { data, error } = useData(
    () => read<TraceRows>(controlAddress(['traces', stack, id], near ? { near } : {})),
    [],
  )
  const { spans = [], logs = [] } = data ?? {}
  const start = Math.min(...spans.map(timeOf))
  const totalMs = Math.max(...spans.map(span => timeOf(span) + durationOf(span))) - start
  const services = new Set(spans.map(span => textOf(span, 'ServiceName')))
  return (
    <>
      <h1>
        Trace <code>{id.slice(0, 8)}</code> <CopyButton text={id} label="Copy id" />
      </h1>
      <p class="row">
        <a href={pageAddress('search', stack, 'log')}>Back to the search</a>
      </p>
      {data ? <Failure error={error} /> : <ViewWithoutData error={error} />}
      {data && spans.length === 0 && (
        <p class="empty">
          This trace has no spans in the time that was searched: the last day, or an hour around the row.
        </p>
      )}
      {spans.length > 0 && (
        <>
          <p class="row facts">
            <span>
              <b>{durations.full(totalMs)}</b> in total
            </span>
            <span>
              <b>{spans.length}</b> {`spans of ${services.size} services`}
            </span>
            <span>
              <b>{spans.filter(isFailed).length}</b> failed
            </span>
            <span>
              Begins <Time text={textOf(spans[0]!, 'Timestamp')} /> UTC
            </span>
          </p>
          <ol class="waterfall panel lined small" aria-label="Spans">
            {nestSpans(spans).map(({ span, depth }, at) => (
              <Span key={at} {...{ span, depth, start, totalMs, logs, stack }} />
            ))}
          </ol>
        </>
      )}
      {logs.length > 0 && <h2>{formatCount(logs.length, 'log line')}</h2>}
      <Rows rows={logs} stack={stack} label="Log lines of this trace" />
    </>
  )
}

interface NestedSpan {
  readonly span: TelemetryRow
  readonly depth: number
}

/** Sorts spans for the waterfall: each span is followed by its children, which are sorted by time. */
function nestSpans(spans: readonly TelemetryRow[]): readonly NestedSpan[] {
  const ids = new Set(spans.map(span => textOf(span, 'SpanId')))
  const childrenOf = new Map<string, TelemetryRow[]>()
  for (const span of spans.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const parent = textOf(span, 'ParentSpanId')
    const key = ids.has(parent) ? parent : ''
    childrenOf.set(key, [...(childrenOf.get(key) ?? []), span])
  }
  const below = (parent: string, depth: number): NestedSpan[] => {
    const children = childrenOf.get(parent) ?? []
    // Ends the recursion at a span that is its own parent.
    childrenOf.delete(parent)
    return children.flatMap(span => [{ span, depth }, ...below(textOf(span, 'SpanId'), depth + 1)])
  }
  return below('', 0)
}

interface SpanProps extends NestedSpan {
  readonly start: number
  readonly totalMs: number
  readonly logs: readonly TelemetryRow[]
  readonly stack: string
}

function Span({ span, depth, start, totalMs, logs, stack }: SpanProps) {
  const logCount = logs.filter(log => textOf(log, 'SpanId') === textOf(span, 'SpanId')).length
  const percent = (ms: number) => `${(100 * ms) / (totalMs || 1)}%`
  const style = {
    '--from': percent(timeOf(span) - start),
    '--long': percent(durationOf(span)),
    '--tone': colourOf(textOf(span, 'ServiceName')),
  }
  const summary = (
    <>
      <span class="name cut" style={{ '--depth': String(depth) }}>
        <Service row={span} /> {textOf(span, 'SpanName')}
        {isFailed(span) && [' ', <Badge tone="bad">failed</Badge>]}
        {logCount > 0 && [' ', <Badge tone="plain">{formatCount(logCount, 'line')}</Badge>]}
      </span>
      <span class="lane">
        <i class={isFailed(span) ? 'failed' : ''} style={style} />
      </span>
      <span class="number">{durations.full(durationOf(span))}</span>
    </>
  )
  return (
    <li>
      <LazyDetails summary={summary}>{() => <Columns row={span} stack={stack} />}</LazyDetails>
    </li>
  )
}

/** The text of a column; empty when the row does not have it. */
const textOf = (row: TelemetryRow, name: string): string => String(row[name] ?? '')

interface RowProps {
  readonly row: TelemetryRow
  readonly stack: string
}

export const Rows = ({ rows, stack, label }: { rows: readonly TelemetryRow[]; stack: string; label: string }) => (
  <ol class="rows panel lined small" aria-label={label}>
    {rows.map((row, at) => (
      <RowItem key={at} row={row} stack={stack} />
    ))}
  </ol>
)

function RowItem({ row, stack }: RowProps) {
  const level = textOf(row, 'SeverityText') || textOf(row, 'StatusCode') || 'INFO'
  const message = textOf(row, 'StatusMessage')
  const summary = (
    <>
      <Time text={textOf(row, 'Timestamp')} />
      <Level text={level} />
      <Service row={row} />
      <span class="body cut tiny mono">
        {textOf(row, 'Body') || textOf(row, 'SpanName')}
        {message && ` — ${message}`}
      </span>
      {'Duration' in row && <span class="number">{durations.full(durationOf(row))}</span>}
    </>
  )
  return (
    <li>
      <LazyDetails summary={summary}>{() => <Columns row={row} stack={stack} />}</LazyDetails>
    </li>
  )
}

function Service({ row }: Pick<RowProps, 'row'>) {
  const name = textOf(row, 'ServiceName')
  return (
    <span class="service" style={{ '--tone': colourOf(name) }}>
      {name}
    </span>
  )
}

/** All columns of a row, each key of a map on its own, with a link to its trace. */
function Columns({ row, stack }: RowProps) {
  const pairs = Object.entries(row).flatMap(([name, value]): Pairs => {
    if (name === 'TraceId') {
      const address = traceAddress(stack, String(value), textOf(row, 'Timestamp'))
      return [[name, <a href={address}>{String(value)}</a>]]
    }
    if (name === 'Duration')
      return [[name, `${durations.full(durationOf(row))} (${Number(value).toLocaleString('en')} ns)`]]
    if (typeof value !== 'object' || value === null) return [[name, String(value)]]
    return Object.entries(value).map(([key, text]) => [`${name}.${key}`, String(text)])
  })
  return <Definitions class="columns-of-row tiny" pairs={pairs} />
}
