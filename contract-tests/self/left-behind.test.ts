import { describe, expect, it } from 'vitest'
import type { Client, Outgoing } from '../engine/clients/client.ts'
import { createLedger, readLedger } from '../engine/ledger.ts'
import { exitStatus } from '../report/exit-status.ts'
import { cleanUp } from '../run/clean-up.ts'
import { verify } from '../run/verify.ts'
import { visit } from '../run/visit.ts'
import { createDeploymentClient, deploymentTarget as target } from './other-deployment/client.ts'
import { deployShown } from './other-deployment/deployment.ts'
import { compliantHabits, type Habit, leavingHabits, troublesomeHabits } from './other-deployment/habits.ts'

/** Whatever a deployment calls its ids and makes of names: the run deletes what it created, or says that it is left. */

/** A deployment with a habit, and what is on it. */
function start(habit: Habit) {
  const { answer, documents } = deployShown(undefined, { habit })
  const there = () => documents().map(({ form, kind, id }) => `${form} ${kind} ${id}`)
  return { client: createDeploymentClient(answer), there, seeds: there() }
}

/** The clean-up of `sweep`, with a ledger on disk. */
async function sweep(client: Client, text: string) {
  let more = ''
  const ledger = createLedger(line => {
    more += line
  }, text)
  const { send } = await visit({ target, client, steps: [], run: 'sweep', now: 0, ledger, readOnly: false })
  await cleanUp(target, ledger, send)
  return { left: ledger.left(), text: text + more }
}

async function run(habit: Habit, wrap: (client: Client) => Client = same => same) {
  const deployment = start(habit)
  let text = ''
  const ledger = createLedger(line => {
    text += line
  })
  const report = await verify({ target, client: wrap(deployment.client), ledger })
  return { ...deployment, report, text }
}

const alarms = (report: Awaited<ReturnType<typeof verify>>) =>
  report.rules
    .filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    .map(({ id, form, detail }) => `${id} ${form}: ${detail}`)

describe.each(compliantHabits)('a deployment that $id', habit => {
  it('raises no alarm, and nothing is left behind', async () => {
    const { report, there, seeds } = await run(habit)
    expect(alarms(report)).toEqual([])
    expect(exitStatus(report, { strict: true })).toBe(0)
    expect(there()).toEqual(seeds)
    expect(report.left ?? []).toEqual([])
  })

  it('is swept after a run that ended without deleting', async () => {
    // The last requests of the run reach nobody.
    const cut = (client: Client): Client => {
      let isCut = false
      return {
        async send(request: Outgoing) {
          isCut ||= request.method === 'DELETE'
          if (isCut) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
          return client.send(request)
        },
      }
    }
    const { client, there, seeds, text } = await run(habit, cut)
    expect(there().length).toBeGreaterThan(seeds.length)
    const { left, text: after } = await sweep(client, text)
    expect(there()).toEqual(seeds)
    expect(left).toEqual([])
    expect((await sweep(client, after)).left).toEqual([])
  })
})

describe.each(troublesomeHabits)('a deployment that $id', habit => {
  it('keeps nothing that the run made, and everything that was there', async () => {
    const { report, there, seeds } = await run(habit)
    expect(there().sort()).toEqual(seeds.toSorted())
    expect(report.left ?? []).toEqual([])
  })
})

describe.each(leavingHabits)('a deployment that $id', habit => {
  it('has everything that it keeps in the report, in the ledger and for sweep', async () => {
    const { client, report, there, seeds, text } = await run(habit)
    const kept = there().filter(one => !seeds.includes(one))
    const kindsOf = (left: readonly { form: string; resource: string }[]) =>
      left.map(({ form, resource }) => `${form} ${resource}s`).sort()
    expect(kept.length).toBeGreaterThan(0)
    expect(kindsOf(report.left ?? [])).toEqual(kept.map(one => one.replace(/ [^ ]*$/, '')).sort())
    for (const left of report.left ?? []) {
      expect(left).toMatchObject({ name: expect.any(String), why: expect.stringMatching(/\S/) })
      if (!left.shown?.includes('u '))
        expect(left.answer).toMatchObject({ status: expect.any(Number), body: expect.any(String) })
    }
    expect(kindsOf(readLedger(text))).toEqual(kindsOf(report.left ?? []))
    expect(kindsOf((await sweep(client, text)).left)).toEqual(kindsOf(report.left ?? []))
    expect(there()).toEqual(expect.arrayContaining(seeds))
  })
})

describe('a deployment whose lists show nothing, and whose names are its own', () => {
  const hideLists = (client: Client): Client => ({
    async send(request) {
      const isList = request.method === 'GET' && /\/(?:dashboards|alerts)(?:\?|$)/.test(request.path)
      const answer = await client.send(request)
      const isCloud = request.baseUrl === target.cloud.baseUrl
      const list = { items: [], hasMore: true }
      const { requestId } = isCloud && isList && answer.status === 200 ? JSON.parse(answer.text) : { requestId: '' }
      return isList && answer.status === 200
        ? { ...answer, text: JSON.stringify(isCloud ? { status: 200, requestId, result: list } : list) }
        : answer
    },
  })
  const habit = compliantHabits.find(({ id }) => id === 'keeps no names')!

  it('is not blamed for things of others that were got instead, and all that it keeps is told', async () => {
    const { report, there, seeds, text } = await run(habit, hideLists)
    expect(alarms(report)).toEqual([])
    const got = report.rules.find(({ id, form }) => id === 'dashboard/created-is-got' && form === 'selfHosted')
    expect([got?.outcome, got?.detail]).toEqual(['not-applicable', expect.stringContaining('could not be told')])
    const kept = there().filter(one => !seeds.includes(one))
    expect(kept.length).toBeGreaterThan(0)
    expect(report.left?.length).toBe(kept.length)
    expect(readLedger(text).length).toBe(kept.length)
  })
})

describe('the ledger', () => {
  it('has the answers to creations without the credentials in them', async () => {
    const { apiKey } = target.selfHosted
    const { text } = await run({ id: 'echoes', callsId: null }, client => ({
      async send(request) {
        const answer = await client.send(request)
        const isCreation = request.method === 'POST' && request.path === '/api/v2/dashboards' && answer.status < 300
        return isCreation ? { ...answer, text: JSON.stringify({ echo: apiKey, more: 'x'.repeat(10_000) }) } : answer
      },
    }))
    expect(text).toContain('[redacted]')
    expect(text).not.toContain(apiKey)
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(6000)
  })
})
