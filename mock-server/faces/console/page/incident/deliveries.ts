import type { JournalEntry } from '../../../../core/mock.ts'
import { element } from '../element.ts'
import { badge, body } from '../parts.ts'

/** Renders the deliveries to webhooks of the journal, the newest first, each with what was sent and what became of it. */
export function createDeliveries(): (calls: readonly JournalEntry[]) => HTMLElement {
  const items = new Map<number, HTMLElement>()
  return calls => {
    if (calls.length === 0) return element('p.empty', nothing)
    // What was rendered stays, so that what is open is not closed.
    const list = calls.map(entry => {
      const item = items.get(entry.number) ?? renderDelivery(entry)
      items.set(entry.number, item)
      return item
    })
    return element('ul.deliveries.panel.lined', list)
  }
}

const nothing = 'Nothing was delivered yet. A webhook is told when an alert fires, and when it is in order again.'
function renderDelivery({ at, request, response, because }: JournalEntry): HTMLElement {
  const isDelivered = response.status >= 200 && response.status < 300
  const isFiring = /"state"\s*:\s*"ALERT"|🚨/.test(request.body)
  return element('li', [
    element('details', [
      element('summary', [
        element('time', { datetime: at }, at.slice(11, 19)),
        badge(isFiring ? 'ALERT' : 'OK', isFiring ? 'bad' : 'good'),
        element('span.told', titleOf(request.body)),
        badge(isDelivered ? `delivered, ${response.status}` : 'not delivered', isDelivered ? 'good' : 'warn'),
      ]),
      element('p.quiet', `POST ${request.path}. ${because.why}.`),
      body(request.body),
    ]),
  ])
}

/** What the payload says first, whatever template it was written by. */
function titleOf(text: string): string {
  try {
    const payload = JSON.parse(text) as Readonly<Record<string, unknown>>
    const title = payload.title ?? payload.text
    // Of a grouped alert, the first line says which group.
    const [first = ''] = typeof payload.body === 'string' ? payload.body.split('\n') : []
    return typeof title === 'string' ? [title, first].filter(Boolean).join(': ') : text.slice(0, 80)
  } catch {
    return text.slice(0, 80) || '(nothing was sent)'
  }
}
