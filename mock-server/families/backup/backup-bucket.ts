import { backupBucket } from '../../../fixtures/contract/backup/backup-bucket.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { conflict, type Issue, invalid, refused, unknownId, unknownProperty } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { type BodyOf, type Handlers, type Request, serve } from '../family.ts'
import { services } from '../service/model.ts'
import { type Bucket, backups } from './model.ts'

type BackupBucket = ValuesOf<typeof backupBucket.fields, 'answer'>

export const backupBuckets: Model<BackupBucket, 'backupBucket'> = {
  name: 'backupBucket',
  within: services,
  isSingleton: true,
  record: recordSchema(backupBucket.fields, {}, undefined, 'answer'),
  /** The bucket of the last backup. */
  seed(serviceId, { seed, world }) {
    const bucket = world.list(backups, serviceId).at(-1)?.bucket
    return bucket ? [{ id: createRandom(seedOf(seed, 'bucket', serviceId)).uuid(), ...bucket } as BackupBucket] : []
  },
}

/** The bucket of a service as its backups show it: without its id. */
export function bucketOf(world: World, serviceId: string): Bucket | undefined {
  const kept = world.in(backupBuckets, serviceId).get('backupBucket')
  if (!kept) return undefined
  const { id: _, ...bucket } = kept
  return bucket as Bucket
}

export const models = [backupBuckets]

/** The fields of the buckets of each provider: those that are kept, and secrets. */
const providerFields = {
  AWS: { kept: ['bucketPath', 'iamRoleArn', 'iamRoleSessionName', 'iamRoleExternalId'], secrets: [] },
  GCP: { kept: ['bucketPath', 'accessKeyId'], secrets: ['secretAccessKey'] },
  AZURE: { kept: ['containerName'], secrets: ['connectionString'] },
} as const satisfies Record<BackupBucket['bucketProvider'], { kept: readonly string[]; secrets: readonly string[] }>

type Body = BodyOf<'backupBucket.update'> & Pick<BodyOf<'backupBucket.create'>, 'bucketProvider'>

/** Reads the bucket of a body, merged with the known one. Secrets are not kept. */
function readBucket(
  { choice }: Request,
  id: string,
  { bucketProvider, ...sent }: Body,
  known: Partial<BackupBucket> = {},
): BackupBucket {
  const { kept, secrets }: { kept: readonly string[]; secrets: readonly string[] } = providerFields[bucketProvider]
  const unknown = Object.keys(sent).find(name => !kept.includes(name) && !secrets.includes(name))
  if (unknown !== undefined) throw unknownProperty(unknown, choice('error/unknown-property-code'))
  const merged: Readonly<Record<string, unknown>> = { ...known, ...sent }
  const missing = [...kept.filter(name => merged[name] === undefined), ...secrets.filter(name => !(name in sent))]
  const issues = missing
    .filter(name => name !== 'iamRoleSessionName' && name !== 'iamRoleExternalId')
    .map((name): Issue => ({ part: 'Body', path: [name], sentence: 'Required' }))
  if (issues.length > 0) throw invalid(issues)
  const fields = kept.flatMap(name => (merged[name] == null ? [] : [[name, merged[name]]]))
  return { id, bucketProvider, ...Object.fromEntries(fields) }
}

function recordsOf(request: Request) {
  if (request.in(services).get(request.ids.serviceId!)?.isPrimary === false)
    throw refused('Only the primary service of a warehouse has a backup bucket')
  return request.in(backupBuckets)
}

function find(request: Request): BackupBucket {
  const bucket = recordsOf(request).get('backupBucket')
  if (bucket) return bucket
  throw unknownId('Backup bucket')
}

const { answer, create, replace, remove } = serve(backupBuckets, backupBucket.fields)

export const handlers = {
  'backupBucket.get': request => answer(request, find(request)),
  'backupBucket.create': request => {
    if (recordsOf(request).size > 0) throw conflict('The service has a backup bucket already: change or delete it')
    return create(request, readBucket(request, request.world.newUuid(), request.body))
  },
  'backupBucket.update': request => {
    const before = find(request)
    const sent = { bucketProvider: before.bucketProvider, ...request.body }
    // A bucket of another provider inherits nothing.
    return replace(
      request,
      readBucket(request, before.id, sent, sent.bucketProvider === before.bucketProvider ? before : {}),
    )
  },
  'backupBucket.delete': request => remove(request, find(request)),
} as const satisfies Handlers

export const faults = {
  'backupBucket/set-is-got': wrongField('backupBucket.get', 'bucketPath', 'elsewhere'),
  'backupBucket/secrets-are-never-shown': wrongField('backupBucket.update', 'secretAccessKey', 'shown'),
} as const satisfies Faults
