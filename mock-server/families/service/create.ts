import { regionsOf } from '../../../fixtures/contract/service/fields.ts'
import { hash } from '../../words/hash.ts'
import { invalidAt, Refusal, refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { pick } from '../../world/record.ts'
import { backups } from '../backup/model.ts'
import type { BodyOf, Request } from '../family.ts'
import { refuseUnlessRanges } from '../key/addresses.ts'
import { enterState } from './life.ts'
import { makeService } from './make-service.ts'
import { primaryOf, recordFields, type Service, secondsOf, services } from './model.ts'
import { memoryOfTotals, readScaling, scalingIn, withScaling } from './scaling.ts'
import { highMemory, ofCustomers } from './service-profile/index.ts'

type Body = BodyOf<'service.create'>

/** Memory of a replica, in gigabytes, on the infrastructure of a customer. */
const byocSizes: readonly (number | undefined)[] = [48, 116, 172, 232]

/** A new password, different from all before. */
export const newPassword = ({ world }: Request): string =>
  createRandom(seedOf(world.seed, 'password', world.newUuid())).alphanumeric(16)

/** Creates a service, in the state provisioning, and its password. */
export function createService(request: Request<Body>): { readonly service: Service; readonly password: string } {
  const { endpoints = [], backupId, backupEncryptionConfig: _, ...sent } = request.body
  refuseUnfit(sent)
  refuseUnlessRanges(['ipAccessList'], sent.ipAccessList)
  const scaling = readScaling(request, { ...memoryOfTotals(sent), ...scalingIn(sent) }, usualScaling(sent))
  const warehouse = sent.dataWarehouseId === undefined ? {} : join(request, sent)
  if (backupId !== undefined) refuseUnlessRestorable(request, backupId.toLowerCase(), sent)
  const plan = makeService(request.world.seed, {
    ...(pick(sent, recordFields) as Pick<Service, 'name' | 'provider' | 'region'>),
    ...warehouse,
    id: request.world.newUuid(),
    state: 'provisioning',
    createdAt: secondsOf(request.now),
    hasMysql: endpoints.some(({ enabled }) => enabled),
  })
  const password = newPassword(request)
  const made = { ...withScaling(plan, scaling), passwordHash: hash(password) }
  const service = enterState(made, 'provisioning', request.now)
  request.in(services).create(service)
  const type = backupId === undefined ? 'service_create' : 'service_restore_backup'
  request.log({ type, serviceId: service.id })
  return { service, password }
}

const usualScaling = (body: Body) =>
  ({
    autoscalingMode: 'vertical',
    minReplicaMemoryGb: 16,
    maxReplicaMemoryGb: Math.max(120, body.minReplicaMemoryGb ?? 0),
    minReplicas: 3,
    maxReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
  }) as const

const refuse = (body: Body, field: keyof Body, sentence: string) => invalidAt([field], sentence, body[field])

function refuseUnfit(body: Body): void {
  const { provider, region, byocId, encryptionKey, isReadonly, dataWarehouseId } = body
  const regions: readonly string[] = regionsOf[provider]
  if (!regions.includes(region)) throw refuse(body, 'region', `Expected a region of ${provider}`)
  if (isReadonly && dataWarehouseId === undefined)
    throw refuse(body, 'isReadonly', 'Only a service that shares a warehouse can be read-only')
  if (encryptionKey !== undefined && provider !== 'aws')
    throw refuse(body, 'encryptionKey', 'Only a service on aws can have a disk encryption key')
  const profile = [...highMemory, ...ofCustomers].find(one => one.profile === body.profile)
  const isDefault = body.profile === undefined || body.profile === 'v1-default'
  if (!profile && !isDefault) throw refuse(body, 'profile', 'Expected a profile that is listed, or v1-default')
  const isOfCustomer = ofCustomers.some(one => one.profile === body.profile)
  if (isOfCustomer && byocId === undefined) throw refuse(body, 'profile', 'Expected byocId with this profile')
  const sizes = (['minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const).find(field => body[field] !== profile?.memoryGi)
  if (isOfCustomer && sizes !== undefined)
    throw refuse(body, sizes, `Expected ${profile!.memoryGi}, the memory of the profile`)
  const unfit = (['minReplicaMemoryGb', 'maxReplicaMemoryGb'] as const).find(field => !byocSizes.includes(body[field]))
  if (byocId !== undefined && unfit !== undefined)
    throw refuse(body, unfit, `Expected one of ${byocSizes.join(', ')} with byocId`)
}

/** Joins the warehouse that a body names. Its primary must have at least two replicas. */
function join(request: Request, body: Body): Partial<Service> {
  const primary = primaryOf(request.list(services), body.dataWarehouseId)
  if (!primary) throw refuse(body, 'dataWarehouseId', 'There is no such warehouse')
  if (primary.provider !== body.provider || primary.region !== body.region)
    throw refuse(body, 'region', 'Expected provider and region of the warehouse')
  if (primary.numReplicas === 1) throw refused('The primary service of the warehouse must have at least 2 replicas')
  return { isPrimary: false }
}

/** A backup is restored in the region of its service, and once it is done. */
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
