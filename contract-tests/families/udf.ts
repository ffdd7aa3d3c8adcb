import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { payloadOf } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'
import { look } from '../rules/observations.ts'
import { call } from './calls.ts'

export const steps: readonly Step[] = [
  call('udf.list'),
  { ...call('udfUpload.create'), why: 'asks for an upload address, which expires unused' },
  ...(['udf.get', 'udfVersion.list', 'udfAttachment.list'] as const).map(operation => call(operation)),
]

export const checks = {
  'udf/shape-of-lists': look(['udf.list'], ([came]) =>
    isSuccess(came) ? (Array.isArray(payloadOf(came.json)) ? 'beside the result' : 'within the result') : undefined,
  ),
} as const satisfies Record<string, Check>
