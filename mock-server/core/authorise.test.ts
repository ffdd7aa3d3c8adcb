import { describe, expect, it } from 'vitest'
import { type Operation, operations } from '../../fixtures/contract/index.ts'
import { authorization, openCloud } from '../testing/open-cloud.ts'

/** The operations of the cloud and managed forms, each with a path below the organization. */
const all = Object.entries<Operation>(operations).flatMap(([id, operation]) =>
  (['cloud', 'managed'] as const).flatMap(form => {
    const path = operation.paths[form]
    const below = path?.split('{organizationId}')[1]
    return below === undefined ? [] : [{ id, form, operation, below }]
  }),
)

async function openAs(...roles: string[]) {
  const { send, serviceId } = openCloud({ choices: { managed: { 'version/self-hosted-edition': '2.36' } } })
  const ipAccessList = [{ source: '0.0.0.0/0' }]
  const { result } = await send('POST', '/keys', { name: 'x', roles, ipAccessList })
  const as = authorization(result)
  return ({ below, operation: { method, ids = {}, body } }: (typeof all)[number]) => {
    const path = below
      .replace('{segment}', 'observability')
      .replace('{serviceId}', serviceId)
      .replace(/\{(\w+)\}/g, (_, name) =>
        name === 'id' || ids[name] === 'objectId' ? '0'.repeat(24) : '11111111-2222-4333-8444-555555555555',
      )
    return send(method, path, body === undefined ? undefined : {}, { as })
  }
}

describe('a key', () => {
  it('of a developer calls what reads, and nothing that writes', async () => {
    const ask = await openAs('developer')
    for (const one of all) {
      const { status, error } = await ask(one)
      const { permission = [], method } = one.operation
      const mayCall = one.form === 'cloud' && [permission].flat().every(needed => /:view/.test(needed))
      const isRefused = status === 403 && /lacks the permission/.test(error)
      expect([one.id, one.form, isRefused]).toEqual([one.id, one.form, !mayCall])
      if (mayCall) expect([one.id, method]).toEqual([one.id, 'GET'])
    }
  })

  it('of an admin lacks no permission, and one for query endpoints has none', async () => {
    const [admin, other] = [await openAs('admin'), await openAs('query_endpoints')]
    for (const one of all) {
      expect([one.id, (await admin(one)).error ?? '']).toEqual([one.id, expect.not.stringMatching(/lacks/)])
      const needs = one.form === 'managed' || one.operation.permission !== undefined
      expect([one.id, /lacks/.test((await other(one)).error)]).toEqual([one.id, needs])
    }
  })
})
