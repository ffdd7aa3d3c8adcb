import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { usePage } from '../state.ts'
import { coloursFor, cssColour } from './colours.ts'
import type { PlotProps, Plotted } from './drawing.tsx'

/** The position of the pointer: the index of the time, and the distance from the left in pixels. */
interface Pointed {
  readonly at: number
  readonly left: number
  readonly width: number
}

/** Lines or stacked bars over time, in the size of the parent element. */
export function Plot({ drawing, numbers, mark }: PlotProps) {
  const { isDark } = usePage()
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined)
  useLayoutEffect(() => {
    const element = place.current!
    let plot: uPlot | undefined
    const observer = new ResizeObserver(() => {
      const size = { width: Math.max(80, element.clientWidth), height: Math.max(60, element.clientHeight) }
      if (plot) plot.setSize(size)
      else plot = createPlot(element, { drawing, numbers, mark }, size, setPointed)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot?.destroy()
    }
  }, [drawing, mark, isDark.value])
  return (
    <>
      <div class="canvas" ref={place} />
      {pointed && <Tip drawing={drawing} numbers={numbers} pointed={pointed} />}
    </>
  )
}

const axisWidth = 58

function createPlot(
  place: HTMLElement,
  { drawing: { as, times, series, areGroups }, numbers, mark }: PlotProps,
  size: { width: number; height: number },
  setPointed: (pointed: Pointed | undefined) => void,
): uPlot {
  const isStacked = as === 'bars'
  const shown = isStacked ? stack(series) : series.map(({ values }) => [...values])
  const width = times.length > 1 ? times[1]! - times[0]! : 60
  const last = times.at(-1)!
  const colours = coloursFor(series, areGroups)
  const axis: uPlot.Axis = {
    stroke: cssColour('--quiet'),
    grid: { stroke: cssColour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  const lines = series.map(({ name }, i) => ({
    label: name,
    stroke: colours[i]!,
    width: isStacked ? 0 : 1.75,
    points: { show: false },
    spanGaps: true,
    ...(isStacked && { fill: colours[i]!, paths: uPlot.paths.bars!({ size: [0.86, 40], align: 1 }) }),
  }))
  // A stack is drawn from the top: each bar covers the lower part of the one behind it.
  if (isStacked) {
    lines.reverse()
    shown.reverse()
  }
  const options: uPlot.Options = {
    ...size,
    padding: [8, 20, 0, 0],
    tzDate: time => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [times[0]! - (isStacked ? width / 2 : 0), last + (isStacked ? width : 0)] },
      y: { range: (_plot, min, max) => [Math.min(0, min ?? 0), Math.max(max ?? 0, mark ?? 0) * 1.08 || 1] },
    },
    axes: [
      { ...axis, space: 70, size: 28, values: (_plot, ticks) => ticks.map((tick, i) => formatTick(tick, ticks, i)) },
      { ...axis, size: axisWidth, values: (_plot, ticks) => ticks.map(numbers.short) },
    ],
    series: [{}, ...lines],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = -1 }, over }) =>
          setPointed(typeof idx === 'number' && left >= 0 ? { at: idx, left, width: over.clientWidth } : undefined),
      ],
      ...(mark !== undefined && { draw: [plot => drawMark(plot, mark)] }),
    },
  }
  return new uPlot(options, [[...times], ...shown] as uPlot.AlignedData, place)
}

/** The label of a tick: the time, and the day where it changes or the ticks are days apart. */
function formatTick(tick: number, ticks: readonly number[], i: number): string {
  const [day, time] = new Date(tick * 1000).toISOString().slice(5, 16).split('T') as [string, string]
  if (time === '00:00' || (ticks.length > 1 && ticks[1]! - ticks[0]! >= 86_400)) return day
  const isFirst = i === 0 || Math.floor(tick / 86_400) !== Math.floor(ticks[i - 1]! / 86_400)
  return isFirst ? `${day} ${time}` : time
}

/** The series as sums of themselves and those before them. */
function stack(series: Plotted['series']): (number | null)[][] {
  const sums: number[] = []
  return series.map(({ values }) =>
    values.map((value, i) => {
      sums[i] = (sums[i] ?? 0) + (value ?? 0)
      return sums[i]!
    }),
  )
}

function drawMark({ ctx, bbox, valToPos }: uPlot, mark: number): void {
  const y = valToPos(mark, 'y', true)
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

const maxInTip = 10
const moment = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

function Tip({ drawing, numbers, pointed }: Pick<PlotProps, 'drawing' | 'numbers'> & { readonly pointed: Pointed }) {
  const { as, series, times, areGroups } = drawing
  const colours = coloursFor(series, areGroups)
  const rows = series
    .map(({ name, values }, i) => ({ name, value: values[pointed.at] ?? 0, colour: colours[i]! }))
    .filter(({ value }) => value !== 0)
    .sort((a, b) => b.value - a.value)
  const sum = { name: 'sum', value: rows.reduce((all, { value }) => all + value, 0), colour: '' }
  const shown = [...rows.slice(0, maxInTip), ...(as === 'bars' && rows.length > 1 ? [sum] : [])]
  const isRight = pointed.left > pointed.width / 2
  const style = isRight
    ? { right: `${pointed.width - pointed.left + 32}px` }
    : { left: `${pointed.left + axisWidth + 12}px` }
  return (
    <div class="stack panel tiny tip" style={style}>
      <p class="quiet">{`${moment.format(times[pointed.at]! * 1000)} UTC`}</p>
      {shown.map(({ name, value, colour }) => (
        <span key={name}>
          <i style={{ background: colour }} />
          <span class="cut">{name}</span>
          <b>{numbers.whole(value)}</b>
        </span>
      ))}
      {rows.length > maxInTip && <p class="quiet">{`and ${rows.length - maxInTip} more`}</p>}
      {rows.length === 0 && <p class="quiet">nothing</p>}
    </div>
  )
}
