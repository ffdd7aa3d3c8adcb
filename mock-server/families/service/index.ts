import { regionsByProvider } from '../../../fixtures/contract/service/fields.ts'
import type { Fault, Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { answerWithoutWriting, inCalls, inRecords, resultOf, wrongField } from '../../faults/rewrite.ts'
import type { Answer } from '../../words/call.ts'
import { isRecord } from '../../words/check-options.ts'
import { hash } from '../../words/hash.ts'
import { conflict, forbidden, invalidAt, invalidField, Refusal, refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { pick } from '../../world/record.ts'
import { backups } from '../backup/model.ts'
import {
  answerList,
  answerObject,
  type BodyOf,
  changeList,
  type Family,
  type Handlers,
  type Request,
} from '../family.ts'
import { refuseUnlessRanges } from '../key/addresses.ts'
import { organizations } from '../organization/model.ts'
import { listServices } from './list-services.ts'
import {
  enterState,
  firstService,
  hasStack,
  hasTag,
  makeService,
  primaryOf,
  recordFields,
  refuseWhileRunning,
  type Service,
  secondariesOf,
  secondsOf,
  services,
  settlingTime,
  stateAfterCommand,
  tagFilters,
  withMysql,
} from './model.ts'
import { answer, find, present } from './present.ts'
import { memoryOfTotals, readScaling, scalingIn, withScaling } from './scaling.ts'
import { byocProfiles, highMemoryProfiles } from './service-profile/index.ts'

export const models = [services]
export const consoleLists: Family['consoleLists'] = {
  services: { model: services, read: (place, { world, now }) => listServices(world, place, now) },
}
export const scenarios: Family['scenarios'] = {
  degraded({ world }) {
    const service = firstService(world)
    if (!service) return
    // The first `world.in` seeds what a service contains, depending on its state: so this comes before the state changes.
    for (const model of world.models.filter(({ within }) => within === services)) world.in(model, service.id)
    const [organization] = world.list(organizations)
    world.in(services, organization!.id).replace({ ...service, state: 'degraded' })
  },
}

export const refusalsBelow: Family['refusalsBelow'] = {
  serviceId({ world, form, ids: { organizationId, serviceId = '' } }) {
    const service = world.in(services, organizationId).get(serviceId)
    if (!service) return new Refusal('unknownId', serviceId, unknownService)
    if (form !== 'managed' || hasStack(service)) return undefined
    return forbidden('ClickStack has not been setup for this service')
  },
}

/** The gap is one of the cloud form only; the rule also holds in the managed form. */
const unknownService = { gap: 'backup/unknown-service', rule: 'isolation/unknown-service-is-refused' } as const

export const handlers = {
  'service.list': request => {
    const { actor } = request
    const filters = tagFilters(request)
    const listed = request
      .list(services)
      // The operation needs no permission: it lists what the key may view.
      .filter(({ id }) => actor.kind === 'key' && actor.may('svc:view', id))
      .filter(service => filters.every(filter => hasTag(service, filter)))
    return answerList(listed.map(service => present(request, service)))
  },
  'service.get': request => answer(request, find(request)),
  'service.create': request => {
    const { service, password } = createService(request)
    return answerObject({ service: present(request, service), password })
  },
  'service.update': request => {
    const before = find(request)
    const sent = request.body
    const { ipAccessList, privateEndpointIds, tags, endpoints = [], ...rest } = sent
    refuseUnlessRanges(['ipAccessList', 'add'], ipAccessList?.add)
    if (sent.enableCoreDumps && !request.in(organizations).get(request.ids.organizationId!)?.enableCoreDumps)
      throw refused('Core dumps are off for the organization')
    const plain: Service = {
      ...before,
      ...rest,
      ipAccessList: changeList(before.ipAccessList, ipAccessList, ({ source }) => source),
      privateEndpointIds: changeList(before.privateEndpointIds, privateEndpointIds, id => id),
      tags: changeList(before.tags, tags, ({ key }) => key),
    }
    if (plain.tags!.length > 50) throw invalidAt(['tags'], 'Expected at most 50 items')
    const changed = endpoints.reduce(
      (service, { enabled }) => (enabled === undefined ? service : withMysql(service, enabled)),
      plain,
    )
    request.in(services).replace(changed)
    for (const [field, type] of activityOfField) {
      if (JSON.stringify(changed[field]) !== JSON.stringify(before[field])) request.log({ type, serviceId: changed.id })
    }
    return answer(request, changed)
  },
  'service.delete': request => {
    const service = find(request)
    if (service.state === 'terminating') return { kind: 'deleted' }
    const isLate = request.choice('service/delete-after-stop') === 'refused for seconds'
    refuseWhileRunning(service, isLate ? request.now - settlingTime : Number.POSITIVE_INFINITY)
    if (secondariesOf(request.list(services), service).some(({ state }) => state !== 'terminating'))
      throw conflict('The secondary services of the warehouse are to be deleted first')
    request.in(services).replace(enterState(service, 'terminating', request.now))
    request.log({ type: 'service_delete', serviceId: service.id })
    return { kind: 'deleted' }
  },
  'service.state': request => {
    const service = find(request)
    const { command } = request.body
    const state = stateAfterCommand(command, service)
    if (state === service.state) return answer(request, service)
    const others = command === 'stop' ? secondariesOf(request.list(services), service) : []
    if (others.some(one => one.state !== 'stopped'))
      throw refused('A primary service cannot be stopped while secondary services of its warehouse run')
    const changed = enterState(service, state, request.now)
    request.in(services).replace(changed)
    request.log({ type: activityOfCommand[command], serviceId: service.id })
    return answer(request, changed)
  },
  'service.password': request => {
    const service = find(request)
    if (!service.isPrimary) throw refused('The password is set on the primary service of a warehouse only')
    const { newPasswordHash } = request.body
    const password = newPasswordHash === undefined ? drawPassword(request) : undefined
    const passwordHash = newPasswordHash ?? hash(password!)
    request.in(services).replace({ ...service, passwordHash })
    request.log({ type: 'service_update_password', serviceId: service.id })
    // A hash for MySQL alone is ignored.
    return answerObject(password === undefined ? {} : { password })
  },
} as const satisfies Handlers

const activityOfCommand = { start: 'service_start', stop: 'service_stop', awake: 'service_awaken' } as const

const activityOfField = [
  ['name', 'service_update_name'],
  ['ipAccessList', 'service_update_ip_access_list'],
  ['releaseChannel', 'service_update_release_channel'],
  ['privateEndpointIds', 'service_update_private_endpoints'],
  ['enableCoreDumps', 'service_update_core_dump'],
] as const

/** Answers the deletion of services in some states, but keeps them. */
const keepDeleted =
  (isKept: (state: unknown) => boolean): (() => Fault) =>
  () =>
  async (call, next, context) => {
    if (context.operation !== 'service.delete') return next(call)
    const got = resultOf(await next({ ...call, method: 'GET', body: '' }))
    return isRecord(got) && isKept(got.state) ? answerWithoutWriting(call, next) : next(call)
  }

const oneRow = { status: 200, body: '1\n' }

/** Changes an answer to an SQL call; these faults receive no other calls. */
const answerOtherwise =
  (matches: (answer: Answer) => boolean, { status, body }: Pick<Answer, 'status' | 'body'>) =>
  (): Fault =>
  async (call, next) => {
    const answer = await next(call)
    if (!matches(answer)) return answer
    // Reads the stream to its end, because only then does the engine free its resources.
    if (answer.stream) for await (const _ of answer.stream);
    return { status, headers: { 'content-type': 'text/plain' }, body }
  }

export const faults = {
  'service/filter-selects': inCalls('service.list', call => ({ ...call, query: '' })),
  'service/unsent-stays': wrongFieldAfterUpdate('service', 'releaseChannel', 'slow'),
  'service/moves-as-documented': inRecords('service.get', service =>
    service.state === 'terminating' ? { ...service, state: 'running' } : service,
  ),
  'service/deleted-is-gone': keepDeleted(state => state !== 'running'),
  'service/delete-while-running-is-refused': keepDeleted(state => state === 'running'),
  'service/answers-sql': answerOtherwise(({ status }) => status < 300, { status: 503, body: 'Code: 210. Fault' }),
  'service/wrong-password-gets-no-sql': answerOtherwise(({ body }) => /AUTHENTICATION|PASSWORD/.test(body), oneRow),
  'service/stopped-gets-no-sql': answerOtherwise(({ body }) => body.includes('its state is stop'), oneRow),
  'service/password-is-shown-once': wrongField('service.list', 'password', 'shown again'),
} as const satisfies Faults

type Body = BodyOf<'service.create'>

/** Allowed memory of a replica, in gigabytes, on the infrastructure of a customer. */
const byocSizesGb: readonly (number | undefined)[] = [48, 116, 172, 232]

/** Draws a password, different from all before. */
const drawPassword = ({ world }: Request): string =>
  createRandom(seedOf(world.seed, 'password', world.newUuid())).alphanumeric(16)

/** Creates a service, in the state provisioning, and its password. */
function createService(request: Request<Body>): { readonly service: Service; readonly password: string } {
  const { endpoints = [], backupId, backupEncryptionConfig: _, ...sent } = request.body
  refuseUnfit(sent)
  if (sent.ipAccessList === undefined && request.decide('service/ip-access-list') === 'no')
    throw new Refusal('malformed', 'ipAccessList is required', { gap: 'service/ip-access-list' })
  refuseUnlessRanges(['ipAccessList'], sent.ipAccessList)
  const scaling = readScaling(request, { ...memoryOfTotals(sent), ...scalingIn(sent) }, defaultScaling(sent))
  const warehouse = sent.dataWarehouseId === undefined ? {} : joinWarehouse(request, sent)
  if (backupId !== undefined) refuseUnlessRestorable(request, backupId.toLowerCase(), sent)
  const plan = makeService(request.world.seed, {
    ...(pick(sent, recordFields) as Pick<Service, 'name' | 'provider' | 'region'>),
    ...warehouse,
    id: request.world.newUuid(),
    state: 'provisioning',
    createdAt: secondsOf(request.now),
    hasMysql: endpoints.some(({ enabled }) => enabled),
  })
  const password = drawPassword(request)
  const made = { ...withScaling(plan, scaling), passwordHash: hash(password) }
  const service = enterState(made, 'provisioning', request.now)
  request.in(services).create(service)
  const type = backupId === undefined ? 'service_create' : 'service_restore_backup'
  request.log({ type, serviceId: service.id })
  return { service, password }
}

const defaultScaling = (body: Body) =>
  ({
    autoscalingMode: 'vertical',
    minReplicaMemoryGb: 16,
    maxReplicaMemoryGb: Math.max(120, body.minReplicaMemoryGb ?? 0),
    minReplicas: 3,
    maxReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
  }) as const

function refuseUnfit(body: Body): void {
  const { provider, region, byocId, encryptionKey, isReadonly, dataWarehouseId } = body
  // A provider or a region that only a document has belongs to any.
  const isElsewhere = Object.entries(regionsByProvider).some(
    ([other, regions]) => other !== provider && (regions as readonly string[]).includes(region),
  )
  if (isElsewhere) throw invalidField(body, 'region', `Expected a region of ${provider}`)
  if (isReadonly && dataWarehouseId === undefined)
    throw invalidField(body, 'isReadonly', 'Only a service that shares a warehouse can be read-only')
  if (encryptionKey !== undefined && provider !== 'aws')
    throw invalidField(body, 'encryptionKey', 'Only a service on aws can have a disk encryption key')
  const profile = [...highMemoryProfiles, ...byocProfiles].find(one => one.profile === body.profile)
  const isDefault = body.profile === undefined || body.profile === 'v1-default'
  if (!profile && !isDefault) throw invalidField(body, 'profile', 'Expected a profile that is listed, or v1-default')
  const isOfCustomer = byocProfiles.some(one => one.profile === body.profile)
  if (isOfCustomer && byocId === undefined) throw invalidField(body, 'profile', 'Expected byocId with this profile')
  const sizeFields = ['minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const
  const wrongSize = sizeFields.find(field => body[field] !== profile?.memoryGi)
  if (isOfCustomer && wrongSize !== undefined)
    throw invalidField(body, wrongSize, `Expected ${profile!.memoryGi}, the memory of the profile`)
  const unknownSize = sizeFields.find(field => !byocSizesGb.includes(body[field]))
  if (byocId !== undefined && unknownSize !== undefined)
    throw invalidField(body, unknownSize, `Expected one of ${byocSizesGb.join(', ')} with byocId`)
}

/** Joins the warehouse that a body names. Its primary must have at least two replicas. */
function joinWarehouse(request: Request, body: Body): Partial<Service> {
  const primary = primaryOf(request.list(services), body.dataWarehouseId)
  if (!primary) throw invalidField(body, 'dataWarehouseId', 'There is no such warehouse')
  if (primary.provider !== body.provider || primary.region !== body.region)
    throw invalidField(body, 'region', 'Expected provider and region of the warehouse')
  if (primary.numReplicas === 1) throw refused('The primary service of the warehouse must have at least 2 replicas')
  return { isPrimary: false }
}

/** Refuses a backup that is not done, or whose service is in another region. */
function refuseUnlessRestorable(request: Request, backupId: string, { provider, region }: Body): void {
  for (const service of request.list(services)) {
    const backup = request.in(backups, service.id).get(backupId)
    if (!backup) continue
    if (backup.status !== 'done') throw refused('Only a backup that is done can be restored')
    if (service.provider === provider && service.region === region) return
    throw refused('A backup is restored in the provider and region of its service')
  }
  throw new Refusal('unknownId', backupId)
}
