import uPlot from 'uplot'
import { cssValue } from './colours.ts'
import { element, fill } from './element.ts'
import type { Numbers } from './number-format.ts'

export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
}

/** What a chart shows, and how. */
export interface Chart {
  readonly as: 'line' | 'bars'
  /** Epoch seconds. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** Of each series. */
  readonly colours: readonly string[]
  readonly numbers: Numbers
  /** A value that is marked by a line, such as a threshold. */
  readonly mark?: number
}

/** Draws lines, or bars that stand on each other, over time, as large as its place is, and for as long as it is seen. */
export function drawChart(place: HTMLElement, chart: Chart): void {
  let plot: uPlot | undefined
  new ResizeObserver(() => {
    const size = { width: Math.max(80, place.clientWidth), height: Math.max(60, place.clientHeight) }
    if (place.clientWidth === 0) {
      plot?.destroy()
      plot = undefined
    } else if (plot) plot.setSize(size)
    else plot = createPlot(place, chart, size)
  }).observe(place)
}

function createPlot(place: HTMLElement, chart: Chart, size: { width: number; height: number }): uPlot {
  const { as, times, series, colours, numbers, mark } = chart
  const isStacked = as === 'bars'
  const shown = isStacked ? stack(series) : series.map(({ values }) => [...values])
  const width = times.length > 1 ? times[1]! - times[0]! : 60
  const last = times.at(-1)!
  const axis: uPlot.Axis = {
    stroke: cssValue('--quiet'),
    grid: { stroke: cssValue('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  const options: uPlot.Options = {
    ...size,
    padding: [8, 20, 0, 0],
    tzDate: time => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [times[0]! - (isStacked ? width / 2 : 0), last + (isStacked ? width : 0)] },
      y: { range: (_plot, least, most) => [Math.min(0, least ?? 0), Math.max(most ?? 0, mark ?? 0) * 1.08 || 1] },
    },
    axes: [
      { ...axis, space: 70, size: 28, values: (_plot, ticks) => ticks.map((tick, i) => tellTime(tick, ticks, i)) },
      { ...axis, size: 58, values: (_plot, ticks) => ticks.map(numbers.short) },
    ],
    series: [
      {},
      ...series.map(({ name }, i) => ({
        label: name,
        stroke: colours[i]!,
        width: isStacked ? 0 : 1.75,
        points: { show: false },
        spanGaps: true,
        ...(isStacked && { fill: colours[i]!, paths: uPlot.paths.bars!({ size: [0.86, 40], align: 1 }) }),
      })),
    ],
    hooks: {
      setCursor: [plot => tell(plot, chart)],
      ...(mark !== undefined && { draw: [plot => drawMark(plot, mark)] }),
    },
  }
  // What stands on others is drawn before them, so that each covers the lower part of the one behind it.
  if (isStacked) {
    options.series = [options.series[0]!, ...options.series.slice(1).reverse()]
    shown.reverse()
  }
  const plot = new uPlot(options, [[...times], ...shown] as uPlot.AlignedData, place)
  plot.over.append(element('div.tip'))
  return plot
}

/** The hour, and the day where a new one begins or the ticks are days apart. */
function tellTime(tick: number, ticks: readonly number[], i: number): string {
  const [day, time] = new Date(tick * 1000).toISOString().slice(5, 16).split('T') as [string, string]
  const isFirst = i === 0 || Math.floor(tick / 86_400) !== Math.floor(ticks[i - 1]! / 86_400)
  return time === '00:00' || (ticks.length > 1 && ticks[1]! - ticks[0]! >= 86_400)
    ? day
    : isFirst
      ? `${day} ${time}`
      : time
}

/** Each on top of those before it. */
function stack(series: readonly Series[]): (number | null)[][] {
  const sums: number[] = []
  return series.map(({ values }) =>
    values.map((value, i) => {
      sums[i] = (sums[i] ?? 0) + (value ?? 0)
      return sums[i]!
    }),
  )
}

/** A dashed line across the chart. */
function drawMark({ ctx, bbox, valToPos }: uPlot, mark: number): void {
  const y = valToPos(mark, 'y', true)
  ctx.save()
  ctx.strokeStyle = cssValue('--tone-error')
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

const mostTold = 10

function tell(plot: uPlot, { as, series, times, colours, numbers }: Chart): void {
  const tip = plot.over.querySelector<HTMLElement>('.tip')
  if (!tip) return
  const { idx, left = -1 } = plot.cursor
  tip.hidden = idx === null || idx === undefined || left < 0
  if (tip.hidden) return
  const rows = series
    .map(({ name, values }, i) => ({ name, value: values[idx!] ?? null, i }))
    .filter(({ value }) => value !== null && value !== 0)
    .sort((a, b) => b.value! - a.value!)
  const all = rows.reduce((sum, { value }) => sum + value!, 0)
  const row = (name: string, value: number | null, colour?: string) => {
    const mark = element('i', { style: { background: colour ?? '' } })
    return element('span', [mark, element('span.name', name), element('b', numbers.whole(value))])
  }
  fill(tip, [
    element('em', `${tellMoment(times[idx!]!)} UTC`),
    rows.slice(0, mostTold).map(({ name, value, i }) => row(name, value, colours[i])),
    rows.length > mostTold && element('em', `and ${rows.length - mostTold} more`),
    as === 'bars' && rows.length > 1 && row('together', all),
    rows.length === 0 && element('em', 'nothing'),
  ])
  const isRight = left > plot.over.clientWidth / 2
  tip.style.left = isRight ? '' : `${left + 12}px`
  tip.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : ''
}

const moment = new Intl.DateTimeFormat('en', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  ...{ hourCycle: 'h23', timeZone: 'UTC' },
})
/** Epoch seconds in words. */
const tellMoment = (seconds: number): string => moment.format(seconds * 1000)
