import { createPlanningClient } from '../engine/clients/planning-client.ts'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { enumerate } from '../engine/enumerate.ts'
import { groupBy } from '../engine/group-by.ts'
import { createLedger } from '../engine/ledger.ts'
import { sentenceOf } from '../engine/reasons.ts'
import { createRedactor } from '../engine/redact.ts'
import type { Step } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { basesOf, defaultRate, isOnLoopback } from '../engine/target/target.ts'
import { countOf } from '../report/outline.ts'
import { onOneLine } from '../report/visible.ts'
import { isOfUnknownEffect } from '../run/hold-back.ts'
import { examine, isReadOnly, type VerifyOptions } from '../run/verify.ts'
import type { CommandContext } from './command.ts'

type PlanOptions = Omit<VerifyOptions, 'client'>

/** Runs without sending anything: the answers are invented from the contract, unless a client for another target is given. */
async function rehearse(
  options: PlanOptions,
  { target, client, rate }: Pick<VerifyOptions, 'target' | 'client' | 'rate'> = {
    target: options.target,
    client: createPlanningClient(options.target, options.contract),
    // The default would slow the plan down to the rate of the target.
    rate: Number.POSITIVE_INFINITY,
  },
) {
  const ledger = createLedger()
  const { sentSteps, exchanges, report } = await examine({
    ...options,
    target,
    client,
    ledger,
    rate,
    signal: undefined,
    onProgress: undefined,
    readOnly: isReadOnly(options),
  })
  const requests = [...sentSteps.looks, ...exchanges]
  const readOperations = new Set(
    requests.flatMap(({ form, operation, as, request }) =>
      operation && as === 'key' && request.method === 'GET' ? `${form} ${operation}` : [],
    ),
  )
  const hasDeletions = ledger.entries().some(({ id, deleted }) => id !== undefined && deleted)
  return {
    requests,
    repeated: report.requests - requests.length,
    readCount: readOperations.size,
    missing: sentSteps.missing,
    hasDeletions,
  }
}

