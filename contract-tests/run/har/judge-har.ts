import type { Form } from '../../../fixtures/contract/index.ts'
import { type Check, type Evidence, notApplicable, type Verdict } from '../../engine/check.ts'
import type { Exchange } from '../../engine/exchange.ts'
import { redactValue } from '../../engine/redact.ts'
import { UsageError } from '../../engine/target/target.ts'
import { groupBy } from '../../report/group-by.ts'
import { type FailOn, type Report, summarise, USUAL_FAIL_ON } from '../../report/report.ts'
import { type Selection, select } from '../../rules/select.ts'
import { type Baseline, compareBaselines, createBaseline } from '../baseline.ts'
import { checks } from '../checks.ts'
import type { AnswerJudge } from '../document/judge-answers.ts'
import { markStale, reportRule } from '../verify.ts'
import { asOf, type RecordedCall, toExchange } from './call.ts'
import { excuse, isReadable, unanswerable, whyRefused } from './limits.ts'
import { readHar } from './read-har.ts'
import { recogniseBeside, recogniseOperation } from './recognise-call.ts'
import type { Scene } from './scene.ts'
import { findScenes } from './scenes.ts'
import { createHarRedactor } from './secrets.ts'

export interface JudgeHarOptions extends Selection {
  /** Only what went to these, such as `https://api.example.test`; by default whatever has the paths of the API. */
  readonly origins?: readonly string[]
  readonly name?: string
  readonly version?: string
  /** Rules that are known to be broken there. */
  readonly knownBroken?: readonly string[]
  /** Fingerprints of drift that is known, and left out. */
  readonly knownDrift?: ReadonlySet<string>
  /** Broken rules of this level and of graver ones fail; by default `should`. */
  readonly failOn?: FailOn
  /** What was observed earlier; what the recording shows otherwise is drift. */
  readonly baseline?: Baseline
  /** Says how the answers differ from a vendor's document, as drift. */
  readonly document?: AnswerJudge
}

/**
 * Judges recorded traffic (HAR 1.2) by every rule that a recording can answer, with the checks of the suite, and sends
 * nothing. What a recording cannot tell is not applicable, with the reason; no secret of it is in the report.
 * @throws UsageError with a sentence for what is no recording, or holds nothing of this API.
 */
export function judgeHar(har: unknown, options: JudgeHarOptions = {}): Report {
  const { name = 'recording', version = '0', knownBroken = [], failOn = USUAL_FAIL_ON } = options
  const { calls, leftOut, keepsCredentials } = recogniseCalls(har, options.origins)
  const scenes = findScenes(calls)
  const forms = (['cloud', 'managed', 'selfHosted'] as const).filter(form => calls.some(call => call.form === form))
  const legible = calls.filter(call => whyIllegible(call) === undefined).map(({ exchange }) => exchange)
  const redact = onceEach(createHarRedactor(har))
  const judged = select(options).flatMap(rule =>
    rule.forms
      .filter(form => forms.includes(form))
      .map(form => {
        const reason = unanswerable(rule.id)
        const verdict = reason
          ? notApplicable(reason)
          : judgeScenes(rule.id, checks[rule.id], form, scenes, legible, keepsCredentials)
        return reportRule(rule, form, verdict, knownBroken, redact)
      }),
  )
  const rules = markStale(judged, knownBroken)
  const { baseline, document } = options
  const observed = baseline && createBaseline(rules, legible, { name, observedAt: '' })
  const found = redactValue(
    [...(observed ? compareBaselines(baseline, observed) : []), ...(document?.(legible) ?? [])],
    redact,
  )
  const drift = found.filter(({ fingerprint }) => !options.knownDrift?.has(fingerprint))
  const starts = calls.map(({ recorded }) => recorded.startedAt).filter(Number.isFinite)
  const ends = calls.map(({ recorded }) => recorded.endedAt).filter(Number.isFinite)
  const startedAt = starts.length > 0 ? Math.min(...starts) : 0
  return {
    tool: { name: 'stack-parity', version },
    target: { name, forms },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.max(0, Math.max(startedAt, ...ends) - startedAt),
    requests: calls.length,
    failOn,
    summary: summarise(rules, drift),
    rules,
    drift,
    recording: {
      entries: calls.length + leftOut.length,
      judged: legible.length,
      left: countReasons([...leftOut, ...calls.flatMap(call => whyIllegible(call) ?? [])]),
    },
  }
}

/** Most rules are not applicable for the same few reasons. */
function onceEach(redact: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return text => {
    if (text.length > 200) return redact(text)
    if (!known.has(text)) known.set(text, redact(text))
    return known.get(text)!
  }
}

