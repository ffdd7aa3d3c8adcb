import type { FoundRow } from '../../find-rows.ts'
import { controlAddress, pageAddress, read } from '../ask.ts'
import { colourOf } from '../colours.ts'
import { renderTime } from '../drawing.ts'
import { append, element } from '../element.ts'
import { numbersOf } from '../number-format.ts'
import { badge, copyButton } from '../parts.ts'
import { renderColumns, renderRow, renderService, textOf } from '../rows.ts'

interface Trace {
  readonly spans: readonly FoundRow[]
  readonly logs: readonly FoundRow[]
}

const durations = numbersOf({ output: 'duration', factor: 1e-3 })
/** Epoch milliseconds with their fraction, which the clock of a browser would cut off. */
const timeOf = (row: FoundRow) => {
  const [, fraction = '0'] = /\.(\d+)/.exec(textOf(row, 'Timestamp')) ?? []
  return Math.floor(Date.parse(textOf(row, 'Timestamp')) / 1000) * 1000 + Number(`0.${fraction}`) * 1000
}
const durationOf = (row: FoundRow) => Number(row.Duration ?? 0) / 1e6

/** Shows one trace: its spans below each other by time, each within the one that called it, and its log lines. */
export async function showTrace(place: HTMLElement, stack: string, id: string, near?: string): Promise<void> {
  const { spans, logs } = await read<Trace>(controlAddress(['traces', stack, id], near ? { near } : {}))
  const start = Math.min(...spans.map(timeOf))
  const length = Math.max(...spans.map(span => timeOf(span) + durationOf(span))) - start
  const services = new Set(spans.map(span => textOf(span, 'ServiceName')))
  append(place, [
    element('h1', ['Trace ', element('code', id.slice(0, 8)), ' ', copyButton(id, 'Copy id')]),
    element('p.tools', element('a', { href: pageAddress('search', stack, 'log') }, 'Back to the search')),
    spans.length === 0
      ? element('p.empty', [
          'There are no spans of this trace where it was looked for: a day before now, or an hour around the row.',
        ])
      : element('p.facts', [
          element('span', [element('b', durations.whole(length)), ' together']),
          element('span', [element('b', spans.length), ` spans of ${services.size} services`]),
          element('span', [element('b', spans.filter(isFailed).length), ' failed']),
          element('span', ['Begins ', renderTime(textOf(spans[0]!, 'Timestamp')), ' UTC']),
        ]),
    element('ol.waterfall.panel.lined', { 'aria-label': 'Spans' }, [
      nest(spans).map(({ span, depth }) => renderSpan(span, depth, { start, length, logs, stack })),
    ]),
    logs.length > 0 && element('h2', `${logs.length} log ${logs.length === 1 ? 'line' : 'lines'}`),
    element('ol.rows.panel.lined', { 'aria-label': 'Log lines of this trace' }, [
      logs.map(log => renderRow(log, stack)),
    ]),
  ])
}

const isFailed = (span: FoundRow) => textOf(span, 'StatusCode') === 'Error'

/** Spans in the order in which they are read: each one, then what it called by time. */
function nest(spans: readonly FoundRow[]): readonly { readonly span: FoundRow; readonly depth: number }[] {
  const ids = new Set(spans.map(span => textOf(span, 'SpanId')))
  const childrenOf = new Map<string, FoundRow[]>()
  for (const span of spans.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const parent = textOf(span, 'ParentSpanId')
    const key = ids.has(parent) ? parent : ''
    childrenOf.set(key, [...(childrenOf.get(key) ?? []), span])
  }
  const below = (parent: string, depth: number): { span: FoundRow; depth: number }[] => {
    const children = childrenOf.get(parent) ?? []
    // Whoever names itself as its parent is shown once.
    childrenOf.delete(parent)
    return children.flatMap(span => [{ span, depth }, ...below(textOf(span, 'SpanId'), depth + 1)])
  }
  return below('', 0)
}

interface Frame {
  readonly start: number
  readonly length: number
  readonly logs: readonly FoundRow[]
  readonly stack: string
}

function renderSpan(span: FoundRow, depth: number, { start, length, logs, stack }: Frame): HTMLElement {
  const own = logs.filter(log => textOf(log, 'SpanId') === textOf(span, 'SpanId')).length
  const part = (of: number) => `${(100 * of) / (length || 1)}%`
  const style = {
    ...{ '--from': part(timeOf(span) - start), '--long': part(durationOf(span)) },
    '--tone': colourOf(textOf(span, 'ServiceName')),
  }
  const bar = element('i', { class: isFailed(span) ? 'failed' : '', style })
  const name = element('span.name', { style: { '--depth': String(depth) } }, [
    renderService(span),
    ' ',
    textOf(span, 'SpanName'),
    isFailed(span) && [' ', badge('failed', 'bad')],
    own > 0 && [' ', badge(`${own} ${own === 1 ? 'line' : 'lines'}`, 'plain')],
  ])
  const details = element('details', [
    element('summary', [name, element('span.lane', bar), element('span.number', durations.whole(durationOf(span)))]),
    renderColumns(span, stack),
  ])
  return element('li', details)
}
