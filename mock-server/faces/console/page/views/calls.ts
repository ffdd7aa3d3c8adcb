import type { JournalEntry, TargetFile } from '../../../../core/mock.ts'
import type { View } from '../app.ts'
import { ask, createReader, read } from '../ask.ts'
import { renderCall } from '../calls/call.ts'
import { createFilters } from '../calls/filters.ts'
import { append, element } from '../element.ts'
import { repeat } from '../parts.ts'

const shownAtFirst = 200

/** The calls as they come in, each with its answer and the reason of it. In the address: what is left out. */
export const showCalls: View = async (place, [wanted = ''], signal, { pulse, say }) => {
  const list = element('ol.calls', { 'aria-label': 'Calls, the newest first' })
  const said = element('p.quiet.count', { role: 'status' })
  const pause = element('button', { type: 'button', 'aria-pressed': 'false' }, 'Pause')
  const forget = element('button', { type: 'button' }, 'Forget all')
  const save = element('a.button', { download: 'calls.har' }, 'Save as HAR')
  const more = element('button', { type: 'button' }, 'Show more')
  let limit = shownAtFirst
  let address = ''
  let world = ''
  let target = await read<TargetFile>('/control/target')
  let reader: () => Promise<readonly JournalEntry[] | undefined>
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
    said.textContent =
      calls.length === 0
        ? filters.isFiltered()
          ? 'No call is like this.'
          : 'No calls yet. They appear here as they come in.'
        : calls.length < limit
          ? count
          : `The newest ${count}`
  }
  const refresh = async () => {
    if (pause.getAttribute('aria-pressed') === 'true') return
    const query = filters.query()
    const key = `${limit} ${query}`
    if (key !== address) {
      if (filters.world() !== world) target = await read<TargetFile>(`/control/target${filters.world()}`)
      world = filters.world()
      address = key
      reader = createReader(`/control/calls?limit=${limit}&${query}`)
    }
    const found = await reader()
    if (found && !signal.aborted) draw(found)
  }
  const attempt = () =>
    refresh().catch(error => {
      said.textContent = error.message
      list.replaceChildren()
      items.clear()
    })
  const filters = await createFilters(wanted, pulse.now, () => {
    limit = shownAtFirst
    return attempt()
  })
  save.addEventListener('click', () => {
    save.href = `/control/calls.har?${filters.query()}`
  })
  save.href = '/control/calls.har'
  pause.addEventListener('click', () => {
    const isPaused = pause.getAttribute('aria-pressed') !== 'true'
    pause.setAttribute('aria-pressed', String(isPaused))
    pause.textContent = isPaused ? 'Go on' : 'Pause'
    if (!isPaused) void attempt()
  })
  forget.addEventListener('click', async () => {
    await ask('DELETE', `/control/calls${filters.world()}`).catch(error => say(error.message))
    address = ''
    await attempt()
  })
  more.addEventListener('click', () => {
    limit += 500
    void attempt()
  })
  append(place, [
    element('div.heading', [element('h1', 'Calls'), element('div.tools', [pause, save, forget])]),
    filters.root,
    said,
    list,
    element('p', more),
  ])
  await attempt()
  repeat(1000, signal, refresh)
}
