import { useLayoutEffect, useState } from 'preact/hooks'
import { pageAddress } from '../address.ts'
import { OperationInput, SearchField, Select, Switches } from '../parts/basic.tsx'

/** What is shown of the journal, by the names of the control plane; `seconds` is how far back. */
export type CallQuery = Readonly<Record<string, string>>

const clients: Readonly<Record<string, string>> = {
  Yours: 'other',
  Console: 'console',
  Suite: 'suite',
  Webhooks: 'mock',
  All: '',
}
const forms = [
  ['', 'All forms'],
  ['cloud', 'Cloud'],
  ['managed', 'Managed'],
  ['selfHosted', 'Self-hosted'],
] as const
const statuses = [
  ['', 'All answers'],
  ['2xx', '2xx success'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
  ...[400, 401, 403, 404, 409, 429].map(status => [String(status), String(status)] as const),
] as const
const times = [
  ['', 'Any time'],
  ['60', 'Last minute'],
  ['600', 'Last 10 minutes'],
  ['3600', 'Last hour'],
] as const

/** The filters stand in the address, so that it can be passed on: `#/calls/status=4xx&text=members`. */
export function useCallQuery(inAddress: string) {
  const [query, setQuery] = useState<CallQuery>({
    client: 'other',
    ...Object.fromEntries(new URLSearchParams(inAddress)),
  })
  const choose = (name: string, value: string) => {
    const next = Object.entries({ ...query, [name]: value }).filter(([key, one]) => key === 'client' || one !== '')
    setQuery(Object.fromEntries(next))
    history.replaceState(null, '', pageAddress('calls', new URLSearchParams(next).toString()))
  }
  return [query, choose] as const
}

/** The query of the control plane; times are as they are now. */
export function queryOf({ seconds, client, ...query }: CallQuery, now: number): string {
  return new URLSearchParams({
    ...query,
    ...(client && { client }),
    ...(seconds && { since: new Date(now - Number(seconds) * 1000).toISOString() }),
  }).toString()
}

interface FilterProps {
  readonly query: CallQuery
  readonly choose: (name: string, value: string) => void
  /** The operations that are offered. */
  readonly operations: readonly string[]
}

export function CallFilters({ query, choose, operations }: FilterProps) {
  const [operation, setOperation] = useState(query.operation ?? '')
  useLayoutEffect(() => setOperation(query.operation ?? ''), [query.operation])
  const select = (label: string, name: string, options: Parameters<typeof Select>[0]['options']) => (
    <Select options={options} value={query[name] ?? ''} choose={value => choose(name, value)} aria-label={label} />
  )
  return (
    <search>
      <Switches
        label="Whose calls"
        names={Object.keys(clients)}
        pressed={Object.keys(clients).find(name => clients[name] === query.client) ?? ''}
        choose={name => choose('client', clients[name]!)}
      />
      <div class="row">
        <SearchField
          placeholder="Search paths, bodies and reasons  /"
          value={query.text ?? ''}
          change={value => choose('text', value)}
        />
        <OperationInput
          {...{ operations, size: 18, value: operation, placeholder: 'Any operation', change: setOperation }}
          // An operation is whole when it is chosen or left.
          onChange={() => choose('operation', operation)}
        />
        {select('Form', 'form', forms)}
        {select('Status', 'status', statuses)}
        {select('Time', 'seconds', times)}
      </div>
    </search>
  )
}
