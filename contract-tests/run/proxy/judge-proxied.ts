import type { Form, OperationId } from '../../../fixtures/contract/index.ts'
import { redactValue } from '../../engine/redact.ts'
import { UsageError } from '../../engine/target/target.ts'
import { type Drift, type Report, type RuleReport, summarise } from '../../report/report.ts'
import { type JudgeHarOptions, judgeHar } from '../har/judge-har.ts'
import { recogniseOperation } from '../har/recognise-call.ts'
import { createHarRedactor } from '../har/secrets.ts'
import { type HarEntry, type ProxiedCall, type ProxiedForm, toHarEntry } from './proxied-call.ts'

/** The verdict on one call. */
export interface Judgement {
  readonly form: Form | undefined
  readonly operation: OperationId | undefined
  readonly broken: readonly RuleReport[]
  /** The number of rules that hold. */
  readonly held: number
  /** Why the body of an answer of the API could not be judged. */
  readonly unread?: string
  /** Differences from the baseline. */
  readonly drift: readonly Drift[]
}

export interface JudgeOptions
  extends Pick<JudgeHarOptions, 'name' | 'version' | 'failOn' | 'knownBroken' | 'baseline'> {
  readonly baseUrls: Readonly<Partial<Record<ProxiedForm, string | undefined>>>
}

/** The limit of all HAR entries that are kept for the report and the recording. The oldest are dropped. */
const maxKeptCharacters = 64 * 1024 * 1024

/** Judges calls one by one, and at the end together, by the rules that a recording can answer. */
export function createProxyJudge(options: JudgeOptions) {
  const keptEntries: { readonly entry: HarEntry; readonly size: number; readonly isDeclined: boolean }[] = []
  let keptSize = 0
  /** The first breach of each rule and form, kept because its HAR entry may be dropped. */
  const breaches = new Map<string, RuleReport>()

  function keep(entry: HarEntry, isDeclined: boolean): void {
    const size = JSON.stringify(entry).length
    keptEntries.push({ entry, size, isDeclined })
    keptSize += size
    while (keptSize > maxKeptCharacters) keptSize -= keptEntries.shift()!.size
  }
  const recording = (kept: typeof keptEntries) => ({
    log: {
      version: '1.2',
      creator: { name: 'stack-parity', version: options.version ?? '' },
      entries: kept.map(({ entry }) => entry),
    },
  })

  return {
    /** Keeps a call for the report and the recording; one that the proxy declined for the recording alone. */
    record(call: ProxiedCall): void {
      keep(toHarEntry(call, options.baseUrls[call.form]!), call.instead?.as === 'declined')
    },
    /** Judges a call by itself, and keeps it, too, unless what the client gets depends on the judgement. */
    judge(call: ProxiedCall, isKept = true): Judgement {
      const entry = toHarEntry(call, options.baseUrls[call.form]!)
      if (isKept) keep(entry, false)
      const { pathname } = new URL(entry.request.url)
      const { form, operation } = recogniseOperation(call.request.method, pathname) ?? {}
      const { rules = [], drift = [] } = judgeIfOfApi({ log: { entries: [entry] } }, options) ?? {}
      const broken = rules.filter(({ outcome }) => outcome === 'broken')
      for (const rule of broken) {
        const key = `${rule.id} ${rule.form}`
        if (!breaches.has(key)) breaches.set(key, rule)
      }
      const held = rules.filter(({ outcome }) => outcome === 'held').length
      const unread = operation && entry.response.content.comment
      return { form, operation, broken, held, drift, ...(unread && { unread }) }
    },
    /** The report of all calls; undefined if none was of this API. */
    conclude(): Report | undefined {
      const report = judgeIfOfApi(recording(keptEntries.filter(({ isDeclined }) => !isDeclined)), options)
      if (!report) return undefined
      const rules = report.rules.map(rule => {
        const breach = breaches.get(`${rule.id} ${rule.form}`)
        return breach && rule.outcome !== 'broken' ? breach : rule
      })
      return { ...report, rules, summary: summarise(rules, report.drift) }
    },
    /** The calls as HAR 1.2 without secrets, the oldest first. */
    har() {
      const har = recording(keptEntries)
      return redactValue(har, createHarRedactor(har))
    },
  }
}

/** The report of a recording; undefined if it has no call of this API. */
function judgeIfOfApi(har: unknown, options: JudgeHarOptions): Report | undefined {
  try {
    return judgeHar(har, options)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}
