import type { Answer, Call } from '../words/call.ts'
import type { Fault, FaultContext, Faults } from './fault.ts'
import { change, isUuid, resultOf, sameId, succeeds } from './rewrite.ts'

/** A kind of request for something that is unknown or belongs to another organization. */
type Intrusion = 'unknown organization' | 'foreign organization' | 'unknown service' | 'foreign service'

function recogniseIntrusion({ headers, method }: Call, { form, operation, params, authorization, ids }: FaultContext) {
  const { organizationId, serviceId } = params
  if (form === 'selfHosted' || method !== 'GET' || operation === undefined || !organizationId) return undefined
  if (!isUuid(organizationId) || (serviceId !== undefined && !isUuid(serviceId))) return undefined
  const { own, first, second } = authorization
  const isKey = headers.authorization !== undefined && [first, second].includes(headers.authorization)
  if (!isKey) return undefined
  const owners = [ids.organizationId, ids.secondOrganizationId]
  if (!owners.some(owner => sameId(organizationId, owner))) return 'unknown organization'
  if (headers.authorization !== own) return 'foreign organization'
  if (serviceId === undefined) return undefined
  if (!sameId(serviceId, ids.serviceId)) return 'unknown service'
  return sameId(organizationId, ids.organizationId) ? undefined : 'foreign service'
}

/** Turns a request into one to the first organization, with its key and, if the path names a service, its service. */
function correct(call: Call, { authorization, ids, params }: FaultContext): Call {
  const parts = call.path.split('/').with(3, ids.organizationId)
  const path = (params.serviceId === undefined ? parts : parts.with(5, ids.serviceId)).join('/')
  return { ...call, path, headers: { ...call.headers, authorization: authorization.first } }
}

/** Whether the caller can get the service of the path. */
const hasService = async (call: Call, next: (call: Call) => Promise<Answer>): Promise<boolean> =>
  succeeds(await next({ ...call, path: call.path.split('/').slice(0, 6).join('/') }))

/** Answers one kind of intrusion with success. */
const permitIntrusion =
  (intrusion: Intrusion): (() => Fault) =>
  () =>
  async (call, next, context) => {
    const answer = await next(call)
    if (succeeds(answer) || recogniseIntrusion(call, context) !== intrusion) return answer
    // Skips operations on a service itself, which another rule judges, and services that the caller can get.
    if (
      intrusion === 'unknown service' &&
      (context.operation?.startsWith('service.') || (await hasService(call, next)))
    )
      return answer
    return next(correct(call, context))
  }

export const faults = {
  'isolation/unknown-organization-is-refused': permitIntrusion('unknown organization'),
  'isolation/foreign-organization-is-refused': permitIntrusion('foreign organization'),
  'isolation/unknown-service-is-refused': permitIntrusion('unknown service'),
  'isolation/foreign-service-is-refused': permitIntrusion('foreign service'),
  'isolation/refusals-show-nothing': () => async (call, next, context) => {
    const answer = await next(call)
    if (succeeds(answer) || !recogniseIntrusion(call, context)) return answer
    const shown = resultOf(await next(correct(call, context)))
    return change(answer, json => ({ ...json, found: shown }))
  },
} as const satisfies Faults
