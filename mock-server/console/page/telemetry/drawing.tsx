import type { ComponentChild } from 'preact'
import type { Drawing } from '../../../faces/control/page/answers.ts'
import { pageAddress } from '../control.ts'
import { Table } from '../parts/elements.tsx'
import { lazy } from '../reading.ts'
import { seriesColours, severityColour } from './colours.ts'
import { Markdown } from './markdown.tsx'
import { type NumberFormat, type NumberFormatter, numberFormatter } from './number-format.ts'

export type SeriesDrawing = Extract<Drawing, { as: 'line' | 'bars' }>

export interface PlotProps {
  readonly drawing: SeriesDrawing
  readonly numbers: NumberFormatter
  /** A value that a line marks, such as a threshold. */
  readonly markedValue?: number | undefined
}

const Plot = lazy(async () => (await import('./plot.tsx')).Plot)
const Empty = ({ why = 'No rows in this range.' }) => <p class="empty">{why}</p>

export function DrawingView({
  drawing,
  stack,
  markedValue,
}: {
  drawing: Drawing
  stack: string
  markedValue?: number | undefined
}) {
  const numbers = numberFormatter(drawing.format as NumberFormat | undefined)
  switch (drawing.as) {
    case 'markdown':
      return <Markdown text={drawing.text} />
    case 'number':
      return (
        <p class="figure" title={drawing.value === null ? 'no rows' : String(drawing.value)}>
          {numbers.full(drawing.value)}
        </p>
      )
    case 'nothing':
      return <Empty why={drawing.why} />
    case 'table': {
      const { columns, rows } = drawing
      const cells = rows.map(row => row.map((cell, i) => renderCell(cell, columns[i]!, numbers, stack)))
      return rows.length === 0 ? <Empty /> : <Table label="rows" columns={columns} rows={cells} />
    }
    case 'shares':
      return <Shares shares={drawing.shares} numbers={numbers} />
    default:
      return drawing.series.length === 0 ? (
        <Empty />
      ) : (
        <div class="stack plotted">
          <div class="plot" role="img" aria-label={describe(drawing, numbers)}>
            <Plot {...{ drawing, numbers, markedValue }} />
          </div>
          <Legend drawing={drawing} numbers={numbers} />
        </div>
      )
  }
}

const describe = ({ as, series }: SeriesDrawing, numbers: NumberFormatter) =>
  `${as === 'line' ? 'Lines' : 'Stacked bars'} over time: ${series
    .map(({ name, values }) => `${name}, at most ${numbers.full(Math.max(...values.map(Number)))}`)
    .join('; ')}`

/** The series with a number each, which the legend explains: the sum of bars, the largest value of a line. */
function Legend({
  drawing: { as, series, areGroups, left: omitted },
  numbers,
}: Pick<PlotProps, 'drawing' | 'numbers'>) {
  const colours = seriesColours(series, areGroups)
  const numberOf = (values: readonly (number | null)[]) =>
    as === 'bars' ? values.reduce<number>((sum, one) => sum + (one ?? 0), 0) : Math.max(...values.map(Number))
  const meaning = as === 'bars' ? 'sum in this range' : 'largest value'
  return (
    <ul class="row legend tiny quiet" aria-label={meaning}>
      <li class="quiet">{`${meaning}:`}</li>
      {series.map(({ name, values }, i) => (
        <li key={i} class="row" title={name}>
          <i style={{ background: colours[i]! }} />
          {name}
          <b>{numbers.short(numberOf(values))}</b>
        </li>
      ))}
      {omitted > 0 && <li class="quiet">{`and ${omitted} more`}</li>}
    </ul>
  )
}

function Shares({
  shares,
  numbers,
}: {
  shares: Extract<Drawing, { as: 'shares' }>['shares']
  numbers: NumberFormatter
}) {
  const largest = shares.toSorted((a, b) => b.value - a.value).slice(0, 20)
  const max = Math.max(largest[0]?.value ?? 0, 1)
  const colours = seriesColours(largest, true)
  return (
    <ul class="stack shares small">
      {largest.map(({ name, value }, i) => (
        <li key={name}>
          <span>{name}</span>
          <b>{numbers.full(value)}</b>
          <i style={{ width: `${(100 * value) / max}%`, background: colours[i]! }} />
        </li>
      ))}
    </ul>
  )
}

export const traceAddress = (stack: string, id: string, near?: string) =>
  pageAddress('search', stack, 'trace-id', id, ...(near ? [near] : []))

function renderCell(cell: unknown, column: string, numbers: NumberFormatter, stack: string): ComponentChild {
  if (cell === null || cell === undefined || cell === '') return '–'
  if (typeof cell === 'number') return <span class="number">{numbers.full(cell)}</span>
  if (typeof cell === 'object') return JSON.stringify(cell)
  const text = String(cell)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return <Time text={text} />
  if (column === 'TraceId') return <a href={traceAddress(stack, text)}>{text.slice(0, 8)}</a>
  return /severity|status|level/i.test(column) ? <Level text={text} /> : text
}

/** A time of telemetry in UTC, to the millisecond. */
export const Time = ({ text }: { readonly text: string }) => (
  <time dateTime={text} title={`${text} (UTC)`}>
    {text.slice(5, 23).replace('T', ' ').replace(/Z$/, '')}
  </time>
)

/** A severity or a status in its colour. */
export const Level = ({ text }: { readonly text: string }) => (
  <span class="badge level" style={{ '--tone': severityColour(text) ?? 'var(--plain)' }}>
    {text}
  </span>
)
