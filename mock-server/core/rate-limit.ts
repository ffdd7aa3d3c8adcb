import { z } from 'zod/v3'
import { tokenOf } from '../words/authorization.ts'
import { minute } from '../words/durations.ts'
import { rateLimited } from '../words/refusal.ts'
import type { Context } from './context.ts'

export interface Quota {
  readonly isOver: boolean
  readonly headers: Record<string, string>
}

export interface Limiter {
  (caller: string, now: number): Quota
  /** The counters for a state file; undefined if all are zero. */
  save(): Counters | undefined
}

/** The times of the counted calls by caller, or their number in the current minute. */
export const countersSchema = z.union([
  z.object({ calls: z.record(z.array(z.number())) }).strict(),
  z.object({ opened: z.number(), counts: z.record(z.number().int().min(0)) }).strict(),
])
type Counters = z.infer<typeof countersSchema>

const maxPerMinute = 100
/** Limit of counted callers, because a client may send another key with every call; beyond it all counters are cleared. */
const maxCallers = 2000

/** A hundred calls a minute for each caller. All counters are reset together, at each full minute since `start`. */
export function limitPerMinute(start: number, saved?: Counters): Limiter {
  const restored = saved && 'counts' in saved ? saved : { opened: start, counts: {} }
  const counts = new Map(Object.entries(restored.counts))
  let { opened } = restored
  const limit = (caller: string, now: number) => {
    if (now >= opened + minute || now < opened) {
      counts.clear()
      opened += Math.floor((now - opened) / minute) * minute
    }
    if (counts.size >= maxCallers && !counts.has(caller)) counts.clear()
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    const isOver = count > maxPerMinute
    const headers: Record<string, string> = {
      'ratelimit-limit': String(maxPerMinute),
      'ratelimit-remaining': String(Math.max(0, maxPerMinute - count)),
      'ratelimit-reset': String(Math.ceil((opened + minute - now) / 1000)),
    }
    // Deployments announce the whole window here, not the rest of it.
    if (isOver) headers['retry-after'] = String(minute / 1000)
    return { isOver, headers }
  }
  return Object.assign(limit, {
    save: () => (counts.size > 0 ? { opened, counts: Object.fromEntries(counts) } : undefined),
  })
}

const windowMs = 10_000
const maxPerWindow = 10

/** Ten calls in any ten seconds for each key. A refused call does not count. */
export function limitPerTenSeconds(saved?: Counters): Limiter {
  const calls = new Map(saved && 'calls' in saved ? Object.entries(saved.calls) : [])
  const limit = (caller: string, now: number) => {
    const recent = (calls.get(caller) ?? []).filter(at => at > now - windowMs && at <= now)
    const isOver = recent.length >= maxPerWindow
    if (!isOver) recent.push(now)
    calls.set(caller, recent)
    const headers: Record<string, string> = isOver
      ? { 'x-ratelimit-reset': String((recent[0]! + windowMs - now) / 1000) }
      : {}
    return { isOver, headers }
  }
  return Object.assign(limit, { save: () => (calls.size > 0 ? { calls: Object.fromEntries(calls) } : undefined) })
}

/** Counts a call against the quota of its caller, if rate limits are enforced or announced. */
export function countCall(context: Context): void {
  const quota = context.limiter?.(callerOf(context), context.now)
  if (!quota) return
  const { 'retry-after': retryAfter, ...announced } = quota.headers
  context.headers = context.isLimited ? quota.headers : announced
  if (quota.isOver && context.isLimited) throw rateLimited('Too many requests, please try again later.')
}

/** The caller: a cloud key; in the self-hosted form any sent token, because calls are counted before authentication. */
function callerOf({ actor, call, edition }: Context): string {
  if (actor?.kind === 'key') return actor.id
  const { authorization } = call.headers
  return (edition === '2.24' ? authorization : authorization && tokenOf(authorization)) ?? 'no token'
}
