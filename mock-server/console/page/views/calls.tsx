import { useLayoutEffect, useState } from 'preact/hooks'
import type { ProxyAbout } from '../../../faces/control/page/answers.ts'
import type { JournalEntry, TargetFile } from '../../../mock/mock.ts'
import { Call } from '../calls/call.tsx'
import { snippets } from '../calls/snippets.ts'
import { fetchJson, formNames, inWorld, pageAddress, read, readTarget } from '../control.ts'
import {
  Button,
  formatCount,
  OperationInput,
  Program,
  SearchField,
  Select,
  Switches,
  Waiting,
} from '../parts/elements.tsx'
import { useData, useDebounced } from '../reading.ts'
import { usePage } from '../state.ts'

const initialLimit = 200

interface CallsData {
  readonly calls: readonly JournalEntry[]
  readonly target: TargetFile
}

/** The journal, with the cause of each answer. In the address: the filters. */
export function Calls({ segments: [queryInAddress = ''] }: { readonly segments: readonly string[] }) {
  const page = usePage()
  const [query, choose] = useCallQuery(queryInAddress)
  const [limit, setLimit] = useState(initialLimit)
  const [paused, setPaused] = useState<CallsData | undefined>(undefined)
  const debounced = useDebounced(JSON.stringify(query), 150)
  const readCalls = () => read<readonly JournalEntry[]>(`/control/calls?limit=${limit}&${queryOf(query, page.now())}`)
  const { data, error, refresh } = useData(
    async (): Promise<CallsData> => ({ calls: await readCalls(), target: await readTarget() }),
    [debounced, limit],
    1000,
  )
  const { calls = [], target } = paused ?? data ?? {}
  const forget = async () => {
    await fetchJson('DELETE', '/control/calls')
    await refresh()
  }
  const operations = [...new Set(calls.flatMap(({ operation }) => operation ?? []))].sort()
  return (
    <>
      <div class="row spread">
        <h1>Calls</h1>
        <div class="row">
          <Button onClick={() => setPaused(paused ? undefined : data)} aria-pressed={paused !== undefined}>
            {paused ? 'Go on' : 'Pause'}
          </Button>
          <a class="button" download="calls.har" href={inWorld(`/control/calls.har?${queryOf(query, page.now())}`)}>
            Save as HAR
          </a>
          <Button onClick={forget}>Forget all</Button>
        </div>
      </div>
      {page.isProxy() && <ProxyNote />}
      <CallFilters {...{ query, choose, operations, target }} />
      <output class="quiet">{error ?? (data && describe(calls, limit, query))}</output>
      {!data && error === undefined && <Waiting />}
      {data && calls.length === 0 && !isFiltered(query) && !page.isProxy() && <FirstCall {...data.target} />}
      {target && error === undefined && (
        <ol class="calls panel lined" aria-label="Calls, the newest first">
          {calls.map(call => (
            <Call key={call.number} call={call} target={target} />
          ))}
        </ol>
      )}
      {calls.length >= limit && (
        <p>
          <Button onClick={() => setLimit(limit + 500)}>Show more</Button>
        </p>
      )}
    </>
  )
}

function describe(calls: readonly JournalEntry[], limit: number, query: CallQuery): string {
  if (calls.length > 0) return `${calls.length < limit ? '' : 'The newest '}${formatCount(calls.length, 'call')}`
  return isFiltered(query) ? 'No call matches.' : 'No calls yet. They appear here as they come in.'
}

const isFiltered = (query: CallQuery) => Object.keys(query).some(name => name !== 'client')

/** A command that makes the first call. */
function FirstCall({ cloud, selfHosted }: TargetFile) {
  const url = selfHosted ? `${selfHosted.baseUrl}/api/v2/dashboards` : `${cloud?.baseUrl}/v1/organizations`
  const credentials = selfHosted
    ? ({ kind: 'bearer', token: selfHosted.apiKey } as const)
    : ({ kind: 'basic', user: `${cloud?.keyId}`, password: `${cloud?.keySecret}` } as const)
  return <Program level="h2" title="Make one" text={snippets.curl({ method: 'GET', url, credentials })} />
}

/** What a proxy is, and where its calls come in and go to. */
function ProxyNote() {
  const { data } = useData(() => read<ProxyAbout>('/control/about'), [])
  if (!data) return null
  return (
    <div class="notice harmless">
      <p>
        This is a proxy, not a mock: it passes calls on to {data.name ?? 'a deployment'} and judges the answers by the
        rules. It keeps no world and changes nothing by itself.
      </p>
      <ul>
        {data.passes.map(({ form, from, to }) => (
          <li key={form}>
            {formNames[form]}: <code>{from}</code> → <code>{to}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The filters, named as in the control plane; `seconds` is how far back the calls go. */
type CallQuery = Readonly<Record<string, string>>

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

/** The filters, which the address keeps so that it can be shared: `#/calls/status=4xx&text=members`. */
function useCallQuery(queryInAddress: string) {
  const { isProxy } = usePage()
  const [query, setQuery] = useState<CallQuery>({
    client: isProxy() ? '' : 'other',
    ...Object.fromEntries(new URLSearchParams(queryInAddress)),
  })
  const choose = (name: string, value: string) => {
    const next = Object.entries({ ...query, [name]: value }).filter(([key, one]) => key === 'client' || one !== '')
    setQuery(Object.fromEntries(next))
    history.replaceState(null, '', pageAddress('calls', new URLSearchParams(next).toString()))
  }
  return [query, choose] as const
}

function queryOf({ seconds, client, ...query }: CallQuery, now: number): string {
  return new URLSearchParams({
    ...query,
    ...(client && { client }),
    ...(seconds && { since: new Date(now - Number(seconds) * 1000).toISOString() }),
  }).toString()
}

interface FilterProps {
  readonly query: CallQuery
  readonly choose: (name: string, value: string) => void
  readonly operations: readonly string[]
  readonly target: TargetFile | undefined
}

function CallFilters({ query, choose, operations, target }: FilterProps) {
  const isProxy = usePage().isProxy()
  const [operation, setOperation] = useState(query.operation ?? '')
  useLayoutEffect(() => setOperation(query.operation ?? ''), [query.operation])
  // The managed form is reached at the address of the cloud; a proxy to the self-hosted form alone has no other.
  const offersForms = !isProxy || target?.cloud !== undefined
  const select = (label: string, name: string, options: Parameters<typeof Select>[0]['options']) => (
    <Select options={options} value={query[name] ?? ''} choose={value => choose(name, value)} aria-label={label} />
  )
  return (
    <search>
      {!isProxy && (
        <Switches
          label="Whose calls"
          names={Object.keys(clients)}
          pressed={Object.keys(clients).find(name => clients[name] === query.client) ?? ''}
          choose={name => choose('client', clients[name]!)}
        />
      )}
      <div class="row">
        <SearchField
          placeholder="Search paths, bodies and reasons  /"
          value={query.text ?? ''}
          change={value => choose('text', value)}
        />
        <OperationInput
          {...{ operations, size: 18, value: operation, placeholder: 'Any operation', change: setOperation }}
          // Each key changes the text; the filter changes when an operation is chosen or the field is left.
          onChange={() => choose('operation', operation)}
        />
        {offersForms && select('Form', 'form', forms)}
        {select('Status', 'status', statuses)}
        {select('Time', 'seconds', times)}
      </div>
    </search>
  )
}
