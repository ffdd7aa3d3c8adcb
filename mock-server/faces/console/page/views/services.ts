import type { ShownServices } from '../../list-services.ts'
import { readAbout } from '../about.ts'
import type { View } from '../app.ts'
import { everywhere, read, readRecords } from '../ask.ts'
import { createChanges } from '../change/changes.ts'
import { kinds } from '../change/kinds.ts'
import { type Callable, readOperations } from '../change/operations.ts'
import { createTurn, forwardButtons } from '../clock.ts'
import { append, element, fill } from '../element.ts'
import { choice, repeat } from '../parts.ts'
import { type Card, createCard } from './service-card.ts'

interface Organizations {
  readonly records: readonly { readonly id: string; readonly name: string }[]
}

/** The services of an organization, living by the clock, and moved by hand. In the address: the organization. */
export const showServices: View = async (place, [wanted], signal, page) => {
  const { records } = await readRecords<Organizations>('organizations', everywhere, { limit: '200' })
  const organization = wanted || records[0]!.id
  const shelf = element('div.columns.services')
  const more = element('p.quiet')
  const cards = new Map<string, Card>()
  const { selfHostedStack } = await readAbout()
  const circumstances = {
    ...{ name: 'services', kind: kinds.services, place: { organization, service: '' }, selfHostedStack, page },
    samples: () => [],
    redraw: () => draw(),
  }
  const changes = createChanges(circumstances)
  const find = async (verb: string, id: string): Promise<Callable> => {
    const { find } = await readOperations(page.describe, kinds.services, circumstances.place, selfHostedStack)
    const found = find([verb], id)
    if (!found) throw new Error(`This mock does not offer service.${verb}.`)
    return found
  }
  const search = element('input', { type: 'search', placeholder: 'Search services', 'aria-label': 'Search' })
  let order = ''
  const draw = async () => {
    const found = await read<ShownServices>(`/control/services/${encodeURIComponent(organization)}`)
    for (const service of found.services) {
      const { id } = service
      if (!cards.has(id)) cards.set(id, createCard(id, { organization, redraw: draw, page, changes, find }))
      cards.get(id)!.show(service, found)
    }
    const wanted = search.value.trim().toLowerCase()
    const ids = found.services
      .filter(({ name, state, provider, region }) =>
        `${name} ${state} ${provider} ${region}`.toLowerCase().includes(wanted),
      )
      .map(({ id }) => id)
    // Cards stay where they are, so that neither the focus nor what is open is lost.
    if (ids.join() !== order) fill(shelf, [ids.map(id => cards.get(id)!.root)])
    order = ids.join()
    more.hidden = ids.length > 0 && found.services.length === found.total
    more.textContent = sayRest(found, ids.length)
  }
  search.addEventListener('input', () => void draw())
  append(place, [
    element('h1', 'Services'),
    element('div.tools', [
      choice(
        'Organization',
        records.map(({ id, name }) => [id, name]),
        organization,
        id => `#/services/${encodeURIComponent(id)}`,
      ),
      search,
      forwardButtons(createTurn(page, draw)),
      element('button.primary.new', { type: 'button', onclick: () => changes.create() }, 'New service'),
    ]),
    shelf,
    more,
  ])
  await draw()
  repeat(1000, signal, draw)
}

function sayRest({ total, services }: ShownServices, shown: number): string {
  if (total === 0) return 'There are no services here. Create one: it is provisioned for two minutes, then it runs.'
  if (shown === 0) return 'None of these services has that in its name, state or region.'
  return `The first ${services.length} of ${total}; all are in World.`
}
