import { useEffect, useState } from 'preact/hooks'
import { everywhere, listRecords, pageAddress, readRecords } from '../control.ts'
import { toMinute } from '../moments.ts'
import {
  Badge,
  BlockableButton,
  Body,
  Button,
  Failure,
  NavigationSelect,
  optionsOf,
  SearchField,
  Tab,
  toneOfState,
  Waiting,
} from '../parts/elements.tsx'
import { useData, useDebounced } from '../reading.ts'
import { ChangeButtons, type Changes, createChanges } from '../records/changes.tsx'
import {
  type Kind,
  type KindName,
  kinds,
  type ListedRecord,
  nameInSentence,
  nameOfRecord,
  scopeOf,
} from '../records/kinds.ts'
import { usePage } from '../state.ts'
import { selfHosted } from '../telemetry/stacks.ts'

const pageSize = 20

/** Lists, searches, creates, changes and deletes records. The address contains the kind, the organization, and the service or stack. */
export function World({ segments }: { readonly segments: readonly string[] }) {
  // Read once: the view is mounted anew for each address.
  const { data, error } = useData(() => readSelection(segments), [])
  const name = data?.name ?? segments[0] ?? 'organizations'
  const address = (key: string) => pageAddress('world', key, data?.organization ?? '')
  return (
    <>
      <h1>Records</h1>
      <nav class="tabs" aria-label="Kinds of records">
        {[false, true].map(isStack => (
          <div key={isStack} class="tabs">
            {Object.entries(kinds)
              .filter(([, kind]) => (kind.in === 'stack') === isStack)
              .map(([key, { title }]) => (
                <Tab key={key} href={address(key)} isCurrent={key === name}>
                  {title}
                </Tab>
              ))}
          </div>
        ))}
      </nav>
      <Failure error={error} />
      {data ? <Records {...data} /> : error === undefined && <Waiting />}
    </>
  )
}

async function readSelection([kindName = '', organizationId, serviceId]: readonly string[]) {
  const name = (Object.hasOwn(kinds, kindName) ? kindName : 'organizations') as KindName
  const kind: Kind = kinds[name]
  const organizations = await listRecords('organizations', everywhere)
  const organization = organizationId || (organizations[0]?.id ?? '')
  const services = await listRecords('services', organization)
  const isStack = kind.in === 'stack'
  const defaultService = isStack ? selfHosted : (services[0]?.id ?? '')
  // Only a stack can be the self-hosted one.
  const service = serviceId && (isStack || serviceId !== selfHosted) ? serviceId : defaultService
  return { name, kind, organizations, services, organization, service }
}

type RecordsProps = Awaited<ReturnType<typeof readSelection>>

