import type { ShownServices } from '../../list-services.ts'
import type { View } from '../app.ts'
import { controlAddress, Declined, everywhere, listRecords, pageAddress, read } from '../ask.ts'
import { createChanges } from '../change/changes.ts'
import { kinds } from '../change/kinds.ts'
import { type Callable, readOperations } from '../change/operations.ts'
import { createTurn, forwardButtons } from '../clock.ts'
import { append, element } from '../element.ts'
import { button, createUpdate, recordChoice, repeat } from '../parts.ts'
import { type Card, createCard } from './service-card.ts'

/** The services of an organization, living by the clock, and moved by hand. In the address: the organization. */
export const showServices: View = async (root, [wanted], signal, page) => {
  const organizations = await listRecords('organizations', everywhere)
  const organization = wanted || organizations[0]!.id
  const shelf = element('div.columns.services')
  const more = element('p.quiet')
  const cards = new Map<string, Card>()
  const place = { organization, service: '' }
  const changes = createChanges({
    ...{ name: 'services', kind: kinds.services, place, page },
    samples: () => [],
    redraw: () => draw(),
  })
  const find = async (verb: string, id: string): Promise<Callable> => {
    const found = (await readOperations(page.describe, kinds.services, place)).find([verb], id)
    if (!found) throw new Declined(`This mock does not offer service.${verb}.`)
    return found
  }
  const search = element('input', { type: 'search', placeholder: 'Search services', 'aria-label': 'Search' })
  const update = createUpdate()
  const draw = async () => {
    const found = await read<ShownServices>(controlAddress(['services', organization]))
    for (const service of found.services) {
      const { id } = service
      if (!cards.has(id)) cards.set(id, createCard(id, { organization, redraw: draw, changes, find }))
      cards.get(id)!.show(service, found)
    }
    const wanted = search.value.trim().toLowerCase()
    const ids = found.services
      .filter(({ name, state, provider, region }) =>
        `${name} ${state} ${provider} ${region}`.toLowerCase().includes(wanted),
      )
      .map(({ id }) => id)
    // Cards stay where they are, so that neither the focus nor what is open is lost.
    update(shelf, ids, () => ids.map(id => cards.get(id)!.root))
    more.hidden = ids.length > 0 && found.services.length === found.total
    more.textContent = sayRest(found, ids.length)
  }
  search.addEventListener('input', () => void draw())
  append(root, [
    element('h1', 'Services'),
    element('div.tools', [
      recordChoice('Organization', organizations, organization, id => pageAddress('services', id)),
      search,
      forwardButtons(createTurn(page, draw)),
      button('New service', changes.create, { class: 'primary new' }),
    ]),
    shelf,
    more,
  ])
  await repeat(1000, signal, draw)
}

function sayRest({ total, services }: ShownServices, shown: number): string {
  if (total === 0) return 'There are no services here. Create one: it is provisioned for two minutes, then it runs.'
  if (shown === 0) return 'None of these services has that in its name, state or region.'
  return `The first ${services.length} of ${total}; all are in World.`
}
