import type { Faults } from '../../faults/fault.ts'
import { inList } from '../../faults/rewrite.ts'

export const faults = {
  'udf/list-agrees-with-get': inList('udf.list', list =>
    list.map(one => ({ ...one, returnType: `Nullable(${one.returnType})` })),
  ),
} as const satisfies Faults
