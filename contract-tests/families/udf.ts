import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { absent, broken, type Check, describe, held, notApplicable } from '../engine/check.ts'
import { listIn } from '../engine/pages.ts'
import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import type { Step } from '../engine/step.ts'
import { answersAsDocumented } from '../rules/documented.ts'
import { mismatch } from '../rules/fields.ts'
import { read, resultIn } from './reads.ts'

const list = 'cloud:udf.list'

/** A request about the first function that is listed. */
const ofFirst = (operation: OperationId): Step => ({
  name: `cloud:${operation}`,
  form: 'cloud',
  phase: 1,
  operation,
  method: 'GET',
  as: 'key',
  why: operations[operation].says,
  from: [list],
  draft({ target, exchange }) {
    const functionName = listIn(exchange(list), 'udf')?.[0]?.functionName
    if (typeof functionName !== 'string') return { skip: 'no list shows a function' }
    const path = pathOf(operation, 'cloud', { ...pathValues(target), functionName })
    return path ? { path } : lacksPath(operation, 'cloud', target)
  },
})

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

const listAgreesWithGet: Check = {
  reads: () => [list, 'cloud:udf.get'],
  judge: evidence => {
    const [listed] = evidence.of(list)
    const [got] = evidence.of('cloud:udf.get')
    const object = resultIn(got)
    if (!listed || !got || !object) return absent(evidence, list, 'cloud:udf.get')
    const item = listIn(listed, 'udf')?.find(({ functionName }) => functionName === object.functionName)
    if (!item) return notApplicable('the list does not show what was got')
    const found = mismatch(object, item, '$')
    return found
      ? broken(describe({ ...found, expected: `${found.expected}, as its get` }, listed), listed, got)
      : held([listed])
  },
}

export const checks = {
  'udf/list-answers': answersAsDocumented('udf.list'),
  'udf/get-answers': answersAsDocumented('udf.get'),
  'udfVersion/list-answers': answersAsDocumented('udfVersion.list'),
  'udfAttachment/list-answers': answersAsDocumented('udfAttachment.list'),
  'udfUpload/create-answers': answersAsDocumented('udfUpload.create'),
  'udf/list-agrees-with-get': listAgreesWithGet,
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? [read('udf.list'), upload, ...(['udf.get', 'udfVersion.list', 'udfAttachment.list'] as const).map(ofFirst)]
    : []
