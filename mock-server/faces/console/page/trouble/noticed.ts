import { formNames } from '../about.ts'
import { read } from '../ask.ts'
import { element, fill } from '../element.ts'
import { badge } from '../parts.ts'
import { createSuiteRun } from '../suite-run.ts'

interface Verdict {
  readonly id: string
  readonly form: string
  readonly outcome: string
  readonly detail: string
}

/** Runs the suite against the mock with its faults, and lists the rules that it then finds broken. */
export function renderNoticed(signal: AbortSignal): HTMLElement {
  const list = element('div')
  const run = createSuiteRun('Run the suite against this', signal, async () => {
    const [{ rules }, faults] = await Promise.all([
      read<{ rules: readonly Verdict[] }>('/control/verify/report.json'),
      read<readonly string[]>('/control/faults'),
    ])
    const broken = rules.filter(({ outcome }) => outcome === 'broken')
    const missed = faults.filter(id => broken.every(one => one.id !== id))
    fill(list, [
      broken.length === 0 && element('p.notice.calm', 'The suite finds no rule broken.'),
      missed.map(id => element('p.notice', ['Broken on purpose, and not found broken: ', element('code', id)])),
      broken.length > 0 &&
        element('ul.noticed.panel.lined', [
          broken.map(({ id, form, detail }) =>
            element('li', [
              element('code', id),
              ' ',
              badge(formNames[form] ?? form, 'plain'),
              !faults.includes(id) && [' ', badge('not by a fault of its own', 'note')],
              element('p.quiet', detail),
            ]),
          ),
        ]),
      element('p', element('a', { href: '#/conformance' }, 'The whole report')),
    ])
  })
  return element('div.suite', [run.parts, list])
}
