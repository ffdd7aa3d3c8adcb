import { useState } from 'preact/hooks'
import type { ShownServices } from '../../../faces/control/page/answers.ts'
import { pageAddress } from '../address.ts'
import { controlAddress, Declined, everywhere, listRecords, read } from '../control.ts'
import { Button, Failure, LinkChoice, optionsOf, SearchField, Unread } from '../parts/basic.tsx'
import { ForwardButtons } from '../parts/clock.tsx'
import { useReading } from '../reading.ts'
import { createChanges } from '../records/changes.tsx'
import { kinds } from '../records/kinds.ts'
import { readOperations } from '../records/operations.ts'
import { ServiceCard } from '../records/service-card.tsx'
import { usePage } from '../state.ts'

/** The services of an organization, living by the clock, and moved by hand. In the address: the organization. */
export function Services({ words: [inAddress] }: { readonly words: readonly string[] }) {
  const page = usePage()
  const [search, setSearch] = useState('')
  const { data, error, refresh } = useReading(
    async () => {
      const organizations = await listRecords('organizations', everywhere)
      const organization = inAddress || organizations[0]!.id
      return {
        organizations,
        organization,
        found: await read<ShownServices>(controlAddress(['services', organization])),
      }
    },
    [],
    1000,
  )
  if (!data) return <Unread title="Services" error={error} />
  const { organizations, organization, found } = data
  const place = { organization, service: '' }
  const changes = createChanges({ name: 'services', kind: kinds.services, place, page, refresh })
  const call = async (verb: string, id: string, body: object) => {
    const operation = (await readOperations(page, kinds.services, place)).find([verb], id)
    if (!operation) throw new Declined(`This mock does not offer service.${verb}.`)
    return operation.call(body)
  }
  const sought = search.trim().toLowerCase()
  const shown = found.services.filter(({ name, state, provider, region }) =>
    `${name} ${state} ${provider} ${region}`.toLowerCase().includes(sought),
  )
  return (
    <>
      <h1>Services</h1>
      <Failure error={error} />
      <div class="row">
        <LinkChoice
          label="Organization"
          options={optionsOf(organizations)}
          value={organization}
          address={id => pageAddress('services', id)}
        />
        <SearchField placeholder="Search services" value={search} change={setSearch} />
        <ForwardButtons then={refresh} />
        <Button act={changes.create} class="primary end">
          New service
        </Button>
      </div>
      <div class="columns">
        {shown.map(service => (
          <ServiceCard key={service.id} {...{ service, found, organization, changes, call, refresh }} />
        ))}
      </div>
      {(shown.length === 0 || found.services.length < found.total) && (
        <p class="quiet">{describeRest(found, shown.length)}</p>
      )}
    </>
  )
}

function describeRest({ total, services }: ShownServices, shown: number): string {
  if (total === 0) return 'There are no services here. Create one: it is provisioned for two minutes, then it runs.'
  if (shown === 0) return 'None of these services has that in its name, state or region.'
  return `The first ${services.length} of ${total}; all are in World.`
}
