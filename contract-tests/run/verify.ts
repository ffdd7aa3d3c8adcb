import type { Contract, Form, OperationId } from '../../fixtures/built-contract/index.ts'
import { type Check, type Evidence, notJudged, type Verdict, withMissingFields } from '../engine/check.ts'
import { resourceOf } from '../engine/contract.ts'
import { type Exchange, isServerError } from '../engine/exchange.ts'
import { createHistory } from '../engine/history/history.ts'
import { createLedger, type Ledger } from '../engine/ledger.ts'
import { createRunMark } from '../engine/mark.ts'
import { because } from '../engine/reasons.ts'
import { redactValue } from '../engine/redact.ts'
import { pause } from '../engine/send.ts'
import { isRead, type Step, stepOfListBefore } from '../engine/step.ts'
import { everyForm, formsOf } from '../engine/target/forms-of.ts'
import { isMock, recogniseMock } from '../engine/target/own-mock.ts'
import { refuseForbiddenWrites, type TargetFile, variableOrField } from '../engine/target/target.ts'
import { credentialPlaces } from '../report/curl.ts'
import { toLeftBehind } from '../report/describe-left.ts'
import type { Report } from '../report/report.ts'
import { type ListedRule, type Selection, select } from '../rules/select.ts'
import { readingSteps } from '../visits/reading.ts'
import { assemble, markGone, type ReportOptions } from './assemble.ts'
import type { Baseline } from './baseline.ts'
import { checks, checksBy } from './checks.ts'
import { cleanUp } from './clean-up.ts'
import {
  type RunOptions,
  type SendStepsOptions,
  type SentSteps,
  sendSteps,
  type WrongCredentials,
} from './send-steps.ts'
import { stepsOf } from './steps.ts'

export interface VerifyOptions extends Selection, RunOptions, ReportOptions {
  /** Sends only GET, HEAD and OPTIONS; the default on a deployment, unless the target file has `"writes": true`. */
  readonly readOnly?: boolean
  /**
   * How often a rule that failed because of a 5xx or a lost connection is retried after the run; a rule that then holds is
   * flaky. By default 1, and 0 on a mock of ours.
   */
  readonly retries?: number
  readonly ledger?: Ledger
  /** Also reads every operation that no rule read, so that a baseline has the fields of all families. */
  readonly readsAll?: boolean
}

/** The wait before an unreachable address is tried again. */
const RESTART_WAIT_MS = 2000

export const isReadOnly = ({ readOnly, target }: Pick<VerifyOptions, 'readOnly' | 'target'>): boolean =>
  target.writes === false || (readOnly ?? !(isMock(target) || target.writes === true))

/** Why a step got no answer. */
interface Lost {
  readonly failed: string
  readonly mayRetry?: true
}

interface FurtherSteps {
  readonly readings?: readonly Step[]
  /** Steps that are sent although no rule asks for them. */
  readonly again?: readonly string[]
}

/**
 * Judges a deployment: sends the requests that the selected rules need, cleans up, judges, and returns the report. It rejects
 * only for a defect of the suite itself; whatever a deployment does is in the report.
 */
export const verify = async (options: VerifyOptions): Promise<Report> => (await examine(options)).report

/** A report with its evidence, for baselines and comparisons. */
export interface Examination {
  readonly report: Report
  readonly sentSteps: SentSteps
  /** Every exchange, including the clean-up; not redacted. */
  readonly exchanges: readonly Exchange[]
  readonly observe: () => Baseline
}

