import type { Contract, Form } from '../../fixtures/built-contract/index.ts'
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
  noSuccess,
  notJudged,
  observed,
  show,
  type Verdict,
  whyLost,
} from '../engine/check.ts'
import { type Exchange, hasBody, isSuccess } from '../engine/exchange.ts'
import { because, type Reason } from '../engine/reasons.ts'
import { isObject } from '../engine/recognise.ts'

/** Makes checks from the names of steps and a function that judges their answers or observes a value in them. */

/** Names of steps. A name without a form stands for the step of the form that is judged; a step of another form is not read. */
export type Steps = readonly string[] | ((form: Form) => readonly string[])

export const stepsOfForm =
  (steps: Steps) =>
  (form: Form): readonly string[] =>
    (typeof steps === 'function' ? steps(form) : steps)
      .map(name => (name.includes(':') ? name : `${form}:${name}`))
      .filter(name => name.startsWith(`${form}:`))

/** `judge` gets the names of the steps in the form that is judged. */
export const checkOf = (steps: Steps, judge: (names: readonly string[], evidence: Evidence) => Verdict): Check => ({
  reads: stepsOfForm(steps),
  judge: evidence => judge(stepsOfForm(steps)(evidence.form), evidence),
})

/** Like `checkOf`, for a judgement that holds for all exchanges of the same kind, in recorded traffic too. */
const checkOfAny: typeof checkOf = (...given) => ({ ...checkOf(...given), ofAnyTraffic: true })

/** A check that needs to know why a run sent what it sent. */
export const ofOwnRun = ({ reads, judge }: Check): Check => ({ reads, judge })

export type InspectWith = (exchange: Exchange, evidence: Evidence) => ReturnType<Inspect>

/** Judges exchanges one by one. `reasonIfNone` is given if there are some, but none could be judged. */
export function judgeOneByOne(
  exchanges: readonly Exchange[],
  inspect: InspectWith,
  evidence: Evidence,
  names: readonly string[],
  reasonIfNone?: Reason,
): Verdict {
  const verdict = judgeEach(
    exchanges,
    exchange => inspect(exchange, evidence),
    () => (reasonIfNone !== undefined && exchanges.length > 0 ? notJudged(reasonIfNone) : noAnswer(evidence, ...names)),
  )
  // What got no answer might have broken the rule.
  return verdict.outcome === 'broken' ? verdict : (whyLost(evidence, names) ?? verdict)
}

/** Judges the answers to some steps one by one. */
export const each = (steps: Steps, inspect: InspectWith, reasonIfNone?: Reason): Check =>
  checkOfAny(steps, (names, evidence) => {
    const exchanges = evidence.exchangesOf(...names).flatMap(exchange => [exchange, ...(exchange.pages ?? [])])
    return judgeOneByOne(exchanges, inspect, evidence, names, reasonIfNone)
  })

/** Judges the successes among the answers to some steps one by one. */
export const eachSuccess = (steps: Steps, inspect: InspectWith, reasonIfNone?: Reason): Check =>
  each(steps, (exchange, evidence) => (isSuccess(exchange) ? inspect(exchange, evidence) : undefined), reasonIfNone)

/** Judges every exchange of the form. */
export const everyExchange = (
  inspect: (exchange: Exchange, contract: Contract) => ReturnType<Inspect>,
  reasonIfNone: Reason,
): Check => ({
  reads: 'everything',
  judge: ({ exchanges, history: { contract } }) =>
    judgeEach(
      exchanges,
      exchange => inspect(exchange, contract),
      () => notJudged(reasonIfNone),
    ),
})

type Answers = readonly (Exchange | undefined)[]

/** The first answer to each step, in the order of the steps; undefined where a step has none. */
export const answersTo = (steps: Steps, evidence: Evidence): Answers =>
  stepsOfForm(steps)(evidence.form).map(name => evidence.exchangesOf(name)[0])

