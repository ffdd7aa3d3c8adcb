import { absent, type Check, held, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import type { Past, Step } from '../engine/step.ts'
import { look, refusal } from '../rules/observations.ts'
import { together, wrong } from '../rules/steps.ts'
import { asCreated } from '../visits/created-key.ts'
import { skip } from '../visits/life.ts'
import { lifeSteps, stepsOfLife } from '../visits/life-steps.ts'
import { neverShows } from './calls.ts'

/** The life of API keys, and what they are good for. They may do nothing but list what they may see: nothing is granted. */

const everywhere = [{ source: '0.0.0.0/0', description: 'stack-parity' }]
const life = {
  form: 'cloud',
  resource: 'key',
  body: (_: Past, name: string) => ({ name, assignedRoleIds: [], state: 'enabled', ipAccessList: everywhere }),
} as const

const of = stepsOfLife(life)
const nowhere = stepsOfLife({ ...life, body: (_, name) => ({ name, assignedRoleIds: [], ipAccessList: [] }) })
/** From nowhere, so that it cannot be used where it is created. */
const old = stepsOfLife({ ...life, body: (_, name) => ({ name, roles: ['developer'], ipAccessList: [] }) })

const disable: Step = {
  name: 'cloud:key.disable',
  ...{ form: 'cloud', phase: 5, method: 'PATCH', as: 'key', operation: 'key.update', why: 'disables the key' },
  ...{ on: 'cloud:key.create-used', from: ['cloud:key.create-used'] },
  draft: past => {
    const id = past.created('cloud:key.create-used')
    const path = id && pathOf('key.update', 'cloud', { ...pathValues(past.target), keyId: id })
    return path ? { path, body: { state: 'disabled' } } : skip('no key of this run is known')
  },
}

/** Any key that is good may list organizations. */
const use = (thing: string, name: string, phase: number, why: string, after: readonly string[] = []): Step =>
  asCreated(`cloud:key.create-${thing}`, {
    name: `cloud:key.${name}`,
    ...{ phase, why, from: after },
    method: 'GET',
    operation: 'organization.list',
    draft: () => ({ path: '/v1/organizations' }),
  })

export const steps: readonly Step[] = [
  ...lifeSteps(life),
  of.create('used', 3, 'creates a key, to call with it'),
  of.create('dropped', 3, 'creates another key, to call with it'),
  nowhere.create('closed', 3, 'creates a key that may call from nowhere'),
  old.create('old', 3, 'creates a key with a role of old'),
  use('used', 'use', 4, 'calls with a key that was created'),
  use('dropped', 'use-dropped', 4, 'calls with another key that was created'),
  use('closed', 'use-closed', 4, 'calls with a key whose list of addresses is empty'),
  disable,
  use('used', 'use-disabled', 6, 'calls with the key that was disabled', ['cloud:key.disable']),
  of.deletion(13, 'dropped', 'delete-dropped'),
  use('dropped', 'use-deleted', 14, 'calls with the key that was deleted', ['cloud:key.delete-dropped']),
]

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
