import type { Form } from '../../../fixtures/built-contract/index.ts'
import { cached } from '../../engine/cached.ts'
import { type Check, type Evidence, notJudged, type Verdict } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { groupBy } from '../../engine/group-by.ts'
import { createHistory } from '../../engine/history/history.ts'
import { joinPages } from '../../engine/pages.ts'
import { because, type Reason } from '../../engine/reasons.ts'
import { everyForm } from '../../engine/target/forms-of.ts'
import { UsageError } from '../../engine/target/target.ts'
import type { Report } from '../../report/report.ts'
import { type Selection, select } from '../../rules/select.ts'
import { probesOfRule } from '../../visits/probes.ts'
import { assemble, type ReportOptions } from '../assemble.ts'
import { checks } from '../checks.ts'
import { decodeBodies, type ReadAttachment } from './decode-bodies.ts'
import { type RecordedEntry, readHar } from './read-har.ts'
import { type Call, recogniseOperation, recogniseOtherRequest } from './recognise-call.ts'
import { createHarRedactor } from './secrets.ts'
import { nameSituations, type RecordedCall } from './situations.ts'

export interface JudgeHarOptions extends Selection, ReportOptions {
  /** Judges only requests to these origins (`https://api.example.test`); by default all with the paths of the API. */
  readonly origins?: readonly string[]
  readonly name?: string
  /** Reads bodies that the recorder wrote to files of their own. */
  readonly readAttachment?: ReadAttachment
}

/**
 * Judges recorded traffic (HAR 1.2) by every rule that a recording can answer, with the checks of the suite, and sends
 * nothing. Other rules are not applicable, with the reason; the report has no secret of the recording.
 * @throws UsageError when the value is no recording, or has no request of this API.
 */
export function judgeHar(recording: unknown, options: JudgeHarOptions = {}): Report {
  const har = decodeBodies(recording, options.readAttachment)
  const { calls, leftOut, unanswered, keepsCredentials } = recogniseCalls(har, options.origins)
  const forms = everyForm.filter(form => calls.some(call => call.form === form))
  const legible = calls.filter(call => whyIllegible(call) === undefined).map(({ exchange }) => exchange)
  const unread = calls.filter(isUnread)
  const judge = createRuleJudge({ calls, exchanges: legible, unread, unanswered, keepsCredentials })
  const judged = select(options).flatMap(rule =>
    rule.forms
      .filter(form => forms.includes(form))
      .map(form => ({ rule, form, verdict: judge(rule.id, checks[rule.id], form) })),
  )
  const starts = calls.map(({ recorded }) => recorded.startedAt).filter(Number.isFinite)
  const ends = calls.map(({ recorded }) => recorded.endedAt).filter(Number.isFinite)
  const startedAt = starts.length > 0 ? Math.min(...starts) : 0
  const { report } = assemble(
    judged,
    legible,
    {
      name: options.name ?? 'recording',
      forms,
      startedAt,
      endedAt: Math.max(startedAt, ...ends),
      requests: calls.length,
      redact: cacheShort(createHarRedactor(har)),
    },
    options,
  )
  return {
    ...report,
    recording: {
      entries: calls.length + leftOut.length,
      judged: legible.length,
      ...(unread.length > 0 && { unread: unread.length }),
      left: countReasons([...leftOut, ...calls.flatMap(call => whyIllegible(call) ?? [])]),
    },
  }
}

/** Most rules are not applicable for the same few reasons. */
function cacheShort(redact: (text: string) => string): (text: string) => string {
  const redactOnce = cached(redact)
  return text => (text.length > 200 ? redact(text) : redactOnce(text))
}

const countReasons = (reasons: readonly string[]) =>
  [...groupBy(reasons, why => why)]
    .map(([why, { length }]) => ({ count: length, why }))
    .sort((a, b) => b.count - a.count)

