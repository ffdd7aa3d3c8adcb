import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { udf, udfAttachment } from '../../../fixtures/contract/udf.ts'
import type { Faults } from '../../faults/fault.ts'
import { inList } from '../../faults/rewrite.ts'
import { day, second } from '../../words/durations.ts'
import { conflict, forbidden, gone, invalidAt, Refusal, refused } from '../../words/refusal.ts'
import type { Page, Reply } from '../../words/reply.ts'
import { keyOf, type Model } from '../../world/collection.ts'
import { pick, recordSchema, time } from '../../world/record.ts'
import { answerList, answerObject, type BodyOf, type Handlers, put, type Request, recordAt } from '../family.ts'
import { keys } from '../key/model.ts'
import { organizations } from '../organization/model.ts'
import { type Service, services } from '../service/model.ts'
import { type Timed, timed } from '../timed.ts'

/** One version of a function. */
type Udf = ValuesOf<typeof udf.fields, 'answer'>
/** The attachment of a version of a function to a service. */
type UdfAttachment = ValuesOf<typeof udfAttachment.fields> & Timed
const uploadSchema = z.object({
  id: z.string().uuid(),
  organizationId: z.string(),
  expiresAt: time,
  /** Whether the archive was uploaded. */
  isStored: z.boolean().optional(),
})
/** An address to which one archive can be uploaded. */
type UdfUpload = Readonly<z.infer<typeof uploadSchema>>

/** How long a build, attaching and detaching take, and how long an upload address is valid, in milliseconds. */
export const durations = {
  building: 60 * second,
  provisioning: 20 * second,
  deprovisioning: 20 * second,
  upload: 3600 * second,
}

/** The defaults of a version. */
const defaults = {
  commandReadTimeout: 10_000,
  commandWriteTimeout: 10_000,
  maxCommandExecutionTime: 10,
  sendChunkHeader: false,
  format: 'TabSeparated',
  sandboxType: 'basic',
  sandboxVersion: 'v2',
  memoryLimitMib: null,
  deterministic: false,
} as const satisfies Partial<Udf>

const seedValues = {
  ...defaults,
  functionName: 'toEuro',
  runtime: 'python3.11',
  type: 'executable',
  arguments: [
    { name: 'amount', type: 'Decimal(18, 4)' },
    { name: 'currency', type: 'LowCardinality(String)' },
  ],
  returnType: 'Decimal(18, 4)',
  returnName: null,
  poolSize: null,
  error: null,
} as const satisfies Partial<Udf>

const udfs: Model<Udf, 'udf'> = {
  name: 'udf',
  within: organizations,
  namedBy: ['functionName', 'version'],
  record: recordSchema(udf.fields),
  keyFields: ['functionName', 'version'],
  *seed(_, { start }) {
    for (const [version, age] of [
      [1, 40],
      [2, 12],
    ] as const) {
      const at = new Date(start - age * day).toISOString()
      yield { ...seedValues, version, status: 'ready', createdAt: at, updatedAt: at }
    }
  },
  nextChangeAt: ({ status, updatedAt }) =>
    status === 'building' ? Date.parse(updatedAt) + durations.building : undefined,
  applyChange: (record, at) => ({ ...record, status: 'ready', updatedAt: new Date(at).toISOString() }),
}

const udfAttachments: Model<UdfAttachment, 'udfAttachment'> = {
  name: 'udfAttachment',
  within: organizations,
  record: recordSchema(udfAttachment.fields, timed),
  keyFields: ['functionName', 'serviceId'],
  *seed(organizationId, { world }) {
    const [first] = world.list(services, organizationId)
    if (first) yield { functionName: seedValues.functionName, serviceId: first.id, status: 'deployed', version: 2 }
  },
  nextChangeAt: ({ changesAt }) => changesAt,
  applyChange: ({ changesAt: _, ...rest }) =>
    rest.status === 'deprovisioning' ? undefined : { ...rest, status: 'deployed' },
}

const udfUploads: Model<UdfUpload, 'udfUpload'> = {
  name: 'udfUpload',
  // An upload is found by its address alone.
  within: 'deployment',
  namedBy: ['uploadId'],
  record: uploadSchema,
  defaults: (_, at) => ({ expiresAt: new Date(at + durations.upload).toISOString() }),
  nextChangeAt: ({ expiresAt }) => Date.parse(expiresAt),
  applyChange: () => undefined,
}

/** The versions of a function, newest first; empty if it does not exist. */
function versionsOf(request: Request, functionName = request.ids.functionName!): readonly Udf[] {
  return request
    .list(udfs)
    .filter(one => one.functionName === functionName)
    .sort((a, b) => b.version - a.version)
}

