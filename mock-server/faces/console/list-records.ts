import type { Mock } from '../../core/mock.ts'
import { deployment } from '../../world/world.ts'

export interface Page {
  readonly total: number
  readonly records: readonly object[]
}

/** Key secrets and access keys are printed at the start, and shown nowhere else. */
const hidden: ReadonlySet<string> = new Set(['key', 'team', 'connection'])

/**
 * A page of the records of one kind, by the plural of its model. What belongs to everybody lies `everywhere`, what belongs
 * to a record in its id, and what belongs to the self-hosted stack in `self-hosted`. Undefined for an unknown kind or place.
 */
export function listRecords(mock: Mock, kind: string, scope: string, offset: number, limit: number): Page | undefined {
  const { world } = mock.look()
  const model = world.models.find(({ name }) => `${name}s` === kind && !hidden.has(name))
  const place = scope === 'everywhere' ? deployment : scope
  if (!model || !world.places(model).includes(place)) return undefined
  const found: readonly object[] = world.in(model, place).list()
  return { total: found.length, records: found.slice(offset, offset + limit).map(hideSecrets) }
}

/** What a webhook sends along is never answered by the API, and not shown here. */
function hideSecrets(record: object): object {
  const { headers, queryParams, ...shown } = record as Record<string, unknown>
  return {
    ...shown,
    ...(headers !== undefined && { headers: '[redacted]' }),
    ...(queryParams !== undefined && { queryParams: '[redacted]' }),
  }
}
