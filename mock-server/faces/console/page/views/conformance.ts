import type { Progress } from '../../examination.ts'
import { readAbout } from '../about.ts'
import { ask, read } from '../ask.ts'
import { append, element, fill } from '../element.ts'
import { badge, code } from '../parts.ts'

/** Runs the suite against this mock and shows its report. */
export async function showConformance(
  place: HTMLElement,
  _words: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { canVerify } = await readAbout()
  append(place, [
    element('h1', {}, 'Conformance'),
    element(
      'p',
      { class: 'quiet' },
      'The suite judges this mock as it is now, with its faults and its chaos, over HTTP as anybody would.',
    ),
  ])
  if (!canVerify) {
    append(place, [
      element('p', {}, 'This mock was started as a library, without the suite. On the command line:'),
      code('curl -s http://127.0.0.1:8080/control/target > target.json && stack-parity verify --target target.json'),
    ])
    return
  }
  const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Steps of the run', hidden: true })
  const said = element('p', { class: 'state', role: 'status' })
  const frame = element('div', { class: 'report' })
  const start = element('button', { type: 'button', class: 'primary' }, 'Run the suite')
  append(place, [element('div', { class: 'tools' }, start, said), bar, frame])

  const follow = async (): Promise<void> => {
    const progress = await read<Progress>('/control/verify')
    show(progress)
    if (progress.is !== 'running' || signal.aborted) return
    await new Promise(resolve => setTimeout(resolve, 250))
    if (!signal.aborted) await follow()
  }
  const show = ({ is, done, total, step, why, summary }: Progress) => {
    start.disabled = is === 'running'
    bar.hidden = is !== 'running'
    bar.max = total || 1
    bar.value = done
    if (is === 'running') said.textContent = total ? `${done} of ${total}: ${step}` : 'Starting …'
    if (is === 'failed') fill(said, badge('failed', 'bad'), ` ${why}`)
    if (is === 'done') {
      fill(
        said,
        Object.entries(summary as Record<string, number>)
          .filter(([, count]) => count > 0)
          .map(([outcome, count]) => [badge(`${count} ${names[outcome] ?? outcome}`, tones[outcome] ?? 'plain'), ' ']),
      )
      start.textContent = 'Run it again'
      showReport(frame)
    }
  }
  start.addEventListener('click', async () => {
    start.disabled = true
    try {
      await ask('POST', '/control/verify', {})
      await follow()
    } catch (error) {
      start.disabled = false
      said.textContent = (error as Error).message
    }
  })
  const progress = await read<Progress>('/control/verify')
  show(progress)
  if (progress.is === 'running') void follow().catch(() => {})
}

const names: Readonly<Record<string, string>> = { notApplicable: 'not applicable', knownBroken: 'known broken' }
const tones: Readonly<Record<string, string>> = {
  held: 'good',
  broken: 'bad',
  errored: 'warn',
  knownBroken: 'warn',
  observed: 'note',
  drifted: 'warn',
}

/** In a frame without an origin: what a deployment answered stands in it. */
function showReport(place: HTMLElement): void {
  fill(
    place,
    element(
      'p',
      {},
      element(
        'a',
        { href: '/control/verify/report.html', target: '_blank', rel: 'noopener' },
        'Open the report in a window of its own',
      ),
      ' · ',
      element('a', { href: '/control/verify/report.json', download: 'report.json' }, 'report.json'),
    ),
    element('iframe', { src: '/control/verify/report.html', sandbox: 'allow-scripts', title: 'Conformance report' }),
  )
}
