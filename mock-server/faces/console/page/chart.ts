import uPlot from 'uplot'

export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
}

/** Colours that are told apart in both schemes, by the first twelve custom properties of the style. */
export const colour = (index: number): string => cssValue(`--series-${(index % 12) + 1}`)
const cssValue = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })
/** A number as there is room for it. */
export const shorten = (value: number | null): string => (value === null ? '–' : short.format(value))

/** Draws lines, or bars that stand on each other, over time; it follows the size of its place until the signal ends. */
export function drawChart(
  place: HTMLElement,
  as: 'line' | 'bars',
  times: readonly number[],
  series: readonly Series[],
  signal: AbortSignal,
): void {
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
    width: Math.max(80, place.clientWidth),
    height: Math.max(60, place.clientHeight),
    padding: [8, 20, 0, 0],
    tzDate: time => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [times[0]! - (isStacked ? width / 2 : 0), last + (isStacked ? width : 0)] },
      y: { range: (_chart, least, most) => [Math.min(0, least ?? 0), most > 0 ? most * 1.08 : 1] },
    },
    axes: [
      { ...axis, space: 70, size: 28, values: (_chart, ticks) => ticks.map((tick, i) => tellTime(tick, ticks, i)) },
      { ...axis, size: 44, values: (_chart, ticks) => ticks.map(shorten) },
    ],
    series: [
      {},
      ...series.map(({ name }, i) => ({
        label: name,
        stroke: colour(i),
        width: isStacked ? 0 : 1.75,
        points: { show: false },
        ...(isStacked && { fill: colour(i), paths: uPlot.paths.bars!({ size: [0.86, 40], align: 1 }) }),
      })),
    ],
    hooks: { setCursor: [chart => tell(chart, series, times)] },
  }
  // What stands on others is drawn before them, so that each covers the lower part of the one behind it.
  if (isStacked) {
    options.series = [options.series[0]!, ...options.series.slice(1).reverse()]
    shown.reverse()
  }
  const chart = new uPlot(options, [[...times], ...shown] as uPlot.AlignedData, place)
  const tip = document.createElement('div')
  tip.className = 'tip'
  chart.over.append(tip)
  const watch = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(80, place.clientWidth), height: Math.max(60, place.clientHeight) }),
  )
  watch.observe(place)
  signal.addEventListener('abort', () => {
    watch.disconnect()
    chart.destroy()
  })
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

function tell(chart: uPlot, series: readonly Series[], times: readonly number[]): void {
  const tip = chart.over.querySelector<HTMLElement>('.tip')
  if (!tip) return
  const { idx, left = -1 } = chart.cursor
  tip.hidden = idx === null || idx === undefined || left < 0
  if (tip.hidden) return
  const rows = series
    .map(({ name, values }, i) => ({ name, value: values[idx!] ?? null, i }))
    .filter(({ value }) => value !== null && value !== 0)
    .sort((a, b) => b.value! - a.value!)
    .slice(0, 8)
  const head = document.createElement('b')
  head.textContent = new Date(times[idx!]! * 1000).toISOString().slice(5, 16).replace('T', ' ')
  tip.replaceChildren(
    head,
    ...rows.map(({ name, value, i }) => {
      const row = document.createElement('span')
      const mark = document.createElement('i')
      mark.style.background = colour(i)
      row.append(mark, `${name} ${shorten(value)}`)
      return row
    }),
  )
  const isRight = left > chart.over.clientWidth / 2
  tip.style.left = isRight ? '' : `${left + 12}px`
  tip.style.right = isRight ? `${chart.over.clientWidth - left + 12}px` : ''
}
