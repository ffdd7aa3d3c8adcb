import { evaluateAlerts, type WindowQuery } from '../families/alert/alert-evaluation.ts'
import type { Delivery } from '../families/alert/alert-event.ts'
import type { WatchedValue } from '../families/alert/alert-readings.ts'
import type { Stack } from '../families/observability/stack.ts'
import type { ChoicesInForce } from '../gaps/choices.ts'
import { evaluateTile } from '../telemetry/evaluate-tile.ts'
import { minute } from '../words/durations.ts'
import type { Eventually } from '../words/eventually.ts'
import { uiOrigin } from '../words/ui-origin.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'
import { editionOf } from './dispatch/routes.ts'

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
export function evaluateDue(
  deployment: Deployment,
  now: number,
  taken: ChoicesInForce,
  windows: Windows,
): readonly Delivery[] {
  return [...deployment.openStacks()]
    .flatMap(stack => evaluateAlerts(stack, now, queryOf(stack, taken, windows), uiOrigin))
    .flatMap(({ deliveries }) => deliveries)
}

/** The last moment of a window belongs to the next one. */
function queryOf({ id, telemetry }: Stack, taken: ChoicesInForce, windows: Windows): WindowQuery {
  const form = id === selfHosted ? 'selfHosted' : 'managed'
  const edition = editionOf(taken, form)
  const choice = (gap: string) => taken[form][gap]
  return (series, start, end) =>
    windows.read([id, series, start, end], () =>
      evaluateTile({ ...series, telemetry, start, end: end - 1, edition, choice }),
    )
}

type Values = readonly WatchedValue[]

/**
 * What engines elsewhere say of the windows of alerts. Alerts are evaluated at once, from what is known: one whose window
 * is not known is left due, so that no record waits for an engine between its reading and its writing.
 */
export class Windows {
  readonly #asked = new Map<string, Promise<void> | { readonly values?: Values; readonly error?: unknown }>()

  /** What is known of a window; undefined while it is being asked for. Throws what its query failed with. */
  read(about: unknown, query: () => Eventually<Values>): Values | undefined {
    const key = this.#asked.size > 0 ? JSON.stringify(about) : undefined
    const found = key === undefined ? undefined : this.#asked.get(key)
    if (found instanceof Promise) return undefined
    if (found?.error) throw found.error
    if (found) return found.values
    const values = query()
    if (!(values instanceof Promise)) return values
    const name = key ?? JSON.stringify(about)
    const answered = values.then(
      values => void this.#asked.set(name, { values }),
      error => void this.#asked.set(name, { error }),
    )
    this.#asked.set(name, answered)
    return undefined
  }

  /** Waits for what was asked; false when nothing was, and then what was said is forgotten. */
  async settle(): Promise<boolean> {
    const waiting = [...this.#asked.values()].filter(one => one instanceof Promise)
    await Promise.all(waiting)
    if (waiting.length === 0) this.#asked.clear()
    return waiting.length > 0
  }
}
