import type { JournalEntry } from '../../../mock/mock.ts'
import { Badge, Body, Unfold } from '../parts/basic.tsx'
import { readJson } from '../parts/json.ts'

/** The deliveries to webhooks of the journal, the newest first, each with what was sent and what became of it. */
export const Deliveries = ({ calls }: { readonly calls: readonly JournalEntry[] }) =>
  calls.length === 0 ? (
    <p class="empty">
      Nothing was delivered yet. A webhook is called when an alert fires, and when it is in order again.
    </p>
  ) : (
    <ul class="deliveries panel lined">
      {calls.map(call => (
        <Delivery key={call.number} {...call} />
      ))}
    </ul>
  )

function Delivery({ at, request, response, because }: JournalEntry) {
  const isDelivered = response.status >= 200 && response.status < 300
  const isFiring = /"state"\s*:\s*"ALERT"|🚨/.test(request.body)
  const summary = (
    <>
      <time dateTime={at}>{at.slice(11, 19)}</time>
      <Badge tone={isFiring ? 'bad' : 'good'}>{isFiring ? 'ALERT' : 'OK'}</Badge>
      <span class="grows">{titleOf(request.body)}</span>
      <Badge tone={isDelivered ? 'good' : 'warn'}>
        {isDelivered ? `delivered, ${response.status}` : 'not delivered'}
      </Badge>
    </>
  )
  return (
    <li>
      <Unfold summary={summary}>
        {() => (
          <>
            <p class="quiet">{`POST ${request.path}. ${because.why}.`}</p>
            <Body text={request.body} />
          </>
        )}
      </Unfold>
    </li>
  )
}

/** The title of a payload, whatever template it was written by. */
function titleOf(text: string): string {
  const payload = Object(readJson(text)?.value) as Readonly<Record<string, unknown>>
  const title = payload.title ?? payload.text
  if (typeof title !== 'string') return text.slice(0, 80) || '(nothing was sent)'
  // Of a grouped alert, the first line names the group.
  const [first = ''] = typeof payload.body === 'string' ? payload.body.split('\n') : []
  return [title, first].filter(Boolean).join(': ')
}
