import type { OperationId, ValuesOf } from '../../../fixtures/contract/index.ts'
import {
  type serviceBody,
  type serviceChange,
  type servicePassword,
  service as serviceResource,
  type serviceState,
} from '../../../fixtures/contract/service.ts'
import { forbidden, invalid, Refusal, refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { pick } from '../../world/record.ts'
import { backups } from '../backup/model.ts'
import type { Handler, Request } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { become, follow, refuseWhileRunning } from './life.ts'
import { makeService, withMysql } from './make-service.ts'
import { type Service, secondariesOf, secondsOf, services } from './model.ts'

export { faults } from './faults.ts'
export const models = [services]

const answer = (service: Service) => ({ kind: 'object', json: JSON.stringify(present(service)) }) as const
const present = (service: Service) => pick(service, serviceResource.fields)

function find(request: Request): Service {
  const service = request.in(services).get(request.ids.serviceId!)
  if (service) return service
  throw new Refusal('unknownId', request.ids.serviceId!, { gap: 'backup/unknown-service' })
}

/** A filter names a tag, and perhaps its value: `tag:Team`, `tag:Team=Data`. */
function fits({ tags = [] }: Service, filter: string): boolean {
  const [key, ...value] = filter.replace(/^tag:/, '').split('=')
  return tags.some(tag => tag.key === key && (value.length === 0 || tag.value === value.join('=')))
}

const newPassword = ({ world }: Request) =>
  createRandom(seedOf(world.seed, 'password', world.newUuid())).alphanumeric(16)

type Body = ValuesOf<typeof serviceBody.fields>

/** Takes what lies in the warehouse, or in the backup, that a creation names. */
function inherit(request: Request, body: Body): Partial<Service> {
  const { dataWarehouseId, backupId, isReadonly } = body
  const all = request.in(services).list()
  const refuse = (field: string, says: string, received: unknown) =>
    invalid([{ part: 'Body', path: [field], says, received }])
  if (backupId !== undefined) {
    const restored = all.find(({ id }) => request.in(backups, id).get(backupId.toLowerCase()))
    if (!restored) throw new Refusal('unknownId', backupId)
  }
  if (dataWarehouseId === undefined) {
    if (isReadonly) throw refuse('isReadonly', 'Only a service that shares a warehouse can be read-only', isReadonly)
    return {}
  }
  const primary = all.find(one => one.dataWarehouseId === dataWarehouseId && one.isPrimary)
  if (!primary) throw refuse('dataWarehouseId', 'There is no such warehouse', dataWarehouseId)
  if (primary.provider !== body.provider || primary.region !== body.region)
    throw refuse('region', 'Expected provider and region of the warehouse', body.region)
  return { dataWarehouseId, isPrimary: false }
}

/** The memory of a replica, from the totals of old where only they were sent. */
function readMemory({ minTotalMemoryGb, maxTotalMemoryGb, minReplicaMemoryGb, maxReplicaMemoryGb }: Body) {
  const least = minReplicaMemoryGb ?? (minTotalMemoryGb === undefined ? 16 : minTotalMemoryGb / 3)
  const most = maxReplicaMemoryGb ?? (maxTotalMemoryGb === undefined ? Math.max(120, least) : maxTotalMemoryGb / 3)
  if (least <= most) return { minReplicaMemoryGb: least, maxReplicaMemoryGb: most }
  const says = `Value must be >= ${least}`
  throw invalid([{ part: 'Body', path: ['maxReplicaMemoryGb'], says, received: most }])
}

interface Change<T> {
  readonly add?: readonly T[]
  readonly remove?: readonly T[]
}

/** What is removed goes before anything is added; to remove what is not there does nothing. */
function apply<T>(list: readonly T[] = [], { add = [], remove = [] }: Change<T> = {}, key: (item: T) => unknown) {
  const gone = new Set([...remove, ...add].map(key))
  return [...list.filter(item => !gone.has(key(item))), ...add]
}

export const handlers = {
  'service.list': request => {
    const filters = request.query.getAll('filter')
    const listed = request
      .in(services)
      .list()
      .filter(service => filters.every(filter => fits(service, filter)))
    return { kind: 'list', json: JSON.stringify(listed.map(present)) }
  },
  'service.get': request => answer(find(request)),
  'service.create': request => {
    const { backupId, endpoints = [], privatePreviewTermsChecked: _, ...sent } = request.body as Body
    if (sent.autoscalingMode === 'horizontal' || sent.minReplicas !== undefined || sent.maxReplicas !== undefined)
      throw forbidden('Horizontal autoscaling is not enabled for the organization')
    const id = request.world.newUuid()
    const plan = makeService(request.world.seed, {
      ...sent,
      ...readMemory(sent),
      ...inherit(request, request.body as Body),
      id,
      state: 'provisioning',
      createdAt: secondsOf(request.now),
      hasMysql: endpoints.some(({ enabled }) => enabled),
    })
    const service = become(plan, 'provisioning', request.now)
    request.in(services).create(service)
    request.log({ type: backupId === undefined ? 'service_create' : 'service_restore_backup', serviceId: id })
    return { kind: 'object', json: JSON.stringify({ service: present(service), password: newPassword(request) }) }
  },
  'service.update': request => {
    const before = find(request)
    const sent = request.body as ValuesOf<typeof serviceChange.fields>
    const { enableCoreDumps = before.enableCoreDumps, releaseChannel = before.releaseChannel, endpoints = [] } = sent
    if (sent.enableCoreDumps && !request.in(organizations).get(request.ids.organizationId!)?.enableCoreDumps)
      throw refused('Core dumps are off for the organization')
    const { name = before.name, transparentDataEncryptionKeyId = before.transparentDataEncryptionKeyId } = sent
    const tags = apply(before.tags, sent.tags, ({ key }) => key)
    if (tags.length > 50) throw invalid([{ part: 'Body', path: ['tags'], says: 'Expected at most 50 items' }])
    const changed = endpoints.reduce<Service>(
      (service, { enabled }) => (enabled === undefined ? service : withMysql(service, enabled)),
      {
        ...before,
        name,
        ...(transparentDataEncryptionKeyId !== undefined && { transparentDataEncryptionKeyId }),
        ipAccessList: apply(before.ipAccessList, sent.ipAccessList, ({ source }) => source),
        privateEndpointIds: apply(before.privateEndpointIds, sent.privateEndpointIds, id => id),
        tags,
        ...(releaseChannel !== undefined && { releaseChannel }),
        ...(enableCoreDumps !== undefined && { enableCoreDumps }),
      },
    )
    request.in(services).replace(changed)
    for (const [field, type] of activityOfField) {
      if (JSON.stringify(changed[field]) !== JSON.stringify(before[field])) request.log({ type, serviceId: changed.id })
    }
    return answer(changed)
  },
  'service.delete': request => {
    const service = find(request)
    if (service.state === 'terminating') return { kind: 'deleted' }
    refuseWhileRunning(service, request.now)
    request.in(services).replace(become(service, 'terminating', request.now))
    request.log({ type: 'service_delete', serviceId: service.id })
    return { kind: 'deleted' }
  },
  'service.state': request => {
    const service = find(request)
    const { command } = request.body as ValuesOf<typeof serviceState.fields>
    const state = follow(command, service)
    if (state === service.state) return answer(service)
    const others = command === 'stop' ? secondariesOf(request.in(services).list(), service) : []
    if (others.some(one => one.state !== 'stopped'))
      throw refused('A primary service cannot be stopped while secondary services of its warehouse run')
    const changed = become(service, state, request.now)
    request.in(services).replace(changed)
    request.log({ type: activityOfCommand[command], serviceId: service.id })
    return answer(changed)
  },
  'service.password': request => {
    const service = find(request)
    const { newPasswordHash, newDoubleSha1Hash } = request.body as ValuesOf<typeof servicePassword.fields>
    const isSent = newPasswordHash !== undefined || newDoubleSha1Hash !== undefined
    request.log({ type: 'service_update_password', serviceId: service.id })
    return { kind: 'object', json: JSON.stringify(isSent ? {} : { password: newPassword(request) }) }
  },
} as const satisfies Partial<Record<OperationId, Handler>>

const activityOfCommand = { start: 'service_start', stop: 'service_stop', awake: 'service_awaken' } as const

const activityOfField = [
  ['name', 'service_update_name'],
  ['ipAccessList', 'service_update_ip_access_list'],
  ['releaseChannel', 'service_update_release_channel'],
  ['privateEndpointIds', 'service_update_private_endpoints'],
  ['enableCoreDumps', 'service_update_core_dump'],
] as const
