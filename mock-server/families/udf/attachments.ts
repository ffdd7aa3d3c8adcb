import { udfAttachment as resource } from '../../../fixtures/contract/udf.ts'
import { conflict, Refusal } from '../../words/refusal.ts'
import { keyOf } from '../../world/collection.ts'
import { pick } from '../../world/record.ts'
import { answerObject, type Handlers, put, type Request, recordAt } from '../family.ts'
import { type Service, services } from '../service/model.ts'
import { durations, type Udf, type UdfAttachment, udfAttachments } from './model.ts'
import { answerUdfs, findVersions } from './versions.ts'

/**
 * A deployed function is on standby while its service does not run. An idle service wakes by itself: the function stays
 * deployed, which Terraform expects in three polls, five seconds apart.
 */
const up: readonly (Service['state'] | undefined)[] = ['running', 'idle', 'awaking']
function present(request: Request, attachment: UdfAttachment): object {
  const state = request.in(services).get(attachment.serviceId)?.state
  const isWaiting = attachment.status === 'deployed' && !up.includes(state)
  return { ...pick(attachment, resource.fields), ...(isWaiting && { status: 'standby' }) }
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
export function detachAll(request: Request): void {
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

function choose(request: Request, versions: readonly Udf[], version: number | undefined): Udf {
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
  'udfAttachment.list': request => {
    findVersions(request)
    return answerUdfs(
      request,
      attachmentsOf(request).map(one => present(request, one)),
    )
  },
  'udfAttachment.get': request => answer(request, find(request)),
  'udfAttachment.replace': request => {
    const { functionName, version } = choose(request, findVersions(request), request.body.version)
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