export async function examine(given: VerifyOptions): Promise<Examination> {
  if (given.readOnly === false) refuseForbiddenWrites(given.target, 'a run that writes')
  const options = { ...given, target: await recogniseMock(given.target, given.client) }
  const { target, ledger = createLedger() } = options
  const startedAt = Date.now()
  const forms = formsOf(target)
  const { contract } = options
  const checksOfRun = contract ? checksBy(contract) : checks
  const selected = select(options, contract).flatMap(rule =>
    rule.forms.filter(form => forms.includes(form)).map(form => ({ rule, form, check: checksOfRun[rule.id] })),
  )
  const steps = new Map([...new Set(selected.map(({ form }) => form))].flatMap(form => [...stepsOf(form, contract)]))
  const exchanges: Exchange[] = []
  /** The steps that have no answer, in no visit, because of the environment. */
  const lost = new Map<string, Lost>()
  const wrongCredentials: WrongCredentials = { answers: new Map(), limits: new Map() }
  /** Sends the requests of some rules, cleans up, and judges the rules. */
  const visitAndJudge = async (
    some: readonly SelectedRule[],
    { readings = [], again = [], ...more }: Partial<SendStepsOptions> & FurtherSteps,
  ) => {
    const sentSteps = await sendSteps({
      ...options,
      steps: [...neededSteps(some, again, steps, contract), ...readings],
      ledger,
      runMark: createRunMark(),
      now: Date.now(),
      readOnly: isReadOnly(options),
      wrongCredentials,
      ...more,
    })
    const received = [
      ...sentSteps.exchanges.values(),
      ...(await cleanUp(sentSteps.target, ledger, sentSteps, contract)),
    ]
    exchanges.push(...received)
    for (const [name, { failed, mayRetry }] of sentSteps.missing)
      if (failed === undefined) lost.delete(name)
      else lost.set(name, { failed, mayRetry })
    for (const name of sentSteps.exchanges.keys()) lost.delete(name)
    const evidence = new Map(forms.map(form => [form, createEvidence(form, sentSteps, received, contract)]))
    const judgeOne = (one: SelectedRule) =>
      unlessUnproven(one, judge(one, evidence.get(one.form)!, sentSteps), sentSteps, steps, contract)
    return { sentSteps, verdicts: some.map(one => ({ ...one, verdict: judgeOne(one) })), judgeOne }
  }
  const looksAt = everyForm.filter(form => selected.some(rule => rule.form === form))
  const readings = options.readsAll
    ? forms.flatMap(form => readingSteps(form, stepsOf(form, contract).values(), contract))
    : []
  const first = await visitAndJudge(selected, { looksAt, readings })
  const { sentSteps } = first
  const { redact } = sentSteps
  const allSent = [sentSteps]
  let judgeLatest = first.judgeOne
  let verdicts = first.verdicts
  const { retries = isMock(target) ? 0 : 1, maxRequests = Number.POSITIVE_INFINITY } = options
  const count = () => allSent.reduce((sum, { sender }) => sum + sender.requests, 0)
  for (let left = retries; left > 0; left--) {
    const latest = allSent.at(-1)!
    const doubtful = verdicts.filter(one => isDoubtful(one, one.verdict, latest, steps, contract))
    if (allSent.some(({ sender }) => sender.endReason !== undefined) || options.signal?.aborted) break
    const again = [...lost].flatMap(([name, { mayRetry }]) => (mayRetry ? name : []))
    if (doubtful.length === 0 && again.length === 0 && ledger.left().length === 0) break
    if (again.length > 0 && !options.client.wait) await pause(RESTART_WAIT_MS, options.signal)
    const retried = await visitAndJudge(doubtful, {
      again,
      target: sentSteps.target,
      redact,
      repeats: retries,
      ...(options.maxRequests === undefined ? {} : { maxRequests: maxRequests - count() }),
    })
    allSent.push(retried.sentSteps)
    judgeLatest = retried.judgeOne
    verdicts = verdicts.map(one => {
      const second = retried.verdicts.find(({ rule, form }) => rule === one.rule && form === one.form)
      return second ? { ...one, verdict: mergeVerdicts(one.verdict, second.verdict) } : one
    })
  }
  verdicts = verdicts.map(one => {
    if (one.check.reads !== 'everything') return one
    if (one.verdict.mayRetry) return { ...one, verdict: mergeVerdicts(one.verdict, judgeLatest(one)) }
    if (one.verdict.outcome !== 'not-applicable') return one
    // The answers to all visits may show what those to the first did not.
    const verdict =
      allSent.length > 1 ? judge(one, createEvidence(one.form, sentSteps, exchanges, contract), sentSteps) : one.verdict
    const isOfForm = (step: Step | undefined) => step?.form === one.form && !step.readsReceiver
    const [, why] = [...lost].find(([name]) => isOfForm(steps.get(name))) ?? []
    const isLost = verdict.outcome === 'not-applicable' && why !== undefined
    return { ...one, verdict: isLost ? { ...verdict, outcome: 'errored', detail: why.failed } : verdict }
  })
  const { report, observe } = assemble(
    verdicts,
    exchanges,
    {
      name: target.name ?? 'unnamed',
      forms,
      segment: target.cloud?.observabilitySegment,
      startedAt,
      endedAt: Date.now(),
      requests: count(),
      redact,
    },
    options,
  )
  const cut = allSent.find(({ sender }) => sender.endReason)?.sender.endReason
  const deleted = ledger.entries().flatMap(({ id, deleted }) => (deleted && id ? [id] : []))
  const left = ledger.left()
  const whole: Report = {
    ...report,
    target: {
      ...report.target,
      ...describeAddresses(target),
      ...(sentSteps.stale.length > 0 ? { stale: sentSteps.stale.map(redact) } : {}),
    },
    rules: markGone(report.rules, request => deleted.some(id => `${request.path} ${request.body}`.includes(id))),
    ...(cut ? { cut } : {}),
    ...(sentSteps.ended.size > 0
      ? { ended: [...sentSteps.ended].map(([form, why]) => ({ form, why: redact(why) })) }
      : {}),
    ...(left.length > 0 ? { left: redactValue(left.map(toLeftBehind), redact) } : {}),
  }
  return { report: whole, sentSteps, exchanges, observe }
}

