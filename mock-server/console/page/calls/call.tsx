import type { JournalEntry, TargetFile } from '../../../mock/mock.ts'
import { formNames } from '../control.ts'
import { toSecond } from '../moments.ts'
import { Badge, Body, Button, CopyButton, LazyDetails } from '../parts/elements.tsx'
import { lazy } from '../reading.ts'
import { usePage } from '../state.ts'
import { formatMs, Headers, Reason, ShortPath, toneOfStatus } from './message.tsx'
import { type Credentials, snippets } from './snippets.ts'

interface CallProps {
  readonly call: JournalEntry
  readonly target: TargetFile
}

/** A call in one line, with the cause of its answer. It opens to show request and answer. */
export function Call({ call, target }: CallProps) {
  const { request, response, because, blockedByBrowser, ms, at, form, host, operation } = call
  // What the client of a proxy got counts, not what the deployment answered.
  const status = because.instead?.status ?? response.status
  const isRefused = status === 0 || status >= 400 || blockedByBrowser !== undefined
  const summary = (
    <>
      <span class={`status ${toneOfStatus(status)}`}>{status || '–'}</span>
      <span class="method">{request.method}</span>
      <ShortPath path={request.path} />
      <span class="operation cut small" title={operation}>
        {operation && `${operation} `}
        <small>{formNames[form ?? host]}</small>
      </span>
      <Reason because={because} />
      <span class="ms small">{formatMs(ms)}</span>
      <time class="small" dateTime={at} title={`${toSecond(at)} UTC, by the clock of the mock`}>
        {at.slice(11, 19)}
      </time>
      {isRefused && (
        <span class="why small quiet">
          {blockedByBrowser && (
            <>
              <Badge tone="bad">blocked by browsers</Badge>{' '}
            </>
          )}
          {blockedByBrowser ?? because.why}
        </span>
      )}
    </>
  )
  return (
    <li>
      <LazyDetails summary={summary}>
        {() => <Messages call={call} target={target} isWhyInSummary={isRefused && !blockedByBrowser} />}
      </LazyDetails>
    </li>
  )
}

function Messages({ call, target, isWhyInSummary }: CallProps & { readonly isWhyInSummary: boolean }) {
  const { number, request, response, because, host } = call
  const page = usePage()
  const isProxy = page.isProxy()
  // The journal has neither the statement of an SQL query nor the signature of a webhook, so these cannot be repeated.
  const isRepeatable = host !== 'webhook' && host !== 'sql'
  return (
    <div class="stack inside">
      <div class="row">
        <code>{request.path}</code>
        <CopyButton text={request.path} />
      </div>
      {because.choice && (
        <p class="quiet">
          The choice taken in this gap: <code>{because.choice}</code>
        </p>
      )}
      {!isWhyInSummary && <p class="because">{because.why}</p>}
      {isRepeatable && !isProxy && <CallActions call={call} />}
      {request.method === 'GET' && isProxy && (
        <div class="row">
          <Button onClick={() => page.open('Also sent to a mock', <ComparisonWithMock call={call} />)}>
            Also send to a mock
          </Button>
        </div>
      )}
      <div class="pair">
        <section>
          <h2 class="row spread small quiet">
            Request {isRepeatable && <CopyButton text={() => curlOf(call, target)} label="Copy as curl" />}
          </h2>
          <Headers headers={request.headers} />
          <Body text={request.body} label={`body of request ${number}`} />
        </section>
        <section>
          <h2 class="small quiet">
            {because.instead
              ? `Answer of the deployment: ${response.status || 'none'}. The client did not get it.`
              : 'Answer'}
          </h2>
          <Headers headers={response.headers} />
          <Body text={response.body} label={`body of answer ${number}`} />
        </section>
      </div>
    </div>
  )
}

const CallActions = lazy(async () => (await import('./call-dialogs.tsx')).CallActions)
const ComparisonWithMock = lazy(async () => (await import('./call-dialogs.tsx')).ComparisonWithMock)

/** A curl command with the credentials of this mock, where the call had credentials. */
function curlOf({ host, request }: JournalEntry, { cloud, selfHosted }: TargetFile): string {
  const { authorization, 'content-type': type = 'application/x-www-form-urlencoded' } = request.headers
  const [base = '', credentials]: [string | undefined, Credentials] =
    host === 'cloud'
      ? [cloud?.baseUrl, { kind: 'basic', user: `${cloud?.keyId}`, password: `${cloud?.keySecret}` }]
      : [selfHosted?.baseUrl, { kind: 'bearer', token: `${selfHosted?.apiKey}` }]
  return snippets.curl({
    method: request.method,
    url: `${base}${request.path}`,
    ...(authorization !== undefined && { credentials }),
    ...(request.body && { body: { type, text: request.body } }),
  })
}
