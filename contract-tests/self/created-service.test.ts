import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import type { Client } from '../engine/clients/client.ts'
import { createLedger } from '../engine/ledger.ts'
import { recogniseMock } from '../engine/target/own-mock.ts'
import { cleanUp } from '../run/clean-up.ts'
import { sendSteps } from '../run/send-steps.ts'
import { examine } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** A run stops and then deletes the service that it creates. Where services cost money, this needs --allow-effects. */

function start() {
  const choices = {
    'service/delete-after-stop': 'refused for seconds',
    'serviceQueryEndpoint/while-provisioning': '500',
  } as const
  const mock = createMock({ choices: { cloud: choices } })
  const direct = createDirectClient(mock)
  const services = () => mock.records.list('service').length
  return { mock, direct, services, before: services(), target: directTarget(mock) }
}

const only = { rules: ['service/', 'backupConfiguration/'] }

describe('a service that a run creates', () => {
  it('is stopped and deleted by a sweep when the run was killed before that', async () => {
    const { direct, services, before, target } = start()
    let text = ''
    // From the first request that stops or deletes the service on, nothing reaches the deployment.
    let isKilled = false
    const client: Client = {
      ...direct,
      async send(request) {
        const isOwn = services() > before && !request.path.includes(target.cloud!.serviceId!)
        isKilled ||= isOwn && (request.method === 'DELETE' || request.path.endsWith('/state'))
        if (isKilled) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
        return direct.send(request)
      },
    }
    await examine({ target, client, ...only, ledger: createLedger(line => (text += line)) })
    expect(services()).toBe(before + 1)
    const ledger = createLedger(() => {}, text)
    const sent: string[] = []
    const watched: Client = {
      ...direct,
      send: request => {
        sent.push(`${request.method} ${request.path.replace(/.*\/services/, '')}`.replace(/[0-9a-f-]{36}/, '{id}'))
        return direct.send(request)
      },
    }
    const trusted = await recogniseMock(target, watched)
    const sweeping = { target: trusted, client: watched, steps: [], runMark: 'sweep', now: 0, ledger, readOnly: false }
    await cleanUp(target, ledger, await sendSteps(sweeping))
    expect(ledger.left()).toEqual([])
    expect(services()).toBe(before)
    const writes = sent.filter(one => /^(?:PATCH|DELETE) \/\{id\}(?:\/state)?$/.test(one))
    expect(writes[0]).toBe('PATCH /{id}/state')
    // The deletion is refused with 409 for a while after the stop.
    expect(new Set(writes.slice(1))).toEqual(new Set(['DELETE /{id}']))
    expect(writes.length).toBeGreaterThan(2)
  })

  it.each([
    ['an honest state', (text: string) => text, 200],
    ['the state running at once', (text: string) => text.replaceAll('"provisioning"', '"running"'), 500],
  ])('has its query endpoint set once it runs: with %s', async (_, alter, status) => {
    const { direct, target } = start()
    const client: Client = {
      ...direct,
      async send(request) {
        const answer = await direct.send(request)
        return { ...answer, text: alter(answer.text) }
      },
    }
    const { sentSteps } = await examine({ target, client, rules: ['serviceQueryEndpoint/set-is-got'] })
    expect(sentSteps.exchanges.get('cloud:serviceQueryEndpoint.upsert')?.response.status).toBe(status)
  })

  it('is not started by a command that wakes it', async () => {
    const { direct, target } = start()
    const client: Client = {
      ...direct,
      async send(request) {
        const answer = await direct.send(request)
        const isRefused = answer.status === 400 && request.body === '{"command":"awake"}'
        return isRefused ? direct.send({ ...request, body: '{"command":"start"}' }) : answer
      },
    }
    const { report } = await examine({ target, client, rules: ['service/moves-as-documented'] })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).toEqual([
      'service/moves-as-documented',
    ])
  })

  it('is not created beyond loopback without --allow-effects costs, which also allows its changes', async () => {
    const { direct, target } = start()
    const base = 'https://cloud.example.test'
    const remote = { ...target, cloud: { ...target.cloud!, baseUrl: base }, selfHosted: undefined, writes: true }
    const client: Client = { ...direct, send: one => direct.send({ ...one, baseUrl: target.cloud!.baseUrl }) }
    const run = async (allowEffects: readonly 'costs'[]) => {
      const { sentSteps } = await examine({ target: remote, client, ...only, rate: 1e6, allowEffects })
      return sentSteps
    }
    expect((await run([])).missing.get('cloud:service.create-main')?.skipped).toMatchObject({
      sentence: 'service.create costs money, which --allow-effects costs allows',
    })
    const { exchanges } = await run(['costs'])
    for (const step of ['service.create-main', 'backupConfiguration.update', 'service.state', 'service.delete'])
      expect(exchanges.get(`cloud:${step}`)?.response.status, step).toBe(200)
  })
})
