import { readAbout } from '../about.ts'
import { everywhere, readRecords } from '../ask.ts'
import { append, element, fill } from '../element.ts'
import { body, choice, repeat } from '../parts.ts'

interface Page {
  readonly total: number
  readonly records: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[]
}

interface Kind {
  readonly title: string
  /** What its records lie in. */
  readonly in: 'everywhere' | 'organization' | 'service' | 'stack'
  readonly columns: readonly string[]
}

const kinds: Readonly<Record<string, Kind>> = {
  organizations: { title: 'Organizations', in: 'everywhere', columns: ['name', 'id', 'createdAt'] },
  members: { title: 'Members', in: 'organization', columns: ['name', 'email', 'role', 'joinedAt', 'userId'] },
  services: { title: 'Services', in: 'organization', columns: ['name', 'provider', 'region', 'state', 'id'] },
  backups: {
    title: 'Backups',
    in: 'service',
    columns: ['backupName', 'status', 'type', 'startedAt', 'sizeInBytes', 'id'],
  },
  dashboards: { title: 'Dashboards', in: 'stack', columns: ['name', 'tags', 'tiles', 'id'] },
  alerts: {
    title: 'Alerts',
    in: 'stack',
    columns: ['name', 'state', 'source', 'thresholdType', 'threshold', 'interval', 'id'],
  },
  sources: { title: 'Sources', in: 'stack', columns: ['name', 'kind', 'from', 'id'] },
  webhooks: { title: 'Webhooks', in: 'stack', columns: ['name', 'service', 'url', 'id'] },
}

const pageSize = 20
/** More than that nobody chooses from a list. */
const mostChoices = 200

const list = (kind: string, scope: string, offset = 0, limit = pageSize) =>
  readRecords<Page>(kind, scope, { offset: String(offset), limit: String(limit) })

/** The records of the world, kind by kind. In the address: kind, organization, service or stack, page. */
export async function showWorld(place: HTMLElement, words: readonly string[], signal: AbortSignal): Promise<void> {
  const { selfHostedStack } = await readAbout()
  const [kindName = 'organizations', wantedOrganization, wantedService, number = '1'] = words
  const name = Object.hasOwn(kinds, kindName) ? kindName : 'organizations'
  const kind = kinds[name]!
  const organizations = await list('organizations', everywhere, 0, mostChoices)
  const organization = wantedOrganization || organizations.records[0]!.id
  const services = await list('services', organization, 0, mostChoices)
  const isStack = kind.in === 'stack'
  const service =
    wantedService && (wantedService !== selfHostedStack || isStack)
      ? wantedService
      : isStack
        ? selfHostedStack
        : (services.records[0]?.id ?? '')
  const scope = { everywhere, organization, service, stack: service }[kind.in]
  const page = Math.max(1, Number(number) || 1)
  const address = (to: { kind?: string; organization?: string; service?: string; page?: number }) =>
    `#/world/${[to.kind ?? name, to.organization ?? organization, to.service ?? service, to.page ?? 1].map(String).map(encodeURIComponent).join('/')}`

  const tabs = element(
    'nav',
    { class: 'tabs', 'aria-label': 'Kinds of records' },
    Object.entries(kinds).map(([key, { title }]) =>
      element('a', { href: address({ kind: key, service: '' }), 'aria-current': key === name && 'true' }, title),
    ),
  )
  const shelf = element('div', { class: 'records' })
  append(place, [
    element('h1', {}, 'World'),
    tabs,
    kind.in !== 'everywhere' &&
      element(
        'div',
        { class: 'tools' },
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
      ),
    shelf,
  ])

  let before = ''
  const draw = async () => {
    const found = await list(name, scope, (page - 1) * pageSize)
    const text = JSON.stringify(found)
    if (text === before) return
    before = text
    fill(
      shelf,
      renderTable(
        kind,
        found,
        isStack && name === 'dashboards' ? id => `#/dashboards/${encodeURIComponent(scope)}/${id}` : undefined,
      ),
      renderPager(found, page, address),
    )
  }
  await draw()
  repeat(2000, signal, draw)
}

function renderTable(kind: Kind, { records, total }: Page, link?: (id: string) => string): HTMLElement {
  if (total === 0) return element('p', { class: 'empty' }, `There are no ${kind.title.toLowerCase()} here.`)
  const rows = records.flatMap(record => {
    const inside = element('tr', { class: 'whole', hidden: true }, element('td', { colspan: kind.columns.length + 1 }))
    const button = element(
      'button',
      { type: 'button', class: 'opens', 'aria-expanded': 'false', 'aria-label': 'Whole record' },
      '▸',
    )
    button.addEventListener('click', () => {
      inside.hidden = !inside.hidden
      button.setAttribute('aria-expanded', String(!inside.hidden))
      if (inside.firstElementChild!.childElementCount === 0)
        inside.firstElementChild!.append(body(JSON.stringify(record)))
    })
    const cells = kind.columns.map((column, i) =>
      element(
        'td',
        { class: typeof record[column] === 'number' ? 'number' : column === 'id' || column === 'userId' ? 'id' : '' },
        link && i === 0
          ? element('a', { href: link(record.id) }, show(column, record[column]))
          : show(column, record[column]),
      ),
    )
    return [element('tr', {}, element('td', {}, button), cells), inside]
  })
  return element(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': kind.title, tabindex: 0 },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('td'),
          kind.columns.map(column => element('th', { scope: 'col' }, column)),
        ),
      ),
      element('tbody', {}, rows),
    ),
  )
}

function show(column: string, value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (column === 'tiles' && Array.isArray(value)) return String(value.length)
  if (Array.isArray(value)) return value.join(', ') || '–'
  if (column.endsWith('At')) return String(value).slice(0, 16).replace('T', ' ')
  if (column === 'sizeInBytes') return `${(Number(value) / 1e9).toFixed(1)} GB`
  if (typeof value === 'object') return Object.values(value).join('.')
  return String(value)
}

function renderPager({ total }: Page, page: number, address: (to: { page: number }) => string): HTMLElement {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const turn = (to: number, says: string) =>
    to >= 1 && to <= pages
      ? element('a', { href: address({ page: to }) }, says)
      : element('span', { class: 'quiet' }, says)
  return element(
    'nav',
    { class: 'pager', 'aria-label': 'Pages of records' },
    element('span', {}, `${total.toLocaleString('en')} in all`),
    pages > 1 && [turn(page - 1, 'Previous'), element('span', {}, `${page} of ${pages}`), turn(page + 1, 'Next')],
  )
}
