import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { usePage } from '../state.ts'
import { cssColour, seriesColours } from './colours.ts'
import type { PlotProps, SeriesDrawing } from './drawing.tsx'

interface PointerPosition {
  /** The index of the time. */
  readonly index: number
  /** Pixels from the left edge of the plotting area, which begins after the axis. */
  readonly left: number
  /** The width of the plotting area in pixels. */
  readonly width: number
}

/** Lines or stacked bars over time, in the size of the parent element. */
export function Plot({ drawing, numbers, markedValue }: PlotProps) {
  const { isDark } = usePage()
  const container = useRef<HTMLDivElement>(null)
  const [pointer, setPointer] = useState<PointerPosition | undefined>(undefined)
  useLayoutEffect(() => {
    const element = container.current!
    let plot: uPlot | undefined
    const observer = new ResizeObserver(() => {
      const size = { width: Math.max(80, element.clientWidth), height: Math.max(60, element.clientHeight) }
      if (plot) plot.setSize(size)
      else plot = createPlot(element, { drawing, numbers, markedValue }, size, setPointer)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot?.destroy()
    }
  }, [drawing, markedValue, isDark.value])
  return (
    <>
      <div class="canvas" ref={container} />
      {pointer && <Tooltip drawing={drawing} numbers={numbers} pointer={pointer} />}
    </>
  )
}

/** Pixels. */
const axisWidth = 58
const rightPadding = 20
const tooltipDistance = 12

function createPlot(
  element: HTMLElement,
  { drawing: { as, times, series, areGroups }, numbers, markedValue }: PlotProps,
  size: { width: number; height: number },
  setPointer: (pointer: PointerPosition | undefined) => void,
): uPlot {
  const isStacked = as === 'bars'
  const shown = isStacked ? stackSeries(series) : series.map(({ values }) => [...values])
  const bucketSeconds = times.length > 1 ? times[1]! - times[0]! : 60
  const end = times.at(-1)!
  // Bars begin at their time, and the first needs some space.
  const [before, after] = isStacked ? [bucketSeconds / 2, bucketSeconds] : [0, 0]
  const colours = seriesColours(series, areGroups)
  const axis: uPlot.Axis = {
    stroke: cssColour('--quiet'),
    grid: { stroke: cssColour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  const seriesOptions = series.map(({ name }, i) => ({
    label: name,
    stroke: colours[i]!,
    width: isStacked ? 0 : 1.75,
    points: { show: false },
    spanGaps: true,
    ...(isStacked && { fill: colours[i]!, paths: uPlot.paths.bars!({ size: [0.86, 40], align: 1 }) }),
  }))
  // The largest sums are drawn first: each following bar covers the lower part of the bar before.
  if (isStacked) {
    seriesOptions.reverse()
    shown.reverse()
  }
  const options: uPlot.Options = {
    ...size,
    padding: [8, rightPadding, 0, 0],
    tzDate: time => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [times[0]! - before, end + after] },
      y: { range: (_plot, min, max) => rangeOfY(min ?? 0, Math.max(max ?? 0, markedValue ?? 0)) },
    },
    axes: [
      { ...axis, space: 70, size: 28, values: (_plot, ticks) => ticks.map((tick, i) => formatTick(tick, ticks, i)) },
      { ...axis, size: axisWidth, values: (_plot, ticks) => ticks.map(numbers.short) },
    ],
    series: [{}, ...seriesOptions],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = -1 }, over }) =>
          setPointer(typeof idx === 'number' && left >= 0 ? { index: idx, left, width: over.clientWidth } : undefined),
      ],
      ...(markedValue !== undefined && { draw: [plot => drawMarkedValue(plot, markedValue)] }),
    },
  }
  return new uPlot(options, [[...times], ...shown] as uPlot.AlignedData, element)
}

/** With 8 % of headroom; up to 1 if all values are zero. */
const rangeOfY = (min: number, max: number): [number, number] => [Math.min(0, min), max === 0 ? 1 : max * 1.08]

/** The label of a tick: the time; at the first tick of a day, day and time; at midnight or if ticks are days apart, the day. */
function formatTick(tick: number, ticks: readonly number[], i: number): string {
  const [day, time] = new Date(tick * 1000).toISOString().slice(5, 16).split('T') as [string, string]
  if (time === '00:00' || (ticks.length > 1 && ticks[1]! - ticks[0]! >= 86_400)) return day
  const isFirstOfDay = i === 0 || Math.floor(tick / 86_400) !== Math.floor(ticks[i - 1]! / 86_400)
  return isFirstOfDay ? `${day} ${time}` : time
}

/** Adds to each value those of all earlier series at that time. */
function stackSeries(series: SeriesDrawing['series']): (number | null)[][] {
  const sums: number[] = []
  return series.map(({ values }) =>
    values.map((value, i) => {
      sums[i] = (sums[i] ?? 0) + (value ?? 0)
      return sums[i]!
    }),
  )
}

function drawMarkedValue({ ctx, bbox, valToPos }: uPlot, markedValue: number): void {
  const y = valToPos(markedValue, 'y', true)
  ctx.save()
  ctx.strokeStyle = cssColour('--tone-error')
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

const maxInTooltip = 10
const timeFormat = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

function Tooltip({
  drawing,
  numbers,
  pointer,
}: Pick<PlotProps, 'drawing' | 'numbers'> & { readonly pointer: PointerPosition }) {
  const { as, series, times, areGroups } = drawing
  const colours = seriesColours(series, areGroups)
  const rows = series
    .map(({ name, values }, i) => ({ name, value: values[pointer.index] ?? 0, colour: colours[i]! }))
    .filter(({ value }) => value !== 0)
    .sort((a, b) => b.value - a.value)
  const sum = { name: 'sum', value: rows.reduce((total, { value }) => total + value, 0), colour: '' }
  const shown = [...rows.slice(0, maxInTooltip), ...(as === 'bars' && rows.length > 1 ? [sum] : [])]
  const isInRightHalf = pointer.left > pointer.width / 2
  const style = isInRightHalf
    ? { right: `${pointer.width - pointer.left + rightPadding + tooltipDistance}px` }
    : { left: `${pointer.left + axisWidth + tooltipDistance}px` }
  return (
    <div class="stack panel tiny tip" style={style}>
      <p class="quiet">{`${timeFormat.format(times[pointer.index]! * 1000)} UTC`}</p>
      {shown.map(({ name, value, colour }) => (
        <span key={name}>
          <i style={{ background: colour }} />
          <span class="cut">{name}</span>
          <b>{numbers.full(value)}</b>
        </span>
      ))}
      {rows.length > maxInTooltip && <p class="quiet">{`and ${rows.length - maxInTooltip} more`}</p>}
      {rows.length === 0 && <p class="quiet">nothing</p>}
    </div>
  )
}
