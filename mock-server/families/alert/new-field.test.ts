import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { createMock as Create } from '../../index.ts'

/** One line in the contract adds a field to alerts: validation, storage, answers and OpenAPI follow from it. */

const contract = '../../../fixtures/contract/alert.ts'
let createMock: typeof Create

beforeAll(async () => {
  // Test files share modules, and this one replaces the contract.
  vi.resetModules()
  vi.doMock(contract, async importOriginal => {
    const original = await importOriginal<typeof import('../../../fixtures/contract/alert.ts')>()
    const colour = {
      type: 'string',
      values: ['red', 'green'],
      editions: ['2.36'],
      optional: true,
      description: 'Its colour.',
    }
    const alert = { ...original.alert, fields: { ...original.alert.fields, colour } }
    return { ...original, alert, resources: { ...original.resources, alert } }
  })
  createMock = (await import('../../index.ts')).createMock
})
afterAll(() => {
  vi.doUnmock(contract)
  vi.resetModules()
})

function open(as: 'self-hosted-2.24' | 'self-hosted-2.36') {
  const mock = createMock({ as })
  const { apiKey, references } = mock.target({ selfHosted: 'http://localhost' }).selfHosted!
  const { dashboardId, tileId, webhookId } = references
  const alert = { dashboardId, tileId, source: 'tile', threshold: 1, thresholdType: 'above', interval: '1h' }
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, more?: object) => {
    const body = more ? JSON.stringify({ ...alert, channel: { type: 'webhook', webhookId }, ...more }) : ''
    const answer = await mock.answer({ method, path: `/api/v2/alerts${path}`, query: '', headers, body }, 'selfHosted')
    return { status: answer.status, ...JSON.parse(answer.body) }
  }
  const document = JSON.stringify(mock.describe('selfHosted'))
  return { mock, send, document }
}

describe('a field that is new in the contract of alerts', () => {
  it('is created, read and updated, and refused when its value is invalid', async () => {
    const { mock, send } = open('self-hosted-2.36')
    const { data } = await send('POST', '', { colour: 'red' })
    expect(data.colour).toBe('red')
    expect((await send('GET', `/${data.id}`)).data.colour).toBe('red')
    expect((await send('PUT', `/${data.id}`, { colour: 'green' })).data.colour).toBe('green')
    expect((await send('POST', '', { colour: 'blue' })).message).toBe(
      "Body validation failed: colour: Invalid enum value. Expected 'red' | 'green', received 'blue'",
    )
    expect(mock.get('alert', data.id, { within: 'self-hosted' })).toMatchObject({ colour: 'green' })
  })

  it('is in the OpenAPI document of its edition alone, for requests and for answers', () => {
    const places = (document: string) => document.split('"Its colour."').length - 1
    expect(places(open('self-hosted-2.36').document)).toBe(2)
    expect(places(open('self-hosted-2.24').document)).toBe(0)
  })

  it('can be set with mock.create(), which refuses an invalid value', () => {
    const { mock } = open('self-hosted-2.36')
    expect(mock.create('alert', { colour: 'red' } as object)).toMatchObject({ colour: 'red' })
    expect(() => mock.create('alert', { colour: 'blue' } as object)).toThrow(/colour/)
  })

  it('does not exist in the other edition', async () => {
    const { data } = await open('self-hosted-2.24').send('POST', '', { colour: 'red' })
    expect(data).not.toHaveProperty('colour')
  })
})
