import type { Drawing } from '../draw-tile.ts'
import { pageAddress } from './ask.ts'
import { coloursFor, toneOf } from './colours.ts'
import { element } from './element.ts'
import { markdown } from './markdown.ts'
import { type NumberFormat, type Numbers, numbersOf } from './number-format.ts'
import { badge, table } from './parts.ts'

type Plotted = Extract<Drawing, { as: 'line' | 'bars' }>
const empty = (why = 'No rows in this range.') => element('p.empty', why)

/** What a tile of a stack shows, as elements; charts mark a value by a line. */
export function renderDrawing(drawing: Drawing, stack: string, mark?: number): HTMLElement {
  const numbers = numbersOf(drawing.format as NumberFormat | undefined)
  switch (drawing.as) {
    case 'markdown':
      return markdown(drawing.text)
    case 'number':
      return renderFigure(drawing.value, numbers)
    case 'nothing':
      return empty(drawing.why)
    case 'table':
      return drawing.rows.length === 0
        ? empty()
        : table(
            'rows',
            drawing.columns,
            drawing.rows.map(row => row.map((cell, i) => renderCell(cell, drawing.columns[i]!, numbers, stack))),
          )
    case 'shares':
      return renderShares(drawing.shares, numbers)
    default:
      return drawing.series.length === 0 ? empty() : renderPlot(drawing, numbers, mark)
  }
}

const renderFigure = (value: number | null, numbers: Numbers) =>
  element('p.figure', { title: value === null ? 'no rows' : String(value) }, numbers.whole(value))

function renderPlot(drawing: Plotted, numbers: Numbers, mark?: number): HTMLElement {
  const { as, times, series, left } = drawing
  const colours = coloursFor(
    series.map(({ name }) => name),
    drawing.areGroups,
  )
  const plot = element('div.plot', { role: 'img', 'aria-label': describe(drawing, numbers) })
  void import('./chart.ts').then(({ drawChart }) => drawChart(plot, { as, times, series, colours, numbers, mark }))
  return element('div.plotted', [plot, renderLegend(drawing, colours, numbers, left)])
}

const describe = ({ as, series }: Plotted, numbers: Numbers) =>
  `${as === 'line' ? 'Lines' : 'Stacked bars'} over time: ${series
    .map(({ name, values }) => `${name}, at most ${numbers.whole(Math.max(...values.map(Number)))}`)
    .join('; ')}`

/** Of bars what they are together, of lines the largest value. */
function renderLegend(
  { as, series }: Plotted,
  colours: readonly string[],
  numbers: Numbers,
  left: number,
): HTMLElement {
  const tell = (values: readonly (number | null)[]) =>
    as === 'bars' ? values.reduce<number>((sum, one) => sum + (one ?? 0), 0) : Math.max(...values.map(Number))
  return element('ul.legend', { title: as === 'bars' ? 'Together in this range' : 'The largest value in this range' }, [
    series.map(({ name, values }, i) => {
      const mark = element('i', { style: { background: colours[i]! } })
      return element('li', { title: name }, [mark, name, element('b', numbers.short(tell(values)))])
    }),
    left > 0 && element('li.quiet', `and ${left} more`),
  ])
}

function renderShares(
  shares: readonly { readonly name: string; readonly value: number }[],
  numbers: Numbers,
): HTMLElement {
  const largest = shares.toSorted((a, b) => b.value - a.value).slice(0, 20)
  const most = Math.max(largest[0]?.value ?? 0, 1)
  const colours = coloursFor(
    largest.map(({ name }) => name),
    true,
  )
  return element('ul.shares', [
    largest.map(({ name, value }, i) => {
      const bar = element('i', { style: { width: `${(100 * value) / most}%`, background: colours[i]! } })
      return element('li', [element('span', name), element('b', numbers.whole(value)), bar])
    }),
  ])
}

/** The address at which a trace is shown. */
export const traceAddress = (stack: string, id: string, near?: string) =>
  pageAddress('search', stack, 'trace-id', id, ...(near ? [near] : []))

function renderCell(cell: unknown, column: string, numbers: Numbers, stack: string): Node | string {
  if (cell === null || cell === undefined || cell === '') return '–'
  if (typeof cell === 'number') return element('span.number', numbers.whole(cell))
  if (typeof cell === 'object') return JSON.stringify(cell)
  const text = String(cell)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return renderTime(text)
  if (column === 'TraceId') return element('a', { href: traceAddress(stack, text) }, text.slice(0, 8))
  return /severity|status|level/i.test(column) ? renderLevel(text) : text
}

/** A time of telemetry, UTC, to the millisecond. */
export const renderTime = (text: string): HTMLElement =>
  element('time', { datetime: text, title: `${text} (UTC)` }, text.slice(5, 23).replace('T', ' ').replace(/Z$/, ''))

/** A severity or status in its colour. */
export function renderLevel(text: string): HTMLElement {
  const tone = toneOf(text)
  const made = badge(text, 'level')
  if (tone) made.style.setProperty('--tone', tone)
  return made
}
