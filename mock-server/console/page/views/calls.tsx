import { useState } from 'preact/hooks'
import type { JournalEntry, TargetFile } from '../../../mock/mock.ts'
import { readTarget } from '../about.ts'
import { Call } from '../calls/call.tsx'
import { CallFilters, queryOf, useCallQuery } from '../calls/filters.tsx'
import { ask, inWorld, read } from '../control.ts'
import { Button, count } from '../parts/basic.tsx'
import { useReading, useRested } from '../reading.ts'
import { usePage } from '../state.ts'

const shownAtFirst = 200

interface Read {
  readonly calls: readonly JournalEntry[]
  readonly target: TargetFile
}

/** The calls as they come in, each with its answer and the reason of it. In the address: what is left out. */
export function Calls({ words: [inAddress = ''] }: { readonly words: readonly string[] }) {
  const page = usePage()
  const [query, choose] = useCallQuery(inAddress)
  const [limit, setLimit] = useState(shownAtFirst)
  const [paused, setPaused] = useState<Read | undefined>(undefined)
  const rested = useRested(JSON.stringify(query), 150)
  const readCalls = () => read<readonly JournalEntry[]>(`/control/calls?limit=${limit}&${queryOf(query, page.now())}`)
  const { data, error, refresh } = useReading(
    async (): Promise<Read> => ({ calls: await readCalls(), target: await readTarget() }),
    [rested, limit],
    1000,
  )
  const { calls = [], target } = paused ?? data ?? {}
  const forget = async () => {
    await ask('DELETE', '/control/calls')
    await refresh()
  }
  const operations = [...new Set(calls.flatMap(({ operation }) => operation ?? []))].sort()
  return (
    <>
      <div class="row spread">
        <h1>Calls</h1>
        <div class="row">
          <Button act={() => setPaused(paused ? undefined : data)} aria-pressed={paused !== undefined}>
            {paused ? 'Go on' : 'Pause'}
          </Button>
          <a class="button" download="calls.har" href={inWorld(`/control/calls.har?${queryOf(query, page.now())}`)}>
            Save as HAR
          </a>
          <Button act={forget}>Forget all</Button>
        </div>
      </div>
      <CallFilters {...{ query, choose, operations }} />
      <output class="quiet">{error ?? (data && describe(calls, limit, query))}</output>
      {target && error === undefined && (
        <ol class="calls panel lined" aria-label="Calls, the newest first">
          {calls.map(call => (
            <Call key={call.number} call={call} target={target} />
          ))}
        </ol>
      )}
      {calls.length >= limit && (
        <p>
          <Button act={() => setLimit(limit + 500)}>Show more</Button>
        </p>
      )}
    </>
  )
}

function describe(calls: readonly JournalEntry[], limit: number, query: object): string {
  if (calls.length > 0) return `${calls.length < limit ? '' : 'The newest '}${count(calls.length, 'call')}`
  const isFiltered = Object.keys(query).some(name => name !== 'client')
  return isFiltered ? 'No call is like this.' : 'No calls yet. They appear here as they come in.'
}
