import { listRecords, pageAddress } from '../control.ts'
import { Button, Failure, NavigationSelect, optionsOf, Tab, ViewWithoutData } from '../parts/elements.tsx'
import { useData } from '../reading.ts'
import { ChangeButtons, changesInStack } from '../records/changes.tsx'
import { usePage } from '../state.ts'
import { Board, readDashboardDrawing } from '../telemetry/board.tsx'
import { defaultMinutes, formatRange, listStacks, ranges, stackOf } from '../telemetry/stacks.ts'

/** A dashboard with the data of its stack. In the address: stack, dashboard, minutes. */
export function Dashboards({
  segments: [stackInAddress, id, minutes = defaultMinutes],
}: {
  readonly segments: readonly string[]
}) {
  const page = usePage()
  const { data, error, refresh } = useData(
    async () => {
      const stacks = await listStacks()
      const ofStack = stackOf(stacks, stackInAddress)
      const dashboards = await listRecords('dashboards', ofStack.id)
      const chosen = dashboards.find(one => one.id === id) ?? dashboards[0]
      return {
        stacks,
        ofStack,
        dashboards,
        chosen,
        drawn: chosen && (await readDashboardDrawing(ofStack.id, chosen.id, minutes)),
      }
    },
    [],
    15_000,
  )
  if (!data) return <ViewWithoutData title="Dashboards" error={error} />
  const { stacks, ofStack, dashboards, chosen, drawn } = data
  const changes = changesInStack('dashboards', ofStack, page, refresh)
  const address = (to: { stack?: string; id?: string; minutes?: string }) =>
    pageAddress('dashboards', to.stack ?? ofStack.id, to.id ?? chosen?.id ?? '', to.minutes ?? minutes)
  return (
    <>
      <h1>Dashboards</h1>
      <nav class="tabs" aria-label="Dashboards of this stack">
        {dashboards.map(({ id, name }) => (
          <Tab key={id} href={address({ id })} isCurrent={id === chosen?.id}>
            {name || '(no name)'}
          </Tab>
        ))}
      </nav>
      <div class="row">
        <NavigationSelect
          label="Stack"
          options={optionsOf(stacks)}
          value={ofStack.id}
          address={stack => address({ stack, id: '' })}
        />
        <NavigationSelect label="Range" options={ranges} value={minutes} address={to => address({ minutes: to })} />
        {drawn && <span class="quiet end">{formatRange(drawn.range)}</span>}
        {chosen && <ChangeButtons changes={changes} record={{ ...chosen }} />}
        <Button onClick={changes.create} class="primary end">
          New dashboard
        </Button>
      </div>
      <Failure error={error} />
      {drawn ? (
        <Board drawn={drawn} stack={ofStack.id} />
      ) : (
        <p class="empty">This stack has no dashboards. Create one, and it is drawn here.</p>
      )}
    </>
  )
}
