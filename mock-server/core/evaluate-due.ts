import { evaluateAlerts, type WindowQuery } from '../families/alert/alert-evaluation.ts'
import type { Delivery } from '../families/alert/alert-event.ts'
import type { Stack } from '../families/observability/stack.ts'
import type { ChoicesInForce } from '../gaps/choices.ts'
import { evaluateTile } from '../telemetry/evaluate-tile.ts'
import { uiOrigin } from '../words/ui-origin.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'
import { editionOf } from './dispatch/routes.ts'

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
export function evaluateDue(deployment: Deployment, now: number, taken: ChoicesInForce): readonly Delivery[] {
  return [...deployment.openStacks()]
    .flatMap(stack => evaluateAlerts(stack, now, queryOf(stack, taken), uiOrigin))
    .flatMap(({ deliveries }) => deliveries)
}

/** The last moment of a window belongs to the next one. */
function queryOf({ id, telemetry }: Stack, taken: ChoicesInForce): WindowQuery {
  const form = id === selfHosted ? 'selfHosted' : 'managed'
  const edition = editionOf(taken, form)
  const choice = (gap: string) => taken[form][gap]
  return (series, start, end) => evaluateTile({ ...series, telemetry, start, end: end - 1, edition, choice })
}
