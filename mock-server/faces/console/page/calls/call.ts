import type { JournalEntry, TargetFile } from '../../../../core/mock.ts'
import { formNames } from '../about.ts'
import { element } from '../element.ts'
import { toSecond } from '../moments.ts'
import { badge, body, copyButton } from '../parts.ts'
import { type Credentials, snippets } from '../snippets.ts'
import { renderHeaders, toneOfStatus, writeMs } from './message.ts'
import { renderReason } from './reason.ts'
import { shortPath } from './short-path.ts'

/** A call in one line, with the reason of its answer; it opens into both messages. */
export function renderCall(call: JournalEntry, target: TargetFile): HTMLElement {
  const { request, response, because, blockedByBrowser, ms, at, form, host, operation } = call
  const isRefused = response.status === 0 || response.status >= 400 || blockedByBrowser !== undefined
  const details = element('details', [
    element('summary', [
      element('span', { class: `status ${toneOfStatus(response.status)}` }, response.status || '–'),
      element('span.method', request.method),
      shortPath(request.path),
      element('span.operation', [operation && `${operation} `, element('small', formNames[form ?? host])]),
      renderReason(because),
      element('span.ms', writeMs(ms)),
      element('time', { datetime: at, title: `${toSecond(at)} UTC, by the clock of the mock` }, at.slice(11, 19)),
      isRefused &&
        element('span.why', [
          blockedByBrowser && [badge('blocked by browsers', 'bad'), ' '],
          blockedByBrowser ?? because.why,
        ]),
    ]),
  ])
  const renderInside = () =>
    element('div.inside', [
      shortPath(request.path).textContent !== request.path &&
        element('div.whole-path', [element('code', request.path), copyButton(request.path)]),
      because.choice &&
        element('p.quiet', ['Of the choices that the gap leaves, taken: ', element('code', because.choice)]),
      (!isRefused || blockedByBrowser) && element('p.because', because.why),
      element('div.pair', [
        element('section', [
          element('h2', ['Request ', host !== 'webhook' && copyButton(() => curlOf(call, target), 'Copy as curl')]),
          renderHeaders(request.headers),
          body(request.body),
        ]),
        element('section', [element('h2', 'Answer'), renderHeaders(response.headers), body(response.body)]),
      ]),
    ])
  // Most are never opened.
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(renderInside())
  })
  return element('li', details)
}

/** The same request again, with the credentials of this mock where there were some. */
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
