import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { lifeFaults } from '../../faults/lifecycle.ts'
import { changeResult, inAnswers, succeeds } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const shout = (one: unknown) => (isRecord(one) ? { ...one, email: String(one.email).toUpperCase() } : one)

export const faults = {
  ...lifeFaults('invitation'),
  'invitation/email-is-in-lower-case': inAnswers(
    (answer, { operation }) => succeeds(answer) && operation?.startsWith('invitation.') === true,
    answer => changeResult(answer, result => (Array.isArray(result) ? result.map(shout) : shout(result))),
  ),
} as const satisfies Partial<Record<RuleId, () => Fault>>
