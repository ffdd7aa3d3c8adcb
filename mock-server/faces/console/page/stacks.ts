import type { Range } from '../../../telemetry/query/plan.ts'
import { readAbout } from './about.ts'
import { everywhere, readRecords } from './ask.ts'
import { toMinute } from './moments.ts'

export type Listing = {
  readonly total: number
  readonly records: readonly { readonly id: string; readonly name: string }[]
}

/** Reads the ids and names of what lies in a place. */
export const list = (kind: string, scope: string) => readRecords<Listing>(kind, scope, { limit: '200' })

/** The observability stacks by id, each with what it is called; the self-hosted one comes first. */
export async function listStacks(): Promise<readonly (readonly [id: string, says: string])[]> {
  const [{ selfHostedStack }, organizations] = await Promise.all([readAbout(), list('organizations', everywhere)])
  const some = organizations.records.slice(0, 10)
  const services = await Promise.all(some.map(({ id }) => list('services', id)))
  return [
    [selfHostedStack, 'self-hosted'],
    ...services.flatMap(({ records }, i) => records.map(({ id, name }) => [id, `${some[i]!.name}: ${name}`] as const)),
  ]
}

/** The ranges of time that telemetry is looked at, in minutes: as far as it is kept. */
export const ranges = [
  ['15', 'Last 15 minutes'],
  ['60', 'Last hour'],
  ['360', 'Last 6 hours'],
  ['1440', 'Last 24 hours'],
  ['10080', 'Last 7 days'],
  ['20160', 'Last 14 days'],
] as const
export const usualMinutes = '1440'

/** A range in words, with its time zone. */
export const tellRange = ({ start, end }: Range): string => `${toMinute(start)} to ${toMinute(end)}, UTC`
