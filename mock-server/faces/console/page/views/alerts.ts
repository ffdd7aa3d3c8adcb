import type { Drawing } from '../../draw-tile.ts'
import type { AlertWindow, ListedAlert } from '../../list-alerts.ts'
import { alertAddress, tellThreshold, toneOfAlert } from '../alert-words.ts'
import type { View } from '../app.ts'
import { read } from '../ask.ts'
import { changeButtons, changesInStack } from '../change/in-stack.ts'
import { type Board, createBoard, renderDrawing } from '../drawing.ts'
import { append, element, fill } from '../element.ts'
import { toMinuteOfYear } from '../moments.ts'
import type { NumberFormat } from '../number-format.ts'
import { badge, choice } from '../parts.ts'
import { listStacks } from '../stacks.ts'

interface Told {
  readonly now: number
  readonly alerts: readonly ListedAlert[]
}

/** The alerts of a stack: what each watches, its threshold, and its state over time. In the address: stack, alert. */
export const showAlerts: View = async (place, words, signal, page) => {
  const stacks = await listStacks()
  const [stack = stacks[0]![0], wanted] = words
  const changes = await changesInStack('alerts', stack, page)
  const all = element('div.alerts')
  append(place, [
    element('h1', 'Alerts'),
    element('div.tools', [
      choice('Stack', stacks, stack, id => alertAddress(id, '')),
      element('span.quiet.range', 'History is computed from the rows that are there now. Times are UTC.'),
      element('button.primary.new', { type: 'button', onclick: () => changes.create() }, 'New alert'),
    ]),
    all,
  ])
  let drawing = new AbortController()
  signal.addEventListener('abort', () => drawing.abort())
  let before = ''
  const draw = async () => {
    const { alerts } = await read<Told>(`/control/alerts/${encodeURIComponent(stack)}`)
    const next = JSON.stringify(alerts)
    if (next === before || signal.aborted) return
    before = next
    drawing.abort()
    drawing = new AbortController()
    const { board, drawCharts } = createBoard(stack, drawing.signal)
    const firing = ({ alert }: ListedAlert) => (alert.state === 'ALERT' ? 0 : 1)
    const cards = await Promise.all(
      alerts
        .toSorted((a, b) => firing(a) - firing(b))
        .map(async listed => {
          const card = await renderAlert(listed, board, listed.alert.id === wanted)
          card.querySelector('h2')!.append(...changeButtons(changes, { ...listed.alert }))
          return card
        }),
    )
    const none = element('p.empty', 'This stack has no alerts. Create one, and it is evaluated here.')
    fill(all, cards.length === 0 ? none : cards)
    drawCharts()
  }
  await draw()
  requestAnimationFrame(() => all.querySelector('.chosen')?.scrollIntoView({ block: 'nearest' }))
  const refresh = setInterval(() => document.hidden || draw().catch(() => {}), 15_000)
  signal.addEventListener('abort', () => clearInterval(refresh))
}

async function renderAlert(listed: ListedAlert, board: Board, isChosen: boolean): Promise<HTMLElement> {
  const { alert, watches, channels, windows, why } = listed
  const format = listed.format as NumberFormat | undefined
  const fired = windows.filter(({ state }) => state === 'ALERT')
  const facts: readonly (readonly [string, string])[] = [
    ['Watches', watches.dashboard ? `${watches.name} (${watches.dashboard})` : watches.name],
    ['Threshold', tellThreshold(alert, format)],
    ['Tells', channels.join(', ') || 'nobody'],
    ['Fired', windows.length === 0 ? '–' : `in ${fired.length} of the last ${windows.length} windows`],
  ]
  return element('section', { class: `card alert${isChosen ? ' chosen' : ''}`, 'aria-label': alert.name ?? 'Alert' }, [
    element('h2', [alert.name || 'Alert without a name', badge(alert.state, toneOfAlert(alert.state))]),
    element('dl.facts', [facts.map(([name, value]) => element('div', [element('dt', name), element('dd', value)]))]),
    alert.message && element('p.quiet', alert.message),
    why && element('p.empty', why),
    windows.length > 0 && renderStates(windows),
    windows.length > 0 &&
      element('div.history', await renderDrawing(drawingOf(listed, windows), { ...board, mark: alert.threshold })),
  ])
}

const drawingOf = ({ format }: ListedAlert, windows: readonly AlertWindow[]): Drawing => ({
  as: 'line',
  times: windows.map(({ start }) => start / 1000),
  series: [{ name: 'value', values: windows.map(({ value }) => value) }],
  areGroups: false,
  left: 0,
  ...(format ? { format: format as NonNullable<Drawing['format']> } : {}),
})

/** A strip of the states of the windows, with the changes in words. */
function renderStates(windows: readonly AlertWindow[]): HTMLElement {
  const changes = windows.flatMap(({ end, state }, i) =>
    i > 0 && windows[i - 1]!.state !== state ? [{ end, state }] : [],
  )
  return element('div.states', [
    element(
      'div.windows',
      { role: 'img', 'aria-label': `State over time, from ${toMinuteOfYear(windows[0]!.start)} UTC` },
      [
        windows.map(({ start, end, value, state }) =>
          element('i', {
            class: toneOfAlert(state),
            title: `${toMinuteOfYear(start)} to ${toMinuteOfYear(end)} UTC: ${state}, ${value ?? 'no rows'}`,
          }),
        ),
      ],
    ),
    element('p.quiet', [
      changes.length === 0
        ? `${windows.at(-1)!.state} since ${toMinuteOfYear(windows[0]!.start)} or longer`
        : changes
            .slice(-6)
            .map(({ end, state }) => `${toMinuteOfYear(end)} ${state}`)
            .join(' · '),
    ]),
  ])
}
