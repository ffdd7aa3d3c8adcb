import type { Faults } from '../../faults/fault.ts'
import { inList } from '../../faults/rewrite.ts'

export const faults = {
  'activity/dates-limit-the-list':
    () =>
    (call, next, { operation }) =>
      next(operation === 'activity.list' ? { ...call, query: '' } : call),
  'activity/what-was-done-is-listed': inList('activity.list', list => list.filter(one => one.actorType !== 'api')),
} as const satisfies Faults
