import type { Mock } from '../../core/mock.ts'
import { everywhere, selfHostedStack } from '../../core/populate/populate.ts'

const kinds = [
  'organizations',
  'members',
  'services',
  'backups',
  'dashboards',
  'alerts',
  'sources',
  'webhooks',
] as const

export interface Page {
  readonly total: number
  readonly records: readonly object[]
}

/**
 * A page of the records of one kind. Members and services lie in an organization, backups in a service, and everything of
 * a stack in the service that it belongs to, or in `self-hosted`. Undefined when there is no such kind or place.
 */
export function listRecords(mock: Mock, kind: string, scope: string, offset: number, limit: number): Page | undefined {
  const known = kinds.find(name => name === kind)
  if (!known || !isPlace(mock, known, scope)) return undefined
  const { world } = mock.look()
  const found = known === 'alerts' ? world.alerts(scope) : world.collection(known, scope)
  return { total: found.size, records: found.page(offset, limit).map(hideSecrets) }
}

/** Looking into a place that is none would lay one out. */
function isPlace(mock: Mock, kind: (typeof kinds)[number], scope: string): boolean {
  const { world } = mock.look()
  if (kind === 'organizations') return scope === everywhere
  const organizations = world.collection<{ name: string }>('organizations', everywhere)
  if (kind === 'members' || kind === 'services') return organizations.get(scope) !== undefined
  if (kind !== 'backups' && scope === selfHostedStack) return true
  return organizations.list().some(({ id }) => world.collection('services', id).get(scope) !== undefined)
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
