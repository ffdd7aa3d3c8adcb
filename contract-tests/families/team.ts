import type { OperationId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { observe, observeRefusal } from '../rules/steps.ts'
import { type CallOptions, visit } from '../visits/visit.ts'

/** The team of a self-hosted deployment: reads, and requests for unknown members; nobody is invited or removed. */

export const { steps } = visit('selfHosted', 'team', run => {
  const own = run.call('team.get')
  /** Sent only where there is a team. */
  const probe = (operation: OperationId, suffix: string, why: string, more: CallOptions = {}) =>
    run.call(operation, { ...more, name: `${operation}-${suffix}`, why, ifSucceeds: own })
  const unknownId = { values: { id: 'ffffffffffffffffffffffff' } }
  probe('teamMember.delete', 'unknown', 'removes a member who does not exist', unknownId)
  probe('teamInvitation.delete', 'unknown', 'removes an invitation that does not exist', unknownId)
  probe('teamInvitation.create', 'empty', 'invites nobody: the body has no address', { body: {} })
})

export const checks = {
  'teamMember/delete-unknown': observeRefusal('teamMember.delete-unknown'),
  'teamInvitation/delete-unknown': observeRefusal('teamInvitation.delete-unknown'),
  'teamInvitation/refused-body': observe(['teamInvitation.create-empty'], ([{ response, json }]) =>
    response.status === 400 ? (Array.isArray(json) ? 'list of findings' : 'sentence') : undefined,
  ),
} as const satisfies Record<string, Check>
