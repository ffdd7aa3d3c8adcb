import type { Form } from '../../fixtures/contract/index.ts'
import { type Check, type Evidence, lacking, notApplicable, type Verdict } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { createLedger, type Ledger } from '../engine/ledger.ts'
import { createRunMark } from '../engine/mark.ts'
import { redactValue } from '../engine/redact.ts'
import { pause } from '../engine/send.ts'
import type { Step } from '../engine/step.ts'
import { everyForm, formsOf } from '../engine/target/forms-of.ts'
import { isLocal, placeOf, type TargetFile } from '../engine/target/target.ts'
import { credentialPlaces } from '../report/curl.ts'
import { leftOf } from '../report/describe-left.ts'
import {
  type ExchangeReport,
  type FailOn,
  type Report,
  type RuleReport,
  STALE_EXCEPTION,
  summarise,
  USUAL_FAIL_ON,
} from '../report/report.ts'
import { reportExchange } from '../report/report-exchange.ts'
import { type ListedRule, type Selection, select } from '../rules/select.ts'
import { chartSteps } from '../visits/charts.ts'
import { cloudSteps } from '../visits/cloud.ts'
import { observabilitySteps } from '../visits/observability.ts'
import { withProbes } from '../visits/probes.ts'
import { readingSteps } from '../visits/reading.ts'
import { closureOf, isDoubtful, type Judged, weighAgain } from './ask-again.ts'
import { type Baseline, compareBaselines, createBaseline } from './baseline.ts'
import { checks, familySteps } from './checks.ts'
import { cleanUp } from './clean-up.ts'
import type { AnswerJudge } from './document/judge-answers.ts'
import { unlessAbsent } from './unless-absent.ts'
import { type RunOptions, type Visit, type VisitOptions, visit } from './visit.ts'

export interface VerifyOptions extends Selection, RunOptions {
  readonly version?: string
  /** Sends only GET, HEAD and OPTIONS; the default beyond loopback, unless the target file has `"writes": true`. */
  readonly readOnly?: boolean
  /** Rules known to be broken on this target; they still run, and one that holds fails the run. */
  readonly knownBroken?: readonly string[]
  /** Broken rules of this level and of graver ones fail the run; by default `should`. */
  readonly failOn?: FailOn
  /**
   * How often a rule that failed by a 5xx or a lost connection is retried after the run; one that then holds is flaky. By
   * default once beyond loopback.
   */
  readonly retries?: number
  readonly ledger?: Ledger
  /** Differences from it are the report's drift. */
  readonly baseline?: Baseline
  /** Also reads every operation that no rule read, so that a baseline has the fields of all families. */
  readonly readsAll?: boolean
  /** Fingerprints of known drift, which is left out. */
  readonly knownDrift?: ReadonlySet<string>
  /** Reports differences from a vendor's document as drift; `createAnswerJudge` makes it of an OpenAPI document. */
  readonly document?: AnswerJudge
}

/** Milliseconds to wait before an unreachable address is tried again. */
const RESTART = 2000

/** The option, or else the default for the target. */
export const isReadOnly = ({ readOnly, target }: Pick<VerifyOptions, 'readOnly' | 'target'>): boolean =>
  readOnly ?? !(isLocal(target) || target.writes === true)

interface Readings {
  readonly readings?: readonly Step[]
}

export function stepsOf(form: Form): ReadonlyMap<string, Step> {
  const visits = [
    ...(form === 'cloud' ? cloudSteps : observabilitySteps(form)),
    ...(form === 'selfHosted' ? chartSteps : []),
    ...familySteps(form),
  ]
  return new Map(withProbes(form, visits).map(step => [step.name, step]))
}

/**
 * Judges a deployment: sends the requests that the selected rules need, cleans up, judges, and returns the report. It rejects
 * only for a defect of the suite itself; whatever a deployment does is in the report.
 */
export const verify = async (options: VerifyOptions): Promise<Report> => (await examine(options)).report

/** A report with its evidence, for baselines and comparisons. */
export interface Examination {
  readonly report: Report
  readonly visited: Visit
  /** Every exchange, including the clean-up; not redacted. */
  readonly exchanges: readonly Exchange[]
  /** Computed on demand: it takes a sixth of a run's time. */
  readonly observed: Baseline
}