function findVersions(request: Request): readonly [Udf, ...Udf[]] {
  const [newest, ...others] = versionsOf(request)
  if (!newest) throw new Refusal('unknownId', request.ids.functionName!)
  return [newest, ...others]
}

/** Answers a list of functions, versions or attachments. By choice, the page stands beside the result or in it. */
function answerUdfs({ choice, query }: Request, records: readonly object[]): Reply {
  if (choice('udf/shape-of-lists') === 'beside the result') return answerList(records)
  const currentCursor = query.get('cursor')
  const presentPage = ({ records, totalCount, nextCursor, limit }: Page) => ({
    items: records,
    pagination: { totalRecords: totalCount, currentCursor, nextCursor, limit },
  })
  return answerList(records, presentPage)
}

export const models = [udfs, udfAttachments, udfUploads]

const isAttached = (request: Request, version: number) =>
  request.list(udfAttachments).some(one => one.functionName === request.ids.functionName && one.version === version)

/** Uses up an upload: its archive can be used once. */
function consumeUpload(request: Request, uploadId: string): void {
  const upload = request.in(udfUploads).get(uploadId.toLowerCase())
  if (upload?.organizationId !== request.ids.organizationId)
    throw gone(`Upload ${uploadId} is unknown, used or expired: ask for another address`)
  if (!upload?.isStored) throw refused(`Upload ${uploadId} has no archive yet: PUT one to its address first`)
  request.in(udfUploads).remove(upload.id)
}

type Body = BodyOf<'udfVersion.create'>

/** Judges the fields that depend on the type of a function. */
function judgeType({ type, poolSize, maxCommandExecutionTime }: Body): void {
  if (type === 'executable' && poolSize != null) throw invalidAt(['poolSize'], 'Expected null without a pool', poolSize)
  if (type === 'executable_pool' && poolSize === null) throw invalidAt(['poolSize'], 'Expected number', poolSize)
  if (type === 'executable_pool' && maxCommandExecutionTime === null)
    throw invalidAt(['maxCommandExecutionTime'], 'Expected number', maxCommandExecutionTime)
}

/** Builds a version, which inherits nothing from the previous one. */
function build(request: Request, functionName: string, { uploadId, ...body }: Body): Udf {
  judgeType(body as Body)
  const [before] = versionsOf(request, functionName)
  consumeUpload(request, uploadId)
  const at = new Date(request.now).toISOString()
  const version: Udf = {
    functionName,
    version: (before?.version ?? 0) + 1,
    status: 'building',
    returnName: null,
    poolSize: body.type === 'executable_pool' ? 3 : null,
    ...defaults,
    ...body,
    // Native functions have one sandbox, whatever is sent.
    ...(body.runtime === 'native' && { sandboxVersion: 'v1' }),
    error: null,
    createdAt: at,
    updatedAt: at,
  }
  request.in(udfs).create(version)
  return version
}

/**
 * The states of a service in which its functions stay deployed; in other states they are on standby. They stay
 * deployed while a service idles, because it wakes by itself, and because Terraform expects to see a function deployed
 * in three polls, five seconds apart.
 */
const statesWithoutStandby: readonly (Service['state'] | undefined)[] = ['running', 'idle', 'awaking']
function present(request: Request, attachment: UdfAttachment): object {
  const state = request.in(services).get(attachment.serviceId)?.state
  const isOnStandby = attachment.status === 'deployed' && !statesWithoutStandby.includes(state)
  return { ...pick(attachment, udfAttachment.fields), ...(isOnStandby && { status: 'standby' }) }
}

const answer = (request: Request, attachment: UdfAttachment) => answerObject(present(request, attachment))

function find(request: Request): UdfAttachment {
  const [{ functionName }] = findVersions(request)
  const attachment = request
    .in(udfAttachments)
    .get(keyOf(udfAttachments, { functionName, serviceId: request.ids.serviceId }))
  if (attachment) return attachment
  throw new Refusal('unknownId', request.ids.serviceId!)
}

const attachmentsOf = (request: Request) =>
  request.list(udfAttachments).filter(one => one.functionName === request.ids.functionName)

function detach(request: Request, attachment: UdfAttachment): void {
  const changesAt = request.now + durations.deprovisioning
  request.in(udfAttachments).replace({ ...attachment, status: 'deprovisioning', changesAt })
}

/** Detaches a function from every service, which takes seconds. */
function detachAll(request: Request): void {
  for (const attachment of attachmentsOf(request)) detach(request, attachment)
}

