import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { payloadOf } from '../engine/recognise.ts'
import { look } from '../rules/observations.ts'
import { visit } from '../visits/visit.ts'

export const { steps } = visit('cloud', 'function', run => {
  run.call('udf.list', { name: 'udf.list-before' })
  run.call('udf.list')
  run.call('udf.get')
  run.call('udfVersion.list')
  run.call('udfAttachment.list')
  run.call('udfUpload.create', { why: 'asks for an upload address, which expires unused' })
})

export const checks = {
  'udf/shape-of-lists': look(['udf.list'], ([came]) =>
    isSuccess(came) ? (Array.isArray(payloadOf(came.json)) ? 'beside the result' : 'within the result') : undefined,
  ),
} as const satisfies Record<string, Check>
