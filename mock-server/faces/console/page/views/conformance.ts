import { readAbout } from '../about.ts'
import type { View } from '../app.ts'
import { append, element, fill } from '../element.ts'
import { code } from '../parts.ts'
import { createSuiteRun } from '../suite-run.ts'

/** Runs the suite against this mock and shows its report. */
export const showConformance: View = async (place, _words, signal) => {
  const { canVerify } = await readAbout()
  append(place, [
    element('h1', 'Conformance'),
    element('p.quiet', [
      'The suite judges this mock as it is now, with its faults and its chaos, over HTTP as anybody would.',
    ]),
  ])
  if (!canVerify) {
    append(place, [
      element('p', 'This mock was started as a library, without the suite. On the command line:'),
      code(`curl -s ${location.origin}/control/target > target.json && stack-parity verify --target target.json`),
    ])
    return
  }
  const frame = element('div.report')
  const run = createSuiteRun('Run the suite', signal, () => showReport(frame))
  append(place, [run.parts, frame])
  await run.resume()
}

/** In a frame without an origin: what a deployment answered stands in it. */
function showReport(place: HTMLElement): void {
  fill(place, [
    element('p', [
      element('a', { href: '/control/verify/report.html', target: '_blank', rel: 'noopener' }, [
        'Open the report in a window of its own',
      ]),
      ' · ',
      element('a', { href: '/control/verify/report.json', download: 'report.json' }, 'report.json'),
    ]),
    element('iframe.panel', {
      src: '/control/verify/report.html',
      sandbox: 'allow-scripts',
      title: 'Conformance report',
    }),
  ])
}
