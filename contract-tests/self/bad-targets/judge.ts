import { expect } from 'vitest'
import type { Client } from '../../engine/clients/client.ts'
import { createFetchClient } from '../../engine/clients/fetch-client.ts'
import { createSupertestClient } from '../../engine/clients/supertest-client.ts'
import type { Report } from '../../report/report.ts'
import { type VerifyOptions, verify } from '../../run/verify.ts'
import { answerControl } from '../control.ts'
import { type BadTarget, secrets } from './start-target.ts'

/** Tests of bad targets run with both clients, which keep the same promises. */
export const clients: readonly [string, (options: { timeout: number }) => Client][] = [
  ['supertest', createSupertestClient],
  ['fetch', createFetchClient],
]

/**
 * Judges a bad target and expects what must hold for any target: the run ends in time, and the report has no secret. Unless
 * it `waits`, the run does not wait, since a bad target does not improve with time.
 */
export async function judge(
  { target }: Pick<BadTarget, 'target'>,
  createClient: (options: { timeout: number }) => Client = createSupertestClient,
  options: Partial<VerifyOptions> & { timeout?: number; within?: number; waits?: boolean } = {},
): Promise<Report> {
  const { timeout = 5000, within = 60_000, waits = false, ...more } = options
  const own = createClient({ timeout })
  const client = answerControl(target, {
    ...(!waits && { wait: async () => {} }),
    ...own,
    // The control plane has no notifications.
    send: async request =>
      request.baseUrl === target.control?.baseUrl ? { status: 200, headers: {}, text: '[]' } : own.send(request),
  })
  const started = performance.now()
  try {
    const report = await verify({ target, client, ...more })
    expect(performance.now() - started).toBeLessThan(within)
    const text = JSON.stringify(report)
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret.slice(0, 12))
    return report
  } finally {
    client.close?.()
  }
}

export const outcomesOf = (report: Report, outcome: string): string[] =>
  report.rules.filter(rule => rule.outcome === outcome).map(({ id, form, detail }) => `${id} (${form}): ${detail}`)

/** Expects that no rule is held or broken, and that each errored rule says what was seen. */
export function expectFailure(report: Report, seen: RegExp): void {
  expect(outcomesOf(report, 'broken')).toEqual([])
  expect(outcomesOf(report, 'held')).toEqual([])
  const errored = outcomesOf(report, 'errored')
  expect(errored.length).toBeGreaterThan(50)
  for (const line of errored) expect(line).toMatch(seen)
}