export async function examine(options: VerifyOptions): Promise<Examination> {
  const { target, version = '0', knownBroken = [], ledger = createLedger() } = options
  const startedAt = new Date()
  const forms = formsOf(target)
  const selected = select(options).flatMap(rule =>
    rule.forms.filter(form => forms.includes(form)).map(form => ({ rule, form, check: checks[rule.id] as Check })),
  )
  const steps = new Map([...new Set(selected.map(({ form }) => form))].flatMap(form => [...stepsOf(form)]))
  const exchanges: Exchange[] = []
  /** Visits for some rules, cleans up, and judges them. */
  const ask = async (some: readonly Judged[], { readings = [], ...more }: Partial<VisitOptions> & Readings) => {
    const visited = await visit({
      ...options,
      steps: [...neededSteps(some, steps), ...readings],
      ledger,
      run: createRunMark(),
      now: Date.now(),
      readOnly: isReadOnly(options),
      ...more,
    })
    const came = [...visited.exchanges.values(), ...(await cleanUp(visited.target, ledger, visited))]
    exchanges.push(...came)
    const evidence = new Map(forms.map(form => [form, createEvidence(form, visited, came)]))
    const verdicts = some.map(one => ({ ...one, verdict: judge(one, evidence.get(one.form)!, visited) }))
    return { visited, verdicts }
  }
  const looksAt = everyForm.filter(form => selected.some(rule => rule.form === form))
  const readings = options.readsAll ? forms.flatMap(form => readingSteps(form, stepsOf(form).values())) : []
  const first = await ask(selected, { looksAt, readings })
  const { visited } = first
  const { redact } = visited
  const visits = [visited]
  let verdicts = first.verdicts
  const { retries = isLocal(target) ? 0 : 1, maxRequests = Number.POSITIVE_INFINITY } = options
  const count = () => visits.reduce((sum, { sender }) => sum + sender.requests, 0)
  for (let left = retries; left > 0; left--) {
    const latest = visits.at(-1)!
    const doubtful = verdicts.filter(one => isDoubtful(one, one.verdict, latest, steps))
    if (visits.some(({ sender }) => sender.cut !== undefined) || options.signal?.aborted) break
    if (doubtful.length === 0 && ledger.left().length === 0) break
    if (doubtful.some(({ verdict }) => verdict.isLost) && !options.client.wait) await pause(RESTART, options.signal)
    const again = await ask(doubtful, {
      target: visited.target,
      redact,
      repeats: retries,
      ...(options.maxRequests === undefined ? {} : { maxRequests: maxRequests - count() }),
    })
    visits.push(again.visited)
    verdicts = verdicts.map(one => {
      const second = again.verdicts.find(({ rule, form }) => rule === one.rule && form === one.form)
      return second ? { ...one, verdict: weighAgain(one.verdict, second.verdict) } : one
    })
  }
  const judged = verdicts.map(({ rule, form, verdict }) => reportRule(rule, form, verdict, knownBroken, redact))
  const cut = visits.find(({ sender }) => sender.cut)?.sender.cut
  const deleted = ledger.entries().flatMap(({ id, deleted }) => (deleted && id ? [id] : []))
  const rules = markGone(markStale(judged, knownBroken), request =>
    deleted.some(id => `${request.path} ${request.body}`.includes(id)),
  )
  const observe = (): Baseline => {
    const about = {
      name: target.name ?? 'unnamed',
      observedAt: startedAt.toISOString().slice(0, 10),
      tool: `stack-parity ${version}`,
      ...(target.cloud?.observabilitySegment ? { segment: target.cloud.observabilitySegment } : {}),
    }
    return redactValue(createBaseline(rules, exchanges, about), redact)
  }
  const drift = [
    ...(options.baseline ? compareBaselines(options.baseline, observe()) : []),
    ...redactValue(options.document?.(exchanges) ?? [], redact),
  ].filter(({ fingerprint }) => !options.knownDrift?.has(fingerprint))
  const left = ledger.left()
  const report: Report = {
    tool: { name: 'stack-parity', version },
    target: {
      name: target.name ?? 'unnamed',
      forms,
      ...describeAddresses(target),
      ...(visited.stale.length > 0 ? { stale: visited.stale.map(redact) } : {}),
    },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requests: count(),
    failOn: options.failOn ?? USUAL_FAIL_ON,
    summary: summarise(rules, drift),
    rules,
    drift,
    ...(cut ? { cut } : {}),
    ...(visited.ended.size > 0 ? { ended: [...visited.ended].map(([form, why]) => ({ form, why: redact(why) })) } : {}),
    ...(left.length > 0 ? { left: redactValue(left.map(leftOf), redact) } : {}),
  }
  return {
    report,
    visited,
    exchanges,
    get observed() {
      return observe()
    },
  }
}

