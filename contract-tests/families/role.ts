import { type Check, held, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import type { Past, Step } from '../engine/step.ts'
import { together, wrong } from '../rules/steps.ts'
import { asCreated } from '../visits/created-key.ts'
import { nameOf, skip } from '../visits/life.ts'
import { lifeSteps, stepsOfLife } from '../visits/life-steps.ts'

/** The life of roles that nobody has, and what a key may do by one that lets it list keys. */

const life = {
  form: 'cloud',
  resource: 'role',
  body: ({ target }: Past, name: string, thing: string) => ({
    name,
    actors: [],
    policies: [
      {
        allowDeny: 'ALLOW',
        permissions: [`control-plane:organization:view${thing === 'reader' ? '-api-keys' : ''}`],
        resources: [`organization/${target.cloud?.organizationId}`],
      },
    ],
  }),
} as const

const keyWithRole = stepsOfLife({
  form: 'cloud',
  resource: 'key',
  body: (past, name) => {
    const role = past.created('cloud:role.create-reader')
    return role ? { name, assignedRoleIds: [role], ipAccessList: [{ source: '0.0.0.0/0' }] } : undefined
  },
  noBody: () => skip('no role of this run is known'),
  from: () => ['cloud:role.create-reader'],
})

const asReader = (name: string, method: string, why: string, more: Partial<Step> = {}): Step =>
  asCreated('cloud:key.create-reader', {
    name: `cloud:role.${name}`,
    ...{ phase: 5, method, why, operation: method === 'GET' ? 'key.list' : 'key.create' },
    draft: past => {
      const path = pathOf('key.list', 'cloud', pathValues(past.target))
      if (!path) return skip('no organization is known')
      return method === 'GET' ? { path } : { path, body: { name: nameOf(past, 'key', 'trespass') } }
    },
    ...more,
  })

export const steps: readonly Step[] = [
  ...lifeSteps(life),
  stepsOfLife(life).create('reader', 3, 'creates a role that lets list keys, and nothing else'),
  keyWithRole.create('reader', 4, 'creates a key with this role'),
  asReader('list-keys', 'GET', 'lists keys, as the role allows'),
  asReader('create-key', 'POST', 'creates a key, as the role does not allow', { creates: 'key' }),
]

export const checks = {
  'role/permissions-decide': together(['role.list-keys', 'role.create-key'], ([listed, created]) => {
    if (!listed || !created) return undefined
    if (listed.response.status >= 500) return notApplicable('the list of keys did not answer')
    const refused = 'success: the role lets it list keys'
    if (!isSuccess(listed)) return wrong({ expected: refused, got: listed.response.status }, listed)
    const accepted = 'no success: the role does not let it create keys'
    if (isSuccess(created)) return wrong({ expected: accepted, got: created.response.status }, created)
    return held([listed])
  }),
} as const satisfies Record<string, Check>
