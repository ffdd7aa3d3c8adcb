import { element } from '../element.ts'
import { definitions } from '../parts.ts'

/** The tone of a status: 0 is no answer at all. */
export const toneOfStatus = (status: number): 'bad' | 'warn' | 'good' =>
  status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good'

/** How long an answer took. */
export const writeMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

/** The headers of a message, folded below their number. */
export function renderHeaders(headers: Readonly<Record<string, string | undefined>>): HTMLElement {
  const all = Object.entries(headers)
  return element('details.headers', [
    element('summary', `${all.length} ${all.length === 1 ? 'header' : 'headers'}`),
    definitions('dl', all),
  ])
}
