import type { JournalEntry } from '../../../../core/mock.ts'
import { incidentServices } from '../../../../telemetry/story/incident.ts'
import { minute } from '../../../../words/durations.ts'
import type { Alert } from '../../../../words/resources.ts'
import { readAbout } from '../about.ts'
import type { View } from '../app.ts'
import { ask, listRecords, pageAddress, read, recordAddress } from '../ask.ts'
import { createTurn, forwardButtons } from '../clock.ts'
import { append, element } from '../element.ts'
import { renderAlerts } from '../incident/alert-list.ts'
import { createDeliveries } from '../incident/deliveries.ts'
import { makeWatch, ofWatch, removeWatch } from '../incident/watch.ts'
import { toMinuteOfYear } from '../moments.ts'
import { numberField } from '../number-field.ts'
import { badge, button, createUpdate, repeat } from '../parts.ts'
import { ranges, selfHosted } from '../stacks.ts'
import { readDrawn, renderTiles } from './dashboards.ts'

interface Incident {
  readonly id: string
  readonly service: string
  readonly startTime: string
  readonly endTime: string
}

/** Until alerts are in order again. */
const aftermath = 12 * minute

/** Sets off an incident in the telemetry, lets time pass, and shows how alerts fire and webhooks arrive. */
export const showIncident: View = async (place, _words, signal, page) => {
  const { say, pulse } = page
  const { size } = await readAbout()
  const [list, states, deliveries] = [element('div'), element('div'), element('div')]
  const board = element('div.board')
  const renderDeliveries = createDeliveries()
  const update = createUpdate()
  const thenDraw = (work: () => Promise<unknown>) => () => work().then(draw)
  const address = (id?: string) => recordAddress('incidents', selfHosted, id)
  const now = () => pulse.now()
  const iso = (at: number) => new Date(at).toISOString()
  /** When time passes no more by itself. */
  let until = Number.POSITIVE_INFINITY
  const setOff = async () => {
    const { now } = await read<{ now: string }>('/control/clock')
    const minutes = length.read()
    if (minutes === undefined) return length.input.focus()
    if (isWatched.checked) await makeWatch()
    const endTime = iso(Date.parse(now) + minutes * minute)
    await ask('POST', address(), { service: service.value, startTime: now, endTime })
    until = Date.parse(endTime) + aftermath
    say(`${service.value} is in trouble for ${minutes} minutes from now on.`)
    if (!passing.checked) passing.click()
  }
  const service = element('select', [incidentServices.map(one => element('option', { selected: one === 'api' }, one))])
  const length = numberField('Lasts', 'incident-minutes', { value: 15, unit: 'min', min: 1, max: 720, step: 1 })
  const isWatched = element('input.switch.calm', { type: 'checkbox', role: 'switch', checked: true })
  const passing = element('input.switch.calm', { type: 'checkbox', role: 'switch' })
  const clear = button('Delete the watch', thenDraw(removeWatch), { class: 'new' })
  const labelled = (text: string, input: HTMLElement) => element('label.choose', [text, input])

  const renderIncident = (one: Incident) => {
    const [start, end] = [Date.parse(one.startTime), Date.parse(one.endTime)]
    const [state, tone] = now() < start ? ['to come', 'note'] : now() < end ? ['going on', 'bad'] : ['over', 'plain']
    const act = (says: string, work: () => Promise<unknown>) => button(says, thenDraw(work), { class: 'copy' })
    return element('li', [
      badge(state!, tone),
      element('b', one.service),
      element('span.quiet', `${toMinuteOfYear(one.startTime)} to ${one.endTime.slice(11, 16)} UTC`),
      state === 'going on' && act('End it now', () => ask('PATCH', address(one.id), { endTime: iso(now()) })),
      now() >= start && element('a', { href: errorsOf(one, now()) }, 'Its errors in the logs'),
      act('Undo', () => ask('DELETE', address(one.id))),
    ])
  }

  const draw = async () => {
    const [incidents, alerts, dashboards, calls] = await Promise.all([
      listRecords<Incident>('incidents', selfHosted),
      listRecords<Alert>('alerts', selfHosted),
      listRecords('dashboards', selfHosted),
      read<readonly JournalEntry[]>('/control/calls?form=webhook&limit=50'),
    ])
    update(list, [incidents, Math.floor(now() / minute)], () =>
      element('ul.incidents', incidents.toReversed().map(renderIncident)),
    )
    update(states, alerts, () => renderAlerts(alerts))
    update(deliveries, calls, () => renderDeliveries(calls))
    const watching = ofWatch(alerts) && ofWatch(dashboards)
    board.hidden = clear.hidden = !watching
    const drawn = watching && (await readDrawn(selfHosted, watching.id, '60'))
    update(board, drawn, () => drawn && renderTiles(drawn, selfHosted))
  }

  append(place, [
    element('h1', 'Incident'),
    element('section.card', [
      element('p.quiet', about),
      size.logs === 0 && element('p.notice', silent),
      element('div.tools', [
        labelled('Service', service),
        length.root,
        element('label.toggle', [isWatched, 'with an alert and a webhook that leads here']),
        button('Set off an incident', thenDraw(setOff), { class: 'danger new' }),
      ]),
      list,
    ]),
    element('div.tools', [
      element('label.toggle', [passing, 'A minute passes each second']),
      forwardButtons(createTurn(page, draw)),
      clear,
    ]),
    board,
    element('div.columns', [
      element('section.stack', { 'aria-label': 'Alerts' }, [element('h2', 'Alerts'), states]),
      element('section.stack', { 'aria-label': 'Deliveries' }, [element('h2', 'What webhooks were told'), deliveries]),
    ]),
  ])
  await repeat(1000, signal, async () => {
    if (passing.checked) {
      await ask('PUT', '/control/clock', { advanceMs: minute })
      await pulse.refresh()
      if (now() > until) passing.click()
    }
    await draw()
  })
}

const about =
  'A release goes wrong: requests of one service wait, and most of them fail. It shows in logs, traces and metrics until it is over. Alerts are looked at as the clock is put forward here, and in real time with --evaluate-alerts.'

const silent =
  'Nothing is observed in this world, so an incident does not show: start the mock with --logs, or without --scenario empty.'

/** Where the search shows the errors of an incident: in the smallest range that it offers and that reaches back so far. */
function errorsOf({ service, startTime }: Incident, now: number): string {
  const [minutes] =
    ranges.find(([minutes]) => now - Number(minutes) * minute <= Date.parse(startTime)) ?? ranges.at(-1)!
  return pageAddress('search', selfHosted, 'log', minutes, `ServiceName:${service} SeverityText:ERROR`)
}