/** A function is attached only to a running service; an idle one can be woken. */
function refuseUnlessRunning({ state }: Service): void {
  if (state === 'running') return
  const code = state === 'idle' ? 'SERVICE_IDLE' : state === 'stopped' ? 'SERVICE_STOPPED' : 'SERVICE_NOT_RUNNING'
  throw new Refusal('failedDependency', `The service must be running. Current state: ${state}`, {
    fields: { code, serviceState: state, canWake: state === 'idle' },
  })
}

function chooseVersion(request: Request, versions: readonly Udf[], version: number | undefined): Udf {
  if (version === undefined) {
    const ready = versions.find(one => one.status === 'ready')
    if (!ready) throw conflict(`No version of ${request.ids.functionName} is ready`)
    return ready
  }
  const chosen = versions.find(one => one.version === version)
  if (!chosen) throw new Refusal('unknownId', String(version))
  if (chosen.status !== 'ready') throw conflict(`Version ${version} is not ready: its status is ${chosen.status}`)
  return chosen
}

export const handlers = {
  'udf.list': request => {
    const newest = new Map<string, Udf>()
    for (const one of request.list(udfs))
      if (one.version >= (newest.get(one.functionName)?.version ?? 0)) newest.set(one.functionName, one)
    return answerUdfs(request, [...newest.values()])
  },
  'udf.create': request => {
    const { functionName, ...body } = request.body
    if (versionsOf(request, functionName).length > 0) throw conflict(`The function ${functionName} already exists`)
    return answerObject(build(request, functionName, body))
  },
  'udf.get': request => answerObject(findVersions(request)[0]),
  'udf.delete': request => {
    for (const version of findVersions(request)) request.in(udfs).remove(keyOf(udfs, version))
    detachAll(request)
    return { kind: 'deleted' }
  },
  'udfVersion.list': request => answerUdfs(request, findVersions(request)),
  'udfVersion.create': request => {
    const [{ functionName }] = findVersions(request)
    return answerObject(build(request, functionName, request.body))
  },
  'udfVersion.delete': request => {
    const { functionName, version } = request.ids
    if (!findVersions(request).some(one => String(one.version) === version)) throw new Refusal('unknownId', version!)
    if (isAttached(request, Number(version))) throw conflict(`Version ${version} of ${functionName} is attached`)
    request.in(udfs).remove(keyOf(udfs, { functionName, version }))
    return { kind: 'deleted' }
  },
  'udfUpload.create': request => {
    const upload: UdfUpload = {
      id: request.world.newUuid(),
      organizationId: request.ids.organizationId!,
      expiresAt: new Date(request.now + durations.upload).toISOString(),
    }
    request.in(udfUploads).create(upload)
    // The PUT has no credentials: the key in the query of the signed address selects the world.
    const { actor, world } = request
    const key = actor.kind === 'key' ? world.in(keys).get(actor.id) : undefined
    const credential = encodeURIComponent(key?.keyId ?? key?.keyIdHash ?? '')
    const uploadUrl = `${request.origin}/udf-uploads/${upload.id}?credential=${credential}`
    return answerObject({ uploadId: upload.id, uploadUrl, expiresAt: upload.expiresAt })
  },
  'udfUpload.receive': request => {
    const upload = recordAt(request, udfUploads, 'uploadId')
    if (upload.isStored) throw forbidden('This address has taken an archive already')
    if (!request.text.startsWith('PK')) throw refused('Expected a zip archive')
    request.in(udfUploads).replace({ ...upload, isStored: true })
    return { kind: 'bare', json: '{}' }
  },
  'udfAttachment.list': request => {
    findVersions(request)
    return answerUdfs(
      request,
      attachmentsOf(request).map(one => present(request, one)),
    )
  },
  'udfAttachment.get': request => answer(request, find(request)),
  'udfAttachment.replace': request => {
    const { functionName, version } = chooseVersion(request, findVersions(request), request.body.version)
    const service = recordAt(request, services)
    refuseUnlessRunning(service)
    const { id: serviceId } = service
    const all = request.in(udfAttachments)
    const before = all.get(keyOf(udfAttachments, { functionName, serviceId }))
    if (before?.status === 'deployed' && before.version === version) return answer(request, before)
    const changesAt = request.now + durations.provisioning
    const attachment: UdfAttachment = { functionName, serviceId, status: 'provisioning', version, changesAt }
    put(all, udfAttachments, attachment)
    return answer(request, attachment)
  },
  'udfAttachment.delete': request => {
    detach(request, find(request))
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

export const faults = {
  'udf/list-agrees-with-get': inList('udf.list', list =>
    list.map(one => ({ ...one, returnType: `Nullable(${one.returnType})` })),
  ),
} as const satisfies Faults
