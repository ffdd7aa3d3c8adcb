import type { JournalEntry, TargetFile } from '../../../../core/mock.ts'
import { readTarget } from '../about.ts'
import type { View } from '../app.ts'
import { ask, read } from '../ask.ts'
import { renderCall } from '../calls/call.ts'
import { createFilters } from '../calls/filters.ts'
import { append, element } from '../element.ts'
import { button, createUpdate, repeat } from '../parts.ts'

const shownAtFirst = 200

/** The calls as they come in, each with its answer and the reason of it. In the address: what is left out. */
export const showCalls: View = async (place, [wanted = ''], signal, { pulse }) => {
  const list = element('ol.calls.panel.lined', { 'aria-label': 'Calls, the newest first' })
  const said = element('p.quiet.count', { role: 'status' })
  const update = createUpdate()
  let isPaused = false
  let limit = shownAtFirst
  let world = ''
  let target = await readTarget()
  const items = new Map<number, HTMLElement>()

  const draw = (calls: readonly JournalEntry[]) => {
    const fresh = new Map(calls.map(call => [call.number, items.get(call.number) ?? renderCall(call, target)]))
    // What is open stays as it is: only what came or went is touched.
    for (const [key, item] of items) if (!fresh.has(key)) item.remove()
    let before: ChildNode | null = list.firstChild
    for (const item of fresh.values()) {
      if (item === before) before = before.nextSibling
      else list.insertBefore(item, before)
    }
    items.clear()
    for (const [key, item] of fresh) items.set(key, item)
    filters.learn(calls.flatMap(({ operation }) => operation ?? []))
    more.hidden = calls.length < limit
    const count = `${calls.length.toLocaleString('en')} ${calls.length === 1 ? 'call' : 'calls'}`
    const none = filters.isFiltered() ? 'No call is like this.' : 'No calls yet. They appear here as they come in.'
    const sentence = calls.length === 0 ? none : calls.length < limit ? count : `The newest ${count}`
    update(said, sentence, () => sentence)
  }
  const refresh = async () => {
    if (isPaused) return
    if (filters.world() !== world) target = await read<TargetFile>(`/control/target${filters.world()}`)
    world = filters.world()
    draw(await read<readonly JournalEntry[]>(`/control/calls?limit=${limit}&${filters.query()}`))
  }
  const attempt = () =>
    refresh().catch(error => {
      update(said, error.message, () => error.message)
      list.replaceChildren()
      items.clear()
    })
  const filters = await createFilters(wanted, pulse.now, () => {
    limit = shownAtFirst
    return attempt()
  })
  const address = () => `/control/calls.har?${filters.query()}`
  const save: HTMLElement = element(
    'a.button',
    { download: 'calls.har', href: address(), onclick: () => save.setAttribute('href', address()) },
    'Save as HAR',
  )
  const turn = () => {
    isPaused = !isPaused
    pause.ariaPressed = String(isPaused)
    pause.textContent = isPaused ? 'Go on' : 'Pause'
    return attempt()
  }
  const pause = button('Pause', turn, { 'aria-pressed': 'false' })
  const forget = button('Forget all', async () => {
    await ask('DELETE', `/control/calls${filters.world()}`)
    await attempt()
  })
  const more = button('Show more', () => {
    limit += 500
    return attempt()
  })
  append(place, [
    element('div.heading', [element('h1', 'Calls'), element('div.tools', [pause, save, forget])]),
    filters.root,
    said,
    list,
    element('p', more),
  ])
  await attempt()
  await repeat(1000, signal, refresh)
}
