import type { Progress } from '../examination.ts'
import { ask, read } from './ask.ts'
import { element, fill } from './element.ts'
import { badge, button } from './parts.ts'

export interface SuiteRun {
  /** The button that starts it, what it says meanwhile, and how far it is. */
  readonly parts: readonly HTMLElement[]
  /** Shows a run that is under way or over, whoever started it. */
  resume(): Promise<void>
}

/** Runs the suite against this mock as it is; `done` is called when a run that is followed here is over. */
export function createSuiteRun(label: string, signal: AbortSignal, done: () => unknown): SuiteRun {
  const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Steps of the run', hidden: true })
  const said = element('p.state', { role: 'status' })
  const show = ({ is, done: count, total, step, why, summary }: Progress) => {
    start.disabled = is === 'running'
    bar.hidden = is !== 'running'
    bar.max = total || 1
    bar.value = count
    if (is === 'running') said.textContent = total ? `${count} of ${total}: ${step}` : 'Starting …'
    if (is === 'failed') fill(said, [badge('failed', 'bad'), ` ${why}`])
    if (is !== 'done') return
    const counts = Object.entries(summary as Record<string, number>).filter(([, count]) => count > 0)
    fill(said, [
      counts.map(([outcome, count]) => [
        badge(`${count} ${names[outcome] ?? outcome}`, tones[outcome] ?? 'plain'),
        ' ',
      ]),
    ])
    void done()
  }
  const follow = async (): Promise<void> => {
    const progress = await read<Progress>('/control/verify')
    if (signal.aborted) return
    show(progress)
    if (progress.is !== 'running') return
    await new Promise(resolve => setTimeout(resolve, 250))
    if (!signal.aborted) await follow()
  }
  const attempt = async (work: () => Promise<void>) => {
    start.disabled = true
    try {
      await work()
    } catch (error) {
      start.disabled = false
      said.textContent = (error as Error).message
    }
  }
  const run = async () => {
    await ask('POST', '/control/verify', {})
    await follow()
  }
  const start = button(label, () => attempt(run), { class: 'primary' })
  return {
    parts: [element('div.tools', [start, said]), bar],
    async resume() {
      const progress = await read<Progress>('/control/verify')
      show(progress)
      if (progress.is === 'running') void attempt(follow)
    },
  }
}

const names: Readonly<Record<string, string>> = { notApplicable: 'not applicable', knownBroken: 'known broken' }
const tones: Readonly<Record<string, string>> = {
  held: 'good',
  broken: 'bad',
  errored: 'warn',
  flaky: 'warn',
  knownBroken: 'warn',
  observed: 'note',
  drifted: 'warn',
}
