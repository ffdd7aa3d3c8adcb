import type { JournalEntry } from '../../../../core/mock.ts'
import type { Sent } from '../../../control/send-call.ts'
import { renderHeaders, toneOfStatus, writeMs } from '../calls/message.ts'
import { element } from '../element.ts'
import { badge, body, code } from '../parts.ts'
import { basisBadge } from '../schema-tree.ts'

const paintedAtMost = 200_000

/** What came back: status, time, size, the reason of it, headers and body. */
export function renderAnswer(
  { status, headers, body: text, ms }: Sent,
  because: JournalEntry['because'] | undefined,
): HTMLElement {
  const bytes = new TextEncoder().encode(text).length
  return element('div.answer.panel', [
    element('p.facts', [
      badge(status === 0 ? 'No answer' : String(status), toneOfStatus(status)),
      element('span', writeMs(ms)),
      element('span', bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`),
      element('a', { href: '#/calls' }, 'in the journal'),
    ]),
    because &&
      element('div.because', [
        basisBadge(because.basis),
        ' ',
        because.rule && element('code', because.rule),
        element('p', because.why),
      ]),
    renderHeaders(headers),
    text.length > paintedAtMost ? code(text, 'body') : body(text),
  ])
}
