import { useState } from 'preact/hooks'
import { pageAddress } from '../address.ts'
import { everywhere, listRecords, type Named, readRecords } from '../control.ts'
import { Button, Failure, LinkChoice, optionsOf, SearchField } from '../parts/basic.tsx'
import { useReading, useRested } from '../reading.ts'
import { type Changes, createChanges } from '../records/changes.tsx'
import { type Kind, type KindName, kinds, type ListedRecord, scopeOf, singular } from '../records/kinds.ts'
import { RecordTable, useKeys } from '../records/record-table.tsx'
import { usePage } from '../state.ts'
import { selfHosted } from '../telemetry/stacks.ts'

const pageSize = 20

interface Place {
  readonly name: KindName
  readonly kind: Kind
  readonly organizations: readonly Named[]
  readonly services: readonly Named[]
  readonly organization: string
  readonly service: string
}

/** The records of the world, kind by kind: listed, searched, created, changed and deleted. In the address: kind, organization, service or stack. */
export function World({ words }: { readonly words: readonly string[] }) {
  const { data, error } = useReading(() => readPlace(words), [])
  const name = data?.name ?? words[0] ?? 'organizations'
  const address = (key: string) => pageAddress('world', key, data?.organization ?? '')
  return (
    <>
      <h1>World</h1>
      <nav class="tabs" aria-label="Kinds of records">
        {[false, true].map(isStack => (
          <div key={isStack} class="tabs">
            {Object.entries(kinds)
              .filter(([, kind]) => (kind.in === 'stack') === isStack)
              .map(([key, { title }]) => (
                <a key={key} href={address(key)} aria-current={key === name ? 'true' : undefined}>
                  {title}
                </a>
              ))}
          </div>
        ))}
      </nav>
      <Failure error={error} />
      {data && <Records {...data} />}
    </>
  )
}

async function readPlace([kindName = '', wantedOrganization, wantedService]: readonly string[]): Promise<Place> {
  const name = (Object.hasOwn(kinds, kindName) ? kindName : 'organizations') as KindName
  const kind: Kind = kinds[name]
  const organizations = await listRecords('organizations', everywhere)
  const organization = wantedOrganization || (organizations[0]?.id ?? '')
  const services = await listRecords('services', organization)
  const isStack = kind.in === 'stack'
  const isNamed = wantedService && (wantedService !== selfHosted || isStack)
  const service = isNamed ? wantedService : isStack ? selfHosted : (services[0]?.id ?? '')
  return { name, kind, organizations, services, organization, service }
}

function Records({ name, kind, organizations, services, organization, service }: Place) {
  const page = usePage()
  const scope = scopeOf(kind, { organization, service })
  const isNowhere = kind.in === 'service' && service === ''
  const [search, setSearch] = useState('')
  const [offset, setOffset] = useState(0)
  const rested = useRested(search, 120)
  const { data, error, refresh } = useReading(
    async () => {
      if (isNowhere) return { total: 0, records: [] }
      const sought = [kind.namesOrganization && organization, rested].filter(Boolean).join(' ')
      const range = { offset: String(offset), limit: String(pageSize), ...(sought && { search: sought }) }
      const found = await readRecords<ListedRecord>(name, scope, range)
      // The last record of a page was deleted.
      if (found.records.length === 0 && offset > 0) setOffset(Math.max(0, offset - pageSize))
      return found
    },
    [rested, offset],
    2000,
  )
  const { total = 0, records = [] } = data ?? {}
  const place = { organization, service }
  const changes = createChanges({ name, kind, place, page, samples: records, refresh })
  useKeys(changes, records)
  const isStack = kind.in === 'stack'
  const stacks = [
    [selfHosted, 'self-hosted'] as const,
    ...services.map(({ id, name }) => [id, `managed: ${name}`] as const),
  ]
  return (
    <>
      <div class="row">
        {kind.in !== 'everywhere' && (
          <LinkChoice
            label="Organization"
            options={optionsOf(organizations)}
            value={organization}
            address={id => pageAddress('world', name, id)}
          />
        )}
        {(kind.in === 'service' || isStack) && (
          <LinkChoice
            label={isStack ? 'Stack' : 'Service'}
            options={isStack ? stacks : optionsOf(services)}
            value={service}
            address={id => pageAddress('world', name, organization, id)}
          />
        )}
        <SearchField
          placeholder={`Search ${kind.title.toLowerCase()}`}
          value={search}
          change={value => {
            setSearch(value)
            setOffset(0)
          }}
        />
        <output class="quiet">
          {data && `${total.toLocaleString('en')} ${rested.trim() === '' ? 'in all' : 'found'}`}
        </output>
        <Button act={changes.create} class="primary end" title="n" disabled={isNowhere}>
          {`New ${singular(kind)}`}
        </Button>
      </div>
      <Failure error={error} />
      {isNowhere && <p class="empty">{`${kind.title} lie in a service, and there is none here: create one first.`}</p>}
      {data && !isNowhere && total === 0 && <Nothing kind={kind} search={rested.trim()} changes={changes} />}
      {total > 0 && (
        <RecordTable
          {...{ kind, changes, records }}
          link={name === 'dashboards' ? id => pageAddress('dashboards', scope, id) : undefined}
        />
      )}
      {total > pageSize && <Pager {...{ total, offset, setOffset }} />}
      <p class="quiet small keys">{keyHints.map(([key, effect]) => [<kbd key={key}>{key}</kbd>, ` ${effect} `])}</p>
    </>
  )
}

const keyHints = [
  ['/', 'searches'],
  ['n', 'makes a new one'],
  ['↑ ↓', 'go through the list'],
  ['Enter', 'shows the whole record'],
  ['e', 'edits'],
  ['Del', 'deletes'],
] as const

function Nothing({
  kind,
  search,
  changes,
}: {
  readonly kind: Kind
  readonly search: string
  readonly changes: Changes
}) {
  const names = kind.title.toLowerCase()
  if (search !== '') return <p class="empty">{`Of the ${names} here, none has “${search}” in a field.`}</p>
  return (
    <div class="empty">
      <p>{`There are no ${names} here. ${kind.advice ?? ''}`}</p>
      <Button act={changes.create}>{`Create the first ${singular(kind)}`}</Button>
    </div>
  )
}

interface PagerProps {
  readonly total: number
  readonly offset: number
  readonly setOffset: (offset: number) => void
}

function Pager({ total, offset, setOffset }: PagerProps) {
  const step = (by: number, label: string) => (
    <Button act={() => setOffset(offset + by)} disabled={offset + by < 0 || offset + by >= total}>
      {label}
    </Button>
  )
  return (
    <nav class="row quiet" aria-label="Pages of records">
      {step(-pageSize, 'Previous')}
      <span>{`${offset + 1} to ${Math.min(offset + pageSize, total)} of ${total.toLocaleString('en')}`}</span>
      {step(pageSize, 'Next')}
    </nav>
  )
}