function Records({ name, kind, organizations, services, organization, service }: RecordsProps) {
  const page = usePage()
  const scope = scopeOf(kind, { organization, service })
  const lacksService = kind.in === 'service' && service === ''
  const [search, setSearch] = useState('')
  const [offset, setOffset] = useState(0)
  const debounced = useDebounced(search, 120)
  const { data, error, refresh } = useData(
    async () => {
      if (lacksService) return { total: 0, records: [] }
      // Records with an organizationId are in one collection: a search for the id finds those of the organization.
      const query = [kind.hasOrganizationId && organization, debounced].filter(Boolean).join(' ')
      const range = { offset: String(offset), limit: String(pageSize), ...(query && { search: query }) }
      const listing = await readRecords<ListedRecord>(name, scope, range)
      // The last record of the page was deleted: the page before is shown.
      if (listing.records.length === 0 && offset > 0) setOffset(Math.max(0, offset - pageSize))
      return listing
    },
    [debounced, offset],
    2000,
  )
  const { total = 0, records = [] } = data ?? {}
  const place = { organization, service }
  const changes = createChanges({ name, kind, place, page, samples: records, refresh })
  useShortcuts(changes, records)
  const isStack = kind.in === 'stack'
  const stacks = [
    [selfHosted, 'self-hosted'] as const,
    ...services.map(({ id, name }) => [id, `managed: ${name}`] as const),
  ]
  return (
    <>
      <div class="row">
        {kind.in !== 'everywhere' && (
          <NavigationSelect
            label="Organization"
            options={optionsOf(organizations)}
            value={organization}
            address={id => pageAddress('world', name, id)}
          />
        )}
        {(kind.in === 'service' || isStack) && (
          <NavigationSelect
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
          {data && `${total.toLocaleString('en')} ${debounced.trim() === '' ? 'in all' : 'found'}`}
        </output>
        {!lacksService && (
          <Button onClick={changes.create} class="primary end" title="n">
            {`New ${nameInSentence(kind)}`}
          </Button>
        )}
      </div>
      <Failure error={error} />
      {!data && error === undefined && <Waiting />}
      {lacksService && (
        <p class="empty">{`${kind.title} belong to a service, and this organization has none: create one first.`}</p>
      )}
      {data && !lacksService && total === 0 && <EmptyList kind={kind} search={debounced.trim()} changes={changes} />}
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
  ['n', 'creates a record'],
  ['↑ ↓', 'go through the list'],
  ['Enter', 'shows the whole record'],
  ['e', 'edits'],
  ['Del', 'deletes'],
] as const

function EmptyList({ kind, search, changes }: { kind: Kind; search: string; changes: Changes }) {
  const names = kind.title.toLowerCase()
  if (search !== '') return <p class="empty">{`No ${names} here match “${search}”.`}</p>
  return (
    <div class="empty">
      <p>{`There are no ${names} here. ${kind.advice ?? ''}`}</p>
      <Button onClick={changes.create}>{`Create the first ${nameInSentence(kind)}`}</Button>
    </div>
  )
}

function Pager({ total, offset, setOffset }: { total: number; offset: number; setOffset: (offset: number) => void }) {
  const step = (by: number, label: string, end: string) => (
    <BlockableButton
      onClick={() => setOffset(offset + by)}
      whyNot={offset + by < 0 || offset + by >= total ? `This is the ${end} page.` : ''}
    >
      {label}
    </BlockableButton>
  )
  return (
    <nav class="row quiet" aria-label="Pages of records">
      {step(-pageSize, 'Previous', 'first')}
      <span>{`${offset + 1} to ${Math.min(offset + pageSize, total)} of ${total.toLocaleString('en')}`}</span>
      {step(pageSize, 'Next', 'last')}
    </nav>
  )
}

interface TableProps {
  readonly kind: Kind
  readonly changes: Changes
  readonly records: readonly ListedRecord[]
  /** The address of the page that shows a record. */
  readonly link?: ((id: string) => string) | undefined
}

/** A table of records. A row opens to show the whole record, and has buttons to edit and delete it. */
function RecordTable({ kind, changes, records, link }: TableProps) {
  return (
    <section class="scroll panel" aria-label={kind.title}>
      <table class="listed">
        <thead class="quiet small">
          <tr>
            <td />
            {kind.columns.map(column => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {records.map(record => (
            <RecordRow key={record.id} {...{ kind, changes, record, link }} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps extends Omit<TableProps, 'records'> {
  readonly record: ListedRecord
}

function RecordRow({ kind, changes, record, link }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const { id } = record
  const name = nameOfRecord(record)
  return (
    <>
      <tr tabIndex={0} data-id={id} aria-label={name}>
        <td>
          <Button
            onClick={() => setOpen(!isOpen)}
            class="icon"
            aria-label={`Whole record of ${name}`}
            aria-expanded={isOpen}
          >
            ▸
          </Button>
        </td>
        {kind.columns.map((column, at) => {
          const value = record[column]
          const cell = formatCell(column, value)
          return (
            <td key={column} class={classOf(column, value)} data-column={column}>
              {/* A long text is cut. */}
              <span title={typeof cell === 'string' && cell.length > 20 ? cell : undefined}>
                {link && at === 0 ? <a href={link(id)}>{cell}</a> : cell}
              </span>
            </td>
          )
        })}
        <td class="acts">
          <ChangeButtons changes={changes} record={record} />
        </td>
      </tr>
      {isOpen && (
        <tr class="whole">
          <td colSpan={kind.columns.length + 2}>
            <Body text={JSON.stringify(record)} />
          </td>
        </tr>
      )}
    </>
  )
}

const classOf = (column: string, value: unknown) =>
  typeof value === 'number' ? 'number' : column === 'id' || column === 'userId' ? 'id cut quiet' : ''

function formatCell(column: string, value: unknown) {
  if (value === undefined || value === null) return '–'
  if (column === 'state' || column === 'status')
    return <Badge tone={toneOfState(String(value), '')}>{String(value).replaceAll('_', ' ')}</Badge>
  if (column === 'tiles' && Array.isArray(value)) return String(value.length)
  if (Array.isArray(value)) return value.join(', ') || '–'
  if (column.endsWith('At')) return toMinute(String(value))
  if (column === 'sizeInBytes') return `${(Number(value) / 1e9).toFixed(1)} GB`
  // The table of a source: database.table.
  if (typeof value === 'object') return Object.values(value).join('.')
  return String(value)
}

/** Handles the keys of a list, while no field has the focus and no dialog is open. */
function useShortcuts(changes: Changes, records: readonly ListedRecord[]) {
  const { dialog } = usePage()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isTyping = target.matches('input, select, textarea') || dialog.value !== undefined
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      const row = target.closest<HTMLElement>('tr[data-id]')
      const record = row && records.find(({ id }) => id === row.dataset.id)
      const rows = [...document.querySelectorAll<HTMLElement>('tr[data-id]')]
      const moveFocus = (by: number) => (row ? rows[rows.indexOf(row) + by] : rows[0])?.focus()
      const actions: Readonly<Record<string, () => unknown>> = {
        n: () => changes.create(),
        ArrowDown: () => moveFocus(1),
        ArrowUp: () => moveFocus(-1),
        ...(record && {
          e: () => changes.edit(record),
          Delete: () => changes.remove(record),
          // On a button of the row, Enter presses the button.
          ...(target === row && { Enter: () => row.querySelector<HTMLElement>('.icon')!.click() }),
        }),
      }
      const action = actions[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}