/** Rehearses a run on a copy of the mock that the target file names; undefined for deployments. */
async function rehearseOnCopy(options: PlanOptions, { startMock }: CommandContext) {
  const { target } = options
  // A copy would have the usual contract.
  if (!isMock(target) || options.contract) return undefined
  const read = async (path: string) => {
    const answer = await fetch(`${target.control!.baseUrl}${path}`)
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`)
    return answer.json()
  }
  // A control plane that does not answer, or asks for a token, is no obstacle: the plan is then less exact.
  const known = await Promise.all(['/control/state', '/control/choices'].map(read)).catch(() => {})
  if (!known) return undefined
  const [state, choices] = known
  const copy = await startMock({ state, choices, segment: target.cloud?.observabilitySegment })
  const client = createSupertestClient()
  try {
    const { cloud, selfHosted, control, sql } = copy.target
    return await rehearse(options, {
      target: {
        ...target,
        ...(target.cloud && { cloud: { ...target.cloud, baseUrl: cloud!.baseUrl } }),
        ...(target.selfHosted && { selfHosted: { ...target.selfHosted, baseUrl: selfHosted!.baseUrl } }),
        control,
        sql,
      },
      client,
      // Without a rate, 0 here, a run reads several things at once, and so repeats more reads.
      rate: options.rate === undefined ? 0 : Number.POSITIVE_INFINITY,
    })
  } finally {
    client.close?.()
    await copy.close()
  }
}

/** Prints every request that a run would send, and why others are not sent. Returns the exit status. */
export async function printPlan(options: PlanOptions, context: CommandContext): Promise<number> {
  const exact = await rehearseOnCopy(options, context)
  const { requests, repeated, readCount, hasDeletions, missing } = exact ?? (await rehearse(options))
  const redact = createRedactor(options.target)
  const lines: string[] = []
  for (const exchange of requests) {
    const { method, path, body } = exchange.request
    const noteOnEffect = isOfUnknownEffect({ ...exchange, method }) ? ' (unknown effect)' : ''
    lines.push(
      `${method.padEnd(7)} ${onOneLine(decodeURIComponent(path))}`,
      `        ${exchange.step}: ${exchange.why}${exchange.as === 'key' ? '' : ` (as ${exchange.as})`}${noteOnEffect}`,
    )
    if (body !== null) lines.push(`        ${redact(body)}`)
  }
  const reasons = [...missing.values()]
    .flatMap(({ skipped, failed }) => failed ?? (skipped ? sentenceOf(skipped) : []))
    .filter(sentence => sentence !== sentenceOf('it is not needed'))
  const noteOnDeletions = hasDeletions ? '; the last delete what the run creates' : ''
  const perOperation = (requests.length / Math.max(1, readCount)).toFixed(1)
  const noteOnReads =
    isReadOnly(options) && readCount > 1 ? `, ${perOperation} for each of ${readCount} operations that are read` : ''
  const count = exact ? countOf(requests.length + repeated, 'request') : `About ${countOf(requests.length, 'request')}`
  const noteOnRepeated =
    exact && repeated > 0 ? `, ${repeated} of them reads that are repeated until an object is ready` : ''
  lines.push('', `${count}${noteOnRepeated}${noteOnDeletions}${noteOnReads}. Nothing was sent.`)
  if (!exact) lines.push('It may be more or fewer: how many items and pages the lists have shows only in a run.')
  const byReason = groupBy(reasons, reason => reason)
  if (byReason.size > 0) lines.push('Not sent, and why:')
  for (const [reason, { length }] of byReason) lines.push(`  ${length} × ${reason}`)
  context.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

/**
 * What a run on loopback does not do because no mock of ours is there, and the options that allow it, for those who run a
 * deployment on their own machine. Undefined if nothing is held back for this reason.
 */
export function describeCaution(options: PlanOptions): string | undefined {
  const { target, allowEffects = [] } = options
  if (isMock(target) || !isOnLoopback(target)) return undefined
  const mayWrite = !isReadOnly(options)
  const limits: readonly (readonly [limit: string, allowedBy: string])[] = [
    ...(mayWrite || options.readOnly || target.writes === false ? [] : [['only reads', '--allow-writes'] as const]),
    ...(mayWrite && allowEffects.length === 0
      ? [['does nothing that needs --allow-effects', '--allow-effects KIND'] as const]
      : []),
    ...(options.rate === undefined
      ? [[`sends at most ${defaultRate(target)} requests a second`, '--rate 50'] as const]
      : []),
  ]
  if (limits.length === 0) return undefined
  const [addresses, { control }] = [basesOf(target).join(' and '), target]
  const why = control ? `${control.baseUrl} lists other addresses, or none` : 'the target file names no `control`'
  return `${addresses}: no mock of ours (${why}), and a forwarder may lead to any deployment. So this run ${enumerate(limits.map(([limit]) => limit))}; more is allowed by ${limits.map(([, option]) => option).join(' ')}.`
}

/** If the rate is limited, prints how many requests a run will send, to which of several deployments, and how long it takes. */
export async function announceLength(options: PlanOptions, { stderr }: CommandContext, name?: string): Promise<void> {
  const rate = options.rate ?? defaultRate(options.target)
  if (rate === undefined) return
  const { requests } = await rehearse(options)
  const count = Math.min(requests.length, options.maxRequests ?? Number.POSITIVE_INFINITY)
  const what = `About ${count} requests at ${rate} a second${name ? ` to ${name}` : ''}`
  stderr.write(`${what}: about ${formatDuration((count / rate) * 1000)}.\n`)
}

export const isCI = ({ CI = '' }: CommandContext['env']): boolean => !/^(?:|0|false)$/i.test(CI)

/** Returns a function that shows progress by overwriting a line of the terminal; undefined without a terminal and in CI. */
export function showProgress({ stderr, env }: CommandContext): VerifyOptions['onProgress'] {
  if (!stderr.isTTY || isCI(env)) return undefined
  const startedAt = performance.now()
  const redrawMs = 50
  let lastShownAt = 0
  return (done: number, total: number, step: Step) => {
    if (done === total) return void stderr.write('\r\u001b[K')
    const now = performance.now()
    if (now - lastShownAt < redrawMs) return
    lastShownAt = now
    const left = ((now - startedAt) / Math.max(done, 1)) * (total - done)
    const time = now - startedAt > 5000 ? `${formatDuration(left)} left  ` : ''
    const start = `${String(done).padStart(4)} of ${total}  ${time}`
    stderr.write(`\r\u001b[K${start}${step.name.slice(0, (stderr.columns ?? 80) - start.length - 6)}`)
  }
}

/** A duration of milliseconds in words, as `40 s`, `7 min` and `1 h 10 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
