import type { FoundRow } from '../find-rows.ts'
import { colourOf } from './colours.ts'
import { renderLevel, renderTime, traceAddress } from './drawing.ts'
import { element } from './element.ts'
import { numbersOf } from './number-format.ts'
import { definitions } from './parts.ts'

const durations = numbersOf({ output: 'duration', factor: 1e-9 })
/** The text of a column; empty where the row has none. */
export const textOf = (row: FoundRow, name: string): string => String(row[name] ?? '')

/** A row that opens into its columns. */
export function renderRow(row: FoundRow, stack: string): HTMLElement {
  const level = textOf(row, 'SeverityText') || textOf(row, 'StatusCode') || 'INFO'
  const body = textOf(row, 'Body') || textOf(row, 'SpanName')
  const details = element('details', [
    element('summary', [
      renderTime(textOf(row, 'Timestamp')),
      renderLevel(level),
      renderService(row),
      element('span.body', [body, textOf(row, 'StatusMessage') && ` — ${textOf(row, 'StatusMessage')}`]),
      'Duration' in row && element('span.number', durations.whole(Number(row.Duration ?? 0))),
    ]),
  ])
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(renderColumns(row, stack))
  })
  return element('li', details)
}

/** The service of a row in its colour. */
export function renderService(row: FoundRow): HTMLElement {
  const name = textOf(row, 'ServiceName')
  return element('span.service', { style: { '--tone': colourOf(name) } }, name)
}

/** All columns of a row, the keys of maps one by one; its trace is a click away. */
export function renderColumns(row: FoundRow, stack: string): HTMLElement {
  const pairs = Object.entries(row).flatMap(([name, value]): [string, Node | string][] => {
    if (name === 'TraceId') {
      const address = traceAddress(stack, String(value), textOf(row, 'Timestamp'))
      return [[name, element('a', { href: address }, String(value))]]
    }
    if (name === 'Duration')
      return [[name, `${durations.whole(Number(value))} (${Number(value).toLocaleString('en')} ns)`]]
    if (typeof value !== 'object' || value === null) return [[name, String(value)]]
    return Object.entries(value).map(([key, text]) => [`${name}.${key}`, String(text)])
  })
  return definitions('dl.columns-of-row', pairs)
}
