import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import type { Step } from '../engine/step.ts'
import { answers, look, refusal } from '../rules/observations.ts'
import { whyNot } from './why-not.ts'

/** The team of a self-hosted deployment: it is read, and asked for what nobody has; nobody is invited or removed. */

const own = 'selfHosted:team.get'
const unknown = 'ffffffffffffffffffffffff'

const read = (operation: OperationId, path: string, why: string): Step => ({
  name: `selfHosted:${operation}`,
  ...{ form: 'selfHosted', phase: 0, operation, method: 'GET', as: 'key', why },
  draft: () => ({ path }),
})

/** Sent only where there is a team: elsewhere the path says nothing. */
const probe = (name: string, operation: OperationId, method: string, path: string, why: string): Step => ({
  name: `selfHosted:${name}`,
  ...{ form: 'selfHosted', phase: 7, operation, method, as: 'key', why, from: [own] },
  draft: past => {
    const skip = whyNot(past, own)
    return skip === undefined ? { path, ...(method === 'POST' && { body: {} }) } : { skip }
  },
})

const steps = (form: Form): readonly Step[] =>
  form === 'selfHosted'
    ? [
        read('team.get', '/api/v2/team', 'gets the team'),
        read('teamMember.list', '/api/v2/team/members', 'lists the members of the team'),
        read('teamInvitation.list', '/api/v2/team/invitations', 'lists the invitations of the team'),
        probe(
          'teamMember.delete-unknown',
          'teamMember.delete',
          'DELETE',
          `/api/v2/team/member/${unknown}`,
          'removes a member who does not exist',
        ),
        probe(
          'teamInvitation.delete-unknown',
          'teamInvitation.delete',
          'DELETE',
          `/api/v2/team/invitation/${unknown}`,
          'removes an invitation that does not exist',
        ),
        probe(
          'teamInvitation.create-empty',
          'teamInvitation.create',
          'POST',
          '/api/v2/team/invitation',
          'invites nobody: the body has no address',
        ),
      ]
    : []

export { steps }

export const checks = {
  'team/get-answers': answers(() => [own]),
  'teamMember/list-answers': answers(() => ['selfHosted:teamMember.list']),
  'teamInvitation/list-answers': answers(() => ['selfHosted:teamInvitation.list']),
  'teamMember/delete-unknown': refusal(() => 'selfHosted:teamMember.delete-unknown'),
  'teamInvitation/delete-unknown': refusal(() => 'selfHosted:teamInvitation.delete-unknown'),
  'teamInvitation/refused-body': look(
    () => ['selfHosted:teamInvitation.create-empty'],
    ([exchange]) => {
      if (exchange?.response.status !== 400) return undefined
      return Array.isArray(exchange.json) ? 'list of findings' : 'sentence'
    },
  ),
}
