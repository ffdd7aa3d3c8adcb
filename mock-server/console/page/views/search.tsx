import { useState } from 'preact/hooks'
import type { TelemetryRow, TelemetryRows } from '../../../faces/control/page/answers.ts'
import type { SavedSearch } from '../../../words/resources.ts'
import { controlAddress, listRecords, pageAddress, read, readRecords } from '../control.ts'
import { Button, Form, NavigationSelect, optionsOf, SearchField, ViewWithoutData, Waiting } from '../parts/elements.tsx'
import { useData } from '../reading.ts'
import { DrawingView } from '../telemetry/drawing.tsx'
import { defaultMinutes, formatRange, listStacks, ranges, type Stack } from '../telemetry/stacks.ts'
import { Rows, Trace } from '../telemetry/trace.tsx'

const kinds = [
  ['log', 'Logs'],
  ['trace', 'Traces'],
  ['session', 'Sessions'],
] as const
const pageSize = 100

/** A search for log lines, spans and sessions. In the address: stack, kind, minutes, search; or stack, `trace-id`, id, time. */
export function Search({ segments }: { readonly segments: readonly string[] }) {
  const { data: stacks, error } = useData(listStacks, [])
  const [stack = stacks?.[0].id, kind = 'log', minutes = defaultMinutes, where = ''] = segments
  if (!stacks || stack === undefined) return <ViewWithoutData title="Search" error={error} />
  if (kind === 'trace-id') return <Trace stack={stack} id={segments[2] ?? ''} near={segments[3]} />
  return <SearchResults {...{ stacks, stack, kind, minutes, where }} />
}

interface Address {
  readonly stack: string
  readonly kind: string
  readonly minutes: string
  readonly where: string
}

function SearchResults({ stacks, ...props }: Address & { readonly stacks: readonly Stack[] }) {
  const { stack, kind, minutes, where: whereInAddress } = props
  const [text, setText] = useState(whereInAddress)
  const [where, setWhere] = useState(whereInAddress)
  const [older, setOlder] = useState<readonly TelemetryRow[]>([])
  const find = (range: Record<string, string>) =>
    read<TelemetryRows>(controlAddress(['found', stack, kind], { minutes, where, limit: String(pageSize), ...range }))
  const { data, error, refresh } = useData(() => find({}), [where])
  const { data: searches = [] } = useData(() => listSearches(stack), [])
  const address = (change: Partial<Address>) => {
    const to = { ...props, where: text, ...change }
    return pageAddress('search', to.stack, to.kind, to.minutes, to.where)
  }
  const submit = () => {
    // replaceState changes the address without a new view, so that the field keeps the focus.
    history.replaceState(null, '', address({}))
    setOlder([])
    if (text === where) void refresh()
    setWhere(text)
  }
  const results = error === undefined ? data : undefined
  const rows = [...(results?.rows ?? []), ...older]
  const hasMore = rows.length > 0 && rows.length % pageSize === 0
  const showOlder = async () => {
    const until = new Date(results!.range.end).toISOString()
    const { rows: next } = await find({ offset: String(rows.length), until })
    setOlder(before => [...before, ...next])
  }
  return (
    <>
      <h1>Search</h1>
      <div class="row">
        <NavigationSelect
          label="Stack"
          options={optionsOf(stacks)}
          value={stack}
          address={id => address({ stack: id })}
        />
        <NavigationSelect label="In" options={kinds} value={kind} address={to => address({ kind: to, where: '' })} />
        <NavigationSelect label="Range" options={ranges} value={minutes} address={to => address({ minutes: to })} />
        {results && <span class="quiet end">{formatRange(results.range)}</span>}
      </div>
      <search>
        <Form class="row search" submit={submit}>
          <SearchField
            class="mono"
            placeholder={
              kind === 'trace' ? 'Duration:>1000000000 ServiceName:web' : 'level:error service:payments "pool"'
            }
            spellcheck={false}
            value={text}
            change={setText}
          />
          <button type="submit">Search</button>
        </Form>
      </search>
      {searches.length > 0 && (
        <p class="row small quiet">
          Saved:
          {searches.map(one => (
            <a key={one.name} class="badge plain" href={address(one)} title={one.where}>
              {one.name}
            </a>
          ))}
        </p>
      )}
      <output class={error === undefined ? 'quiet' : 'notice'}>{error ?? (data && describe(data))}</output>
      {!data && error === undefined && <Waiting />}
      {results && results.rows.length > 0 && (
        <div class="histogram panel">
          <DrawingView drawing={results.drawing} stack={stack} />
        </div>
      )}
      <Rows rows={rows} stack={stack} label="Rows, the newest first" />
      {hasMore && <Button onClick={showOlder}>Show older ones</Button>}
    </>
  )
}

/** Lists the saved searches that this view can run: those in Lucene. */
async function listSearches(stack: string) {
  const [{ records: searches }, sources] = await Promise.all([
    readRecords<SavedSearch>('savedSearch', stack, { limit: '20' }),
    listRecords<{ id: string; kind: string }>('sources', stack),
  ])
  return searches.flatMap(({ name, where, whereLanguage, sourceId }) => {
    const source = sources.find(({ id }) => id === sourceId)
    return source && whereLanguage === 'lucene' ? [{ name, where, kind: source.kind }] : []
  })
}

function describe({ rows, drawing }: TelemetryRows): string {
  if (rows.length === 0) return 'Nothing in this range matches.'
  const counts = drawing.as === 'bars' ? drawing.series.flatMap(({ values }) => values) : []
  const total = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const number = Math.max(total, rows.length).toLocaleString('en')
  return rows.length < pageSize ? `${number} found` : `${number} found, the newest first`
}
