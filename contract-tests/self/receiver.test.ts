import { describe, expect, it, onTestFinished } from 'vitest'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { verify } from '../run/verify.ts'
import { startMock } from './start-mock.ts'

/** A run on a deployment receives the notifications of its alert itself. */

const ofReceiver = [
  'alert/firing-notifies',
  'alert/resolution-notifies',
  'alert/notification-links-to-dashboard',
  'alert/notification-repeats',
  'alert/notification-ids',
  'event/webhook-payload',
] as const

/** Starts a mock that counts as a deployment, since its target names no control plane, and whose clock the waits advance. */
async function start() {
  const choices = { 'version/self-hosted-edition': '2.36' }
  const { target, close } = await startMock({ choices: { selfHosted: choices } })
  const { control, cloud: _, ...deployment } = target
  const client = createSupertestClient()
  onTestFinished(async () => {
    client.close?.()
    await close()
  })
  const wait = async (advanceMs: number) => {
    const body = JSON.stringify({ advanceMs })
    await fetch(`${control!.baseUrl}/control/clock`, { method: 'PUT', body })
    // Deliveries are under way until the journal shows them.
    await fetch(`${control!.baseUrl}/control/calls?form=webhook&limit=1`)
  }
  return { target: { ...deployment, writes: true }, client: { ...client, wait } }
}

/** A port of this machine on which nothing listens. */
const listen = '127.0.0.1:19009'
const receiver = { listen, url: `http://${listen}/hooks` }

const judge = async (allowEffects: readonly 'notifies'[], named: object) => {
  const { target, client } = await start()
  const options = { target: { ...target, ...named }, client, allowEffects, rules: ofReceiver, rate: 1000 }
  return { report: await verify(options), client }
}

const outcomesOf = ({ report }: Awaited<ReturnType<typeof judge>>) =>
  Object.fromEntries(report.rules.map(({ id, outcome, observed, detail }) => [id, observed ?? (detail || outcome)]))

describe('a run whose target file names a receiver', () => {
  it('gets the notifications of an alert that fires, repeats and resolves, and leaves nothing behind', async () => {
    const judged = await judge(['notifies'], { receiver })
    expect(outcomesOf(judged)).toEqual({
      'alert/firing-notifies': 'held',
      'alert/resolution-notifies': 'held',
      'alert/notification-links-to-dashboard': 'held',
      'alert/notification-repeats': 'in every window',
      'alert/notification-ids': 'one eventId, an Idempotency-Key for each',
      'event/webhook-payload': 'rendered template',
    })
    expect(judged.report.left).toBeUndefined()
    judged.client.close?.()
    await expect(fetch(receiver.url)).rejects.toThrow()
  })

  it('creates nothing unless the run may notify, or has a receiver', async () => {
    const held = outcomesOf(await judge([], { receiver }))
    expect(new Set(Object.values(held))).toEqual(
      new Set(['alert.create notifies people, which --allow-effects notifies allows']),
    )
    const without = outcomesOf(await judge(['notifies'], {}))
    expect(new Set(Object.values(without))).toEqual(new Set(['it requires a receiver that the deployment can reach']))
  })
})
