import type { FoundRow } from '../../../faces/control/page/answers.ts'
import { Definitions, type Pairs, Unfold } from '../parts/elements.tsx'
import { colourOf } from './colours.ts'
import { Level, Time, traceAddress } from './drawing.tsx'
import { numbersOf } from './number-format.ts'

const durations = numbersOf({ output: 'duration', factor: 1e-9 })
/** The text of a column; empty when the row does not have it. */
export const textOf = (row: FoundRow, name: string): string => String(row[name] ?? '')

interface RowProps {
  readonly row: FoundRow
  readonly stack: string
}

export const Rows = ({ rows, stack, label }: { rows: readonly FoundRow[]; stack: string; label: string }) => (
  <ol class="rows panel lined small" aria-label={label}>
    {rows.map((row, at) => (
      <RowItem key={at} row={row} stack={stack} />
    ))}
  </ol>
)

function RowItem({ row, stack }: RowProps) {
  const [level] = [textOf(row, 'SeverityText'), textOf(row, 'StatusCode'), 'INFO'].filter(Boolean)
  const message = textOf(row, 'StatusMessage')
  const summary = (
    <>
      <Time text={textOf(row, 'Timestamp')} />
      <Level text={level!} />
      <Service row={row} />
      <span class="body cut tiny mono">
        {textOf(row, 'Body') || textOf(row, 'SpanName')}
        {message && ` — ${message}`}
      </span>
      {'Duration' in row && <span class="number">{durations.whole(Number(row.Duration ?? 0))}</span>}
    </>
  )
  return (
    <li>
      <Unfold summary={summary}>{() => <Columns row={row} stack={stack} />}</Unfold>
    </li>
  )
}

export function Service({ row }: Pick<RowProps, 'row'>) {
  const name = textOf(row, 'ServiceName')
  return (
    <span class="service" style={{ '--tone': colourOf(name) }}>
      {name}
    </span>
  )
}

/** All columns of a row, each key of a map on its own, with a link to its trace. */
export function Columns({ row, stack }: RowProps) {
  const pairs = Object.entries(row).flatMap(([name, value]): Pairs => {
    if (name === 'TraceId') {
      const address = traceAddress(stack, String(value), textOf(row, 'Timestamp'))
      return [[name, <a href={address}>{String(value)}</a>]]
    }
    if (name === 'Duration')
      return [[name, `${durations.whole(Number(value))} (${Number(value).toLocaleString('en')} ns)`]]
    if (typeof value !== 'object' || value === null) return [[name, String(value)]]
    return Object.entries(value).map(([key, text]) => [`${name}.${key}`, String(text)])
  })
  return <Definitions class="columns-of-row tiny" pairs={pairs} />
}
