import { type Place, Refused } from './place.ts'
import { backups, ids, members } from './world.ts'

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Ids of the path are UUIDs in any letter case; answers write them in capitals. */
export function checkPath({ organization, service, backup }: Place['ids']): void {
  if (organization !== undefined && !isUuid(organization))
    throw new Refused('malformed-organization-id', `${organization} is not an organization id`)
  if (service !== undefined && !isUuid(service))
    throw new Refused('malformed-service-id', `${service} is not a service id`)
  if (backup !== undefined && !isUuid(backup)) throw new Refused('malformed-backup-id', `${backup} is not a backup id`)
}

export function findOwner({ organization = '', service }: Place['ids']): void {
  if (!(organization.toLowerCase() in members)) throw new Refused('unknown-organization', 'not one of yours')
  if (service === undefined) return
  const known = organization.toLowerCase() === ids.organization && service.toLowerCase() === ids.service
  if (!known) throw new Refused('unknown-service', 'no such service')
}

/** Lists all members, from an offset that changes with each call: only the order differs from list to list. */
export function listMembers({ organization = '' }: Place['ids'], offset: number) {
  const all = members[organization.toLowerCase()] ?? []
  return all.map((_, index) => all[(index + offset) % all.length])
}

export function getBackup({ backup = '' }: Place['ids']) {
  const found = backups[backup.toLowerCase()]
  if (!found) throw new Refused('unknown-backup', 'no such backup')
  return { ...found, id: backup.toUpperCase(), serviceId: ids.service.toUpperCase() }
}

/** The description is older than OpenAPI 3, is not wrapped, and everybody may read it. */
export const description = {
  swagger: '2.0',
  host: 'gateway.example',
  info: { title: 'The other deployment', version: '1.0' },
  paths: { '/organizations/{organizationId}/members': { get: { responses: { 200: { description: 'Members' } } } } },
} as const
