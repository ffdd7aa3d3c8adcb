import type { Range } from '../../../telemetry/query/plan.ts'
import type { selfHosted as place } from '../../../world/world.ts'
import { everywhere, listRecords } from '../control.ts'
import { toMinute } from '../moments.ts'

export const selfHosted: typeof place = 'self-hosted'

export interface Stack {
  readonly id: string
  readonly name: string
  readonly organization: string
}

const maxOrganizations = 50

/** Lists the observability stacks, the self-hosted one first. */
export async function listStacks(): Promise<readonly [Stack, ...Stack[]]> {
  const organizations = (await listRecords('organizations', everywhere)).slice(0, maxOrganizations)
  const managed = organizations.map(async ({ id: organization, name }) =>
    (await listRecords('services', organization)).map(one => ({
      id: one.id,
      name: `${name}: ${one.name}`,
      organization,
    })),
  )
  return [{ id: selfHosted, name: 'self-hosted', organization: '' }, ...(await Promise.all(managed)).flat()]
}

/** The stack with an id from the address of the page, which the list may lack. */
export const stackOf = (stacks: readonly [Stack, ...Stack[]], id: string = stacks[0].id): Stack =>
  stacks.find(one => one.id === id) ?? { id, name: id, organization: '' }

/** The ranges of time in minutes, up to the retention of telemetry. */
export const ranges = [
  ['15', 'Last 15 minutes'],
  ['60', 'Last hour'],
  ['360', 'Last 6 hours'],
  ['1440', 'Last 24 hours'],
  ['10080', 'Last 7 days'],
  ['20160', 'Last 14 days'],
] as const
export const defaultMinutes = '1440'

export const formatRange = ({ start, end }: Range): string => `${toMinute(start)} to ${toMinute(end)}, UTC`
