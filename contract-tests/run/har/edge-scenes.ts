import type { Form } from '../../../fixtures/contract/index.ts'
import { parseJson } from '../../engine/exchange.ts'
import { isUuid } from '../../engine/recognise.ts'
import { probeName, stepsWithGoodCredentials } from '../../visits/authentication.ts'
import { listOf } from './recognise-call.ts'
import { bodyOf, createScene, hasGoodCredential, type RecordedCall, type Scene, succeeded } from './scene.ts'

/** Collects calls by the names of steps. */
function collectSteps() {
  const steps: Record<string, RecordedCall[]> = {}
  const add = (name: string, call: RecordedCall) => {
    steps[name] = [...(steps[name] ?? []), call]
  }
  return { steps, add }
}

/** §5, as far as recordings show it: requests without credentials, with the other form's scheme, or answered 401. */
export function probeScene(calls: readonly RecordedCall[], form: Form): Scene {
  const { steps, add } = collectSteps()
  const refused = calls.find(
    ({ operation, exchange }) =>
      operation === listOf(form) && exchange.as === 'unknown' && exchange.response.status === 401,
  )
  if (refused?.recorded.scheme !== undefined) add(probeName(form, 'wrongSecret', listOf(form)), refused)
  for (const call of calls) {
    if (!call.operation) continue
    const { as } = call.exchange
    const goodStep = stepsWithGoodCredentials(form, call.operation)[0]!
    if (as === 'none' || as === 'wrongScheme') add(probeName(form, as, call.operation), call)
    else if (as === 'key' && succeeded(call) && (call.recorded.body === null || bodyOf(call)) && !steps[goodStep])
      add(goodStep, call)
  }
  return createScene(steps, 'auth/')
}

/**
 * Requests that are no operations. A path that succeeds is not unknown, and a method that succeeds is not wrong: the contract
 * may not know all of them.
 */
export function otherRequestsScene(calls: readonly RecordedCall[]): Scene {
  const { steps, add } = collectSteps()
  for (const call of calls.filter(hasGoodCredential)) {
    const { otherStep } = call
    if (!otherStep) continue
    const isRefused = [404, 405, 410].includes(call.recorded.status)
    const isUnknown = /:(?:unknown-path|wrong-method)$/.test(otherStep)
    if (isRefused || (!isUnknown && succeeded(call))) add(otherStep, call)
  }
  return createScene(steps)
}

/** Requests that a deployment has to refuse, as can be seen from the request itself. */
export function malformedScene(calls: readonly RecordedCall[], form: Form): Scene {
  const trusted = calls.filter(hasGoodCredential)
  const { steps, add: addStep } = collectSteps()
  const add = (name: string, call: RecordedCall) => addStep(`${form}:${name}`, call)
  // Where no id of this kind is a UUID, the recorder may have replaced all of them.
  const isMalformed = (call: RecordedCall, name: string) =>
    call.ids[name] !== undefined && !isUuid(call.ids[name]) && trusted.some(({ ids }) => isUuid(ids[name]))
  for (const call of trusted) {
    if (call.operation === undefined) continue
    if (form !== 'selfHosted') {
      if (isMalformed(call, 'organizationId'))
        add(call.operation === 'backup.get' ? 'malformed-organization-id-of-backup' : 'malformed-organization-id', call)
      else if (isMalformed(call, 'serviceId')) add('malformed-service-id', call)
      else if (isMalformed(call, 'backupId')) add('malformed-backup-id', call)
    }
    const { id } = call.ids
    if (id !== undefined && call.recorded.method === 'GET' && !succeeded(call)) {
      if (id.length === 12 && call.operation === 'dashboard.get') add('twelve-characters', call)
      else if (!/^(?:[0-9a-f]{24}|[0-9a-f-]{36}|.{12})$/i.test(id)) add('malformed-id', call)
    }
    if (call.operation.endsWith('.create')) addMalformedBody(call, add)
  }
  return createScene(steps)
}

function addMalformedBody(call: RecordedCall, add: (name: string, call: RecordedCall) => void): void {
  const { body, bodyIsWhole, headers } = call.recorded
  if (body === null || !bodyIsWhole || /redact/i.test(body)) return
  const type = headers['content-type'] ?? ''
  const isJson = parseJson(body) !== undefined
  if (!isJson && /json/i.test(type)) add('malformed-json', call)
  if (isJson && /^text\/plain/i.test(type)) add('text-body', call)
}
