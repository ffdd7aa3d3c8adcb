import type { JournalEntry, TargetFile } from '../../../../core/mock.ts'
import { formNames, readTarget } from '../about.ts'
import type { View } from '../app.ts'
import { ask, createReader } from '../ask.ts'
import { append, element } from '../element.ts'
import { badge, body, copyButton, quote, repeat } from '../parts.ts'

const shownAtMost = 200

/** The calls as they come in, each with its answer and the reason of it. */
export const showCalls: View = async (place, _words, signal, { say }) => {
  const target = await readTarget()
  const reader = createReader<readonly JournalEntry[]>(`/control/calls?limit=${shownAtMost}`)
  const list = element('ol', { class: 'calls', 'aria-label': 'Calls, the newest first' })
  const said = element('p', { class: 'quiet count', role: 'status' })
  const search = element('input', {
    type: 'search',
    placeholder: 'Filter by path, operation or rule',
    'aria-label': 'Filter',
  })
  const status = element(
    'select',
    { 'aria-label': 'Status' },
    [
      ['', 'All answers'],
      ['2', 'Successes'],
      ['4', 'Refusals'],
      ['5', 'Failures'],
    ].map(([value, name]) => element('option', { value }, name)),
  )
  const pause = element('button', { type: 'button', 'aria-pressed': 'false' }, 'Pause')
  const forget = element('button', { type: 'button' }, 'Forget all')

  let calls: readonly JournalEntry[] = []
  const items = new Map<string, HTMLElement>()

  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const fitting = calls.filter(call => {
      const text =
        `${call.request.method} ${call.request.path} ${call.operation} ${call.because.rule} ${call.response.status} ${call.blockedByBrowser ? 'blocked' : ''}`.toLowerCase()
      return String(call.response.status).startsWith(status.value) && words.every(word => text.includes(word))
    })
    const fresh = new Map<string, HTMLElement>()
    for (const call of fitting) {
      const key = `${call.at} ${call.ms} ${call.request.path}`
      fresh.set(key, items.get(key) ?? renderCall(call, target))
    }
    // What is open stays as it is: only what came or went is touched.
    for (const [key, item] of items) if (!fresh.has(key)) item.remove()
    let before: ChildNode | null = list.firstChild
    for (const item of fresh.values()) {
      if (item === before) before = before.nextSibling
      else list.insertBefore(item, before)
    }
    items.clear()
    for (const [key, item] of fresh) items.set(key, item)
    said.textContent =
      calls.length === 0
        ? 'No calls yet. They appear here as they come in.'
        : fitting.length === calls.length
          ? `${calls.length === shownAtMost ? `The newest ${shownAtMost} calls` : `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`}`
          : `${fitting.length} of ${calls.length} calls`
  }

  const refresh = async () => {
    if (pause.getAttribute('aria-pressed') === 'true') return
    const found = await reader()
    if (!found) return
    calls = found
    draw()
  }
  search.addEventListener('input', draw)
  status.addEventListener('change', draw)
  pause.addEventListener('click', () => {
    const isPaused = pause.getAttribute('aria-pressed') !== 'true'
    pause.setAttribute('aria-pressed', String(isPaused))
    pause.textContent = isPaused ? 'Go on' : 'Pause'
    if (!isPaused) void refresh()
  })
  forget.addEventListener('click', async () => {
    await ask('DELETE', '/control/calls').catch(error => say(error.message))
    await refresh()
    calls = []
    draw()
  })

  append(place, [
    element('h1', {}, 'Calls'),
    element('div', { class: 'tools' }, search, status, pause, forget),
    said,
    list,
  ])
  draw()
  repeat(1000, signal, refresh)
}

const basisTones: Readonly<Record<string, string>> = { stated: 'good', implied: 'note', invented: 'plain' }

function renderCall(call: JournalEntry, target: TargetFile): HTMLElement {
  const { request, response, because, blockedByBrowser, ms, at, form, host, operation } = call
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { class: `status ${toneOf(response.status)}` }, response.status || '–'),
      element('span', { class: 'method' }, request.method),
      element('span', { class: 'path' }, request.path),
      element(
        'span',
        { class: 'operation' },
        blockedByBrowser && [badge('blocked by browsers', 'bad'), ' '],
        operation,
        ' ',
        element('em', {}, formNames[form ?? host]),
      ),
      element('span', { class: 'ms' }, `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`),
      element('time', { datetime: at }, at.slice(11, 19)),
    ),
  )
  // Most are never opened.
  details.addEventListener(
    'toggle',
    () => details.open && details.childElementCount === 1 && details.append(renderInside()),
    { once: false },
  )
  const renderInside = () =>
    element(
      'div',
      { class: 'inside' },
      element(
        'div',
        { class: 'because' },
        badge(because.basis, basisTones[because.basis]),
        because.rule && element('code', {}, because.rule),
        element('p', {}, because.why),
      ),
      blockedByBrowser &&
        element('div', { class: 'because' }, badge('blocked by browsers', 'bad'), element('p', {}, blockedByBrowser)),
      element(
        'div',
        { class: 'pair' },
        element(
          'section',
          {},
          element('h3', {}, 'Request ', host !== 'webhook' && copyButton(() => curlOf(call, target), 'Copy as curl')),
          headersOf(request.headers),
          body(request.body),
        ),
        element('section', {}, element('h3', {}, 'Answer'), headersOf(response.headers), body(response.body)),
      ),
    )
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