interface Recognised {
  readonly calls: readonly RecordedCall[]
  /** Why an entry was left out, for each that was. */
  readonly leftOut: readonly string[]
  /** Whether it has an Authorization header at all: browsers take them out of what they export. */
  readonly keepsCredentials: boolean
}

const countReasons = (reasons: readonly string[]) =>
  [...groupBy(reasons, why => why)]
    .map(([why, { length }]) => ({ count: length, why }))
    .sort((a, b) => b.count - a.count)

function recogniseCalls(har: unknown, origins?: readonly string[]): Recognised {
  const wanted = origins?.map(origin => (URL.canParse(origin) ? new URL(origin).origin : origin))
  const { recorded: all, leftOut } = readHar(har)
  const entries = all.filter(({ origin }) => !wanted || wanted.includes(origin))
  const known = entries.map(recorded => ({ recorded, call: recogniseOperation(recorded.method, recorded.path) }))
  const homes = new Set(known.flatMap(({ recorded, call }) => (call ? [recorded.origin] : [])))
  if (homes.size === 0) {
    const others = countReasons(leftOut).map(({ count, why }) => ` ${count} more could not be used: ${why}.`)
    throw new UsageError(
      `it holds no request of this API: none of ${entries.length} exchanges has a path such as /v1/organizations/{id}/members or /api/v2/dashboards.${others.join('')}`,
    )
  }
  const segments = new Set(['observability', ...known.flatMap(({ call }) => call?.ids.segment ?? [])])
  const found = known.flatMap(({ recorded, call }) => {
    const what =
      call ?? (homes.has(recorded.origin) ? recogniseBeside(recorded.method, recorded.path, segments) : undefined)
    return what ? [{ recorded, call: what }] : []
  })
  const keepsCredentials = found.some(({ recorded }) => recorded.scheme !== undefined)
  const used = new Set(found.map(({ recorded }) => recorded))
  const strange = all
    .filter(recorded => !used.has(recorded))
    .map(({ origin }) =>
      homes.has(origin) ? 'its path is none of this API' : 'it went to another host than the requests of this API',
    )
  const calls = found.map(({ recorded, call }) => {
    const as = asOf({ recorded, form: call.form }, keepsCredentials)
    return { ...call, recorded, exchange: toExchange(call, recorded, as) }
  })
  return { calls, leftOut: [...leftOut, ...strange], keepsCredentials }
}

/**
 * Why the general rules do not read an answer: they read those that are there, and beside the operations only those that
 * speak JSON.
 */
function whyIllegible({ recorded, operation }: RecordedCall): string | undefined {
  if (!recorded.textIsWhole && recorded.method !== 'HEAD')
    return 'the body of its answer was cut or left out, so only its status tells something'
  if (operation === undefined && recorded.json === undefined)
    return 'it is no operation of the contract and its answer is no JSON, so the general rules pass it by'
  return undefined
}

function judgeScenes(
  rule: string,
  check: Check,
  form: Form,
  scenes: readonly Scene[],
  exchanges: readonly Exchange[],
  keepsCredentials: boolean,
): Verdict {
  const run = exchanges.filter(exchange => isReadable(rule, exchange))
  const all = run.filter(exchange => exchange.form === form)
  const reason =
    rule.startsWith('auth/') && !keepsCredentials
      ? 'the recording has no Authorization header at all: it may have been taken out'
      : 'the recording has no request that would tell'
  const evidence = (steps: Scene['steps']): Evidence => ({
    form,
    target: {},
    of: (...names) => names.flatMap(name => (steps.get(name) ?? []).filter(exchange => isReadable(rule, exchange))),
    all,
    run,
    why: step => (steps.has(step) ? {} : { skipped: reason }),
  })
  const names = check.reads === 'everything' ? [] : check.reads(form)
  if (names.length === 0) return excuse(rule, check.judge(evidence(new Map())))
  const verdicts = scenes
    .filter(({ steps, only }) => (!only || rule.startsWith(only)) && names.some(name => steps.has(name)))
    .map(({ steps }) => excuse(rule, check.judge(evidence(steps))))
  const order = ['broken', 'held', 'observed'] as const
  const best = order.map(outcome => verdicts.find(verdict => verdict.outcome === outcome)).find(Boolean)
  // A reason that is about something seen says more than that nothing was.
  return (
    best ??
    verdicts.find(({ outcome, detail }) => outcome === 'not-applicable' && detail !== reason) ??
    notApplicable(whyRefused(rule, form, exchanges) ?? reason)
  )
}
