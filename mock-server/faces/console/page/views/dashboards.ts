import type { Range } from '../../../../telemetry/query/plan.ts'
import type { Alert, Dashboard, Tile } from '../../../../words/resources.ts'
import type { Drawing } from '../../draw-tile.ts'
import { alertAddress, tellThreshold } from '../alert-words.ts'
import type { View } from '../app.ts'
import { controlAddress, listRecords, pageAddress, read } from '../ask.ts'
import { changeButtons, changesInStack } from '../change/in-stack.ts'
import { renderDrawing } from '../drawing.ts'
import { append, element } from '../element.ts'
import { button, choice, createUpdate, repeat, toneOfState } from '../parts.ts'
import { listStacks, ranges, stackChoice, stackOf, tellRange, usualMinutes } from '../stacks.ts'

export interface Drawn {
  readonly range: Range
  readonly dashboard: Omit<Dashboard, 'tiles'> & { readonly tiles: readonly (Tile & { readonly drawing: Drawing })[] }
  readonly alerts: readonly Alert[]
}

/** Draws a dashboard from the rows of its stack. In the address: stack, dashboard, minutes. */
export const showDashboards: View = async (place, words, signal, page) => {
  const stacks = await listStacks()
  const [wantedStack, wanted, minutes = usualMinutes] = words
  const ofStack = stackOf(stacks, wantedStack)
  const stack = ofStack.id
  const dashboards = await listRecords('dashboards', stack)
  const changes = changesInStack('dashboards', ofStack, page)
  const chosen = dashboards.find(({ id }) => id === wanted) ?? dashboards[0]
  const go = (to: { stack?: string; id?: string; minutes?: string }) =>
    pageAddress('dashboards', to.stack ?? stack, to.id ?? chosen?.id ?? '', to.minutes ?? minutes)
  const range = element('span.quiet.range')
  append(place, [
    element('h1', 'Dashboards'),
    element('nav.tabs', { 'aria-label': 'Dashboards of this stack' }, [
      dashboards.map(({ id, name }) =>
        element('a', { href: go({ id }), 'aria-current': id === chosen?.id && 'true' }, name || '(no name)'),
      ),
    ]),
    element('div.tools', [
      stackChoice(stacks, stack, id => go({ stack: id, id: '' })),
      choice('Range', ranges, minutes, id => go({ minutes: id })),
      range,
      chosen && changeButtons(changes, { ...chosen }),
      button('New dashboard', changes.create, { class: 'primary new' }),
    ]),
  ])
  if (!chosen)
    return append(place, [element('p.empty', 'This stack has no dashboards. Create one, and it is drawn here.')])

  const board = element('div.board')
  place.append(board)
  const update = createUpdate()
  await repeat(15_000, signal, async () => {
    const drawn = await readDrawn(stack, chosen.id, minutes)
    range.textContent = tellRange(drawn.range)
    update(board, [drawn.dashboard, drawn.alerts], () => renderTiles(drawn, stack))
  })
}

/** Reads a dashboard with what its tiles show. */
export const readDrawn = (stack: string, dashboard: string, minutes: string) =>
  read<Drawn>(controlAddress(['drawings', stack, dashboard], { minutes }))

/** The tiles of a dashboard in their places, and in the order in which they stand on a narrow screen. */
export function renderTiles({ dashboard, alerts }: Drawn, stack: string): readonly HTMLElement[] {
  if (dashboard.tiles.length === 0) return [element('p.empty', 'This dashboard has no tiles.')]
  const top = Math.min(...dashboard.tiles.map(({ y }) => y))
  return dashboard.tiles
    .toSorted((a, b) => a.y - b.y || a.x - b.x)
    .map(({ id, name, drawing, x, y, w, h }) => {
      const style = {
        ...{ '--x': `${Math.floor(x) + 1}`, '--y': `${Math.floor(y) - top + 1}` },
        ...{ '--w': `${Math.max(1, Math.round(w))}`, '--h': `${Math.max(1, Math.round(h))}` },
      }
      const watching = alerts.filter(({ tileId }) => tileId === id)
      return element('section', { class: `tile panel as-${drawing.as}`, 'aria-label': name, style }, [
        element('h2', [name, watching.map(alert => renderChip(alert, stack))]),
        renderDrawing(drawing, stack),
      ])
    })
}

/** What watches a tile: its name and state, and its threshold beside them. */
const renderChip = (alert: Alert, stack: string) =>
  element(
    'a',
    {
      class: `badge ${toneOfState(alert.state, 'plain')}`,
      href: alertAddress(stack, alert.id),
      title: `Alert “${alert.name ?? ''}”: ${tellThreshold(alert)}`,
    },
    [`${alert.name || 'Alert'}: ${alert.state}`],
  )
