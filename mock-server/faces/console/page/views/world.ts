import type { View } from '../app.ts'
import { everywhere, type Listing, listRecords, pageAddress, readRecords } from '../ask.ts'
import { type Changes, createChanges } from '../change/changes.ts'
import { type Kind, type KindName, kinds, type ListedRecord, sayOne, scopeOf } from '../change/kinds.ts'
import { listenToKeys, renderRecords, type Shelf } from '../change/record-table.ts'
import { append, element, fill } from '../element.ts'
import { button, createUpdate, recordChoice, repeat } from '../parts.ts'
import { selfHosted } from '../stacks.ts'

type Page = Listing<ListedRecord>

const pageSize = 20

/** The records of the world, kind by kind: listed, searched, created, changed and deleted. In the address: kind, organization, service or stack. */
export const showWorld: View = async (place, words, signal, page) => {
  const [kindName = '', wantedOrganization, wantedService] = words
  const name = (Object.hasOwn(kinds, kindName) ? kindName : 'organizations') as KindName
  const kind: Kind = kinds[name]
  const organizations = await listRecords('organizations', everywhere)
  const organization = wantedOrganization || (organizations[0]?.id ?? '')
  const services = await listRecords('services', organization)
  const isStack = kind.in === 'stack'
  const isMeant = wantedService && (wantedService !== selfHosted || isStack)
  const service = isMeant ? wantedService : isStack ? selfHosted : (services[0]?.id ?? '')
  const scope = scopeOf(kind, { organization, service })
  const address = (to: { kind?: string; organization?: string; service?: string }) =>
    pageAddress('world', to.kind ?? name, to.organization ?? organization, to.service ?? service)

  const isNowhere = kind.in === 'service' && service === ''
  let shown: Page = { total: 0, records: [] }
  let offset = 0
  const search = element('input', {
    type: 'search',
    placeholder: `Search ${kind.title.toLowerCase()}`,
    'aria-label': 'Search',
  })
  const count = element('span.quiet', { role: 'status' })
  const shelf = element('div.records')
  const draw = async () => {
    if (isNowhere) return fill(shelf, element('p.empty', sayNowhere(kind)))
    const wanted = [kind.namesOrganization && organization, search.value].filter(Boolean).join(' ')
    const range = { offset: String(offset), limit: String(pageSize), ...(wanted && { search: wanted }) }
    const found = await readRecords<ListedRecord>(name, scope, range)
    // The last of a page was deleted.
    if (found.records.length === 0 && offset > 0) {
      offset = Math.max(0, offset - pageSize)
      return draw()
    }
    shown = found
    count.textContent = sayCount(found.total, search.value)
    const focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('tr[data-id]')?.dataset.id
    update(shelf, [found, wanted, offset], () => [
      found.total === 0 ? renderNothing(kind, search.value, changes) : renderRecords(shelfOf, found.records),
      renderPager(found, offset, turn),
    ])
    if (focused && document.activeElement === document.body)
      shelf.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(focused)}"]`)?.focus()
  }
  const update = createUpdate()
  const changes: Changes = createChanges({
    ...{ name, kind, place: { organization, service }, page, redraw: draw },
    samples: () => shown.records,
  })
  const link = name === 'dashboards' ? (id: string) => pageAddress('dashboards', scope, id) : undefined
  const open = new Set<string>()
  const shelfOf: Shelf = { kind, changes, open, link }
  const turn = (by: number) => {
    offset += by
    void draw()
  }

  let typing: ReturnType<typeof setTimeout> | undefined
  search.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(() => {
      offset = 0
      void draw()
    }, 120)
  })
  listenToKeys(place, { changes, records: () => shown.records }, signal)
  append(place, [
    element('h1', 'World'),
    element('nav.tabs', { 'aria-label': 'Kinds of records' }, [
      Object.entries(kinds).map(([key, { title }]) =>
        element('a', { href: address({ kind: key, service: '' }), 'aria-current': key === name && 'true' }, title),
      ),
    ]),
    element('div.tools', [
      kind.in !== 'everywhere' &&
        recordChoice('Organization', organizations, organization, id => address({ organization: id, service: '' })),
      (kind.in === 'service' || isStack) &&
        recordChoice(
          isStack ? 'Stack' : 'Service',
          isStack
            ? [
                { id: selfHosted, name: 'self-hosted' },
                ...services.map(({ id, name }) => ({ id, name: `managed: ${name}` })),
              ]
            : services,
          service,
          id => address({ service: id }),
        ),
      search,
      count,
      button(`New ${sayOne(kind)}`, changes.create, { class: 'primary new', title: 'n', disabled: isNowhere }),
    ]),
    shelf,
    element('p.quiet.keys', [keyHints.flatMap(([key, does]) => [element('kbd', key), ` ${does} `])]),
  ])
  await repeat(2000, signal, draw)
}

const keyHints = [
  ['/', 'searches'],
  ['n', 'makes a new one'],
  ['↑ ↓', 'go through the list'],
  ['Enter', 'shows the whole record'],
  ['e', 'edits'],
  ['Del', 'deletes'],
] as const

const sayNowhere = ({ title }: Kind) => `${title} lie in a service, and there is none here: create one first.`

const sayCount = (total: number, search: string): string =>
  `${total.toLocaleString('en')} ${search.trim() === '' ? 'in all' : 'found'}`

function renderNothing(kind: Kind, search: string, { create }: Changes): HTMLElement {
  const { title, advice } = kind
  const names = title.toLowerCase()
  return search.trim() !== ''
    ? element('p.empty', `Of the ${names} here, none has “${search.trim()}” in a field.`)
    : element('div.empty', [
        element('p', `There are no ${names} here. ${advice ?? ''}`),
        button(`Create the first ${sayOne(kind)}`, create),
      ])
}

function renderPager({ total }: Page, offset: number, turn: (by: number) => void): HTMLElement | false {
  if (total <= pageSize) return false
  const step = (by: number, says: string) =>
    button(says, () => turn(by), { disabled: offset + by < 0 || offset + by >= total })
  return element('nav.pager', { 'aria-label': 'Pages of records' }, [
    step(-pageSize, 'Previous'),
    element('span', `${offset + 1} to ${Math.min(offset + pageSize, total)} of ${total.toLocaleString('en')}`),
    step(pageSize, 'Next'),
  ])
}