/** The requests of this API, and for each other entry the reason why it is left out. */
function recogniseCalls(har: unknown, origins?: readonly string[]) {
  const allowed = origins?.map(origin => (URL.canParse(origin) ? new URL(origin).origin : origin))
  const { recorded: all, leftOut, unanswered: lost } = readHar(har)
  const entries = all.filter(({ origin }) => !allowed || allowed.includes(origin))
  const known = new Map(entries.map(one => [one, recogniseOperation(one.method, one.path)]))
  const hosts = new Set([...known].flatMap(([{ origin }, call]) => (call ? origin : [])))
  if (hosts.size === 0) {
    const others = countReasons(leftOut).map(({ count, why }) => ` ${count} more could not be used: ${why}.`)
    throw new UsageError(
      `it holds no request of this API: none of ${entries.length} exchanges has a path such as /v1/organizations/{id}/members or /api/v2/dashboards.${others.join('')}`,
    )
  }
  const segments = new Set(['observability', ...[...known.values()].flatMap(call => call?.ids.segment ?? [])])
  for (const one of entries)
    if (hosts.has(one.origin)) known.set(one, known.get(one) ?? recogniseOtherRequest(one.method, one.path, segments))
  const unrecognised = all
    .filter(one => !known.get(one))
    .map(({ origin }) =>
      hosts.has(origin) ? 'its path is not in this API' : 'it went to another host than the requests of this API',
    )
  const recognised = [...known].flatMap(([recorded, call]) => (call ? [{ ...call, recorded }] : []))
  // Browsers remove the Authorization headers from what they export.
  const keepsCredentials = recognised.some(({ recorded }) => recorded.scheme !== undefined)
  const calls = recognised.map(call => ({ ...call, exchange: toExchange(call, keepsCredentials) }))
  // A write without an answer may take effect at any later time.
  const unanswered = lost.flatMap(recorded => {
    const call = hosts.has(recorded.origin) ? recogniseOperation(recorded.method, recorded.path) : undefined
    return call ? { ...toExchange({ ...call, recorded }, keepsCredentials), ms: Number.POSITIVE_INFINITY } : []
  })
  return { calls, leftOut: [...leftOut, ...unrecognised], unanswered, keepsCredentials }
}

type Recognised = Call & { readonly recorded: RecordedEntry }

const toExchange = (call: Recognised, keepsCredentials: boolean): Exchange => {
  const { method, path, query, headers, scheme, body, status, answerHeaders, text, json, ms } = call.recorded
  const authorization = scheme && `${scheme} ${headers.authorization ?? ''}`
  return {
    step: '',
    form: call.form,
    operation: call.operation,
    as: credentialsOf(call, keepsCredentials),
    why: 'it is in the recording',
    request: { method, path: path + query, headers: authorization ? { ...headers, authorization } : headers, body },
    response: { status, headers: answerHeaders, text },
    json,
    ms,
    ...(Number.isFinite(call.recorded.endedAt) && { sentAt: call.recorded.startedAt }),
    origin: call.recorded.origin,
    ...(isUnread(call) && { isUnread: true }),
  }
}

/** The credentials of a request: `unknown` if they were refused, or if the recorder may have left them out. */
function credentialsOf({ recorded, form }: Recognised, keepsCredentials: boolean): Exchange['as'] {
  const { scheme, otherCredentials, status } = recorded
  if (scheme === undefined) return keepsCredentials && !otherCredentials ? 'none' : 'unknown'
  const isOtherScheme = !otherCredentials && scheme !== '' && scheme !== (form === 'selfHosted' ? 'bearer' : 'basic')
  if (isOtherScheme) return 'wrongScheme'
  return status === 401 || status === 403 ? 'unknown' : 'key'
}

const isUnread = ({ recorded }: Pick<RecordedCall, 'recorded'>) =>
  recorded.unread !== undefined && recorded.method !== 'HEAD'

/** Why the general rules do not read an answer: its body is missing, or it is neither the answer of an operation nor JSON. */
function whyIllegible({ recorded, operation }: RecordedCall): string | undefined {
  if (isUnread({ recorded })) return `only its status was read, not its body: ${recorded.unread}`
  if (operation === undefined && recorded.json === undefined)
    return 'it is no operation of the contract and its answer is no JSON, so the general rules skip it'
  return undefined
}

interface Recorded {
  readonly calls: readonly RecordedCall[]
  /** The exchanges of the calls whose answers can be read. */
  readonly exchanges: readonly Exchange[]
  readonly unread: readonly RecordedCall[]
  /** Writes that got no answer. */
  readonly unanswered: readonly Exchange[]
  readonly keepsCredentials: boolean
}

