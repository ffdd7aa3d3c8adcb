import type { Step } from '../engine/step.ts'
import { call } from './calls.ts'

export const steps: readonly Step[] = [
  call('udf.list'),
  { ...call('udfUpload.create'), why: 'asks for an upload address, which expires unused' },
  ...(['udf.get', 'udfVersion.list', 'udfAttachment.list'] as const).map(operation => call(operation)),
]
