import type { DrawnDashboard } from '../../../faces/control/page/answers.ts'
import { controlAddress, read } from '../control.ts'
import { toneOfState } from '../parts/basic.tsx'
import { alertAddress, writeThreshold } from './alert-words.ts'
import { DrawingOf } from './drawing.tsx'

/** Reads a dashboard with what its tiles show. */
export const readDrawn = (stack: string, dashboard: string, minutes: string) =>
  read<DrawnDashboard>(controlAddress(['drawings', stack, dashboard], { minutes }))

/** The tiles of a dashboard in their places, in the order in which they stand on a narrow screen. */
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
            <h2 class="row">
              {name}
              {alerts
                .filter(({ tileId }) => tileId === id)
                .map(alert => (
                  <a
                    key={alert.id}
                    class={`badge ${toneOfState(alert.state, 'plain')}`}
                    href={alertAddress(stack, alert.id)}
                    title={`Alert “${alert.name ?? ''}”: ${writeThreshold(alert)}`}
                  >
                    {`${alert.name || 'Alert'}: ${alert.state}`}
                  </a>
                ))}
            </h2>
            <DrawingOf drawing={drawing} stack={stack} />
          </section>
        ))}
    </div>
  )
}