/** Judges rules by the checks that any traffic can answer. */
function createRuleJudge({ calls, exchanges, unread, unanswered, keepsCredentials }: Recorded) {
  const clockUnit = clockUnitOf(calls)
  const byForm = new Map(
    [...groupBy(calls, ({ form }) => form)].map(([form, own]) => {
      const sent = own.map(({ exchange }) => exchange)
      const ofForm = [...sent.map(one => joinPages(one, sent)), ...unanswered.filter(one => one.form === form)]
      const history = createHistory(ofForm, form, { isWhole: false, clockUnit })
      return [form, { situations: nameSituations(own, form), history }]
    }),
  )
  return (rule: string, check: Check, form: Form): Verdict => {
    const unanswered = whyUnanswerable(rule)
    if (unanswered) return notJudged(unanswered)
    const { situations, history } = byForm.get(form)!
    const reason =
      rule.startsWith('auth/') && !keepsCredentials
        ? 'the recording has no Authorization header at all: it may have been taken out'
        : 'the recording has no request that shows it'
    const evidence: Evidence = {
      form,
      target: {},
      exchangesOf: (...names) => names.flatMap(name => situations.get(name) ?? []),
      exchanges: exchanges.filter(exchange => exchange.form === form),
      history,
      exchangesOfAllForms: exchanges,
      whyMissing: step => (situations.has(step) ? {} : { skipped: reason }),
    }
    const ofForm = unread.filter(call => call.form === form)
    if (check.reads === 'everything') return unlessUnread(check.judge(evidence), ofForm)
    if (!check.ofAnyTraffic) return notJudged(reason)
    const names = check.reads(form)
    const verdict = check.judge(evidence)
    // A probe that was refused is judged by its status.
    const isOfProbes = probesOfRule(rule, form).length > 0
    const read = new Set(names.flatMap(name => situations.get(name) ?? []).map(({ response }) => response))
    const unreadLines = isOfProbes ? [] : ofForm.filter(({ exchange }) => read.has(exchange.response))
    if (unreadLines.length > 0) return unlessUnread(verdict, unreadLines)
    const isSilent = verdict.outcome === 'not-applicable' && verdict.detail === reason
    return isSilent ? notJudged(whyRefused(rule, form, exchanges) ?? reason) : verdict
  }
}

/** A recorder that notes only whole seconds does not tell the order of what happens within one. */
const clockUnitOf = (calls: readonly RecordedCall[]): number =>
  calls.length > 1 && calls.every(({ recorded }) => recorded.startedAt % 1000 === 0) ? 1000 : 1

/** Errored if the rule was not judged, and some of its answers could not be read. */
function unlessUnread(verdict: Verdict, { length: count }: readonly RecordedCall[]): Verdict {
  if (verdict.outcome !== 'not-applicable' || count === 0) return verdict
  return notJudged(because('the recording shows it only in answers whose body could not be read: {count}', { count }))
}

/** Why no recording can answer a rule: only the sender knows what is wrong with its request. */
function whyUnanswerable(rule: string): Reason | undefined {
  if (/^auth\/(?:empty-secret|wrong-secret|wrong-key-id|malformed-credentials|other-forms|ingestion-key)/.test(rule))
    return 'a recording does not tell what is wrong with a credential'
  if (rule === 'backup/unknown-id-is-refused') return 'a recording does not tell which ids do not exist'
  return undefined
}

/** The reason for a rule whose requests were all refused; undefined when there are none. */
function whyRefused(rule: string, form: Exchange['form'], exchanges: readonly Exchange[]): Reason | undefined {
  const [subject, claim] = rule.split('/')
  const verb =
    { 'create-accepts-the-sample': 'create', 'query-is-accepted': 'query' }[claim!] ??
    /^(\w+)-answers/.exec(claim!)?.[1]
  const statuses = exchanges
    .filter(exchange => exchange.form === form && exchange.operation === `${subject}.${verb}` && !isSuccess(exchange))
    .map(({ response }) => response.status)
  if (statuses.length === 0) return undefined
  const shown = [...new Set(statuses)].sort().join(', ')
  return because('it was answered with {statuses}, and a recording does not tell whether the request could succeed', {
    statuses: shown,
  })
}
