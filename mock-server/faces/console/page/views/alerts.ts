import type { Drawing } from '../../draw-tile.ts'
import type { AlertWindow, ListedAlert } from '../../list-alerts.ts'
import { alertAddress, tellThreshold } from '../alert-words.ts'
import type { View } from '../app.ts'
import { controlAddress, read } from '../ask.ts'
import { changeButtons, changesInStack } from '../change/in-stack.ts'
import { renderDrawing } from '../drawing.ts'
import { append, element } from '../element.ts'
import { toMinuteOfYear } from '../moments.ts'
import type { NumberFormat } from '../number-format.ts'
import { badge, button, createUpdate, definitions, repeat, toneOfState } from '../parts.ts'
import { listStacks, stackChoice, stackOf } from '../stacks.ts'

interface Told {
  readonly now: number
  readonly alerts: readonly ListedAlert[]
}

/** The alerts of a stack: what each watches, its threshold, and its state over time. In the address: stack, alert. */
export const showAlerts: View = async (place, words, signal, page) => {
  const stacks = await listStacks()
  const [wantedStack, wanted] = words
  const chosen = stackOf(stacks, wantedStack)
  const stack = chosen.id
  const changes = changesInStack('alerts', chosen, page)
  const all = element('div.alerts')
  append(place, [
    element('h1', 'Alerts'),
    element('div.tools', [
      stackChoice(stacks, stack, id => alertAddress(id, '')),
      element('span.quiet.range', 'History is computed from the rows that are there now. Times are UTC.'),
      button('New alert', changes.create, { class: 'primary new' }),
    ]),
    all,
  ])
  const update = createUpdate()
  const draw = async () => {
    const { alerts } = await read<Told>(controlAddress(['alerts', stack]))
    const firing = ({ alert }: ListedAlert) => (alert.state === 'ALERT' ? 0 : 1)
    const render = (listed: ListedAlert) =>
      renderAlert(listed, {
        stack,
        isChosen: listed.alert.id === wanted,
        buttons: changeButtons(changes, { ...listed.alert }),
      })
    update(all, alerts, () =>
      alerts.length === 0
        ? element('p.empty', 'This stack has no alerts. Create one, and it is evaluated here.')
        : alerts.toSorted((a, b) => firing(a) - firing(b)).map(render),
    )
  }
  await repeat(15_000, signal, draw)
  requestAnimationFrame(() => all.querySelector('.chosen')?.scrollIntoView({ block: 'nearest' }))
}

interface Shown {
  readonly stack: string
  readonly isChosen: boolean
  readonly buttons: readonly HTMLElement[]
}

function renderAlert(listed: ListedAlert, { stack, isChosen, buttons }: Shown): HTMLElement {
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
    element('h2', [
      alert.name || 'Alert without a name',
      badge(alert.state, toneOfState(alert.state, 'plain')),
      buttons,
    ]),
    definitions('dl.facts', facts),
    alert.message && element('p.quiet', alert.message),
    why && element('p.empty', why),
    windows.length > 0 && renderStates(windows),
    windows.length > 0 && element('div.history', renderDrawing(drawingOf(listed, windows), stack, alert.threshold)),
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
            class: toneOfState(state, 'plain'),
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
