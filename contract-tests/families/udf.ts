import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import type { Step } from '../engine/step.ts'
import { answersAsDocumented } from '../rules/documented.ts'
import { listAgreesWithGet, read } from './reads.ts'

const upload: Step = {
  name: 'cloud:udfUpload.create',
  form: 'cloud',
  phase: 0,
  operation: 'udfUpload.create',
  method: 'POST',
  as: 'key',
  why: 'asks for an upload address, which expires unused',
  draft({ target }) {
    const path = pathOf('udfUpload.create', 'cloud', pathValues(target))
    return path ? { path } : lacksPath('udfUpload.create', 'cloud', target)
  },
}

export const checks = {
  'udf/list-answers': answersAsDocumented('udf.list'),
  'udf/get-answers': answersAsDocumented('udf.get'),
  'udfVersion/list-answers': answersAsDocumented('udfVersion.list'),
  'udfAttachment/list-answers': answersAsDocumented('udfAttachment.list'),
  'udfUpload/create-answers': answersAsDocumented('udfUpload.create'),
  'udf/list-agrees-with-get': listAgreesWithGet('udf'),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? [
        read('udf.list'),
        upload,
        ...(['udf.get', 'udfVersion.list', 'udfAttachment.list'] as const).map(one => read(one, 'udf.list')),
      ]
    : []
