import type { Chaos } from '../../../../core/mock.ts'
import { readAbout } from '../about.ts'
import type { View } from '../app.ts'
import { read } from '../ask.ts'
import { append, element } from '../element.ts'
import { renderChaos } from '../trouble/chaos.ts'
import { renderClock } from '../trouble/clock-card.ts'
import { renderFaults } from '../trouble/faults.ts'
import { renderNoticed } from '../trouble/noticed.ts'
import { renderReset } from '../trouble/reset.ts'

/** What goes wrong on purpose, and what time it is. */
export const showTrouble: View = async (place, _words, signal, page) => {
  const [about, faults, chaos] = await Promise.all([
    readAbout(),
    read<readonly string[]>('/control/faults'),
    read<Chaos>('/control/chaos'),
  ])
  append(place, [
    element('h1', 'Trouble'),
    element('div.columns', [
      renderChaos(chaos, page),
      element('div.stack', [renderClock(signal, page), renderReset(about.seed, page)]),
    ]),
    renderFaults(about.rules, faults, about.canVerify && renderNoticed(signal), page),
  ])
}
