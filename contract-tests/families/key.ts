import { absent, type Check, held, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { look, refusal } from '../rules/observations.ts'
import { together, wrong } from '../rules/steps.ts'
import { lifeOf } from '../visits/life.ts'
import { type Thing, visit } from '../visits/visit.ts'
import { neverShows } from './calls.ts'

/** The life of API keys, and what they are good for. They may do nothing but list what they may see: nothing is granted. */

const everywhere = [{ source: '0.0.0.0/0', description: 'stack-parity' }]

export const { steps, lines } = visit('cloud', 'key', run => {
  const keys = lifeOf(run, 'key', {
    body: (_, name) => ({ name, assignedRoleIds: [], state: 'enabled', ipAccessList: everywhere }),
  })
  const fromNowhere = lifeOf(run, 'key', { body: (_, name) => ({ name, assignedRoleIds: [], ipAccessList: [] }) })
  // From nowhere, so that it cannot be used where it is created.
  const withRole = lifeOf(run, 'key', { body: (_, name) => ({ name, roles: ['developer'], ipAccessList: [] }) })
  /** Any key that is good may list organizations. */
  const use = (key: Thing, name: string, why: string) => run.call('organization.list', { name, why, as: key })

  keys.begin()
  const used = keys.create('used', { why: 'creates a key, to call with it' })
  const dropped = keys.create('dropped', { why: 'creates another key, to call with it' })
  const closed = fromNowhere.create('closed', { why: 'creates a key that may call from nowhere' })
  withRole.create('old', { why: 'creates a key with a role of old' })
  keys.read()
  keys.update()
  use(used, 'key.use', 'calls with a key that was created')
  use(dropped, 'key.use-dropped', 'calls with another key that was created')
  use(closed, 'key.use-closed', 'calls with a key whose list of addresses is empty')
  run.call('key.update', { name: 'key.disable', why: 'disables the key', on: used, body: { state: 'disabled' } })
  keys.delete(dropped, 'delete-dropped')
  use(used, 'key.use-disabled', 'calls with the key that was disabled')
  use(dropped, 'key.use-deleted', 'calls with the key that was deleted')
  keys.end()
  keys.probe()
  return { used }
})

/** Holds when a call with a key is refused once a step was done to it, before which it was good. */
const refusedAfter = (good: string, step: string, call: string): Check =>
  together(
    [good, step, call, 'get-after-delete'].map(name => `cloud:key.${name}`),
    ([before, done, tried, gotAfterDelete], evidence) => {
      if (!before || !isSuccess(before)) return notApplicable('no call with a key that was created succeeded')
      if (!done || !isSuccess(done)) return absent(evidence, `cloud:key.${step}`)
      if (/delete/.test(step) && gotAfterDelete && isSuccess(gotAfterDelete))
        return notApplicable('a key that was deleted is still there, as another rule says')
      if (!tried) return absent(evidence, `cloud:key.${call}`)
      return isSuccess(tried)
        ? wrong({ expected: 'no success with this key', got: tried.response.status }, tried)
        : held([tried])
    },
  )

export const checks = {
  'key/secret-is-shown-once': neverShows(
    ['keySecret'],
    ['list', 'get', 'update', 'get-after-update', 'list-after-update'].map(name => `cloud:key.${name}`),
  ),
  'key/disabled-key-is-refused': refusedAfter('use', 'disable', 'use-disabled'),
  'key/deleted-key-is-refused': refusedAfter('use-dropped', 'delete-dropped', 'use-deleted'),
  'key/empty-access-list-admits-nobody': refusedAfter('use', 'create-closed', 'use-closed'),
  'key/address-not-allowed': refusal('cloud:key.use-closed'),
  'role/legacy-roles': look(['cloud:key.create-old'], ([came]) =>
    isSuccess(came) ? 'accepted' : came.response.status === 400 ? 'refused' : undefined,
  ),
} as const satisfies Record<string, Check>
