import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { changeResult, failing, inAnswers, successOf } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const formatOtherwise = (one: unknown) => (isRecord(one) ? { ...one, format: `${one.format}WithNames` } : one)

export const faults = {
  'udf/list-answers': failing('udf.list'),
  'udf/get-answers': failing('udf.get'),
  'udfVersion/list-answers': failing('udfVersion.list'),
  'udfAttachment/list-answers': failing('udfAttachment.list'),
  'udfUpload/create-answers': failing('udfUpload.create'),
  'udf/list-agrees-with-get': inAnswers(successOf('udf.list'), answer =>
    changeResult(answer, result =>
      isRecord(result) && Array.isArray(result.items)
        ? { ...result, items: result.items.map(formatOtherwise) }
        : result,
    ),
  ),
} as const satisfies Partial<Record<RuleId, () => Fault>>
