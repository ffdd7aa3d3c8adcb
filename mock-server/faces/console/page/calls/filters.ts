import { read } from '../ask.ts'
import { element, fill } from '../element.ts'
import { select } from '../parts.ts'

export interface CallFilters {
  readonly root: HTMLElement
  /** The query of the control plane; times are as they are now. */
  query(): URLSearchParams
  /** The world whose calls are shown, as a query of its own. */
  world(): string
  /** Whether anything is left out, but by who called. */
  isFiltered(): boolean
  /** Offers the operations of these calls. */
  learn(operations: Iterable<string>): void
}

const clients = [
  ['other', 'Yours'],
  ['console', 'Console'],
  ['suite', 'Suite'],
  ['mock', 'Webhooks'],
  ['', 'All'],
] as const
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

/** What is shown of the journal. It stands in the address, so that it can be passed on: `#/calls/status=4xx&text=members`. */
export async function createFilters(wanted: string, now: () => number, change: () => unknown): Promise<CallFilters> {
  const given = new URLSearchParams(wanted)
  const worlds = await read<readonly { id: string; name?: string }[]>('/control/worlds')
  const choose = (label: string, name: string, options: Parameters<typeof select>[0]) =>
    select(options, given.get(name), { 'aria-label': label, name })
  const search = element('input', {
    ...{ type: 'search', name: 'text', placeholder: 'Search paths, bodies and reasons  /', 'aria-label': 'Search' },
    value: given.get('text') ?? '',
  })
  const list = element('datalist', { id: 'operations' })
  const operation = element('input', {
    ...{ name: 'operation', list: 'operations', placeholder: 'Any operation', 'aria-label': 'Operation' },
    ...{ value: given.get('operation') ?? '', size: 18, spellcheck: 'false', autocomplete: 'off' },
  })
  const client = given.get('client') ?? 'other'
  const tabs = element('fieldset.segments', [
    element('legend.offscreen', 'Whose calls'),
    clients.map(([value, says]) =>
      element('label', [element('input', { type: 'radio', name: 'client', value, checked: value === client }), says]),
    ),
  ])
  const form = element('form.filters', { role: 'search', onsubmit: (event: Event) => event.preventDefault() }, [
    tabs,
    element('div.tools', [
      search,
      operation,
      list,
      choose('Form', 'form', forms),
      choose('Status', 'status', statuses),
      choose('Time', 'seconds', times),
      worlds.length > 0 &&
        choose('World', 'world', [
          ['', 'First world'],
          ...worlds.map(({ id, name }) => [id, `World ${name ?? id}`] as const),
        ]),
    ]),
  ])
  /** What is chosen, as it stands in the address. */
  const chosen = () =>
    new URLSearchParams(
      [...new FormData(form)].filter(([name, value]) => name === 'client' || value !== '') as [string, string][],
    )
  let pending: ReturnType<typeof setTimeout> | undefined
  const apply = () => {
    history.replaceState(null, '', `#/calls/${encodeURIComponent(chosen().toString())}`)
    clearTimeout(pending)
    pending = setTimeout(change, 150)
  }
  // An operation is whole when it is chosen or left.
  form.addEventListener('input', event => event.target === operation || apply())
  operation.addEventListener('change', apply)
  let known = ''
  return {
    root: form,
    query() {
      const query = chosen()
      const seconds = query.get('seconds')
      query.delete('seconds')
      if (query.get('client') === '') query.delete('client')
      if (seconds) query.set('since', new Date(now() - Number(seconds) * 1000).toISOString())
      return query
    },
    world: () => {
      const world = chosen().get('world')
      return world ? `?${new URLSearchParams({ world })}` : ''
    },
    isFiltered: () => [...chosen().keys()].some(name => name !== 'client' && name !== 'world'),
    learn(operations) {
      const all = [...new Set(operations)].sort()
      if (all.join() === known) return
      known = all.join()
      fill(list, [all.map(value => element('option', { value }))])
    },
  }
}
