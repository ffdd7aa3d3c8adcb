import type { Faults } from '../../faults/fault.ts'
import { inRecords } from '../../faults/rewrite.ts'

const operations = ['invitation.list', 'invitation.create', 'invitation.get'] as const

export const faults = {
  'invitation/email-is-in-lower-case': inRecords(operations, one => ({
    ...one,
    email: String(one.email).toUpperCase(),
  })),
} as const satisfies Faults
