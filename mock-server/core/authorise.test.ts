import { describe, expect, it } from 'vitest'
import { type Operation, operations } from '../../fixtures/built-contract/index.ts'
import { authorization, openCloud } from '../testing/open-cloud.ts'

/** The operations of the cloud and managed forms, with their paths below the organization. */
const allOperations = Object.entries<Operation>(operations).flatMap(([id, operation]) =>
  (['cloud', 'managed'] as const).flatMap(form => {
    const path = operation.paths[form]
    const below = path?.split('{organizationId}')[1]
    return below === undefined ? [] : [{ id, form, operation, below }]
  }),
)

async function createCaller(...roles: string[]) {
  const { send, serviceId } = openCloud({ choices: { managed: { 'version/self-hosted-edition': '2.36' } } })
  const ipAccessList = [{ source: '0.0.0.0/0' }]
  const { result } = await send('POST', '/keys', { name: 'x', roles, ipAccessList })
  const as = authorization(result)
  return ({ below, operation: { method, ids = {}, body } }: (typeof allOperations)[number]) => {
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
  it('with the role developer may call the operations of the cloud form that read, and no others', async () => {
    const call = await createCaller('developer')
    for (const entry of allOperations) {
      const { status, error } = await call(entry)
      const { permission = [], method } = entry.operation
      const mayCall = entry.form === 'cloud' && [permission].flat().every(needed => /:view/.test(needed))
      const isRefused = status === 403 && /lacks the permission/.test(error)
      expect([entry.id, entry.form, isRefused]).toEqual([entry.id, entry.form, !mayCall])
      if (mayCall) expect([entry.id, method]).toEqual([entry.id, 'GET'])
    }
  })

  it('with the role admin has every permission, and a key with the role query_endpoints has none', async () => {
    const [admin, other] = [await createCaller('admin'), await createCaller('query_endpoints')]
    for (const entry of allOperations) {
      expect([entry.id, (await admin(entry)).error ?? '']).toEqual([entry.id, expect.not.stringMatching(/lacks/)])
      const needs = entry.form === 'managed' || entry.operation.permission !== undefined
      expect([entry.id, /lacks/.test((await other(entry)).error)]).toEqual([entry.id, needs])
    }
  })
})
