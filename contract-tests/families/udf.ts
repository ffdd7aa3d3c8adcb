import type { Check } from '../engine/check.ts'
import { isServerError, isSuccess } from '../engine/exchange.ts'
import { payloadOf } from '../engine/recognise.ts'
import type { RunContext } from '../engine/step.ts'
import { resultIn } from '../rules/fields.ts'
import { observe } from '../rules/steps.ts'
import { lifeOf } from '../visits/life.ts'
import { type CreatedObject, skip, visit } from '../visits/visit.ts'
import { service } from './service/service.ts'

const version = {
  runtime: 'python3.11',
  type: 'executable',
  arguments: [{ name: 'amount', type: 'Float64' }],
  returnType: 'Float64',
}

export const { steps } = visit('cloud', 'function', run => {
  /** Asks for an upload address, which serves once. Uploads an archive if the address is on the deployment itself. */
  const upload = (suffix = '') => {
    const requested = run.call('udfUpload.create', {
      name: `udfUpload.create${suffix}`,
      why: 'asks for an upload address, which expires unused',
    })
    const answer = (context: RunContext) => resultIn(context.exchange(requested)) ?? {}
    const received = run.call('udfUpload.receive', {
      name: `udfUpload.receive${suffix}`,
      why: 'uploads an archive',
      from: [requested],
      as: 'none',
      notJudgedByOperation: true,
      rawBody: 'PK, an archive of nothing',
      headers: { 'content-type': 'application/zip' },
      values: context => {
        const { uploadId, uploadUrl } = answer(context)
        const isHere = String(uploadUrl).startsWith(`${context.target.cloud?.baseUrl.replace(/\/+$/, '')}/`)
        return isHere ? { uploadId: String(uploadId) } : undefined
      },
      skipReason: 'the upload address is not on the deployment itself',
    })
    const body = (context: RunContext) => {
      const exchange = context.exchange(received)
      const { uploadId } = exchange && !isServerError(exchange) ? answer(context) : {}
      return uploadId ? { uploadId, ...version } : undefined
    }
    return { received, body }
  }
  const functions = lifeOf(run, 'udf', {
    ready: ['ready', 'error'],
    body: (context, name, alias) => {
      const body = (uploads[alias] ?? other).body(context)
      return body && { functionName: name.replace(/\W/g, '_'), ...body }
    },
    from: alias => [(uploads[alias] ?? other).received],
    skipWithoutBody: () => skip('nothing was uploaded'),
    // Only a pool has a size.
    whole: { fit: { '': body => ({ ...body, type: 'executable_pool' }) } },
  })
  functions.listBefore()
  // As late as possible, since an upload address expires.
  const [first, other] = [upload(), upload('-spare')]
  const uploads: Readonly<Record<string, typeof first>> = { main: first, whole: upload('-whole') }
  functions.create('main')
  functions.create('spare')
  functions.ready()
  functions.read()
  const within = functions.main
  // As late as possible, for the same reason.
  const second = upload('-second')
  const built = run.call('udfVersion.create', {
    within,
    from: [second.received],
    body: second.body,
    skipReason: 'nothing was uploaded',
  })
  const versionOf = (context: RunContext) => ({ version: String(resultIn(context.exchange(built))?.version ?? 2) })
  run.call('udfVersion.list', { within, name: 'udfVersion.list-own', from: [built] })
  run.call('udfVersion.delete', { within, from: [built], values: versionOf })
  const attach = {
    within,
    from: [service.line, service.ready!],
    values: (context: RunContext) => pathValuesOfAttachment(context, service),
  } as const
  const attached = run.call('udfAttachment.replace', {
    ...attach,
    body: { version: 1 },
    after: ['cloud:service.ready'],
  })
  run.call('udfAttachment.get', { ...attach, from: [...attach.from, attached] })
  run.call('udfAttachment.list', { within, name: 'udfAttachment.list-own', from: [attached] })
  run.call('udfAttachment.delete', { ...attach, from: [...attach.from, attached] })
  functions.whole()
  functions.end()
})

/** Undefined until there is a version to attach. */
const pathValuesOfAttachment = (context: RunContext, service: CreatedObject) => {
  const serviceId = context.created(service.line)
  const isBuilt = resultIn(context.exchange('cloud:udf.ready'))?.status === 'ready'
  return serviceId === undefined || !isBuilt ? undefined : { serviceId }
}

export const checks = {
  'udf/shape-of-lists': observe(['udf.list'], ([exchange]) => {
    if (!isSuccess(exchange)) return undefined
    return Array.isArray(payloadOf(exchange.json)) ? 'beside the result' : 'within the result'
  }),
} as const satisfies Record<string, Check>
