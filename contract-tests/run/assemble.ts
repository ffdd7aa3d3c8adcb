import type { Form } from '../../fixtures/contract/index.ts'
import { cached } from '../engine/cached.ts'
import type { Verdict } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { redactValue } from '../engine/redact.ts'
import {
  DEFAULT_FAIL_ON,
  type Drift,
  type ExchangeReport,
  type FailOn,
  isUsed,
  type Report,
  type RuleReport,
  STALE_EXCEPTION,
  summarise,
} from '../report/report.ts'
import { reportExchange } from '../report/report-exchange.ts'
import type { ListedRule } from '../rules/select.ts'
import { type Baseline, compareBaselines, createBaseline } from './baseline.ts'
import type { AnswerJudge } from './document/judge-answers.ts'
import { fingerprintsOf } from './fingerprint.ts'

export interface ReportOptions {
  readonly version?: string
  /** Rules known to be broken on this target. They are still judged; a rule that now holds fails the run. */
  readonly knownBroken?: readonly string[]
  /** Broken rules of this level and of graver ones fail the run; by default `should`. */
  readonly failOn?: FailOn
  /** Differences from the baseline are reported as drift. */
  readonly baseline?: Baseline
  /** Reports differences from a vendor's document as drift; `createAnswerJudge` makes it from an OpenAPI document. */
  readonly document?: AnswerJudge
  /** Fingerprints of known drift, which is left out. */
  readonly knownDrift?: ReadonlySet<string>
  /** Says of each difference which calls of a program it touches; `createUseMarker` makes it from a usage file. */
  readonly markUse?: ((drift: readonly Drift[]) => readonly Drift[]) | undefined
}

/** What was judged, and when (epoch milliseconds). */
export interface Session {
  readonly name: string
  readonly forms: readonly Form[]
  readonly segment?: string
  readonly startedAt: number
  readonly endedAt: number
  readonly requests: number
  readonly redact: (text: string) => string
}

interface RuleVerdict {
  readonly rule: ListedRule
  readonly form: Form
  readonly verdict: Verdict
}

/** Makes the report of a run, recorded traffic or a document. `observe` makes the baseline, in a sixth of a run's time. */
export function assemble(
  judged: readonly RuleVerdict[],
  exchanges: readonly Exchange[],
  { name, forms, segment, startedAt, endedAt, requests, redact }: Session,
  options: ReportOptions,
): { readonly report: Report; readonly observe: () => Baseline } {
  const { version = '0', knownBroken = [], failOn = DEFAULT_FAIL_ON, baseline, document, knownDrift, markUse } = options
  // Many rules judge the same exchange.
  const reportOnce = cached((exchange: Exchange) => reportExchange(exchange, redact))
  const rules = markStale(
    judged.map(one => reportRule(one, knownBroken, redact, reportOnce)),
    knownBroken,
  )
  const observe = () => {
    const observedAt = new Date(startedAt).toISOString().slice(0, 10)
    const about = { name, observedAt, tool: `stack-parity ${version}`, ...(segment ? { segment } : {}) }
    return redactValue(createBaseline(rules, exchanges, about), redact)
  }
  const found = [
    ...(baseline ? compareBaselines(baseline, observe()) : []),
    ...redactValue(document?.(exchanges) ?? [], redact),
  ].filter(drift => !fingerprintsOf(drift).some(one => knownDrift?.has(one)))
  const marked = markUse?.(found) ?? found
  const drift = [...marked].sort((a, b) => Number(!isUsed(a)) - Number(!isUsed(b)))
  const report: Report = {
    tool: { name: 'stack-parity', version },
    target: { name, forms },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, endedAt - startedAt),
    requests,
    failOn,
    summary: summarise(rules, drift),
    rules,
    drift,
    ...(markUse && { isUseKnown: true }),
  }
  return { report, observe }
}

function reportRule(
  { rule: { id, section, level, sentence }, form, verdict: judged }: RuleVerdict,
  knownBroken: readonly string[],
  redact: Session['redact'],
  report: (exchange: Exchange) => ExchangeReport,
): RuleReport {
  // A failed observation breaks nothing: the specification promises nothing there.
  const verdict: Verdict =
    level === 'observe' && judged.outcome === 'broken'
      ? { ...judged, outcome: 'not-applicable', exchanges: [] }
      : judged
  return {
    id,
    section,
    level: level === 'documented' ? (verdict.level ?? level) : level,
    says: sentence,
    form,
    outcome: knownBroken.includes(id) && verdict.outcome === 'broken' ? 'known-broken' : verdict.outcome,
    detail: redact(verdict.detail ?? ''),
    observed: redactValue(verdict.observed ?? null, redact),
    ...(verdict.lacks ? { lacks: verdict.lacks } : {}),
    exchanges: verdict.exchanges.map(report),
  }
}

/** Marks known-broken rules that are broken in no form, so that the list can be shortened. */
function markStale(rules: readonly RuleReport[], knownBroken: readonly string[]): readonly RuleReport[] {
  const broken = new Set(rules.filter(({ outcome }) => outcome === 'known-broken').map(({ id }) => id))
  const isStale = ({ id, outcome }: RuleReport) => outcome === 'held' && knownBroken.includes(id) && !broken.has(id)
  return rules.map(rule => (isStale(rule) ? { ...rule, detail: STALE_EXCEPTION } : rule))
}

/** Marks the requests that cannot be repeated because they name deleted objects. */
export const markGone = (
  rules: readonly RuleReport[],
  isGone: (request: ExchangeReport['request']) => boolean,
): readonly RuleReport[] =>
  rules.map(rule => ({
    ...rule,
    exchanges: rule.exchanges.map(exchange => (isGone(exchange.request) ? { ...exchange, gone: true } : exchange)),
  }))
