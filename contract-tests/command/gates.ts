import { UsageError } from '../engine/target/target.ts'
import type { Gates } from '../report/exit-status.ts'
import { type FailOn, failLevels } from '../report/report.ts'
import type { Given } from './options.ts'

/** What fails a run: `--fail-on`, `--strict` and `--drift`. */

/** The level from which on broken rules fail the run; undefined for the default. */
export function readFailOn(given: Pick<Given, 'fail-on' | 'strict'>): FailOn | undefined {
  const [level = given.strict && 'documented'] = given['fail-on'] ?? []
  const known = failLevels.find(one => one === level)
  if (level !== undefined && !known)
    throw new UsageError(`--fail-on takes ${failLevels.join(', ')}, not ${JSON.stringify(level)}.`)
  if (given.strict && known !== 'documented')
    throw new UsageError(`--strict is --fail-on documented, and excludes --fail-on ${level}.`)
  return known
}

/** Which drift fails the run. */
export function readDrift(given: Pick<Given, 'drift'>): Gates['drift'] {
  const [level = 'warn'] = given.drift ?? []
  if (level === 'warn' || level === 'error' || level === 'strict') return level
  throw new UsageError(`--drift takes warn, error or strict, not ${JSON.stringify(level)}.`)
}
