import { editionOf } from '../core/dispatch/routes.ts'
import type { Family } from '../families/family.ts'
import type { ChoicesInForce } from '../gaps/choices.ts'
import { evaluateWatched, isSql, type Watched } from '../telemetry/evaluate-sql.ts'
import {
  planWindows,
  prepareWindows,
  type RowsByStart,
  type Series,
  type WindowsPlan,
} from '../telemetry/evaluate-windows.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import type { QueryChoices } from '../telemetry/source-terms.ts'
import { hour, minute } from '../words/durations.ts'
import type { MaybePromise } from '../words/maybe-promise.ts'
import type { AlertNotification } from '../words/notification.ts'
import type { Source } from '../words/resources.ts'
import type { Clock, Pace } from '../world/clock.ts'
import { selfHosted } from '../world/world.ts'
import type { Deployment } from './deployment.ts'

type Evaluate = NonNullable<Family['evaluateAlerts']>
type Period = Parameters<Evaluate>[0]
type EvaluationContext = Parameters<Evaluate>[1]
type QueryWindows = EvaluationContext['query']
type Span = Parameters<QueryWindows>[1]

interface Settings {
  readonly pace: Pace
  readonly choices: () => ChoicesInForce
  readonly externalEngine: ExternalEngine | undefined
}

/** Work that can be interrupted after each step, which yields the notifications to send. */
export type Steps = Generator<readonly AlertNotification[], void>

/** Evaluates the alerts of a world as its clock moves. */
export function createAlertEvaluator(
  deployment: () => Deployment,
  clock: Clock,
  { pace, choices, externalEngine }: Settings,
) {
  let answers = new AnswerCache()
  /** The last full minute at which the task ran in real time. */
  let ranUntil: number | undefined

  /** Runs the task for the alerts of every stack in use; nobody has seen the alerts of other stacks. */
  function* run(period: Period, plans = new PlanCache()): Steps {
    const current = deployment()
    const { evaluateAlerts } = current.core
    if (!evaluateAlerts) return
    const notifications: AlertNotification[] = []
    for (const stack of [...current.openStacks()]) {
      const context = contextOf(stack, choices(), plans, externalEngine ? answers : undefined)
      for (const some of evaluateAlerts(period, context)) {
        if (some.length > 0) notifications.push(...some)
        yield nothing
        // Between two steps the world may have been reset.
        if (deployment() !== current) return
      }
    }
    yield notifications.sort((a, b) => a.at - b.at)
  }

  /** Lives through every full minute up to a time, in steps, so that the world is never far ahead of its alerts. */
  function* live(to: number): Steps {
    const current = deployment()
    // A clock that is set years ahead must not take minutes.
    let from = Math.max(clock.now(), to - maxLived)
    const plans = new PlanCache()
    do {
      const next = Math.min(to, from + maxAhead)
      if (deployment() !== current) return
      if (next > clock.now()) clock.set(next)
      current.world.applyTime(next)
      yield* run({ from, to: next, goal: to }, plans)
      from = next
    } while (from < to)
  }

  return {
    /** Sets the clock, after a pause of the task, which then runs once. */
    *moveClock(to: number): Steps {
      const isForward = to > clock.now()
      clock.set(to)
      deployment().world.applyTime(to)
      ranUntil = to
      if (isForward) yield* run({ at: to })
    },
    /** Advances the clock while the task runs at each full minute; at the end alone if an external engine has the rows. */
    *advance(to: number): Steps {
      ranUntil = to
      if (!externalEngine && to > clock.now()) yield* live(to)
      else yield* this.moveClock(to)
    },
    /** Runs the task for the full minutes that have passed in real time; the first time for the current one. */
    *evaluate(): Steps {
      const now = clock.now()
      const last = Math.floor(now / minute) * minute
      const from = ranUntil ?? last - 1
      if (last <= from && ranUntil !== undefined) return
      ranUntil = now
      // A fast clock may pass many minutes at once.
      if ((pace.speed ?? 1) > 1 && !externalEngine)
        yield* run({ from: Math.max(from, now - maxLived), to: now, goal: now })
      else yield* run({ at: now })
    },
    /** Waits for pending queries to an external engine, and evaluates their alerts. */
    async settle(): Promise<readonly AlertNotification[]> {
      const notifications: AlertNotification[] = []
      for (let round = 0; round < maxRounds && (await answers.settle()); round++)
        for (const some of run({ at: clock.now() })) notifications.push(...some)
      return notifications
    },
    /** Forgets the former deployment, when another one has replaced it. */
    restart() {
      answers = new AnswerCache()
      ranUntil = undefined
    },
  }
}

const nothing: readonly AlertNotification[] = []

/** Limit of rounds: rows that are loaded meanwhile may make further alerts due. */
const maxRounds = 10

