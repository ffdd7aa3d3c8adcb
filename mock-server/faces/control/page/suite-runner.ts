import type { MockWorld, TargetFile } from '../../../mock/mock.ts'
import type { Progress } from './answers.ts'

type OnProgress = (done: number, total: number, step: string) => void

interface SuiteResult {
  readonly report: object
  readonly html: string
}

/** Runs the suite against a target. */
export type Verify = (target: TargetFile, onProgress: OnProgress) => Promise<SuiteResult>

/** Runs the suite in a world of its own that is like another one. */
export type VerifyLike = (world: MockWorld, onProgress: OnProgress) => Promise<SuiteResult>

/** Runs the suite for the console, one run at a time. */
export function createSuiteRunner(verify: VerifyLike) {
  let progress: Progress = { is: 'idle', done: 0, total: 0, step: '' }
  let last: SuiteResult | undefined
  return {
    progress: (): Progress => progress,
    lastResult: () => last,
    /** Starts a run; returns false if one is already running. */
    start(world: MockWorld): boolean {
      if (progress.is === 'running') return false
      const startedAt = new Date().toISOString()
      progress = { is: 'running', done: 0, total: 0, step: '', startedAt }
      verify(world, (done, total, step) => {
        progress = { ...progress, done, total, step }
      }).then(
        result => {
          last = result
          progress = { ...progress, is: 'done', summary: (result.report as { summary?: unknown }).summary }
        },
        error => {
          progress = { ...progress, is: 'failed', why: error instanceof Error ? error.message : String(error) }
        },
      )
      return true
    },
  }
}
