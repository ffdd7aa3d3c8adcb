import { useEffect } from 'preact/hooks'
import type { AlertWindow, Drawing, ListedAlert } from '../../../faces/control/page/answers.ts'
import { controlAddress, read } from '../control.ts'
import { toMinuteWithoutYear } from '../moments.ts'
import {
  Badge,
  Button,
  Definitions,
  Failure,
  NavigationSelect,
  optionsOf,
  type Pairs,
  toneOfState,
  ViewWithoutData,
} from '../parts/elements.tsx'
import { useData } from '../reading.ts'
import { ChangeButtons, type Changes, changesInStack } from '../records/changes.tsx'
import { usePage } from '../state.ts'
import { alertAddress, formatThreshold } from '../telemetry/board.tsx'
import { DrawingView } from '../telemetry/drawing.tsx'
import type { NumberFormat } from '../telemetry/number-format.ts'
import { listStacks, stackOf } from '../telemetry/stacks.ts'

/** The alerts of a stack, with the history of their states. In the address: stack, alert. */
export function Alerts({ segments: [stackInAddress, chosen] }: { readonly segments: readonly string[] }) {
  const page = usePage()
  const { data, error, refresh } = useData(
    async () => {
      const stacks = await listStacks()
      const stack = stackOf(stacks, stackInAddress)
      const { alerts } = await read<{ alerts: readonly ListedAlert[] }>(controlAddress(['alerts', stack.id]))
      return { stacks, stack, alerts }
    },
    [],
    15_000,
  )
  const isRead = data !== undefined
  useEffect(() => document.querySelector('.alert.chosen')?.scrollIntoView({ block: 'nearest' }), [isRead])
  if (!data) return <ViewWithoutData title="Alerts" error={error} />
  const { stacks, stack, alerts } = data
  const changes = changesInStack('alerts', stack, page, refresh)
  const urgency = ({ alert }: ListedAlert) => (alert.state === 'ALERT' ? 0 : 1)
  return (
    <>
      <h1>Alerts</h1>
      <div class="row">
        <NavigationSelect
          label="Stack"
          options={optionsOf(stacks)}
          value={stack.id}
          address={id => alertAddress(id, '')}
        />
        <span class="quiet end">
          Windows before the first evaluation are computed from the current rows. Times are UTC.
        </span>
        <Button onClick={changes.create} class="primary end">
          New alert
        </Button>
      </div>
      <Failure error={error} />
      <div class="stack">
        {alerts.length === 0 && <p class="empty">This stack has no alerts. Create one, and it is evaluated here.</p>}
        {alerts
          .toSorted((a, b) => urgency(a) - urgency(b))
          .map(listed => (
            <AlertCard
              key={listed.alert.id}
              {...{ listed, changes }}
              stack={stack.id}
              isChosen={listed.alert.id === chosen}
            />
          ))}
      </div>
    </>
  )
}

interface CardProps {
  readonly listed: ListedAlert
  readonly stack: string
  readonly isChosen: boolean
  readonly changes: Changes
}

function AlertCard({ listed, stack, isChosen, changes }: CardProps) {
  const { alert, watches, channels, windows, why } = listed
  const fired = windows.filter(({ state }) => state === 'ALERT')
  const facts: Pairs = [
    ['Watches', watches.dashboard ? `${watches.name} (${watches.dashboard})` : watches.name],
    ['Threshold', formatThreshold(alert, listed.format as NumberFormat | undefined)],
    ['Notifies', channels.join(', ') || 'nobody'],
    ['Fired', windows.length === 0 ? '–' : `in ${fired.length} of the last ${windows.length} windows`],
  ]
  return (
    <section class={`card alert${isChosen ? ' chosen' : ''}`} aria-label={alert.name ?? 'Alert'}>
      <h2 class="row">
        {alert.name || 'Alert without a name'}
        <Badge tone={toneOfState(alert.state, 'plain')}>{alert.state}</Badge>
        <ChangeButtons changes={changes} record={{ ...alert }} />
      </h2>
      <Definitions class="row facts small" pairs={facts} />
      {alert.message && <p class="quiet">{alert.message}</p>}
      {why && <p class="empty">{why}</p>}
      {windows.length > 0 && (
        <>
          <States windows={windows} />
          <div class="history">
            <DrawingView drawing={drawingOf(listed)} stack={stack} markedValue={alert.threshold} />
          </div>
        </>
      )}
    </section>
  )
}

const drawingOf = ({ format, windows }: ListedAlert): Drawing => ({
  as: 'line',
  times: windows.map(({ start }) => start / 1000),
  series: [{ name: 'value', values: windows.map(({ value }) => value) }],
  areGroups: false,
  left: 0,
  ...(format ? { format: format as NonNullable<Drawing['format']> } : {}),
})

/** The states of the windows as a strip, with the changes in words. */
function States({ windows }: { readonly windows: readonly AlertWindow[] }) {
  const changes = windows.filter(({ state }, i) => i > 0 && windows[i - 1]!.state !== state)
  const from = toMinuteWithoutYear(windows[0]!.start)
  return (
    <div class="states">
      <div class="strip" role="img" aria-label={`State over time, from ${from} UTC`}>
        {windows.map(({ start, end, value, state }) => (
          <i
            key={start}
            class={state === 'OK' ? 'kept' : toneOfState(state, 'plain')}
            style={{ flexGrow: 1 }}
            title={`${toMinuteWithoutYear(start)} to ${toMinuteWithoutYear(end)} UTC: ${state}, ${value ?? 'no rows'}`}
          />
        ))}
      </div>
      <p class="quiet tiny">
        {changes.length === 0
          ? `${windows.at(-1)!.state} since ${from} or longer`
          : changes
              .slice(-6)
              .map(({ end, state }) => `${toMinuteWithoutYear(end)} ${state}`)
              .join(' · ')}
      </p>
    </div>
  )
}
