import type { Faults } from '../../faults/fault.ts'
import { inList } from '../../faults/rewrite.ts'
import { conflict, forbidden, gone, invalidAt, Refusal, refused } from '../../words/refusal.ts'
import { keyOf } from '../../world/collection.ts'
import { answerObject, type BodyOf, type Handlers, type Request, recordAt } from '../family.ts'
import { keys } from '../key/model.ts'
import { handlers as attachmentHandlers, detachAll } from './attachments.ts'
import { defaults, durations, type Udf, type UdfUpload, udfAttachments, udfs, udfUploads } from './model.ts'
import { answerUdfs, findVersions, versionsOf } from './versions.ts'

export const models = [udfs, udfAttachments, udfUploads]

const isAttached = (request: Request, version: number) =>
  request.list(udfAttachments).some(one => one.functionName === request.ids.functionName && one.version === version)

/** Takes the archive of an upload, which can be used once. */
function consume(request: Request, uploadId: string): void {
  const upload = request.in(udfUploads).get(uploadId.toLowerCase())
  if (upload?.organizationId !== request.ids.organizationId)
    throw gone(`Upload ${uploadId} is unknown, used or expired: ask for another address`)
  if (!upload?.isStored) throw refused(`Upload ${uploadId} has no archive yet: PUT one to its address first`)
  request.in(udfUploads).remove(upload.id)
}

type Body = BodyOf<'udfVersion.create'>

/** Judges the fields that depend on the type of a function. */
function judge({ type, poolSize, maxCommandExecutionTime }: Body): void {
  if (type === 'executable' && poolSize != null) throw invalidAt(['poolSize'], 'Expected null without a pool', poolSize)
  if (type === 'executable_pool' && poolSize === null) throw invalidAt(['poolSize'], 'Expected number', poolSize)
  if (type === 'executable_pool' && maxCommandExecutionTime === null)
    throw invalidAt(['maxCommandExecutionTime'], 'Expected number', maxCommandExecutionTime)
}

/** Builds a version, which inherits nothing from the previous one. */
function build(request: Request, functionName: string, { uploadId, sandboxVersion: _, ...body }: Body): Udf {
  judge(body as Body)
  const [before] = versionsOf(request, functionName)
  consume(request, uploadId)
  const at = new Date(request.now).toISOString()
  const version: Udf = {
    functionName,
    version: (before?.version ?? 0) + 1,
    status: 'building',
    returnName: null,
    poolSize: body.type === 'executable_pool' ? 3 : null,
    ...defaults,
    ...body,
    error: null,
    createdAt: at,
    updatedAt: at,
  }
  request.in(udfs).create(version)
  return version
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
  ...attachmentHandlers,
} as const satisfies Handlers

export const faults = {
  'udf/list-agrees-with-get': inList('udf.list', list =>
    list.map(one => ({ ...one, returnType: `Nullable(${one.returnType})` })),
  ),
} as const satisfies Faults
