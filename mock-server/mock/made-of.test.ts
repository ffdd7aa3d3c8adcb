import { expect, it } from 'vitest'
import { buildContract } from '../../fixtures/built-contract/index.ts'
import * as contractFamilies from '../../fixtures/contract/families.ts'
import { createCore } from '../core/core.ts'
import * as families from '../families/index.ts'
import { createMock, createMockOf, type Mock } from './mock.ts'

const { key, quota, ...others } = contractFamilies
const resources = {
  ...key.resources,
  keyBody: { ...key.resources.keyBody, fields: { ...key.resources.keyBody.fields, team: { type: 'string', max: 5 } } },
} as const
/** The contract without quotas, and with one more field of new keys. */
const contract = buildContract({ ...others, key: { ...key, resources } })

async function use(mock: Mock) {
  const { cloud } = mock.target({ cloud: '' })
  const headers = {
    authorization: `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`,
    'content-type': 'application/json',
  }
  const path = `/v1/organizations/${cloud!.organizationId}`
  const send = async (method: string, below: string, body?: object) => {
    const call = { method, path: `${path}${below}`, query: '', headers, body: body ? JSON.stringify(body) : '' }
    const { status, body: answered } = await mock.answer(call, 'cloud')
    return [status, JSON.parse(answered).error]
  }
  const described = JSON.stringify(mock.describe('cloud'))
  return {
    quotas: await send('GET', '/quotas'),
    team: await send('POST', '/keys', { name: 'A', team: 'ops' }),
    longTeam: await send('POST', '/keys', { name: 'A', team: 'operations' }),
    describesQuotas: described.includes('"quota.list"'),
    describesTeam: described.includes('"team":{"type":"string","maxLength":5'),
  }
}

it('lets two mocks with different contracts live in one process', async () => {
  const core = createCore({ contract, families })
  const [usual, other] = [createMock(), createMockOf(core)]
  for (const round of [1, 2]) {
    expect([round, await use(usual)]).toEqual([
      round,
      {
        quotas: [200, undefined],
        team: [400, expect.stringContaining('team')],
        longTeam: [400, expect.stringContaining('team')],
        describesQuotas: true,
        describesTeam: false,
      },
    ])
    expect([round, await use(other)]).toEqual([
      round,
      {
        quotas: [404, expect.any(String)],
        team: [200, undefined],
        longTeam: [400, expect.stringContaining('team')],
        describesQuotas: false,
        describesTeam: true,
      },
    ])
  }
  expect(() => other.stub({ when: { operation: 'quota.list' }, answer: {} })).toThrow(/no operation/)
})
