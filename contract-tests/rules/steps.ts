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

/** Makes checks from the names of steps and a function that judges their answers. */

/** Names of steps. A name without a form stands for the step of the form that is judged; a step of another form is not read. */
export type Steps = readonly string[] | ((form: Form) => readonly string[])

export const stepsOfForm =
  (steps: Steps) =>
  (form: Form): readonly string[] =>
    (typeof steps === 'function' ? steps(form) : steps)
      .map(name => (name.includes(':') ? name : `${form}:${name}`))
      .filter(name => name.startsWith(`${form}:`))

type InspectWith = (exchange: Exchange, evidence: Evidence) => ReturnType<Inspect>

/** Judges the answers to some steps one by one. `reasonIfNone` is given if there are answers, but none could be judged. */
export const each = (steps: Steps, inspect: InspectWith, reasonIfNone?: string): Check => ({
  reads: stepsOfForm(steps),
  judge: evidence => {
    const names = stepsOfForm(steps)(evidence.form)
    const exchanges = evidence.exchangesOf(...names).flatMap(exchange => [exchange, ...(exchange.pages ?? [])])
    return judgeEach(
      exchanges,
      exchange => inspect(exchange, evidence),
      () =>
        reasonIfNone !== undefined && exchanges.length > 0 ? notApplicable(reasonIfNone) : noAnswer(evidence, ...names),
    )
  },
})

/** Judges the successes among the answers to some steps one by one. */
export const eachSuccess = (steps: Steps, inspect: InspectWith, reasonIfNone?: string): Check =>
  each(steps, (exchange, evidence) => (isSuccess(exchange) ? inspect(exchange, evidence) : undefined), reasonIfNone)

/** Judges a field of each object that has it. `objectsIn` finds the objects of an answer, with their paths. */
export const eachField = (
  steps: Steps,
  objectsIn: (exchange: Exchange) => readonly (readonly [path: string, object: JsonObject])[],
  name: string,
  expected: string,
  holds: (value: unknown) => boolean,
  reasonIfNone: string,
): Check =>
  each(
    steps,
    exchange => {
      const present = objectsIn(exchange).filter(([, object]) => object[name] !== undefined)
      const wrong = present.filter(([, object]) => !holds(object[name]))
      if (present.length === 0) return undefined
      return wrong.map(([path, object]) => ({ path: `${path}.${name}`, expected, got: object[name] }))
    },
    reasonIfNone,
  )

/** Judges every exchange of the form. */
export const everyExchange = (inspect: Inspect, reasonIfNone: string): Check => ({
  reads: 'everything',
  judge: ({ exchanges }) => judgeEach(exchanges, inspect, () => notApplicable(reasonIfNone)),
})

type Answers = readonly (Exchange | undefined)[]

/** The first answer to each of some steps, at the place of its step. */
export const answersTo = (steps: Steps, evidence: Evidence): Answers =>
  stepsOfForm(steps)(evidence.form).map(name => evidence.exchangesOf(name)[0])

/** Judges the answers to some steps together, each at the place of its step. `judge` returns undefined if an answer that it needs is missing. */
export const judgeTogether = (
  steps: Steps,
  judge: (exchanges: Answers, evidence: Evidence) => Verdict | undefined,
): Check => ({
  reads: stepsOfForm(steps),
  judge: evidence =>
    judge(answersTo(steps, evidence), evidence) ?? noAnswer(evidence, ...stepsOfForm(steps)(evidence.form)),
})

/** A check whose verdict `adjust` may replace. */
export const adjustVerdict = (check: Check, adjust: (verdict: Verdict, evidence: Evidence) => Verdict): Check => ({
  ...check,
  judge: evidence => adjust(check.judge(evidence), evidence),
})

/** Broken by a finding in the first of these exchanges. */
export const brokenBy = (finding: Finding, ...exchanges: [Exchange, ...Exchange[]]): Verdict =>
  broken(describe(finding, exchanges[0]), ...exchanges)

/** Held without a finding, else broken. `suffix` follows the expected value, such as `, as it was sent`. */
export const heldUnless = (
  finding: Finding | undefined,
  exchanges: readonly [Exchange, ...Exchange[]],
  suffix = '',
): Verdict => (finding ? brokenBy({ ...finding, expected: finding.expected + suffix }, ...exchanges) : held(exchanges))
