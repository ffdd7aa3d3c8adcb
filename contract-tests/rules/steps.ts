import type { Form } from '../../fixtures/contract/index.ts'
import {
  broken,
  type Check,
  describe,
  type Evidence,
  type Finding,
  held,
  type Inspect,
  judgeEach,
  noAnswer,
  notApplicable,
  type Verdict,
} from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import type { JsonObject } from '../engine/recognise.ts'

/** Makes checks of the steps that they read. */

/** Names of steps. A name without a form stands for the step of the form that is judged; a step of another form is not read. */
export type Steps = readonly string[] | ((form: Form) => readonly string[])

export const stepsOfForm =
  (steps: Steps) =>
  (form: Form): readonly string[] =>
    (typeof steps === 'function' ? steps(form) : steps)
      .map(name => (name.includes(':') ? name : `${form}:${name}`))
      .filter(name => name.startsWith(`${form}:`))

type InspectWith = (exchange: Exchange, evidence: Evidence) => ReturnType<Inspect>

/** Judges the answers to some steps one by one. `nothing` is the reason if there are answers, but none could be judged. */
export const each = (steps: Steps, inspect: InspectWith, nothing?: string): Check => ({
  reads: stepsOfForm(steps),
  judge: evidence => {
    const names = stepsOfForm(steps)(evidence.form)
    const exchanges = evidence.exchangesOf(...names).flatMap(exchange => [exchange, ...(exchange.pages ?? [])])
    return judgeEach(
      exchanges,
      exchange => inspect(exchange, evidence),
      () => (nothing !== undefined && exchanges.length > 0 ? notApplicable(nothing) : noAnswer(evidence, ...names)),
    )
  },
})

/** Judges the successes among the answers to some steps one by one. */
export const eachSuccess = (steps: Steps, inspect: InspectWith, nothing?: string): Check =>
  each(steps, (exchange, evidence) => (isSuccess(exchange) ? inspect(exchange, evidence) : undefined), nothing)

/** Judges a field of each object that has it. `objectsIn` finds the objects of an answer, with their paths. */
export const eachField = (
  steps: Steps,
  objectsIn: (exchange: Exchange) => readonly (readonly [path: string, object: JsonObject])[],
  name: string,
  expected: string,
  holds: (value: unknown) => boolean,
  nothing: string,
): Check =>
  each(
    steps,
    exchange => {
      const having = objectsIn(exchange).filter(([, object]) => object[name] !== undefined)
      const wrong = having.filter(([, object]) => !holds(object[name]))
      if (having.length === 0) return undefined
      return wrong.map(([path, object]) => ({ path: `${path}.${name}`, expected, got: object[name] }))
    },
    nothing,
  )

/** Judges every exchange of the form. */
export const everyExchange = (inspect: Inspect, nothing: string): Check => ({
  reads: 'everything',
  judge: ({ all }) => judgeEach(all, inspect, () => notApplicable(nothing)),
})

type Answers = readonly (Exchange | undefined)[]

/** The first answer to each of some steps, at the place of its step. */
export const answersTo = (steps: Steps, evidence: Evidence): Answers =>
  stepsOfForm(steps)(evidence.form).map(name => evidence.exchangesOf(name)[0])

/** Judges the answers to some steps together, each at the place of its step. Without a verdict, an answer is absent. */
export const judgeTogether = (
  steps: Steps,
  judge: (exchanges: Answers, evidence: Evidence) => Verdict | undefined,
): Check => ({
  reads: stepsOfForm(steps),
  judge: evidence =>
    judge(answersTo(steps, evidence), evidence) ?? noAnswer(evidence, ...stepsOfForm(steps)(evidence.form)),
})

/** A check whose verdict is replaced by that of `again`. */
export const adjustVerdict = (check: Check, adjust: (verdict: Verdict, evidence: Evidence) => Verdict): Check => ({
  ...check,
  judge: evidence => adjust(check.judge(evidence), evidence),
})

/** Broken by a finding in the first of these exchanges. */
export const brokenBy = (finding: Finding, ...exchanges: [Exchange, ...Exchange[]]): Verdict =>
  broken(describe(finding, exchanges[0]), ...exchanges)

/** Held without a finding, else broken; `as` is added to what was expected, such as `, as it was sent`. */
export const heldUnless = (found: Finding | undefined, as: string, ...exchanges: [Exchange, ...Exchange[]]): Verdict =>
  found ? brokenBy({ ...found, expected: found.expected + as }, ...exchanges) : held(exchanges)
