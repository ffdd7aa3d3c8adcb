import type { Page } from '../app.ts'
import { createTurn, forwardButtons } from '../clock.ts'
import { element } from '../element.ts'
import { toSecond } from '../moments.ts'
import { button, select } from '../parts.ts'
import { local } from '../pulse.ts'

/** The clock of the mock, in UTC and as it is here; put forward by buttons, or set to a moment. */
export function renderClock(signal: AbortSignal, page: Page): HTMLElement {
  const { pulse } = page
  const utc = element('time.clock')
  const here = element('time')
  const tick = () => {
    utc.textContent = `${toSecond(pulse.now())} UTC`
    here.textContent = local(pulse.now())
  }
  const timer = setInterval(tick, 1000)
  signal.addEventListener('abort', () => clearInterval(timer))
  const turn = createTurn(page, tick)
  const moment = element('input', { type: 'datetime-local', step: 1, id: 'moment', required: true })
  moment.value = new Date(pulse.now()).toISOString().slice(0, 19)
  const zones = [
    ['Z', 'UTC'],
    ['', Intl.DateTimeFormat().resolvedOptions().timeZone],
  ] as const
  const zone = select(zones, 'Z', { 'aria-label': 'Time zone' })
  const set = (event: Event) => {
    event.preventDefault()
    // Without a Z it is a moment of the time zone of the browser.
    void turn({ now: new Date(`${moment.value}${zone.value}`).toISOString() })
  }
  tick()
  return element('section.card', { 'aria-labelledby': 'clock' }, [
    element('h2', { id: 'clock' }, 'Clock'),
    element('p.state', [utc, element('small', ['here: ', here])]),
    element('div.tools', [forwardButtons(turn), button('Real time', () => turn({ now: new Date().toISOString() }))]),
    element('form.tools', { onsubmit: set }, [
      element('label.choose', { for: 'moment' }, ['Set to', moment]),
      zone,
      element('button', 'Set'),
    ]),
  ])
}
