import type { JournalEntry, TargetFile } from '../../../../core/mock.ts'
import { formNames } from '../about.ts'
import { element } from '../element.ts'
import { badge, body, copyButton, quote } from '../parts.ts'
import { renderReason } from './reason.ts'
import { shortPath } from './short-path.ts'

/** A call in one line, with the reason of its answer; it opens into both messages. */
export function renderCall(call: JournalEntry, target: TargetFile): HTMLElement {
  const { request, response, because, blockedByBrowser, ms, at, form, host, operation } = call
  const isRefused = response.status === 0 || response.status >= 400 || blockedByBrowser !== undefined
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { class: `status ${toneOf(response.status)}` }, response.status || '–'),
      element('span', { class: 'method' }, request.method),
      shortPath(request.path),
      element(
        'span',
        { class: 'operation' },
        operation && `${operation} `,
        element('small', {}, formNames[form ?? host]),
      ),
      renderReason(because),
      element('span', { class: 'ms' }, `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`),
      element(
        'time',
        { datetime: at, title: `${at.slice(0, 19).replace('T', ' ')} UTC, by the clock of the mock` },
        at.slice(11, 19),
      ),
      isRefused &&
        element(
          'span',
          { class: 'why' },
          blockedByBrowser && [badge('blocked by browsers', 'bad'), ' '],
          blockedByBrowser ?? because.why,
        ),
    ),
  )
  const renderInside = () =>
    element(
      'div',
      { class: 'inside' },
      shortPath(request.path).textContent !== request.path &&
        element('div', { class: 'whole-path' }, element('code', {}, request.path), copyButton(request.path)),
      because.choice &&
        element(
          'p',
          { class: 'quiet' },
          'Of the choices that the gap leaves, taken: ',
          element('code', {}, because.choice),
        ),
      (!isRefused || blockedByBrowser) && element('p', { class: 'because' }, because.why),
      element(
        'div',
        { class: 'pair' },
        element(
          'section',
          {},
          element('h2', {}, 'Request ', host !== 'webhook' && copyButton(() => curlOf(call, target), 'Copy as curl')),
          headersOf(request.headers),
          body(request.body),
        ),
        element('section', {}, element('h2', {}, 'Answer'), headersOf(response.headers), body(response.body)),
      ),
    )
  // Most are never opened.
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(renderInside())
  })
  return element('li', {}, details)
}

const toneOf = (status: number) => (status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good')

function headersOf(headers: Readonly<Record<string, string | undefined>>): HTMLElement {
  const all = Object.entries(headers)
  return element(
    'details',
    { class: 'headers' },
    element('summary', {}, `${all.length} ${all.length === 1 ? 'header' : 'headers'}`),
    element(
      'dl',
      {},
      all.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
  )
}

/** The same request again, with the credentials of this mock where there were some. */
function curlOf({ host, request }: JournalEntry, { cloud, selfHosted }: TargetFile): string {
  const parts = ['curl', request.method !== 'GET' && `-X ${request.method}`]
  if (request.headers.authorization !== undefined) {
    parts.push(
      host === 'cloud'
        ? `-u ${quote(`${cloud?.keyId}:${cloud?.keySecret}`)}`
        : `-H ${quote(`Authorization: Bearer ${selfHosted?.apiKey}`)}`,
    )
  }
  const type = request.headers['content-type']
  if (type) parts.push(`-H ${quote(`Content-Type: ${type}`)}`)
  if (request.body) parts.push(`-d ${quote(request.body)}`)
  parts.push(quote(`${(host === 'cloud' ? cloud?.baseUrl : selfHosted?.baseUrl) ?? ''}${request.path}`))
  return parts.filter(Boolean).join(' ')
}
