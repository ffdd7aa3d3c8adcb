import { useEffect, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../mock/mock.ts'
import { incidentServices } from '../../../telemetry/story/incident.ts'
import { minute } from '../../../words/durations.ts'
import type { Alert, Dashboard, Source } from '../../../words/resources.ts'
import {
  fetchJson,
  listRecords,
  type Named,
  pageAddress,
  RefusalError,
  read,
  readAbout,
  readTarget,
  recordAddress,
} from '../control.ts'
import { toMinuteWithoutYear } from '../moments.ts'
import {
  Badge,
  Body,
  Button,
  Failure,
  LabelledSelect,
  LazyDetails,
  Table,
  Toggle,
  toneOfState,
  Waiting,
} from '../parts/elements.tsx'
import { ForwardButtons } from '../parts/forward-buttons.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { readJson } from '../parts/read-json.ts'
import { useData } from '../reading.ts'
import { callApi, errorsByService } from '../records/operations.ts'
import { usePage } from '../state.ts'
import { Board, formatThreshold, readDashboardDrawing } from '../telemetry/board.tsx'
import { ranges, selfHosted } from '../telemetry/stacks.ts'

interface Incident {
  readonly id: string
  readonly service: string
  readonly startTime: string
  readonly endTime: string
}

/** The name of the three records of a watch: a dashboard with one tile, an alert on it, and a webhook to this console. */
const watchName = 'Incident watch'

/** The time after an incident until its alerts are OK again. */
const recoveryMs = 12 * minute
const incidentAddress = (id?: string) => recordAddress('incidents', selfHosted, id)

/** Starts an incident in the telemetry, lets time pass, and shows alerts and the deliveries to webhooks. */
export function IncidentView() {
  const page = usePage()
  const [service, setService] = useState('api')
  const [minutes, setMinutes] = useState(15)
  const [isWatched, setWatched] = useState(true)
  /** The time of the mock until which its clock moves forward by a minute each second; undefined if it does not. */
  const [runsUntil, setRunsUntil] = useState<number | undefined>(undefined)
  const { data, error, refresh } = useData(readViewData, [], 1000)
  useEffect(() => {
    if (runsUntil === undefined) return
    const timer = setInterval(async () => {
      await fetchJson('PUT', '/control/clock', { advanceMs: minute })
      await page.refresh()
      await refresh()
      if (page.now() > runsUntil) setRunsUntil(undefined)
    }, 1000)
    return () => clearInterval(timer)
  }, [runsUntil])
  const thenRefresh = (work: () => Promise<unknown>) => async () => {
    await work()
    await refresh()
  }
  const startIncident = async () => {
    const { now } = await read<{ now: string }>('/control/clock')
    if (isWatched) await createWatch()
    const end = Date.parse(now) + minutes * minute
    await fetchJson('POST', incidentAddress(), { service, startTime: now, endTime: new Date(end).toISOString() })
    setRunsUntil(end + recoveryMs)
    page.notify(`Requests of ${service} fail for ${minutes} minutes from now on.`)
  }
  const { incidents = [], alerts = [], calls = [], watchDashboard, logs } = data ?? {}
  return (
    <>
      <h1>Incident</h1>
      <Failure error={error} />
      <section class="card" aria-label="New incident">
        <p class="quiet">
          A release goes wrong: requests of one service wait, and most of them fail. Logs, traces and metrics show it
          until it is over. Alerts are evaluated when you advance the clock; with <code>--evaluate-alerts</code>, also
          in real time.
        </p>
        {logs === 0 && (
          <p class="notice">
            This world has no logs, so an incident does not show. Start the mock with --logs, or without --scenario
            empty.
          </p>
        )}
        <div class="row">
          <LabelledSelect
            label="Service"
            options={incidentServices.map(one => [one, one])}
            value={service}
            choose={setService}
          />
          <NumberField label="Lasts" unit="min" value={minutes} min={1} max={720} step={1} onCommit={setMinutes} />
          <Toggle isOn={isWatched} change={setWatched} isHarmless>
            with an alert whose webhook calls this console
          </Toggle>
          <Button onClick={thenRefresh(startIncident)} class="danger end">
            Set off an incident
          </Button>
        </div>
        <ul class="incidents">
          {incidents.toReversed().map(one => (
            <IncidentLine key={one.id} incident={one} now={page.now()} thenRefresh={thenRefresh} />
          ))}
        </ul>
      </section>
      <div class="row">
        <Toggle
          isOn={runsUntil !== undefined}
          change={isOn => setRunsUntil(isOn ? Number.POSITIVE_INFINITY : undefined)}
          isHarmless
        >
          A minute passes each second
        </Toggle>
        <ForwardButtons then={refresh} />
        {watchDashboard && (
          <Button onClick={thenRefresh(deleteWatch)} class="end">
            Delete dashboard, alert and webhook
          </Button>
        )}
      </div>
      {watchDashboard && <Board drawn={watchDashboard} stack={selfHosted} />}
      <div class="columns">
        <section class="stack" aria-label="Alerts">
          <h2>Alerts</h2>
          {data ? <AlertStates alerts={alerts} /> : error === undefined && <Waiting />}
        </section>
        <section class="stack" aria-label="Deliveries">
          <h2>Deliveries to webhooks</h2>
          {data && <Deliveries calls={calls} />}
        </section>
      </div>
    </>
  )
}

async function readViewData() {
  const [incidents, alerts, dashboards, calls, about] = await Promise.all([
    listRecords<Incident>('incidents', selfHosted),
    listRecords<Alert>('alerts', selfHosted),
    listRecords('dashboards', selfHosted),
    read<readonly JournalEntry[]>('/control/calls?form=webhook&limit=50'),
    readAbout(),
  ])
  const watch = findWatch(alerts) && findWatch(dashboards)
  const watchDashboard = watch && (await readDashboardDrawing(selfHosted, watch.id, '60'))
  return { incidents, alerts, calls, watchDashboard, logs: about.size.logs }
}

interface LineProps {
  readonly incident: Incident
  readonly now: number
  readonly thenRefresh: (work: () => Promise<unknown>) => () => Promise<void>
}

function IncidentLine({ incident, now, thenRefresh }: LineProps) {
  const { id, service, startTime, endTime } = incident
  const [start, end] = [Date.parse(startTime), Date.parse(endTime)]
  const [state, tone] = stateOf(start, end, now)
  const endNow = () => fetchJson('PATCH', incidentAddress(id), { endTime: new Date(now).toISOString() })
  return (
    <li class="row">
      <Badge tone={tone}>{state}</Badge>
      <b>{service}</b>
      <span class="quiet">{`${toMinuteWithoutYear(startTime)} to ${endTime.slice(11, 16)} UTC`}</span>
      {state === 'going on' && (
        <Button onClick={thenRefresh(endNow)} class="copy">
          End it now
        </Button>
      )}
      {now >= start && <a href={errorsOf(incident, now)}>Its errors in the logs</a>}
      <Button onClick={thenRefresh(() => fetchJson('DELETE', incidentAddress(id)))} class="copy">
        Undo
      </Button>
    </li>
  )
}

function stateOf(start: number, end: number, now: number): readonly [state: string, tone: string] {
  if (now < start) return ['to come', 'note']
  return now < end ? ['going on', 'bad'] : ['over', 'plain']
}

/** The address of a search for the errors of an incident, in the smallest range that includes its start. */
function errorsOf({ service, startTime }: Incident, now: number): string {
  const [minutes] =
    ranges.find(([minutes]) => now - Number(minutes) * minute <= Date.parse(startTime)) ?? ranges.at(-1)!
  return pageAddress('search', selfHosted, 'log', minutes, `ServiceName:${service} SeverityText:ERROR`)
}

function AlertStates({ alerts }: { readonly alerts: readonly Alert[] }) {
  if (alerts.length === 0) return <p class="empty">There are no alerts: create one in Records.</p>
  const urgency = ({ state }: Alert) => ['ALERT', 'PENDING', 'INSUFFICIENT_DATA', 'DISABLED', 'OK'].indexOf(state)
  const rows = alerts
    .toSorted((one, other) => urgency(one) - urgency(other))
    .map(alert => [
      alert.name || alert.id,
      <span>
        <Badge tone={toneOfState(alert.state, 'plain')}>{alert.state}</Badge>{' '}
        {Object.keys(alert.groups ?? {})
          .filter(Boolean)
          .join(', ')}
      </span>,
      formatThreshold(alert),
      alert.evaluatedUntil === undefined ? 'not yet' : new Date(alert.evaluatedUntil).toISOString().slice(11, 16),
    ])
  return <Table label="States of alerts" columns={['alert', 'state', 'fires', 'evaluated until']} rows={rows} />
}

const template =
  '{"title": "{{title}}", "state": "{{state}}", "body": "{{body}}", "link": "{{link}}", "eventId": "{{eventId}}"}'

/** The record of a watch among those of its kind. */
const findWatch = <T extends Named>(records: readonly T[]): T | undefined => records.find(one => one.name === watchName)
const findWatchRecord = async <T extends Named>(kind: string) => findWatch(await listRecords<T>(kind, selfHosted))

/** Creates the missing records of the watch. The webhook is created over the control plane, because the API has no operation for it. */
async function createWatch(): Promise<void> {
  const webhook = (await findWatchRecord('webhooks')) ?? (await createWebhook())
  const dashboard = (await findWatchRecord<Dashboard>('dashboards')) ?? (await createDashboard())
  if (!(await findWatchRecord('alerts'))) await createAlert(dashboard, webhook.id)
}

/** Deletes the watch; the alert goes first, because it refers to the others. */
async function deleteWatch(): Promise<void> {
  for (const kind of ['alerts', 'dashboards']) {
    const record = await findWatchRecord(kind)
    if (record) await callApi('selfHosted', 'DELETE', `/api/v2/${kind}/${record.id}`)
  }
  const webhook = await findWatchRecord('webhooks')
  if (webhook) await fetchJson('DELETE', recordAddress('webhooks', selfHosted, webhook.id))
}

async function createWebhook(): Promise<Named> {
  const { control } = await readTarget()
  const url = `${control!.baseUrl}/control/received/incident-watch`
  return fetchJson('POST', recordAddress('webhooks', selfHosted), {
    name: watchName,
    service: 'generic',
    url,
    body: template,
  })
}

async function createDashboard(): Promise<Dashboard> {
  const sources = await listRecords<Source>('sources', selfHosted)
  const logs = sources.find(({ kind }) => kind === 'log')
  if (!logs) throw new RefusalError('The self-hosted stack has no source of logs to watch.')
  const tile = { ...errorsByService(logs.id), w: 24, h: 6 }
  const body = { name: watchName, tiles: [tile], tags: ['incident'] }
  return callApi('selfHosted', 'POST', '/api/v2/dashboards', body) as Promise<Dashboard>
}

function createAlert({ id, tiles }: Dashboard, webhookId: string): Promise<unknown> {
  return callApi('selfHosted', 'POST', '/api/v2/alerts', {
    name: watchName,
    dashboardId: id,
    tileId: tiles[0]!.id,
    source: 'tile',
    channel: { type: 'webhook', webhookId },
    threshold: 2,
    thresholdType: 'above',
    interval: '5m',
    message: '{{value}} errors of {{group}} in five minutes.',
  })
}

const Deliveries = ({ calls }: { readonly calls: readonly JournalEntry[] }) =>
  calls.length === 0 ? (
    <p class="empty">Nothing was delivered yet. A webhook is called when an alert fires, and when it is OK again.</p>
  ) : (
    <ul class="deliveries panel lined">
      {calls.map(call => (
        <Delivery key={call.number} {...call} />
      ))}
    </ul>
  )

function Delivery({ at, request, response, because }: JournalEntry) {
  const isDelivered = response.status >= 200 && response.status < 300
  // A payload for a chat service has no state; the emoji in its title shows whether the alert fires.
  const isFiring = /"state"\s*:\s*"ALERT"|🚨/.test(request.body)
  const summary = (
    <>
      <time dateTime={at}>{at.slice(11, 19)}</time>
      <Badge tone={isFiring ? 'bad' : 'good'}>{isFiring ? 'ALERT' : 'OK'}</Badge>
      <span class="grows">{summarise(request.body)}</span>
      <Badge tone={isDelivered ? 'good' : 'warn'}>
        {isDelivered ? `delivered, ${response.status}` : 'not delivered'}
      </Badge>
    </>
  )
  return (
    <li>
      <LazyDetails summary={summary}>
        {() => (
          <>
            <p class="quiet">{`POST ${request.path}. ${because.why}.`}</p>
            <Body text={request.body} />
          </>
        )}
      </LazyDetails>
    </li>
  )
}

/** A summary of a payload in one line: title and group, or the start of the text. */
function summarise(text: string): string {
  const payload = Object(readJson(text)?.value) as Readonly<Record<string, unknown>>
  const title = payload.title ?? payload.text
  if (typeof title !== 'string') return text.slice(0, 80) || '(nothing was sent)'
  // The body of a grouped alert begins with the group.
  const [first = ''] = typeof payload.body === 'string' ? payload.body.split('\n') : []
  return [title, first].filter(Boolean).join(': ')
}
