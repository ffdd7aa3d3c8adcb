import type { OperationId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import { look, refusal } from '../rules/observations.ts'
import { after, call } from './calls.ts'

/** The team of a self-hosted deployment: it is read, and asked for what nobody has; nobody is invited or removed. */

const own = 'selfHosted:team.get'

/** Sent only where there is a team: elsewhere the path says nothing. */
function probe(operation: OperationId, suffix: string, why: string, body?: object): Step {
  const step = call(operation, { id: 'ffffffffffffffffffffffff' })
  const draft = after(own, past => {
    const bare = step.draft(past)
    return 'path' in bare ? { ...bare, body } : bare
  })
  return { ...step, name: `${step.name}-${suffix}`, phase: 7, why, from: [own], draft }
}

export const steps: readonly Step[] = [
  call('team.get'),
  call('teamMember.list'),
  call('teamInvitation.list'),
  probe('teamMember.delete', 'unknown', 'removes a member who does not exist'),
  probe('teamInvitation.delete', 'unknown', 'removes an invitation that does not exist'),
  probe('teamInvitation.create', 'empty', 'invites nobody: the body has no address', {}),
]

export const checks = {
  'teamMember/delete-unknown': refusal('teamMember.delete-unknown'),
  'teamInvitation/delete-unknown': refusal('teamInvitation.delete-unknown'),
  'teamInvitation/refused-body': look(['teamInvitation.create-empty'], ([{ response, json }]) =>
    response.status === 400 ? (Array.isArray(json) ? 'list of findings' : 'sentence') : undefined,
  ),
} as const satisfies Record<string, Check>
