import type { TargetFile } from '../../../mock/mock.ts'
import type { Progress } from './answers.ts'

export type Verify = (
  target: TargetFile,
  onProgress: (done: number, total: number, step: string) => void,
) => Promise<{ readonly report: object; readonly html: string }>

/** Runs the suite for the console, one run at a time. */
export function createSuiteRunner(verify: Verify) {
  let progress: Progress = { is: 'idle', done: 0, total: 0, step: '' }
  let last: Awaited<ReturnType<Verify>> | undefined
  return {
    progress: (): Progress => progress,
    lastResult: () => last,
    /** Starts a run; returns false if one is already running. */
    start(target: TargetFile): boolean {
      if (progress.is === 'running') return false
      const startedAt = new Date().toISOString()
      progress = { is: 'running', done: 0, total: 0, step: '', startedAt }
      verify(target, (done, total, step) => {
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
