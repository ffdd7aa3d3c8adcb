import { useState } from 'preact/hooks'
import type { Command, ListedService, ListedServices, StateChange } from '../../../faces/control/page/answers.ts'
import {
  controlAddress,
  everywhere,
  fetchJson,
  listRecords,
  pageAddress,
  RefusalError,
  read,
  recordAddress,
} from '../control.ts'
import { formatDuration, toMinute } from '../moments.ts'
import { NewSecrets, secretsIn } from '../parts/dialog.tsx'
import {
  Badge,
  BlockableButton,
  Button,
  Card,
  Failure,
  NavigationSelect,
  optionsOf,
  SearchField,
  Select,
  toneOfState,
  ViewWithoutData,
} from '../parts/elements.tsx'
import { ForwardButtons } from '../parts/forward-buttons.tsx'
import { useData } from '../reading.ts'
import { type Changes, createChanges } from '../records/changes.tsx'
import { kinds } from '../records/kinds.ts'
import { readOperations } from '../records/operations.ts'
import { usePage } from '../state.ts'

/** The services of an organization: their states over time, and commands. In the address: the organization. */
export function Services({ segments: [organizationInAddress] }: { readonly segments: readonly string[] }) {
  const page = usePage()
  const [search, setSearch] = useState('')
  const { data, error, refresh } = useData(
    async () => {
      const organizations = await listRecords('organizations', everywhere)
      const organization = organizationInAddress || organizations[0]!.id
      return {
        organizations,
        organization,
        overview: await read<ListedServices>(controlAddress(['services', organization])),
      }
    },
    [],
    1000,
  )
  if (!data) return <ViewWithoutData title="Services" error={error} />
  const { organizations, organization, overview } = data
  const place = { organization, service: '' }
  const changes = createChanges({ name: 'services', kind: kinds.services, place, page, refresh })
  const call = async (verb: string, id: string, body: object) => {
    const operation = (await readOperations(page, kinds.services, place)).find([verb], id)
    if (!operation) throw new RefusalError(`This mock does not offer service.${verb}.`)
    return operation.call(body)
  }
  const query = search.trim().toLowerCase()
  const shown = overview.services.filter(({ name, state, provider, region }) =>
    `${name} ${state} ${provider} ${region}`.toLowerCase().includes(query),
  )
  return (
    <>
      <h1>Services</h1>
      <Failure error={error} />
      <div class="row">
        <NavigationSelect
          label="Organization"
          options={optionsOf(organizations)}
          value={organization}
          address={id => pageAddress('services', id)}
        />
        <SearchField placeholder="Search services" value={search} change={setSearch} />
        <ForwardButtons then={refresh} />
        <Button onClick={changes.create} class="primary end">
          New service
        </Button>
      </div>
      <div class="columns">
        {shown.map(service => (
          <ServiceCard key={service.id} {...{ service, overview, organization, changes, call, refresh }} />
        ))}
      </div>
      {(shown.length === 0 || overview.services.length < overview.total) && (
        <p class="quiet">{describeRest(overview, shown.length)}</p>
      )}
    </>
  )
}

function describeRest({ total, services }: ListedServices, shown: number): string {
  if (total === 0) return 'There are no services here. Create one: it is provisioned for two minutes, and then runs.'
  if (shown === 0) return 'No service matches the search.'
  return `The first ${services.length} of ${total}; all are in Records.`
}

const toneOfService = (state: string) => toneOfState(state, 'note')
const formatState = (state: string) => state.replaceAll('_', ' ')

const commands = [
  ['start', 'Start'],
  ['stop', 'Stop'],
  ['awake', 'Awake'],
] as const satisfies readonly (readonly [Command, string])[]
const arrangeableStates = ['degraded', 'failed', 'partially_running', 'running', 'idle', 'stopped'] as const

/** Why a command does nothing in a state. */
function reasonAgainst(command: Command, state: string): string {
  const is = `is ${formatState(state)}`
  if (command === 'awake') return `Only an idle service can be woken; this one ${is}.`
  if (command === 'start') return `Only a stopped service can be started; this one ${is}.`
  const cannotStop = ['stopping', 'stopped', 'terminating'].includes(state)
  return cannotStop ? `This service ${is} already.` : 'The other services of its warehouse have to be stopped first.'
}