interface SelectedRule {
  readonly rule: ListedRule
  readonly form: Form
  readonly check: Check
}

/** The steps that the checks read, with their dependencies. */
function neededSteps(
  selected: readonly SelectedRule[],
  further: readonly string[],
  steps: ReadonlyMap<string, Step>,
  contract?: Contract,
): readonly Step[] {
  const wholeForms = new Set(selected.flatMap(({ form, check }) => (check.reads === 'everything' ? form : [])))
  const read = selected.flatMap(({ form, check }) => (check.reads === 'everything' ? [] : check.reads(form, contract)))
  const stepsOfForms = [...steps.values()].flatMap(({ name, form }) => (wholeForms.has(form) ? name : []))
  const needed = new Set(closureOf([...stepsOfForms, ...read, ...further], steps))
  return [...steps.values()].filter(({ name }) => needed.has(name))
}

export function createEvidence(
  form: Form,
  sentSteps: Pick<SentSteps, 'target' | 'exchanges' | 'missing'>,
  exchanges: readonly Exchange[],
  contract?: Contract,
): Evidence {
  // Answers to SQL and those of receivers are not answers of the API.
  const allForms = exchanges.filter(({ isSql, isReceiver }) => !isSql && !isReceiver)
  const ofForm = allForms.filter(exchange => exchange.form === form)
  return {
    form,
    target: sentSteps.target,
    exchangesOf: (...steps) => steps.flatMap(step => sentSteps.exchanges.get(step) ?? []),
    exchanges: ofForm,
    history: createHistory(ofForm, form, { isWhole: true, ...(contract && { contract }) }),
    exchangesOfAllForms: allForms,
    whyMissing: step => sentSteps.missing.get(step) ?? {},
  }
}

/** Judges a rule. If no operation could be called, a check of `everything` lacks what the unsent steps lacked. */
function judge({ rule: { level }, form, check }: SelectedRule, evidence: Evidence, sentSteps: SentSteps): Verdict {
  const why = sentSteps.ended.get(form)
  if (why) return { outcome: 'errored', detail: why, exchanges: [] }
  const { missing } = sentSteps
  const verdict = level === 'documented' ? unlessAbsent(check.judge(evidence), evidence) : check.judge(evidence)
  const hasNoOperation =
    check.reads === 'everything' && evidence.exchanges.every(({ operation }) => operation === undefined)
  if (verdict.outcome !== 'not-applicable' || !hasNoOperation) return verdict
  return withMissingFields(
    verdict,
    evidence,
    [...missing.keys()].filter(step => step.startsWith(`${evidence.form}:`)),
  )
}

/**
 * Errored if a breach may come of a write that got no answer, and may have had an effect, or of a wait that saw no end. A
 * probe that succeeded proves a breach by itself.
 */
function unlessUnproven(
  { form, check }: SelectedRule,
  verdict: Verdict,
  { missing }: Pick<SentSteps, 'missing'>,
  steps: ReadonlyMap<string, Step>,
  contract?: Contract,
): Verdict {
  if (verdict.outcome !== 'broken' || verdict.exchanges.every(({ isProbe }) => isProbe)) return verdict
  const isOfAll = check.reads === 'everything' || check.ofAnyTraffic === true
  const resources = new Set(verdict.exchanges.map(({ operation }) => resourceOf(operation)))
  const mayBeReason = (name: string) => {
    const step = steps.get(name)
    if (step?.form !== form || step.isProbe || !missing.get(name)?.mayRetry) return false
    return (!isRead(step.method) || step.poll !== undefined) && (!isOfAll || resources.has(resourceOf(step.operation)))
  }
  const lost = (isOfAll ? [...missing.keys()] : closureOf(check.reads(form, contract), steps)).find(mayBeReason)
  if (lost === undefined) return verdict
  const reason = because('{detail}, which may come of a request without answer: {failure}', {
    detail: verdict.detail ?? '',
    failure: missing.get(lost)!.failed ?? '',
  })
  return { ...notJudged(reason), mayRetry: true, exchanges: verdict.exchanges }
}