/** The steps that the checks read, with their dependencies. */
function neededSteps(selected: readonly Judged[], steps: ReadonlyMap<string, Step>): readonly Step[] {
  const whole = new Set(selected.flatMap(({ form, check }) => (check.reads === 'everything' ? form : [])))
  const read = selected.flatMap(({ form, check }) => (check.reads === 'everything' ? [] : check.reads(form)))
  const ofWhole = [...steps.values()].flatMap(({ name, form }) => (whole.has(form) ? name : []))
  const needed = new Set(closureOf([...ofWhole, ...read], steps))
  return [...steps.values()].filter(({ name }) => needed.has(name))
}

export function createEvidence(
  form: Form,
  visited: Pick<Visit, 'target' | 'exchanges' | 'missing'>,
  exchanges: readonly Exchange[],
): Evidence {
  // Answers to SQL are not answers of the API.
  const run = exchanges.filter(({ isSql }) => !isSql)
  return {
    form,
    target: visited.target,
    of: (...steps) => steps.flatMap(step => visited.exchanges.get(step) ?? []),
    all: run.filter(exchange => exchange.form === form),
    run,
    why: step => visited.missing.get(step) ?? {},
  }
}

/** Judges a rule. A check of `everything` lacks the fields that all requests lacked, when none could be sent. */
function judge({ rule: { level }, form, check }: Judged, evidence: Evidence, visited: Visit): Verdict {
  const why = visited.ended.get(form)
  if (why) return { outcome: 'errored', detail: why, exchanges: [] }
  const { missing } = visited
  const verdict = level === 'documented' ? unlessAbsent(check.judge(evidence), evidence) : check.judge(evidence)
  const isBare = check.reads === 'everything' && evidence.all.every(({ operation }) => operation === undefined)
  if (verdict.outcome !== 'not-applicable' || !isBare) return verdict
  return lacking(
    verdict,
    evidence,
    [...missing.keys()].filter(step => step.startsWith(`${evidence.form}:`)),
  )
}

/** The addresses, and the names of the variables that hold the credentials, for curl lines. */
function describeAddresses(target: TargetFile): Pick<Report['target'], 'baseUrls' | 'variables'> {
  const { cloud, selfHosted } = target
  const has = (place: string) => {
    const [part, key] = place.split('.') as ['cloud' | 'selfHosted', string]
    return (target[part] as Readonly<Record<string, unknown>> | undefined)?.[key] !== undefined
  }
  const variableOf = (place: string) => {
    const name = placeOf(target, place)
    return name.startsWith('$') ? name.slice(1) : null
  }
  return {
    baseUrls: { ...(cloud ? { cloud: cloud.baseUrl } : {}), ...(selfHosted ? { selfHosted: selfHosted.baseUrl } : {}) },
    variables: Object.fromEntries(credentialPlaces.filter(has).map(place => [place, variableOf(place)])),
  }
}

export const markGone = (
  rules: readonly RuleReport[],
  isGone: (request: ExchangeReport['request']) => boolean,
): readonly RuleReport[] =>
  rules.map(rule => ({
    ...rule,
    exchanges: rule.exchanges.map(exchange => (isGone(exchange.request) ? { ...exchange, gone: true } : exchange)),
  }))

/** Marks known-broken rules that are broken on no form, so that the list can be shortened. */
export function markStale(rules: readonly RuleReport[], knownBroken: readonly string[]): readonly RuleReport[] {
  const broken = new Set(rules.filter(({ outcome }) => outcome === 'known-broken').map(({ id }) => id))
  const isStale = ({ id, outcome }: RuleReport) => outcome === 'held' && knownBroken.includes(id) && !broken.has(id)
  return rules.map(rule => (isStale(rule) ? { ...rule, detail: STALE_EXCEPTION } : rule))
}

export function reportRule(
  { id, section, level, sentence }: ListedRule,
  form: Form,
  judged: Verdict,
  knownBroken: readonly string[],
  redact: (text: string) => string,
): RuleReport {
  const known = knownBroken.includes(id)
  // A failed observation breaks nothing: the specification promises nothing there.
  const verdict = level === 'observe' && judged.outcome === 'broken' ? notApplicable(judged.detail ?? '') : judged
  return {
    id,
    section,
    level: level === 'documented' ? (verdict.level ?? level) : level,
    says: sentence,
    form,
    outcome: known && verdict.outcome === 'broken' ? 'known-broken' : verdict.outcome,
    detail: redact(verdict.detail ?? ''),
    observed: redactValue(verdict.observed ?? null, redact),
    ...(verdict.lacks ? { lacks: verdict.lacks } : {}),
    exchanges: verdict.exchanges.map(exchange => reportExchange(exchange, redact)),
  }
}
