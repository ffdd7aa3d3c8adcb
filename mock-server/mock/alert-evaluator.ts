import { editionOf } from '../core/dispatch/routes.ts'
import { evaluateAlerts, type WatchedValue, type WindowQuery } from '../families/alert/alert-evaluation.ts'
import type { Delivery } from '../families/alert/alert-event.ts'
import type { Stack } from '../families/stack/stack.ts'
import type { ChoicesInForce } from '../gaps/choices.ts'
import { evaluateTile } from '../telemetry/evaluate-tile.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import { bucketOf } from '../telemetry/query/granularity.ts'
import type { QueryChoices } from '../telemetry/source-terms.ts'
import { minute } from '../words/durations.ts'
import type { MaybePromise } from '../words/maybe-promise.ts'
import type { Clock, Pace } from '../world/clock.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'

interface Settings {
  readonly pace: Pace
  readonly choices: () => ChoicesInForce
  readonly externalEngine: ExternalEngine | undefined
}

/** Evaluates the alerts of a world as its clock advances. Each function returns the webhook deliveries to send. */
export function createAlertEvaluator(
  deployment: () => Deployment,
  clock: Clock,
  { pace, choices, externalEngine }: Settings,
) {
  let windows = new WindowCache()
  let evaluatedUntil = clock.now()
  /** Evaluates the alerts of every stack in use; nobody has seen the alerts of other stacks. */
  const evaluateAt = (moment: number) =>
    [...deployment().openStacks()]
      .flatMap(stack => evaluateAlerts(stack, moment, queryOf(stack, choices(), windows)))
      .flatMap(({ deliveries }) => deliveries)

  function evaluate(): readonly Delivery[] {
    const now = clock.now()
    // A fast clock may end many windows at once; in real time, or with an external engine, only the last one is evaluated.
    const from = (pace.speed ?? 1) > 1 && !externalEngine ? evaluatedUntil : now
    evaluatedUntil = now
    return [...minutesBetween(from, now), now].flatMap(evaluateAt)
  }

  return {
    /** Evaluates the alerts whose windows have ended. */
    evaluate,
    /** Sets the clock and evaluates minute by minute on the way; only at the end if an external engine has the rows. */
    moveClock(now: number): readonly Delivery[] {
      const deliveries: Delivery[] = []
      for (const moment of externalEngine ? [now] : minutesBetween(clock.now(), now)) {
        // Generated rows after this moment must not be visible.
        clock.set(moment)
        deployment().world.applyTime(moment)
        deliveries.push(...evaluateAt(moment))
      }
      clock.set(now)
      deployment().world.applyTime(now)
      evaluatedUntil = now
      return deliveries
    },
    /** Waits for pending queries to an external engine, and evaluates their alerts. */
    async settle(): Promise<readonly Delivery[]> {
      const deliveries: Delivery[] = []
      for (let round = 0; round < maxRounds && (await windows.settle()); round++) deliveries.push(...evaluate())
      return deliveries
    },
    /** Forgets the results of the former deployment, when another one has replaced it. */
    restart() {
      windows = new WindowCache()
      evaluatedUntil = clock.now()
    },
  }
}

/** Limit of rounds: an alert queries one window after the other, at most a hundred. */
const maxRounds = 200

const maxMinutes = 24 * 60

/**
 * The full minutes after one time and up to another, at which a deployment would have evaluated its alerts. Limited to
 * the last day, so that a clock set years ahead does not take minutes.
 */
function* minutesBetween(from: number, to: number): Generator<number> {
  const last = Math.floor(to / minute)
  const first = Math.max(Math.floor(from / minute) + 1, last - maxMinutes + 1)
  for (let at = first; at <= last; at++) yield at * minute
}

/** Reads the values of a window, whose last moment is excluded. */
function queryOf({ id, telemetry }: Stack, choices: ChoicesInForce, windows: WindowCache): WindowQuery {
  const queryChoices = choicesOfStack(id, choices)
  return (series, start, end) => {
    // A window is a bucket of the chart, so that the increase of a counter in it needs the bucket before.
    const length = end - start
    const granularity = bucketOf(start, length) === start ? length : undefined
    return windows.read([id, series, start, end], () =>
      evaluateTile({ ...series, telemetry, start, end: end - 1, granularity, choices: queryChoices }),
    )
  }
}

/** The choices of a stack for queries: those of its form. */
export function choicesOfStack(id: string, choices: ChoicesInForce): QueryChoices {
  const form = id === selfHosted ? 'selfHosted' : 'managed'
  return { edition: editionOf(choices, form), choice: gap => choices[form][gap] }
}

type Values = readonly WatchedValue[]

/**
 * The answers of an external engine about the windows of alerts. Evaluation is synchronous and uses known answers only:
 * an alert with an unknown window stays due, so that nothing is awaited between reading and writing a record.
 */
class WindowCache {
  readonly #results = new Map<string, Promise<void> | { readonly values?: Values; readonly error?: unknown }>()

  /** The values of a window; undefined while the query is pending. Throws the error of its query. */
  read(window: unknown, query: () => MaybePromise<Values>): Values | undefined {
    const key = JSON.stringify(window)
    const result = this.#results.get(key)
    if (result instanceof Promise) return undefined
    if (result?.error) throw result.error
    if (result) return result.values
    const values = query()
    if (!(values instanceof Promise)) return values
    const pending = values.then(
      values => void this.#results.set(key, { values }),
      error => void this.#results.set(key, { error }),
    )
    this.#results.set(key, pending)
    return undefined
  }

  /** Waits for pending queries. Returns false, and clears the answers, if none were pending. */
  async settle(): Promise<boolean> {
    const waiting = [...this.#results.values()].filter(result => result instanceof Promise)
    await Promise.all(waiting)
    if (waiting.length === 0) this.#results.clear()
    return waiting.length > 0
  }
}
