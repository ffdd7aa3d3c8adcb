import type { Range } from '../../../../telemetry/query/plan.ts'
import type { Alert, Dashboard, Tile } from '../../../../words/resources.ts'
import type { Drawing } from '../../draw-tile.ts'
import { alertAddress, tellThreshold, toneOfAlert } from '../alert-words.ts'
import type { View } from '../app.ts'
import { read } from '../ask.ts'
import { changeButtons, changesInStack } from '../change/in-stack.ts'
import { createBoard, renderDrawing } from '../drawing.ts'
import { append, element, fill } from '../element.ts'
import { choice } from '../parts.ts'
import { list, listStacks, ranges, tellRange, usualMinutes } from '../stacks.ts'

export interface Drawn {
  readonly range: Range
  readonly dashboard: Omit<Dashboard, 'tiles'> & { readonly tiles: readonly (Tile & { readonly drawing: Drawing })[] }
  readonly alerts: readonly Alert[]
}

/** Draws a dashboard from the rows of its stack. In the address: stack, dashboard, minutes. */
export const showDashboards: View = async (place, words, signal, page) => {
  const stacks = await listStacks()
  const [stack = stacks[0]![0], wanted, minutes = usualMinutes] = words
  const dashboards = await list('dashboards', stack)
  const changes = await changesInStack('dashboards', stack, page)
  const chosen = dashboards.records.find(({ id }) => id === wanted) ?? dashboards.records[0]
  const go = (to: { stack?: string; id?: string; minutes?: string }) =>
    `#/dashboards/${[to.stack ?? stack, to.id ?? chosen?.id ?? '', to.minutes ?? minutes].map(encodeURIComponent).join('/')}`
  const range = element('span.quiet.range')
  append(place, [
    element('h1', 'Dashboards'),
    element('nav.tabs', { 'aria-label': 'Dashboards of this stack' }, [
      dashboards.records.map(({ id, name }) =>
        element('a', { href: go({ id }), 'aria-current': id === chosen?.id && 'true' }, name || '(no name)'),
      ),
    ]),
    element('div.tools', [
      choice('Stack', stacks, stack, id => go({ stack: id, id: '' })),
      choice('Range', ranges, minutes, id => go({ minutes: id })),
      range,
      chosen && changeButtons(changes, { ...chosen }),
      element('button.primary.new', { type: 'button', onclick: () => changes.create() }, 'New dashboard'),
    ]),
  ])
  if (!chosen)
    return append(place, [element('p.empty', 'This stack has no dashboards. Create one, and it is drawn here.')])

  const board = element('div.board')
  place.append(board)
  let drawing = new AbortController()
  signal.addEventListener('abort', () => drawing.abort())
  let before = ''
  const draw = async () => {
    const drawn = await read<Drawn>(
      `/control/drawings/${encodeURIComponent(stack)}/${encodeURIComponent(chosen.id)}?minutes=${encodeURIComponent(minutes)}`,
    )
    range.textContent = tellRange(drawn.range)
    const next = JSON.stringify([drawn.dashboard, drawn.alerts])
    if (next === before || signal.aborted) return
    before = next
    drawing.abort()
    drawing = new AbortController()
    await renderBoard(board, drawn, stack, drawing.signal)
  }
  await draw()
  const refresh = setInterval(() => document.hidden || draw().catch(() => {}), 15_000)
  signal.addEventListener('abort', () => clearInterval(refresh))
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener(
    'change',
    () => {
      before = ''
      void draw()
    },
    { signal },
  )
}

/** Draws the tiles of a dashboard in their places. */
export async function renderBoard(
  place: HTMLElement,
  { dashboard, alerts }: Drawn,
  stack: string,
  signal: AbortSignal,
): Promise<void> {
  const top = Math.min(...dashboard.tiles.map(({ y }) => y), Number.MAX_SAFE_INTEGER)
  const { board, drawCharts } = createBoard(stack, signal)
  const render = async (tile: Drawn['dashboard']['tiles'][number]) => {
    const watching = alerts.filter(({ tileId }) => tileId === tile.id)
    const drawn = await renderDrawing(tile.drawing, board)
    const made = element('section', { class: `tile as-${tile.drawing.as}`, 'aria-label': tile.name }, [
      element('h2', [tile.name, watching.map(alert => renderChip(alert, stack))]),
      drawn,
    ])
    made.style.setProperty('--x', String(Math.floor(tile.x) + 1))
    made.style.setProperty('--y', String(Math.floor(tile.y) - top + 1))
    made.style.setProperty('--w', String(Math.max(1, Math.round(tile.w))))
    made.style.setProperty('--h', String(Math.max(1, Math.round(tile.h))))
    return made
  }
  // On a narrow screen tiles stand in this order.
  const tiles = await Promise.all(dashboard.tiles.toSorted((a, b) => a.y - b.y || a.x - b.x).map(render))
  fill(place, tiles.length === 0 ? element('p.empty', 'This dashboard has no tiles.') : tiles)
  drawCharts()
}

/** What watches a tile: its name and state, and its threshold beside them. */
const renderChip = (alert: Alert, stack: string) =>
  element(
    'a',
    {
      class: `badge ${toneOfAlert(alert.state)}`,
      href: alertAddress(stack, alert.id),
      title: `Alert “${alert.name ?? ''}”: ${tellThreshold(alert)}`,
    },
    [`${alert.name || 'Alert'}: ${alert.state}`],
  )
