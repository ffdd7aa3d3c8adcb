import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { createMock as Create } from '../../index.ts'

/** A field of an alert is a line in the contract: it is judged, kept, answered and described by it. */

const contract = '../../../fixtures/contract/alert.ts'
let createMock: typeof Create

beforeAll(async () => {
  // Tests share their modules: this one has a contract of its own.
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
  it('is taken, kept over a get, changed, and refused when it is wrong', async () => {
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

  it('is described in its edition alone, in requests and in answers', () => {
    const places = (document: string) => document.split('"Its colour."').length - 1
    expect(places(open('self-hosted-2.36').document)).toBe(2)
    expect(places(open('self-hosted-2.24').document)).toBe(0)
  })

  it('is arranged by the control plane, which knows its values', () => {
    const { mock } = open('self-hosted-2.36')
    expect(mock.create('alert', { colour: 'red' } as object)).toMatchObject({ colour: 'red' })
    expect(() => mock.create('alert', { colour: 'blue' } as object)).toThrow(/colour/)
  })

  it('does not exist in the other edition', async () => {
    const { data } = await open('self-hosted-2.24').send('POST', '', { colour: 'red' })
    expect(data).not.toHaveProperty('colour')
  })
})