/** Judges the first answers to some steps together. `judge` returns undefined if an answer that it needs is missing. */
export const judgeTogether = (
  steps: Steps,
  judge: (exchanges: Answers, evidence: Evidence) => Verdict | undefined,
): Check => {
  const make = typeof steps !== 'function' && steps.length === 1 ? checkOfAny : checkOf
  return make(steps, (names, evidence) => judge(answersTo(steps, evidence), evidence) ?? noAnswer(evidence, ...names))
}

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

/** `<status> <json|text|html|empty>` */
export function describeAnswer(exchange: Exchange): string {
  return `${exchange.response.status} ${bodyKind(exchange)}`
}

function bodyKind(exchange: Exchange): string {
  if (!hasBody(exchange)) return 'empty'
  const type = exchange.response.headers['content-type'] ?? ''
  if (exchange.json !== undefined && (isObject(exchange.json) || /json/i.test(type))) return 'json'
  return /html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(exchange.response.text) ? 'html' : 'text'
}

/** Observes a value, in the notation of the gap's choices; `value` returns undefined when the answers do not show it. */
export const observe = (
  steps: Steps,
  value: (exchanges: readonly [Exchange, ...Exchange[]], evidence: Evidence) => unknown,
): Check =>
  checkOfAny(steps, (names, evidence) => {
    const [first, ...more] = evidence.exchangesOf(...names)
    if (!first) return noAnswer(evidence, ...names)
    const choice = value([first, ...more], evidence)
    return choice === undefined ? notJudged('the answers do not show it') : observed(choice, first)
  })

export const observeRefusal = (step: string | ((form: Form) => string)): Check =>
  observe(
    form => [typeof step === 'string' ? step : step(form)],
    ([exchange]) => describeAnswer(exchange),
  )

export const observeSuccess = (step: string, success: string, refusal: string): Check =>
  observe([step], ([exchange]) => (isSuccess(exchange) ? success : refusal))

export const observeAll = (value: (exchanges: readonly Exchange[]) => unknown): Check => ({
  reads: 'everything',
  judge: ({ exchanges }) => (exchanges.length === 0 ? notJudged('no answer came') : observed(value(exchanges))),
})

export function headerNamesIn(exchanges: readonly Exchange[], pattern: RegExp): string {
  const names = exchanges.flatMap(({ response }) => Object.keys(response.headers)).filter(name => pattern.test(name))
  return [...new Set(names)].sort().join(', ') || 'none'
}

/** A check of a gap, or of a rule, that answers cannot show. */
export const unobservable = (reason: Reason): Check => ({ reads: () => [], judge: () => notJudged(reason) })

/** Holds when none of the requests succeeds. */
export const neverSucceeds = (steps: Steps): Check =>
  each(steps, exchange => (isSuccess(exchange) ? [{ expected: 'no success', got: exchange.response.status }] : []))

/** Holds when one of the steps succeeds. */
export const anySucceeds = (steps: Steps, accepts: (exchange: Exchange) => boolean = isSuccess): Check =>
  checkOfAny(steps, (names, evidence) => {
    const [first, ...more] = evidence.exchangesOf(...names)
    const accepted = [first, ...more].find(exchange => exchange && accepts(exchange))
    if (accepted) return held([accepted])
    if (!first || whyLost(evidence, names)) return noAnswer(evidence, ...names)
    return noSuccess(first, ...more)
  })

/**
 * Like `anySucceeds`, but not applicable if the deployment refused the body with 400 or 422, since the specification does not
 * describe the body.
 */
export const anySucceedsUnlessBodyIsRefused = (steps: Steps): Check =>
  adjustVerdict(anySucceeds(steps), verdict => {
    const statuses = verdict.exchanges.map(({ response }) => response.status)
    const refused = verdict.exchanges.find(({ response }) => response.status === 400 || response.status === 422)
    if (verdict.outcome !== 'broken' || !refused || statuses.some(status => status >= 500)) return verdict
    const { request, response } = refused
    const answer = `${request.method} ${request.path} was answered with ${response.status} ${show(response.text)}`
    return notJudged(
      because(
        'the specification does not describe the body of this operation, and the deployment refused that of the run: {answer}',
        { answer },
      ),
    )
  })
