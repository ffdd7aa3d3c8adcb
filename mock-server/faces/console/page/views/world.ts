import { readAbout } from '../about.ts'
import type { View } from '../app.ts'
import { everywhere, readRecords } from '../ask.ts'
import { type Changes, createChanges } from '../change/changes.ts'
import { type Kind, type KindName, kinds, type ListedRecord, sayOne, scopeOf } from '../change/kinds.ts'
import { listenToKeys, renderRecords, type Shelf } from '../change/record-table.ts'
import { append, element, fill } from '../element.ts'
import { choice, repeat } from '../parts.ts'

interface Page {
  readonly total: number
  readonly records: readonly ListedRecord[]
}

const pageSize = 20
/** More than that nobody chooses from a list. */
const mostChoices = 200

const list = (name: string, scope: string, { search = '', offset = 0, limit = pageSize } = {}) =>
  readRecords<Page>(name, scope, { offset: String(offset), limit: String(limit), ...(search && { search }) })

/** The records of the world, kind by kind: listed, searched, created, changed and deleted. In the address: kind, organization, service or stack. */
export const showWorld: View = async (place, words, signal, page) => {
  const { selfHostedStack } = await readAbout()
  const [kindName = '', wantedOrganization, wantedService] = words
  const name = (Object.hasOwn(kinds, kindName) ? kindName : 'organizations') as KindName
  const kind: Kind = kinds[name]
  const organizations = await list('organizations', everywhere, { limit: mostChoices })
  const organization = wantedOrganization || (organizations.records[0]?.id ?? '')
  const services = await list('services', organization, { limit: mostChoices })
  const isStack = kind.in === 'stack'
  const isMeant = wantedService && (wantedService !== selfHostedStack || isStack)
  const service = isMeant ? wantedService : isStack ? selfHostedStack : (services.records[0]?.id ?? '')
  const scope = scopeOf(kind, { organization, service })
  const address = (to: { kind?: string; organization?: string; service?: string }) =>
    `#/world/${[to.kind ?? name, to.organization ?? organization, to.service ?? service].map(encodeURIComponent).join('/')}`

  const isNowhere = kind.in === 'service' && service === ''
  let shown: Page = { total: 0, records: [] }
  let before = ''
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
    const found = await list(name, scope, { search: wanted, offset })
    // The last of a page was deleted.
    if (found.records.length === 0 && offset > 0) {
      offset = Math.max(0, offset - pageSize)
      return draw()
    }
    const text = JSON.stringify([found, wanted, offset])
    if (text === before) return
    before = text
    shown = found
    count.textContent = sayCount(found.total, search.value)
    renderShelf()
  }
  const changes: Changes = createChanges({
    ...{ name, kind, place: { organization, service }, selfHostedStack, page, redraw: draw },
    samples: () => shown.records,
  })
  const link =
    isStack && name === 'dashboards' ? (id: string) => `#/dashboards/${encodeURIComponent(scope)}/${id}` : undefined
  const open = new Set<string>()
  const shelfOf: Shelf = { kind, changes, open, link }
  const turn = (by: number) => {
    offset += by
    void draw()
  }
  const renderShelf = () => {
    const focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('tr[data-id]')?.dataset.id
    fill(shelf, [
      shown.total === 0 ? renderNothing(kind, search.value, changes) : renderRecords(shelfOf, shown.records),
      renderPager(shown, offset, turn),
    ])
    if (focused) shelf.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(focused)}"]`)?.focus()
  }

  let typing: ReturnType<typeof setTimeout> | undefined
  search.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(() => {
      offset = 0
      void draw()
    }, 120)
  })
  listenToKeys(place, { search, changes, records: () => shown.records }, signal)
  append(place, [
    element('h1', 'World'),
    element('nav.tabs', { 'aria-label': 'Kinds of records' }, [
      Object.entries(kinds).map(([key, { title }]) =>
        element('a', { href: address({ kind: key, service: '' }), 'aria-current': key === name && 'true' }, title),
      ),
    ]),
    element('div.tools', [
      kind.in !== 'everywhere' &&
        choice(
          'Organization',
          organizations.records.map(({ id, name }) => [id, String(name)]),
          organization,
          id => address({ organization: id, service: '' }),
        ),
      (kind.in === 'service' || isStack) &&
        choice(
          isStack ? 'Stack' : 'Service',
          [
            ...(isStack ? [[selfHostedStack, 'self-hosted'] as const] : []),
            ...services.records.map(({ id, name }) => [id, isStack ? `managed: ${name}` : String(name)] as const),
          ],
          service,
          id => address({ service: id }),
        ),
      search,
      count,
      element(
        'button.primary.new',
        { type: 'button', onclick: () => changes.create(), title: 'n', disabled: isNowhere },
        [`New ${sayOne(kind)}`],
      ),
    ]),
    shelf,
    element('p.quiet.keys', [keyHints.flatMap(([key, does]) => [element('kbd', key), ` ${does} `])]),
  ])
  await draw()
  repeat(2000, signal, draw)
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
        element('button', { type: 'button', onclick: () => create() }, `Create the first ${sayOne(kind)}`),
      ])
}

function renderPager({ total }: Page, offset: number, turn: (by: number) => void): HTMLElement | false {
  if (total <= pageSize) return false
  const button = (by: number, says: string) =>
    element('button', { type: 'button', disabled: offset + by < 0 || offset + by >= total, onclick: () => turn(by) }, [
      says,
    ])
  return element('nav.pager', { 'aria-label': 'Pages of records' }, [
    button(-pageSize, 'Previous'),
    element('span', `${offset + 1} to ${Math.min(offset + pageSize, total)} of ${total.toLocaleString('en')}`),
    button(pageSize, 'Next'),
  ])
}
