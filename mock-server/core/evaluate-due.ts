import { evaluateAlerts, type TileQuery } from '../families/alert/alert-evaluation.ts'
import type { Delivery } from '../families/alert/alert-event.ts'
import type { Stack } from '../families/observability/stack.ts'
import type { Taken } from '../gaps/choices.ts'
import { evaluateTile } from '../telemetry/evaluate-tile.ts'
import { selfHosted } from '../world/world.ts'
import { uiOrigin } from './cors.ts'
import type { Deployment } from './deployment.ts'
import { editionOf } from './routes.ts'

const minute = 60_000
const mostMinutes = 24 * 60

/**
 * The full minutes after one moment and up to another, when a deployment would have looked at its alerts. Of a longer
 * time only the last day, because a leap of years must not take minutes.
 */
export function* minutesBetween(from: number, to: number): Generator<number> {
  const last = Math.floor(to / minute)
  const first = Math.max(Math.floor(from / minute) + 1, last - mostMinutes + 1)
  for (let at = first; at <= last; at++) yield at * minute
}

/**
 * Evaluates the alerts whose windows have ended, in every stack that somebody has looked at; in the others nobody has seen
 * an alert yet. Returns what is to be delivered.
 */
export function evaluateDue(deployment: Deployment, now: number, taken: Taken): readonly Delivery[] {
  return [...deployment.openStacks()]
    .flatMap(stack => evaluateAlerts(stack, now, queryOf(stack, taken), uiOrigin))
    .flatMap(({ deliveries }) => deliveries)
}

/** What an alert compares: the first series of its tile. The last moment of the window belongs to the next one. */
function queryOf(stack: Stack, taken: Taken): TileQuery {
  const form = stack.id === selfHosted ? 'selfHosted' : 'managed'
  const edition = editionOf(taken, form)
  const choice = (gap: string) => taken[form][gap]
  return ({ config }, source, start, end) => {
    const { select, groupBy } = config
    const [item] = Array.isArray(select) ? select : []
    if (!item) return []
    const { telemetry } = stack
    return evaluateTile({ telemetry, source, item, groupBy, start, end: end - 1, edition, choice })
  }
}
