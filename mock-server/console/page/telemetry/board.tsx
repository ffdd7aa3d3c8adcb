import type { DrawnDashboard } from '../../../faces/control/page/answers.ts'
import type { Alert } from '../../../words/resources.ts'
import { controlAddress, pageAddress, read } from '../control.ts'
import { toneOfState } from '../parts/elements.tsx'
import { DrawingView } from './drawing.tsx'
import { type NumberFormat, numberFormatter } from './number-format.ts'

export const readDashboardDrawing = (stack: string, dashboard: string, minutes: string) =>
  read<DrawnDashboard>(controlAddress(['drawings', stack, dashboard], { minutes }))

/** The tiles of a dashboard, placed by its grid. In the document they are sorted as a narrow screen shows them. */
export function Board({ drawn, stack }: { readonly drawn: DrawnDashboard; readonly stack: string }) {
  const { dashboard, alerts } = drawn
  const top = Math.min(...dashboard.tiles.map(({ y }) => y))
  return (
    <div class="board">
      {dashboard.tiles.length === 0 && <p class="empty">This dashboard has no tiles.</p>}
      {dashboard.tiles
        .toSorted((a, b) => a.y - b.y || a.x - b.x)
        .map(({ id, name, drawing, x, y, w, h }) => (
          <section
            key={id}
            class={`tile panel as-${drawing.as}`}
            aria-label={name}
            style={{
              '--x': `${Math.floor(x) + 1}`,
              '--y': `${Math.floor(y) - top + 1}`,
              '--w': `${Math.max(1, Math.round(w))}`,
              '--h': `${Math.max(1, Math.round(h))}`,
            }}
          >
            <h2 class="row small">
              {name}
              {alerts
                .filter(({ tileId }) => tileId === id)
                .map(alert => (
                  <a
                    key={alert.id}
                    class={`badge ${toneOfState(alert.state, 'plain')}`}
                    href={alertAddress(stack, alert.id)}
                    title={`Alert “${alert.name ?? ''}”: ${formatThreshold(alert)}`}
                  >
                    {`${alert.name || 'Alert'}: ${alert.state}`}
                  </a>
                ))}
            </h2>
            <DrawingView drawing={drawing} stack={stack} />
          </section>
        ))}
    </div>
  )
}

export const alertAddress = (stack: string, id: string) => pageAddress('alerts', stack, id)

const thresholds: Readonly<Record<Alert['thresholdType'], string>> = {
  above: 'at least',
  above_exclusive: 'more than',
  below: 'less than',
  below_or_equal: 'at most',
  equal: 'exactly',
  not_equal: 'anything but',
  between: 'between',
  not_between: 'outside of',
}

/** The condition of an alert, in words. */
export function formatThreshold(alert: Alert, format?: NumberFormat): string {
  const { thresholdType, threshold, thresholdMax, interval, numConsecutiveWindows: windows } = alert
  const write = (value: number) => numberFormatter(format).full(value)
  const max = thresholdMax != null && /between/.test(thresholdType) ? ` and ${write(thresholdMax)}` : ''
  const lasting = windows && windows > 1 ? `, ${windows} times in a row` : ''
  return `${thresholds[thresholdType]} ${write(threshold)}${max} in ${interval}${lasting}`
}
