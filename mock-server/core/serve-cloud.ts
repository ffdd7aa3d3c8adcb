import { getBackup } from './behaviours/backups.ts'
import { listMembers } from './behaviours/members.ts'
import { describe } from './openapi.ts'
import { performOperation } from './perform-operation.ts'
import type { Backup } from './populate/backups.ts'
import type { Member } from './populate/organizations.ts'
import { everywhere } from './populate/populate.ts'
import { Refusal, unauthenticated } from './refusal.ts'
import type { Reply } from './reply.ts'
import type { Visit } from './visit.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Deployments refuse it as malformed: it has no version, so it is nobody's id. */
const nil = '00000000-0000-0000-0000-000000000000'

/** Answers a call of the cloud form, or of the managed form below it, or throws the first reason not to. */
export function serveCloud(visit: Visit): Reply {
  const { call, deployment, destination } = visit
  const { params, refusal, route } = destination
  if (refusal?.kind === 'unrouted') throw unroutedInCloud(refusal, visit)
  if (route?.operation === 'service.description')
    return { kind: 'bare', json: JSON.stringify(describe('cloud', visit.segment)) }

  // keeps: auth/no-credentials-are-refused, auth/no-credentials-are-refused-elsewhere
  // keeps: auth/other-forms-credentials-are-refused, auth/other-forms-credentials-are-refused-elsewhere
  const key = deployment.keyOf(call.headers.authorization, visit.choice('auth/key-id-letter-case') === 'accept')
  if (!key)
    throw unauthenticated(call.headers.authorization === undefined ? 'No credentials were sent' : 'Key is not found')
  visit.limit(key.id)

  // keeps: path/malformed-organization-id-is-refused
  const organizationId = readUuid(params, 'organizationId')
  // keeps: isolation/unknown-organization-is-refused, isolation/foreign-organization-is-refused
  // keeps: isolation/refusals-show-nothing
  if (organizationId !== key.organizationId) throw refuseOrganization(visit, organizationId)
  // keeps: path/malformed-service-id-is-refused
  const serviceId = readUuid(params, 'serviceId')
  // keeps: path/malformed-backup-id-is-refused
  const backupId = readUuid(params, 'backupId')
  if (refusal) throw refusal
  if (destination.form === 'managed') visit.readBody()

  if (route?.operation === 'member.list') {
    const members = deployment.world.collection<Member>('members', organizationId)
    return listMembers(members, visit.choice('member/order-of-list'))
  }
  // keeps: isolation/unknown-service-is-refused, isolation/foreign-service-is-refused
  if (!deployment.world.collection('services', organizationId).get(serviceId)) {
    throw new Refusal('unknownId', serviceId, { resource: 'Service', gap: 'backup/unknown-service' })
  }
  if (route?.operation === 'backup.get') {
    const backups = deployment.world.collection<Backup>('backups', serviceId)
    return getBackup(backups, backupId)
  }
  return performOperation(visit, deployment.stackOf(serviceId))
}

/** The id of the path, in lower case; empty where the path has none. */
function readUuid(params: Readonly<Record<string, string>>, name: string): string {
  const id = params[name]
  if (id === undefined) return ''
  if (!uuid.test(id) || id === nil) {
    const says = `Invalid ${name.replace('Id', ' id')} <string:${shorten(id)}>`
    throw new Refusal('malformed', says, { gap: 'path/malformed-id' })
  }
  return id.toLowerCase()
}

const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 120)}…` : text)

function refuseOrganization({ deployment }: Visit, organizationId: string): Refusal {
  return deployment.world.collection('organizations', everywhere).get(organizationId)
    ? new Refusal('forbidden', forbiddenSays, { gap: 'auth/key-of-another-organization' })
    : new Refusal('unknownId', organizationId, { resource: 'Organization', gap: 'path/unknown-organization' })
}

const forbiddenSays = 'The key belongs to another organization'

const absent = /^\/(charts|webhooks)(\/|$)/
const named =
  /^\/v1\/organizations(\/[^/]+)?(\/(activities|invitations|keys|prometheus|services|usageCost)(\/[^/]+)?)?$/

/** Charts and webhooks are absent on purpose; of other operations only the names of their groups are known. */
function unroutedInCloud(refusal: Refusal, { call, destination, segment }: Visit): Refusal {
  const says = `${call.method} ${call.path} is no operation of this API`
  // keeps: chart/absent-in-managed-form, webhook/absent-in-managed-form
  const below = destination.form === 'managed' ? call.path.split(`/${segment}`, 2)[1] : undefined
  if (below !== undefined && absent.test(below))
    return new Refusal(refusal.kind, says, { gap: 'service/absent-resource' })
  return new Refusal(refusal.kind, says, named.test(call.path) ? { gap: 'service/other-operations' } : {})
}
