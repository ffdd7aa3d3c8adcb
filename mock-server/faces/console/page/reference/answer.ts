import type { JournalEntry } from '../../../../core/mock.ts'
import type { Sent } from '../../../control/send-call.ts'
import { element } from '../element.ts'
import { badge, body, code } from '../parts.ts'
import { basisBadge } from '../schema-tree.ts'

const paintedAtMost = 200_000

/** What came back: status, time, size, the reason of it, headers and body. */
export function renderAnswer(
  { status, headers, body: text, ms }: Sent,
  because: JournalEntry['because'] | undefined,
): HTMLElement {
  const all = Object.entries(headers)
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  const bytes = new TextEncoder().encode(text).length
  return element(
    'div',
    { class: 'answer' },
    element(
      'p',
      { class: 'facts' },
      badge(status === 0 ? 'No answer' : String(status), tone),
      element('span', {}, `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`),
      element('span', {}, bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`),
      element('a', { href: '#/calls' }, 'in the journal'),
    ),
    because &&
      element(
        'div',
        { class: 'because' },
        basisBadge(because.basis),
        ' ',
        because.rule && element('code', {}, because.rule),
        element('p', {}, because.why),
      ),
    element(
      'details',
      { class: 'headers' },
      element('summary', {}, `${all.length} ${all.length === 1 ? 'header' : 'headers'}`),
      element(
        'dl',
        {},
        all.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
      ),
    ),
    text.length > paintedAtMost ? code(text, 'body') : body(text),
  )
}
