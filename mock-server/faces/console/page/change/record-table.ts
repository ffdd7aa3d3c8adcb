import { element } from '../element.ts'
import { toMinute } from '../moments.ts'
import { badge, body, button, toneOfState } from '../parts.ts'
import type { Changes } from './changes.ts'
import { type Kind, type ListedRecord, nameOfRecord } from './kinds.ts'

export interface Shelf {
  readonly kind: Kind
  readonly changes: Changes
  /** The ids of the records that are shown whole. */
  readonly open: Set<string>
  /** Where the name of a record leads. */
  readonly link?: ((id: string) => string) | undefined
}

/** A table of records; each opens to show the whole, and is edited and deleted. */
export function renderRecords(shelf: Shelf, records: readonly ListedRecord[]): HTMLElement {
  const { kind } = shelf
  return element('div.scroll.panel', { role: 'region', 'aria-label': kind.title }, [
    element('table.listed', [
      element('thead', [
        element('tr', [
          element('td'),
          kind.columns.map(column => element('th', { scope: 'col' }, column)),
          element('td'),
        ]),
      ]),
      element('tbody', [records.map(record => renderRecord(shelf, record))]),
    ]),
  ])
}

function renderRecord({ kind, changes, open, link }: Shelf, record: ListedRecord): readonly HTMLElement[] {
  const { id } = record
  const name = nameOfRecord(record)
  const act = (says: string, work: () => unknown) =>
    button(says, work, { class: 'copy', 'aria-label': `${says} ${name}` })
  const actions = () => [act('Edit', () => changes.edit(record)), act('Delete', () => changes.remove(record))]
  const whole = element('td', { colspan: kind.columns.length + 2 })
  const inside = element('tr.whole', { hidden: !open.has(id) }, whole)
  const opens = element('button.opens', { type: 'button', 'aria-label': `Whole record of ${name}` }, '▸')
  const show = () => {
    inside.hidden = !open.has(id)
    opens.setAttribute('aria-expanded', String(open.has(id)))
    if (open.has(id) && whole.childElementCount === 0)
      whole.append(element('div.tools.narrow', actions()), body(JSON.stringify(record)))
  }
  const turn = () => {
    if (!open.delete(id)) open.add(id)
    show()
  }
  opens.addEventListener('click', turn)
  show()
  const cells = kind.columns.map((column, i) => {
    const says = tell(column, record[column])
    const isId = column === 'id' || column === 'userId'
    return element('td', { class: typeof record[column] === 'number' ? 'number' : isId ? 'id' : '' }, [
      link && i === 0 ? element('a', { href: link(id) }, says) : says,
    ])
  })
  const row = element('tr', { tabindex: 0, 'data-id': id, 'aria-label': name }, [
    element('td', opens),
    cells,
    element('td.acts', actions()),
  ])
  return [row, inside]
}

function tell(column: string, value: unknown): Node | string {
  if (value === undefined || value === null) return '–'
  if (column === 'state' || column === 'status')
    return badge(String(value).replaceAll('_', ' '), toneOfState(String(value), ''))
  if (column === 'tiles' && Array.isArray(value)) return String(value.length)
  if (Array.isArray(value)) return value.join(', ') || '–'
  if (column.endsWith('At')) return toMinute(String(value))
  if (column === 'sizeInBytes') return `${(Number(value) / 1e9).toFixed(1)} GB`
  if (typeof value === 'object') return Object.values(value).join('.')
  return String(value)
}

interface Keys {
  readonly changes: Changes
  readonly records: () => readonly ListedRecord[]
}

/** What keys do in a list, as long as nothing is typed into a field and no sheet is open. */
export function listenToKeys(place: HTMLElement, { changes, records }: Keys, signal: AbortSignal): void {
  const listen = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const isTyping = target.matches('input, select, textarea') || document.querySelector('dialog[open]') !== null
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const row = target.closest<HTMLElement>('tr[data-id]')
    const record = row && records().find(({ id }) => id === row.dataset.id)
    const rows = [...place.querySelectorAll<HTMLElement>('tr[data-id]')]
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
  document.addEventListener('keydown', listen, { signal })
}
