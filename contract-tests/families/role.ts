import { type Check, held, notJudged } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { brokenBy, judgeTogether } from '../rules/steps.ts'
import { lifeOf, nameOf } from '../visits/life.ts'
import { skip, visit } from '../visits/visit.ts'

/** Roles, and what a key with one may do. */

export const { steps } = visit('cloud', 'role', run => {
  const roles = lifeOf(run, 'role', {
    body: ({ target }, name, alias) => ({
      name,
      actors: [],
      policies: [
        {
          allowDeny: 'ALLOW',
          permissions: [`control-plane:organization:view${alias === 'reader' ? '-api-keys' : ''}`],
          resources: [`organization/${target.cloud?.organizationId}`],
        },
      ],
    }),
  })
  roles.begin()
  const readerRole = roles.create('reader', { why: 'creates a role that may only list keys' })
  const readerKey = lifeOf(run, 'key', {
    body: (context, name) => {
      const id = context.created(readerRole.line)
      return id ? { name, assignedRoleIds: [id], ipAccessList: [{ source: '0.0.0.0/0' }] } : undefined
    },
    skipWithoutBody: () => skip('no role of this run is known'),
    from: () => [readerRole.line],
  }).create('reader', { why: 'creates a key with this role' })
  run.call('key.list', { name: 'role.list-keys', as: readerKey, why: 'lists keys, as the role allows' })
  run.call('key.create', {
    name: 'role.create-key',
    as: readerKey,
    why: 'creates a key, as the role does not allow',
    creates: 'key',
    body: context => ({ name: nameOf(context, 'key', 'trespass') }),
  })
  roles.read()
  roles.update()
  roles.end()
})

export const checks = {
  'role/permissions-decide': judgeTogether(['role.list-keys', 'role.create-key'], ([listed, created]) => {
    if (!listed || !created) return undefined
    if (listed.response.status >= 500) return notJudged('the list of keys answered with a server error')
    if (!isSuccess(listed))
      return brokenBy({ expected: 'success: the role lets it list keys', got: listed.response.status }, listed)
    if (isSuccess(created))
      return brokenBy(
        { expected: 'no success: the role does not let it create keys', got: created.response.status },
        created,
      )
    return held([listed])
  }),
} as const satisfies Record<string, Check>
