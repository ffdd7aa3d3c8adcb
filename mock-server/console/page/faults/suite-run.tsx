import { useEffect, useState } from 'preact/hooks'
import type { Progress } from '../../../faces/control/page/answers.ts'
import { fetchJson, read } from '../control.ts'
import { Badge, BlockableButton } from '../parts/elements.tsx'

interface SuiteRunProps {
  readonly label: string
  /** Also shows the progress of a run that another view or client started. */
  readonly showsOtherRuns?: boolean
  /** Called when a run is done; not when it failed. */
  readonly onDone: () => unknown
}

const outcomeNames: Readonly<Record<string, string>> = { notApplicable: 'not applicable', knownBroken: 'known broken' }
const outcomeTones: Readonly<Record<string, string>> = {
  held: 'good',
  broken: 'bad',
  errored: 'warn',
  flaky: 'warn',
  knownBroken: 'warn',
  observed: 'note',
  drifted: 'warn',
}

/** A button that runs the suite in a world like the shown one, and the progress of the run. */
export function SuiteRun({ label, showsOtherRuns = false, onDone }: SuiteRunProps) {
  const [progress, setProgress] = useState<Progress | undefined>(undefined)
  const [error, setError] = useState('')
  const [isPolling, setPolling] = useState(showsOtherRuns)
  useEffect(() => {
    if (!isPolling) return
    const timer = setInterval(async () => {
      try {
        const next = await read<Progress>('/control/verify')
        setProgress(next)
        if (next.is === 'running') return
        setPolling(false)
        if (next.is === 'done') onDone()
      } catch (error) {
        setPolling(false)
        setError((error as Error).message)
      }
    }, 250)
    return () => clearInterval(timer)
  }, [isPolling])
  const run = async () => {
    setError('')
    try {
      setProgress(await fetchJson<Progress>('POST', '/control/verify', {}))
      setPolling(true)
    } catch (error) {
      setError((error as Error).message)
    }
  }
  const isRunning = progress?.is === 'running'
  return (
    <>
      <div class="row">
        <BlockableButton onClick={run} class="primary" whyNot={isRunning ? 'The suite is running.' : ''}>
          {label}
        </BlockableButton>
        <output class="row">{error || (progress && <RunStatus {...progress} />)}</output>
      </div>
      {isRunning && <progress max={progress.total || 1} value={progress.done} aria-label="Steps of the run" />}
    </>
  )
}

function RunStatus({ is: status, done, total, step, why, summary }: Progress) {
  if (status === 'idle') return null
  if (status === 'running') return <>{total ? `${done} of ${total}: ${step}` : 'Starting …'}</>
  if (status === 'failed') return [<Badge tone="bad">failed</Badge>, ' ', why]
  const counts = Object.entries(summary as Record<string, number>).filter(([, count]) => count > 0)
  return counts.map(([outcome, count]) => (
    <Badge key={outcome} tone={outcomeTones[outcome] ?? 'plain'}>
      {`${count} ${outcomeNames[outcome] ?? outcome}`}
    </Badge>
  ))
}