const maxLived = 24 * hour

/** How far the clock moves before the alerts follow: a query of six hours costs little more than one of an hour. */
const maxAhead = 6 * hour

/** Runs all steps at once. */
export function runSteps(steps: Steps): readonly AlertNotification[] {
  const notifications: AlertNotification[] = []
  for (const some of steps) for (const one of some) notifications.push(one)
  return notifications
}

/** How long steps may run before other clients are answered, in milliseconds. */
const maxSliceMs = 5

/** Runs steps in slices, between which other clients are answered, and sends notifications as they come. */
export async function runInSlices(steps: Steps, send: (notifications: readonly AlertNotification[]) => void) {
  let startedAt = performance.now()
  for (const some of steps) {
    if (some.length > 0) send(some)
    if (performance.now() - startedAt < maxSliceMs) continue
    await new Promise(resolve => setImmediate(resolve))
    startedAt = performance.now()
  }
}

/** The plans of the series of one move of the clock, which are evaluated step by step. */
class PlanCache {
  readonly #plans = new Map<string, { readonly source: Source; readonly plan: WindowsPlan }>()

  readonly of: typeof planWindows = (series, choices) => {
    const key = JSON.stringify(textOf(series))
    let known = this.#plans.get(key)
    if (known?.source !== series.source) {
      known = { source: series.source, plan: planWindows(series, choices) }
      this.#plans.set(key, known)
    }
    return known.plan
  }
}

function contextOf(
  stack: EvaluationContext['stack'],
  choices: ChoicesInForce,
  plans: PlanCache,
  answers: AnswerCache | undefined,
) {
  const queryChoices = choicesOfStack(stack.id, choices)
  // The task of the managed form is always the newest.
  const edition = stack.id === selfHosted ? editionOf(choices, 'selfHosted') : '2.36'
  const { telemetry } = stack
  const queryOf = { telemetry, choices: queryChoices, edition, planSeries: plans.of }
  const evaluate = (series: Watched, span: Span) => evaluateWatched({ ...queryOf, series, ...span })
  const shared = new Map<string, { readonly rows?: RowsByStart | undefined; readonly error?: unknown }>()
  const query: QueryWindows = (series, span) => {
    const key = JSON.stringify([stack.id, textOf(series), span])
    if (answers) return answers.read(key, () => evaluate(series, span))
    // Alerts that watch the same series share its rows.
    let known = shared.get(key)
    if (!known) {
      known = readNow(() => evaluate(series, span) as RowsByStart | undefined)
      shared.set(key, known)
    }
    if (known.error) throw known.error
    return known.rows
  }
  const prepare = (series: Series, span: Span) => prepareWindows({ ...queryOf, series, ...span })
  return { stack, edition, query, prepare }
}

/** What distinguishes the series of a stack. */
const textOf = (series: Watched) =>
  isSql(series)
    ? { ...series, source: series.source?.id, tables: series.tables.map(({ id }) => id) }
    : { ...series, source: series.source.id, aliases: series.aliases && [...series.aliases] }

function readNow(read: () => RowsByStart | undefined) {
  try {
    return { rows: read() }
  } catch (error) {
    return { error }
  }
}

/** The choices of a stack for queries: those of its form. */
export function choicesOfStack(id: string, choices: ChoicesInForce): QueryChoices {
  const form = id === selfHosted ? 'selfHosted' : 'managed'
  return { edition: editionOf(choices, form), choice: gap => choices[form][gap] }
}

/**
 * The answers of an external engine. Evaluation is synchronous and uses known answers only: an alert whose rows are unknown
 * stays due, so that nothing is awaited between reading and writing a record.
 */
class AnswerCache {
  readonly #answers = new Map<
    string,
    Promise<void> | { readonly rows?: RowsByStart | undefined; readonly error?: unknown }
  >()

  /** The answer to a query; undefined while it is pending. Throws the error of the query. */
  read(key: string, query: () => MaybePromise<RowsByStart | undefined>): RowsByStart | undefined {
    const answer = this.#answers.get(key)
    if (answer instanceof Promise) return undefined
    if (answer?.error) throw answer.error
    if (answer) return answer.rows
    const rows = query()
    if (!(rows instanceof Promise)) return rows
    const pending = rows.then(
      rows => void this.#answers.set(key, { rows }),
      error => void this.#answers.set(key, { error }),
    )
    this.#answers.set(key, pending)
    return undefined
  }

  /** Waits for pending queries. Returns false, and clears the answers, if none were pending. */
  async settle(): Promise<boolean> {
    const waiting = [...this.#answers.values()].filter(answer => answer instanceof Promise)
    await Promise.all(waiting)
    if (waiting.length === 0) this.#answers.clear()
    return waiting.length > 0
  }
}