interface CardProps {
  readonly service: ListedService
  readonly overview: ListedServices
  readonly organization: string
  readonly changes: Changes
  readonly call: (verb: string, id: string, body: object) => Promise<unknown>
  readonly refresh: () => Promise<void>
}

function ServiceCard({ service, overview, organization, changes, call, refresh }: CardProps) {
  const { open } = usePage()
  const { id, name, provider, region, state, next, history, backups } = service
  const { now, from } = overview
  const [chosen, choose] = useState<string>(arrangeableStates[0])
  const thenRefresh = (work: () => Promise<unknown>) => async () => {
    await work()
    await refresh()
  }
  const arrangeState = async () => {
    const clock = await read<{ now: string }>('/control/clock')
    await fetchJson('PATCH', recordAddress('services', organization, id), {
      state: chosen,
      since: Date.parse(clock.now),
    })
  }
  const changePassword = async () => {
    const secrets = secretsIn(await call('password', id, {}))
    open(`The password of ${name} was changed`, <NewSecrets secrets={secrets} />)
  }
  const fail = (backup: string) => fetchJson('PATCH', recordAddress('backups', id, backup), { status: 'error' })
  return (
    <Card title={[name, ' ', <Badge tone={toneOfService(state)}>{formatState(state)}</Badge>]}>
      <p class="row facts">
        <span>{`${provider} ${region}`}</span>
        <span>{`since ${toMinute(history.at(-1)!.at)}`}</span>
        <span>
          {next ? `${formatState(next.state)} in ${formatDuration(next.at - now)}` : 'until the next command'}
        </span>
      </p>
      <div>
        <div class="strip" aria-hidden="true">
          <i style={{ flexGrow: Math.max(0, history[0]!.at - from) }} />
          {spansOf(history, from, now).map(({ state, durationMs }, at) => (
            <i key={at} class={toneOfService(state)} style={{ flexGrow: durationMs }} />
          ))}
        </div>
        <p class="row spread quiet tiny">
          <span>24 h ago</span>
          <span>{describeHistory(history, from, now)}</span>
          <span>now</span>
        </p>
      </div>
      <div class="row">
        {commands.map(([command, label]) => (
          <BlockableButton
            key={command}
            onClick={thenRefresh(() => call('state', id, { command }))}
            whyNot={service.moves[command] === undefined ? reasonAgainst(command, state) : ''}
          >
            {label}
          </BlockableButton>
        ))}
        <Button onClick={thenRefresh(changePassword)}>New password</Button>
        <Button onClick={() => changes.remove({ ...service })}>Delete</Button>
        <span class="row">
          <Select
            options={arrangeableStates.map(one => [one, formatState(one)] as const)}
            value={chosen}
            choose={choose}
            aria-label="State to arrange"
          />
          <Button onClick={thenRefresh(arrangeState)}>Arrange</Button>
        </span>
      </div>
      {backups.length > 0 && (
        <details>
          <summary>Last backups</summary>
          <ul class="backups">
            {backups.map(backup => {
              const started = toMinute(Date.parse(backup.startedAt))
              return (
                <li key={backup.id} class="row">
                  <Badge tone={toneOfService(backup.status)}>{formatState(backup.status)}</Badge>
                  <span>{started}</span>
                  {backup.status !== 'error' && (
                    <Button
                      onClick={thenRefresh(() => fail(backup.id))}
                      class="copy end"
                      aria-label={`Make it fail: the backup of ${started}`}
                    >
                      Make it fail
                    </Button>
                  )}
                </li>
              )
            })}
          </ul>
        </details>
      )}
    </Card>
  )
}

/** The states with their durations within the shown period. */
function spansOf(history: readonly StateChange[], from: number, now: number) {
  return history.map(({ state, at }, i) => ({ state, durationMs: (history[i + 1]?.at ?? now) - Math.max(at, from) }))
}

/** Limit of the states in the text below the strip. */
const maxNamed = 4

function describeHistory(history: readonly StateChange[], from: number, now: number): string {
  const spans = spansOf(history, from, now).map(
    ({ state, durationMs }) => `${formatState(state)} ${formatDuration(durationMs)}`,
  )
  return [...(spans.length > maxNamed ? ['…'] : []), ...spans.slice(-maxNamed)].join(', ')
}
