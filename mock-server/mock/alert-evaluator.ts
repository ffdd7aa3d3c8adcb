import type { Delivery } from '../families/alert/alert-event.ts'
import type { ChoicesInForce } from '../gaps/choices.ts'
import type { Elsewhere } from '../telemetry/elsewhere.ts'
import type { Clock, Pace } from '../world/clock.ts'
import type { Deployment } from './deployment.ts'
import { evaluateDue, minutesBetween, Windows } from './evaluate-due.ts'

/** Evaluates the alerts of a world as its clock advances. Each function returns the webhook deliveries to send. */
export interface AlertEvaluator {
  /** Evaluates the alerts whose windows have ended. */
  evaluate(): readonly Delivery[]
  /** Sets the clock and evaluates minute by minute on the way; only at the end if rows are elsewhere. */
  moveClock(now: number): readonly Delivery[]
  /** Waits for pending queries to an engine elsewhere, and evaluates their alerts. */
  settle(): Promise<readonly Delivery[]>
  /** Clears the results when another deployment replaces the former one. */
  restart(): void
}

interface Settings {
  readonly pace: Pace
  readonly taken: () => ChoicesInForce
  readonly elsewhere: Elsewhere | undefined
}

export function createAlertEvaluator(
  deployment: () => Deployment,
  clock: Clock,
  { pace, taken, elsewhere }: Settings,
): AlertEvaluator {
  let windows = new Windows()
  let evaluatedUntil = clock.now()
  const evaluateAt = (moment: number) => evaluateDue(deployment(), moment, taken(), windows)

  function evaluate(): readonly Delivery[] {
    const now = clock.now()
    // With a fast clock many windows may end between two evaluations; in real time only the last one is evaluated.
    const from = (pace.speed ?? 1) > 1 && !elsewhere ? evaluatedUntil : now
    evaluatedUntil = now
    return [...minutesBetween(from, now), now].flatMap(evaluateAt)
  }

  return {
    evaluate,
    moveClock(now) {
      const deliveries: Delivery[] = []
      for (const minute of elsewhere ? [now] : minutesBetween(clock.now(), now)) {
        // Generated rows after this minute must not be visible.
        clock.set(minute)
        deployment().world.elapse(minute)
        deliveries.push(...evaluateAt(minute))
      }
      clock.set(now)
      deployment().world.elapse(now)
      evaluatedUntil = now
      return deliveries
    },
    async settle() {
      const deliveries: Delivery[] = []
      for (let round = 0; round < mostRounds && (await windows.settle()); round++) deliveries.push(...evaluate())
      return deliveries
    },
    restart() {
      windows = new Windows()
      evaluatedUntil = clock.now()
    },
  }
}

/** Limit of rounds: an alert queries one window after the other, at most a hundred. */
const mostRounds = 200
