import type { Command, Moment, ShownService, ShownServices } from '../../list-services.ts'
import { ask, read, recordAddress } from '../ask.ts'
import type { Changes } from '../change/changes.ts'
import type { Callable } from '../change/operations.ts'
import { secretsIn, showOnce } from '../change/sheet.ts'
import { element } from '../element.ts'
import { toMinute } from '../moments.ts'
import { badge, button, createUpdate, select, toneOfState } from '../parts.ts'

/** A service: its state over time, and what can be done to it. */
export interface Card {
  readonly root: HTMLElement
  show(service: ShownService, found: ShownServices): void
}

const toneOf = (state: string) => toneOfState(state, 'note')
const nameOf = (state: string) => state.replaceAll('_', ' ')

const commands = [
  ['start', 'Start'],
  ['stop', 'Stop'],
  ['awake', 'Awake'],
] as const satisfies readonly (readonly [Command, string])[]
const arranged = ['degraded', 'failed', 'partially_running', 'running', 'idle', 'stopped'] as const

export interface Ways {
  readonly organization: string
  readonly redraw: () => Promise<void>
  readonly changes: Changes
  /** An operation on a service, ready to be called. */
  readonly find: (verb: string, id: string) => Promise<Callable>
}

export function createCard(id: string, { organization, redraw, changes, find }: Ways): Card {
  let shown: ShownService
  const act = (says: string, work: () => Promise<unknown>, attributes = {}) => {
    const workAndShow = async () => {
      await work()
      await redraw()
      // A button that is off loses the focus: the next one that is on takes it.
      if (document.activeElement === document.body) tools.querySelector<HTMLElement>('button:enabled')?.focus()
    }
    return button(says, workAndShow, attributes)
  }
  const change = async (state: string) => {
    const { now } = await read<{ now: string }>('/control/clock')
    await ask('PATCH', recordAddress('services', organization, id), { state, since: Date.parse(now) })
  }
  const move = async (command: Command) => (await find('state', id)).call({ command })
  const renew = async () =>
    showOnce(`The password of ${shown.name} was changed`, secretsIn(await (await find('password', id)).call({})))
  const moves = commands.map(([command, says]) => ({ command, root: act(says, () => move(command)) }))
  const menu = select(
    arranged.map(state => [state, nameOf(state)]),
    undefined,
    { 'aria-label': 'State to arrange' },
  )
  const tools = element('div.tools', [
    moves.map(({ root }) => root),
    act('New password', renew),
    button('Delete', () => changes.remove({ ...shown })),
    element('span.arrange', [menu, act('Arrange', () => change(menu.value))]),
  ])
  const fail = (backup: string) => ask('PATCH', recordAddress('backups', id, backup), { status: 'error' })
  const [head, facts, strip, told, backups] = [
    element('h2', { id: `service-${id}` }),
    element('p.facts'),
    element('div.strip', { 'aria-hidden': 'true' }),
    element('span'),
    element('ul.backups'),
  ]
  const last = element('details', [element('summary', 'Last backups'), backups])
  const update = createUpdate()
  const root = element('section.card', { 'aria-labelledby': `service-${id}` }, [
    ...[head, facts],
    element('div', [strip, element('p.ends', [element('span', '24 h ago'), told, element('span', 'now')])]),
    tools,
    last,
  ])
  return {
    root,
    show(service, { now, from }) {
      shown = service
      const { name, provider, region, state, next, history } = service
      update(head, [name, state], () => [name, ' ', badge(nameOf(state), toneOf(state))])
      const says = [
        `${provider} ${region}`,
        `since ${toMinute(history.at(-1)!.at)}`,
        next ? `${nameOf(next.state)} in ${lengthOf(next.at - now)}` : 'stays until it is moved',
      ]
      update(facts, says, () => says.map(text => element('span', text)))
      update(strip, [history, Math.floor(now / 60_000)], () => renderSegments(history, from, now))
      told.textContent = describeHistory(history, from, now)
      for (const { command, root } of moves) root.disabled = service.moves[command] === undefined
      last.hidden = service.backups.length === 0
      update(backups, service.backups, () =>
        service.backups.map(({ id, status, startedAt }) =>
          element('li', [
            badge(nameOf(status), toneOf(status)),
            element('span', toMinute(Date.parse(startedAt))),
            status !== 'error' &&
              act('Make it fail', () => fail(id), {
                class: 'copy',
                'aria-label': `Make it fail: the backup of ${toMinute(Date.parse(startedAt))}`,
              }),
          ]),
        ),
      )
    },
  }
}

/** Each state with its part of the time that is shown; what is not known is left empty. */
function spansOf(history: readonly Moment[], from: number, now: number) {
  return history.map(({ state, at }, i) => ({ state, lasts: (history[i + 1]?.at ?? now) - Math.max(at, from) }))
}

function renderSegments(history: readonly Moment[], from: number, now: number): HTMLElement[] {
  const before = element('i', { style: { 'flex-grow': `${Math.max(0, history[0]!.at - from)}` } })
  const segments = spansOf(history, from, now).map(({ state, lasts }) =>
    element('i', { class: toneOf(state), style: { 'flex-grow': `${lasts}` } }),
  )
  return [before, ...segments]
}

/** The last of the states, in words. */
function describeHistory(history: readonly Moment[], from: number, now: number): string {
  const says = spansOf(history, from, now).map(({ state, lasts }) => `${nameOf(state)} ${lengthOf(lasts)}`)
  return [...(says.length > mostTold ? ['…'] : []), ...says.slice(-mostTold)].join(', ')
}
const mostTold = 4

function lengthOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
