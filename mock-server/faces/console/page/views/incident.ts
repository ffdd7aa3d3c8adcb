import type { JournalEntry } from '../../../../core/mock.ts'
import { incidentServices } from '../../../../telemetry/story/incident.ts'
import type { Alert } from '../../../../words/resources.ts'
import { readAbout } from '../about.ts'
import type { View } from '../app.ts'
import { ask, createReader, read, readRecords, recordAddress } from '../ask.ts'
import { createTurn, forwardButtons } from '../clock.ts'
import { append, element, fill } from '../element.ts'
import { renderAlerts } from '../incident/alert-list.ts'
import { createDeliveries } from '../incident/deliveries.ts'
import { findWatch, makeWatch, removeWatch } from '../incident/watch.ts'
import { toMinuteOfYear } from '../moments.ts'
import { numberField } from '../number-field.ts'
import { badge, repeat } from '../parts.ts'
import { ranges } from '../stacks.ts'
import { type Drawn, renderBoard } from './dashboards.ts'

interface Incident {
  readonly id: string
  readonly service: string
  readonly startTime: string
  readonly endTime: string
}

const minute = 60_000
/** Until alerts are in order again. */
const aftermath = 12 * minute

/** Sets off an incident in the telemetry, lets time pass, and shows how alerts fire and webhooks arrive. */
export const showIncident: View = async (place, _words, signal, page) => {
  const { say, pulse } = page
  const { selfHostedStack: stack, size } = await readAbout()
  const [list, alerts, deliveries] = [element('div'), element('div'), element('div')]
  const board = element('div.board')
  const showDeliveries = createDeliveries(deliveries)
  const readCalls = createReader<readonly JournalEntry[]>('/control/calls?form=webhook&limit=50')
  const shown = new Map<HTMLElement, string>()
  const put = (where: HTMLElement, what: unknown, render: () => Node) => {
    const text = JSON.stringify(what)
    if (shown.get(where) === text) return
    shown.set(where, text)
    fill(where, render())
  }

  const attempt = (work: () => Promise<unknown>) => async () => {
    try {
      await work()
      await draw()
    } catch (error) {
      say((error as Error).message)
    }
  }
  const address = (id?: string) => recordAddress('incidents', stack, id)
  const now = () => pulse.now()
  const iso = (at: number) => new Date(at).toISOString()
  /** When time passes no more by itself. */
  let until = Number.POSITIVE_INFINITY
  const setOff = async () => {
    const { now } = await read<{ now: string }>('/control/clock')
    const minutes = length.read()
    if (minutes === undefined) return length.input.focus()
    if (isWatched.checked) await makeWatch(stack)
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
  const clear = element('button.new', { type: 'button', onclick: attempt(() => removeWatch(stack)) }, [
    'Delete the watch',
  ])
  const labelled = (text: string, input: HTMLElement) => element('label.choose', [text, input])

  const renderIncident = (one: Incident) => {
    const [start, end] = [Date.parse(one.startTime), Date.parse(one.endTime)]
    const [state, tone] = now() < start ? ['to come', 'note'] : now() < end ? ['going on', 'bad'] : ['over', 'plain']
    const act = (says: string, work: () => Promise<unknown>) =>
      element('button.copy', { type: 'button', onclick: attempt(work) }, says)
    return element('li', [
      badge(state!, tone),
      element('b', one.service),
      element('span.quiet', `${toMinuteOfYear(one.startTime)} to ${one.endTime.slice(11, 16)} UTC`),
      state === 'going on' && act('End it now', () => ask('PATCH', address(one.id), { endTime: iso(now()) })),
      now() >= start && element('a', { href: errorsOf(stack, one, now()) }, 'Its errors in the logs'),
      act('Undo', () => ask('DELETE', address(one.id))),
    ])
  }

  let isDrawing = false
  const draw = async () => {
    if (isDrawing || signal.aborted) return
    isDrawing = true
    try {
      const [{ records: incidents }, { records }, watch, calls] = await Promise.all([
        readRecords<{ readonly records: readonly Incident[] }>('incidents', stack, {}),
        readRecords<{ readonly records: readonly Alert[] }>('alerts', stack, { limit: '200' }),
        findWatch(stack),
        readCalls(),
      ])
      put(list, [incidents, Math.floor(now() / minute)], () =>
        element('ul.incidents', incidents.toReversed().map(renderIncident)),
      )
      put(alerts, records, () => renderAlerts(records))
      if (calls) showDeliveries(calls)
      const drawn = watch && (await read<Drawn>(`/control/drawings/${stack}/${watch.dashboardId}?minutes=60`))
      board.hidden = clear.hidden = !drawn
      const hasNews = JSON.stringify(drawn) !== shown.get(board)
      shown.set(board, JSON.stringify(drawn))
      if (hasNews && drawn) await renderBoard(board, drawn, stack, signal)
    } finally {
      isDrawing = false
    }
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
        element('button.danger.new', { type: 'button', onclick: attempt(setOff) }, 'Set off an incident'),
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
      element('section.stack', { 'aria-label': 'Alerts' }, [element('h2', 'Alerts'), alerts]),
      element('section.stack', { 'aria-label': 'Deliveries' }, [element('h2', 'What webhooks were told'), deliveries]),
    ]),
  ])
  await draw()
  repeat(1000, signal, async () => {
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
function errorsOf(stack: string, { service, startTime }: Incident, now: number): string {
  const [minutes] =
    ranges.find(([minutes]) => now - Number(minutes) * minute <= Date.parse(startTime)) ?? ranges.at(-1)!
  const words = [stack, 'log', minutes, `ServiceName:${service} SeverityText:ERROR`]
  return `#/search/${words.map(encodeURIComponent).join('/')}`
}
