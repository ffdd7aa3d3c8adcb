import type { Faults } from '../../faults/fault.ts'
import { inRecords } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const formatOtherwise = (one: unknown) => (isRecord(one) ? { ...one, format: `${one.format}WithNames` } : one)

export const faults = {
  'udf/list-agrees-with-get': inRecords('udf.list', page => ({
    ...page,
    items: Array.isArray(page.items) ? page.items.map(formatOtherwise) : page.items,
  })),
} as const satisfies Faults
