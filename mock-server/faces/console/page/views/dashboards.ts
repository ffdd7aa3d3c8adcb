import type { Alert, Dashboard, Tile } from '../../../../words/resources.ts'
import type { Drawing } from '../../draw-tile.ts'
import { readAbout } from '../about.ts'
import { everywhere, read, readRecords } from '../ask.ts'
import { append, element, fill } from '../element.ts'
import { markdown } from '../markdown.ts'
import { badge, choice, table } from '../parts.ts'

export interface Drawn {
  readonly dashboard: Omit<Dashboard, 'tiles'> & { readonly tiles: readonly (Tile & { readonly drawing: Drawing })[] }
  readonly alerts: readonly Alert[]
}
type Listed = { readonly total: number; readonly records: readonly { readonly id: string; readonly name: string }[] }

const ranges = [
  ['60', 'Last hour'],
  ['360', 'Last 6 hours'],
  ['1440', 'Last day'],
  ['10080', 'Last 7 days'],
] as const

const list = (kind: string, scope: string) => readRecords<Listed>(kind, scope, { limit: '200' })

/** Draws a dashboard from the rows of its stack. In the address: stack, dashboard, minutes. */
export async function showDashboards(place: HTMLElement, words: readonly string[], signal: AbortSignal): Promise<void> {
  const { selfHostedStack } = await readAbout()
  const [stack = selfHostedStack, wanted, minutes = '10080'] = words
  const [dashboards, organizations] = await Promise.all([list('dashboards', stack), list('organizations', everywhere)])
  const services = await Promise.all(organizations.records.slice(0, 10).map(({ id }) => list('services', id)))
  const stacks = [
    [selfHostedStack, 'self-hosted'] as const,
    ...services.flatMap(({ records }, i) =>
      records.map(({ id, name }) => [id, `${organizations.records[i]!.name}: ${name}`] as const),
    ),
  ]
  const chosen = dashboards.records.find(({ id }) => id === wanted) ?? dashboards.records[0]
  const go = (to: { stack?: string; id?: string; minutes?: string }) =>
    `#/dashboards/${[to.stack ?? stack, to.id ?? chosen?.id ?? '', to.minutes ?? minutes].map(encodeURIComponent).join('/')}`
  append(place, [
    element('h1', {}, 'Dashboards'),
    element(
      'nav',
      { class: 'tabs', 'aria-label': 'Dashboards of this stack' },
      dashboards.records.map(({ id, name }) =>
        element('a', { href: go({ id }), 'aria-current': id === chosen?.id && 'true' }, name || '(no name)'),
      ),
    ),
    element(
      'div',
      { class: 'tools' },
      choice('Stack', stacks, stack, id => go({ stack: id, id: '' })),
      choice('Range', ranges, minutes, id => go({ minutes: id })),
    ),
  ])
  if (!chosen)
    return append(place, [
      element('p', { class: 'empty' }, 'This stack has no dashboards. POST one, and it is drawn here.'),
    ])

  const board = element('div', { class: 'board' })
  place.append(board)
  let drawing = new AbortController()
  signal.addEventListener('abort', () => drawing.abort())
  let before = ''
  const draw = async () => {
    const drawn = await read<Drawn>(
      `/control/drawings/${encodeURIComponent(stack)}/${encodeURIComponent(chosen.id)}?minutes=${encodeURIComponent(minutes)}`,
    )
    const next = JSON.stringify([drawn.dashboard, drawn.alerts])
    if (next === before || signal.aborted) return
    before = next
    drawing.abort()
    drawing = new AbortController()
    await renderBoard(board, drawn, drawing.signal)
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
  board: HTMLElement,
  { dashboard, alerts }: Drawn,
  signal: AbortSignal,
): Promise<void> {
  const { drawChart, colour, shorten } = await import('../chart.ts')
  const top = Math.min(...dashboard.tiles.map(({ y }) => y), Number.MAX_SAFE_INTEGER)
  const charts: (() => void)[] = []

  const draw = (drawing: Drawing): HTMLElement => {
    switch (drawing.as) {
      case 'markdown':
        return markdown(drawing.text)
      case 'number':
        return element('p', { class: 'figure', title: String(drawing.value) }, tellFigure(drawing.value, shorten))
      case 'nothing':
        return element('p', { class: 'empty' }, drawing.why)
      case 'table':
        return drawing.rows.length === 0
          ? element('p', { class: 'empty' }, 'No rows in this range.')
          : table(
              'rows',
              drawing.columns,
              drawing.rows.map(row => row.map((cell, i) => showCell(cell, drawing.columns[i]!))),
            )
      case 'shares':
        return drawShares(drawing.shares, colour, shorten)
      default: {
        if (drawing.series.length === 0) return element('p', { class: 'empty' }, 'No rows in this range.')
        const plot = element('div', { class: 'plot', role: 'img', 'aria-label': describe(drawing) })
        charts.push(() => drawChart(plot, drawing.as as 'line' | 'bars', drawing.times, drawing.series, signal))
        return element(
          'div',
          { class: 'plotted' },
          plot,
          legend(
            drawing.series.map(({ name }) => name),
            drawing.left,
            colour,
          ),
        )
      }
    }
  }

  const tiles = dashboard.tiles.map(tile => {
    const watching = alerts.filter(({ tileId }) => tileId === tile.id)
    const made = element(
      'section',
      { class: `tile as-${tile.drawing.as}`, 'aria-label': tile.name },
      element(
        'h2',
        {},
        tile.name,
        watching.map(alert =>
          badge(
            `${alert.thresholdType.replaceAll('_', ' ')} ${alert.threshold}: ${alert.state}`,
            alert.state === 'ALERT' ? 'bad' : 'plain',
          ),
        ),
      ),
      draw(tile.drawing),
    )
    made.style.setProperty('--x', String(Math.floor(tile.x) + 1))
    made.style.setProperty('--y', String(Math.floor(tile.y) - top + 1))
    made.style.setProperty('--w', String(Math.max(1, Math.round(tile.w))))
    made.style.setProperty('--h', String(Math.max(1, Math.round(tile.h))))
    return { made, tile }
  })
  // On a narrow screen tiles stand in this order.
  tiles.sort((a, b) => a.tile.y - b.tile.y || a.tile.x - b.tile.x)
  fill(
    board,
    tiles.length === 0
      ? element('p', { class: 'empty' }, 'This dashboard has no tiles.')
      : tiles.map(({ made }) => made),
  )
  // A plot takes the size of its place, which has none before it is on the page.
  requestAnimationFrame(() => {
    if (!signal.aborted) for (const chart of charts) chart()
  })
}

/** Whole as long as there is room for it. */
const tellFigure = (value: number | null, shorten: (value: number | null) => string): string =>
  value !== null && Math.abs(value) >= 1000 && Math.abs(value) < 1e6
    ? Math.round(value).toLocaleString('en')
    : shorten(value)

const describe = ({ as, series }: Extract<Drawing, { as: 'line' | 'bars' }>) =>
  `${as === 'line' ? 'Lines' : 'Stacked bars'} over time: ${series.map(({ name, values }) => `${name}, at most ${Math.max(...values.map(Number))}`).join('; ')}`

const legend = (names: readonly string[], left: number, colour: (index: number) => string) =>
  element(
    'ul',
    { class: 'legend' },
    names.map((name, i) => {
      const mark = element('i')
      mark.style.background = colour(i)
      return element('li', { title: name }, mark, name)
    }),
    left > 0 && element('li', { class: 'quiet' }, `and ${left} more`),
  )

function drawShares(
  shares: readonly { readonly name: string; readonly value: number }[],
  colour: (index: number) => string,
  shorten: (value: number) => string,
): HTMLElement {
  const most = Math.max(...shares.map(({ value }) => value), 1)
  const largest = shares.toSorted((a, b) => b.value - a.value).slice(0, 20)
  return element(
    'ul',
    { class: 'shares' },
    largest.map(({ name, value }, i) => {
      const bar = element('i')
      bar.style.width = `${(100 * value) / most}%`
      bar.style.background = colour(i)
      return element('li', {}, element('span', {}, name), element('b', {}, shorten(value)), bar)
    }),
  )
}

function showCell(cell: unknown, column: string): Node | string {
  if (cell === null || cell === undefined) return '–'
  if (typeof cell === 'number') return cell.toLocaleString('en', { maximumFractionDigits: 3 })
  if (typeof cell === 'object') return JSON.stringify(cell)
  const text = String(cell)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return element('time', { datetime: text }, text.slice(5, 19).replace('T', ' '))
  if (column === 'SeverityText') return badge(text, { ERROR: 'bad', WARN: 'warn' }[text] ?? 'plain')
  return text
}
