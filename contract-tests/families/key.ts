import type { RuleId } from '../../fixtures/contract/index.ts'
import { type Check, notJudged, whyLost } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { refusesProbes } from '../rules/probes.ts'
import { observe, observeRefusal, stepsOfForm } from '../rules/steps.ts'
import { lifeOf } from '../visits/life.ts'
import { type CreatedObject, visit } from '../visits/visit.ts'
import { neverShows } from './calls.ts'

/** API keys and their use. A key that the run calls with has no role, so that it may only list what is open to any key. */

const usableFields = {
  assignedRoleIds: [],
  state: 'enabled',
  ipAccessList: [{ source: '0.0.0.0/0', description: 'stack-parity' }],
}

export const { steps } = visit('cloud', 'key', run => {
  const keys = lifeOf(run, 'key', {
    body: (_, name) => ({ name, ...usableFields }),
    whole: {
      values: { 'ipAccessList.source': '192.0.2.1', assignedRoleIds: [] },
      omit: {
        roles: 'organizations with roles of their own refuse the former ones',
        hashData: 'the deployment makes the secret',
      },
    },
  })
  const fromNowhere = lifeOf(run, 'key', { body: (_, name) => ({ name, assignedRoleIds: [], ipAccessList: [] }) })
  const expired = lifeOf(run, 'key', {
    body: ({ now }, name) => ({ name, ...usableFields, expireAt: new Date(now - 86_400_000).toISOString() }),
  })
  // No address is admitted, so that the key cannot be used.
  const withRole = lifeOf(run, 'key', { body: (_, name) => ({ name, roles: ['developer'], ipAccessList: [] }) })
  /** Any good key may list organizations. */
  const use = (key: CreatedObject, name: string, why: string) => run.call('organization.list', { name, why, as: key })

  keys.begin()
  const used = keys.create('used', { why: 'creates a key, to call with it' })
  const dropped = keys.create('dropped', { why: 'creates another key, to call with it' })
  const closed = fromNowhere.create('closed', { why: 'creates a key that no address may use' })
  expired.create('expired', { why: 'creates a key that expired a day ago' })
  withRole.create('old', { why: 'creates a key with a legacy role' })
  keys.read()
  keys.update()
  use(used, 'key.use', 'calls with a key that was created')
  use(dropped, 'key.use-dropped', 'calls with another key that was created')
  use(closed, 'key.use-closed', 'calls with a key whose list of addresses is empty')
  run.call('key.update', { name: 'key.disable', why: 'disables the key', on: used, body: { state: 'disabled' } })
  keys.delete(dropped, 'delete-dropped')
  use(used, 'key.use-disabled', 'calls with the key that was disabled')
  use(dropped, 'key.use-deleted', 'calls with the key that was deleted')
  keys.whole()
  keys.end()
})

/** Holds if `refusedStep` and the probes of the rule are refused, `change` having been answered. Applies only if the key was good for `goodStep`. */
function refusedAfterSuccess(rule: RuleId, goodStep: string, change: string, refusedStep: string): Check {
  const check = refusesProbes(rule, [refusedStep])
  return {
    reads: form => [
      ...stepsOfForm([goodStep, change, refusedStep, 'key.get-after-delete'])(form),
      ...check.reads(form),
    ],
    judge: evidence => {
      const lost = whyLost(evidence, [`cloud:${change}`])
      if (lost) return lost
      if (!evidence.exchangesOf(`cloud:${goodStep}`).some(isSuccess))
        return notJudged('no call with a created key succeeded')
      return /deleted/.test(refusedStep) && evidence.exchangesOf('cloud:key.get-after-delete').some(isSuccess)
        ? notJudged('a key that was deleted is still there, which another rule reports')
        : check.judge(evidence)
    },
  }
}

export const checks = {
  'key/secret-is-shown-once': neverShows('key.list', 'key.get', 'key.update'),
  'key/disabled-key-is-refused': refusedAfterSuccess(
    'key/disabled-key-is-refused',
    'key.use',
    'key.disable',
    'key.use-disabled',
  ),
  'key/deleted-key-is-refused': refusedAfterSuccess(
    'key/deleted-key-is-refused',
    'key.use-dropped',
    'key.delete-dropped',
    'key.use-deleted',
  ),
  'key/expired-key-is-refused': refusesProbes('key/expired-key-is-refused'),
  'key/empty-access-list-admits-nobody': refusesProbes('key/empty-access-list-admits-nobody', ['key.use-closed']),
  'key/without-a-role-may-do-nothing': refusesProbes('key/without-a-role-may-do-nothing'),
  'key/address-not-allowed': observeRefusal('cloud:key.use-closed'),
  'role/legacy-roles': observe(['cloud:key.create-old'], ([exchange]) =>
    isSuccess(exchange) ? 'accepted' : exchange.response.status === 400 ? 'refused' : undefined,
  ),
} as const satisfies Record<string, Check>
