import { expect } from 'vitest'
import type { Client } from '../../engine/clients/client.ts'
import { createFetchClient } from '../../engine/clients/fetch-client.ts'
import { createSupertestClient } from '../../engine/clients/supertest-client.ts'
import type { Report } from '../../report/report.ts'
import { type VerifyOptions, verify } from '../../run/verify.ts'
import { type BadTarget, secrets } from './start-target.ts'

/** Both clients keep the same promises. */
export const clients: readonly [string, (options: { timeout: number }) => Client][] = [
  ['supertest', createSupertestClient],
  ['fetch', createFetchClient],
]

/**
 * Judges a bad target, and sees to what holds whatever the target does: an end in time, and no secret in the report. The run waits for
 * nothing: no time makes a bad target better.
 */
export async function judge(
  { target }: Pick<BadTarget, 'target'>,
  createClient: (options: { timeout: number }) => Client = createSupertestClient,
  options: Partial<VerifyOptions> & { timeout?: number; within?: number } = {},
): Promise<Report> {
  const { timeout = 5000, within = 14_000, ...more } = options
  const client: Client = { wait: async () => {}, ...createClient({ timeout }) }
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

/** Nothing was judged, nobody is blamed, and it is said what was seen. */
export function expectFailure(report: Report, seen: RegExp): void {
  expect(outcomesOf(report, 'broken')).toEqual([])
  expect(outcomesOf(report, 'held')).toEqual([])
  const errored = outcomesOf(report, 'errored')
  expect(errored.length).toBeGreaterThan(50)
  for (const line of errored) expect(line).toMatch(seen)
}
