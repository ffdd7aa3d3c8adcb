import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dist, startBuiltMock } from './built-mock.ts'
import { type Bench, type Chapter, round } from './chapter.ts'
import { median } from './paired-bursts.ts'

interface Report {
  readonly durationMs: number
  readonly requests: number
  readonly rules: readonly unknown[]
  readonly summary: { readonly broken: number; readonly errored: number }
}

/** Measures the command `verify` against the mock: with all rules, and read-only. */
export async function measureSuite({ isQuick }: Bench): Promise<Chapter> {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-bench-'))
  const mock = await startBuiltMock()
  try {
    const file = join(folder, 'target.json')
    writeFileSync(file, JSON.stringify(mock.target))
    const run = (...options: readonly string[]) => {
      const report = join(folder, 'report.json')
      const args = [`${dist}cli.js`, 'verify', '--target', file, '--report', `json=${report}`, ...options]
      const began = performance.now()
      spawnSync(process.execPath, args, { stdio: 'ignore' })
      return { tookMs: performance.now() - began, report: JSON.parse(readFileSync(report, 'utf8')) as Report }
    }
    const measureRow = (what: string, ...options: readonly string[]) => {
      const runs = Array.from({ length: isQuick ? 3 : 9 }, () => run(...options))
      const { requests, rules, summary } = runs[0]!.report
      return {
        what,
        requests,
        rules: rules.length,
        'ms of the run': round(median(runs.map(({ report }) => report.durationMs)), 0),
        'ms of the command': round(median(runs.map(({ tookMs }) => tookMs)), 0),
        'broken or errored': summary.broken + summary.errored,
      }
    }
    return {
      title: 'The suite',
      description: 'stack-parity verify against the mock over HTTP; medians.',
      rows: [measureRow('all rules'), measureRow('read only', '--read-only')],
    }
  } finally {
    await mock.stop()
    rmSync(folder, { recursive: true })
  }
}
