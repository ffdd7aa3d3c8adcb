import type { Faults } from '../../faults/fault.ts'
import { inList } from '../../faults/rewrite.ts'

export const faults = {
  'udf/list-agrees-with-get': inList('udf.list', list =>
    list.map(one => ({ ...one, format: `${one.format}WithNames` })),
  ),
} as const satisfies Faults
