import { useEffect, useState } from 'preact/hooks'
import { toMinute } from '../moments.ts'
import { Badge, Body, Button, toneOfState } from '../parts/basic.tsx'
import { usePage } from '../state.ts'
import { ChangeButtons, type Changes } from './changes.tsx'
import { type Kind, type ListedRecord, nameOfRecord } from './kinds.ts'

interface Shelf {
  readonly kind: Kind
  readonly changes: Changes
  readonly records: readonly ListedRecord[]
  /** Where the name of a record leads. */
  readonly link?: ((id: string) => string) | undefined
}

/** A table of records; each opens to show the whole, and is edited and deleted. */
export function RecordTable({ kind, changes, records, link }: Shelf) {
  return (
    <section class="scroll panel" aria-label={kind.title}>
      <table class="listed">
        <thead>
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
            <RecordRows key={record.id} {...{ kind, changes, record, link }} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps extends Omit<Shelf, 'records'> {
  readonly record: ListedRecord
}

function RecordRows({ kind, changes, record, link }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const { id } = record
  const name = nameOfRecord(record)
  const actions = <ChangeButtons changes={changes} record={record} />
  return (
    <>
      <tr tabIndex={0} data-id={id} aria-label={name}>
        <td>
          <Button
            act={() => setOpen(!isOpen)}
            class="opens"
            aria-label={`Whole record of ${name}`}
            aria-expanded={isOpen}
          >
            ▸
          </Button>
        </td>
        {kind.columns.map((column, at) => (
          <td key={column} class={classOf(column, record[column])}>
            {link && at === 0 ? <a href={link(id)}>{write(column, record[column])}</a> : write(column, record[column])}
          </td>
        ))}
        <td class="acts">{actions}</td>
      </tr>
      {isOpen && (
        <tr class="whole">
          <td colSpan={kind.columns.length + 2}>
            <div class="row narrow">{actions}</div>
            <Body text={JSON.stringify(record)} />
          </td>
        </tr>
      )}
    </>
  )
}

const classOf = (column: string, value: unknown) =>
  typeof value === 'number' ? 'number' : column === 'id' || column === 'userId' ? 'id cut' : ''

function write(column: string, value: unknown) {
  if (value === undefined || value === null) return '–'
  if (column === 'state' || column === 'status')
    return <Badge tone={toneOfState(String(value), '')}>{String(value).replaceAll('_', ' ')}</Badge>
  if (column === 'tiles' && Array.isArray(value)) return String(value.length)
  if (Array.isArray(value)) return value.join(', ') || '–'
  if (column.endsWith('At')) return toMinute(String(value))
  if (column === 'sizeInBytes') return `${(Number(value) / 1e9).toFixed(1)} GB`
  if (typeof value === 'object') return Object.values(value).join('.')
  return String(value)
}

/** What keys do in a list, as long as nothing is typed into a field and no dialog is open. */
export function useKeys(changes: Changes, records: readonly ListedRecord[]) {
  const { dialog } = usePage()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isTyping = target.matches('input, select, textarea') || dialog.value !== undefined
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      const row = target.closest<HTMLElement>('tr[data-id]')
      const record = row && records.find(({ id }) => id === row.dataset.id)
      const rows = [...document.querySelectorAll<HTMLElement>('tr[data-id]')]
      const go = (by: number) => (row ? rows[rows.indexOf(row) + by] : rows[0])?.focus()
      const acts: Readonly<Record<string, () => unknown>> = {
        n: () => changes.create(),
        ArrowDown: () => go(1),
        ArrowUp: () => go(-1),
        ...(record && {
          e: () => changes.edit(record),
          Delete: () => changes.remove(record),
          // A button in the row has an Enter of its own.
          ...(target === row && { Enter: () => row.querySelector<HTMLElement>('.opens')!.click() }),
        }),
      }
      const act = acts[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
}