/**
 * A deployment need not offer every operation of the vendor's document. A documented rule is not applicable where all requests
 * with good credentials were answered as not offered (404, 405, 501) or forbidden for the key's role (403).
 */
function unlessAbsent(verdict: Verdict, { exchanges }: Evidence): Verdict {
  // A 5xx is a failure, not an absence; a 5xx among refusals does not show that the operation is offered.
  if (verdict.outcome !== 'broken' || verdict.exchanges.some(isServerError)) return verdict
  for (const { operation } of verdict.exchanges) {
    const status = operation && absentStatus(operation, exchanges)
    if (operation === undefined || status === undefined) continue
    const reason =
      status === 403
        ? because('the key may not use {operation} (403)', { operation })
        : because('the deployment does not offer {operation} (it answered {status})', { operation, status })
    return { ...notJudged(reason), isNotOffered: true }
  }
  return verdict
}

function absentStatus(operation: OperationId, exchanges: Evidence['exchanges']): number | undefined {
  const answered = exchanges.filter(
    one => one.operation === operation && one.as === 'key' && !one.isProbe && !isServerError(one),
  )
  const statuses = answered.map(({ response }) => response.status)
  return statuses.every(status => [403, 404, 405, 501].includes(status)) ? statuses[0] : undefined
}

/** True when a retry may change the verdict: one of its requests ended in a 5xx or got no answer. */
function isDoubtful(
  { rule, form, check }: SelectedRule,
  verdict: Verdict,
  { exchanges, missing, ended }: Pick<SentSteps, 'exchanges' | 'missing' | 'ended'>,
  steps: ReadonlyMap<string, Step>,
  contract?: Contract,
): boolean {
  if (check.reads === 'everything' || ended.has(form)) return false
  if (verdict.mayRetry) return true
  // Other observations fail nothing.
  if (rule.level === 'observe' || !['errored', 'broken', 'not-applicable'].includes(verdict.outcome)) return false
  if (verdict.exchanges.some(isServerError)) return true
  const isLost = (name: string): boolean => {
    const exchange = exchanges.get(name)
    return exchange ? exchange.as === 'key' && isServerError(exchange) : missing.get(name)?.mayRetry === true
  }
  return closureOf(check.reads(form, contract), steps).some(isLost)
}

/** The names of the steps and of all steps that they depend on. */
function closureOf(names: readonly string[], steps: ReadonlyMap<string, Step>): readonly string[] {
  const all = new Set<string>()
  const add = (name: string) => {
    const step = steps.get(name)
    if (!step || all.has(name)) return
    all.add(name)
    for (const source of step.from ?? []) add(source)
    if (step.creates) add(stepOfListBefore(step.form, step.creates))
  }
  for (const name of names) add(name)
  return [...all]
}

/** The second verdict. A rule that failed and then holds is flaky; of one that the retry could not judge nothing is known. */
function mergeVerdicts(first: Verdict, second: Verdict): Verdict {
  const failed = first.outcome === 'broken' || first.outcome === 'errored'
  if (failed && second.outcome === 'held')
    return {
      outcome: 'flaky',
      detail: `${first.outcome} at first (${first.detail}), and held when it was asked again`,
      exchanges: [...first.exchanges, ...second.exchanges],
    }
  const isFinding = first.outcome === 'broken' && !first.exchanges.some(isServerError)
  const isUnknown =
    second.outcome === 'not-applicable' ? isFinding && !second.isNotOffered : second.outcome === 'errored'
  if (first.outcome !== 'broken' || !isUnknown) return second
  const reason = because('{outcome} at first ({detail}), and it could not be judged again: {failure}', {
    outcome: first.outcome,
    detail: first.detail ?? '',
    failure: second.detail ?? '',
  })
  return { ...second, ...notJudged(reason), exchanges: first.exchanges }
}

/** The addresses, and the names of the variables that hold the credentials, for curl lines. */
function describeAddresses(target: TargetFile): Pick<Report['target'], 'baseUrls' | 'variables'> {
  const { cloud, selfHosted } = target
  const has = (place: string) => {
    const [part, key] = place.split('.') as ['cloud' | 'selfHosted', string]
    return (target[part] as Readonly<Record<string, unknown>> | undefined)?.[key] !== undefined
  }
  const environmentVariableOf = (place: string) => {
    const name = variableOrField(target, place)
    return name.startsWith('$') ? name.slice(1) : null
  }
  return {
    baseUrls: { ...(cloud ? { cloud: cloud.baseUrl } : {}), ...(selfHosted ? { selfHosted: selfHosted.baseUrl } : {}) },
    variables: Object.fromEntries(credentialPlaces.filter(has).map(place => [place, environmentVariableOf(place)])),
  }
}
