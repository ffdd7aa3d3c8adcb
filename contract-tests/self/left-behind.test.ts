import { describe, expect, it } from 'vitest'
import type { Client, Outgoing } from '../engine/clients/client.ts'
import { authorization } from '../engine/credentials.ts'
import { createLedger } from '../engine/ledger.ts'
import { exitStatus } from '../report/exit-status.ts'
import { cleanUp } from '../run/clean-up.ts'
import { sendSteps } from '../run/send-steps.ts'
import { verify } from '../run/verify.ts'
import { createDeploymentClient, deploymentTarget } from './other-deployment/client.ts'
import { deployWithDocuments } from './other-deployment/deployment.ts'
import {
  compliantQuirks,
  leftoverQuirks,
  type Quirk,
  renamingQuirks,
  rulebreakingQuirks,
} from './other-deployment/quirks.ts'
import { withoutDocumented } from './other-deployment/target.ts'

/** Whatever a deployment calls its ids and makes of names: the run deletes what it created, or says that it is left. */

const target = withoutDocumented(deploymentTarget)

/** A deployment with a quirk, and the documents on it. */
function start(quirk: Quirk) {
  const { answer, documents } = deployWithDocuments(undefined, { quirk })
  const there = () => documents().map(({ form, kind, id }) => `${form} ${kind} ${id}`)
  return { client: createDeploymentClient(answer), there, seeds: there() }
}

/** The clean-up of `sweep`, with a ledger on disk. */
async function sweep(client: Client, text: string) {
  let more = ''
  const ledger = createLedger(line => {
    more += line
  }, text)
  const sentSteps = await sendSteps({ target, client, steps: [], runMark: 'sweep', now: 0, ledger, readOnly: false })
  await cleanUp(target, ledger, sentSteps)
  return { left: ledger.left(), text: text + more }
}

async function run(quirk: Quirk, wrap: (client: Client) => Client = same => same) {
  const deployment = start(quirk)
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

/** Of a thing that has another name than was sent. */
const isOfName = (alarm: string) => /^\w+\/(?:created|updated)-is-got /.test(alarm)

describe.each([...compliantQuirks, ...renamingQuirks])('a deployment that $id', quirk => {
  it('raises no alarm but of names that it changes, and nothing is left behind', async () => {
    const { report, there, seeds } = await run(quirk)
    const isRenaming = renamingQuirks.includes(quirk)
    expect(alarms(report).filter(alarm => !isRenaming || !isOfName(alarm))).toEqual([])
    expect(alarms(report).some(isOfName)).toBe(isRenaming)
    expect(exitStatus({ ...report, failOn: 'documented' })).toBe(isRenaming ? 1 : 0)
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
    const { client, there, seeds, text } = await run(quirk, cut)
    expect(there().length).toBeGreaterThan(seeds.length)
    const { left, text: after } = await sweep(client, text)
    expect(there()).toEqual(seeds)
    expect(left).toEqual([])
    expect((await sweep(client, after)).left).toEqual([])
  })
})

describe.each(rulebreakingQuirks)('a deployment that $id', quirk => {
  it('keeps nothing that the run made, and everything that was there', async () => {
    const { report, there, seeds } = await run(quirk)
    expect(there().sort()).toEqual(seeds.toSorted())
    expect(report.left ?? []).toEqual([])
  })
})

describe.each(leftoverQuirks)('a deployment that $id', quirk => {
  it('has everything that it keeps in the report, in the ledger and for sweep', async () => {
    const { client, report, there, seeds, text } = await run(quirk)
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
    expect(kindsOf(createLedger(undefined, text).left())).toEqual(kindsOf(report.left ?? []))
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
  const quirk = renamingQuirks.find(({ id }) => id === 'keeps no names')!

  it('is not blamed for objects of others that were got instead, and all that it keeps is reported', async () => {
    const { report, there, seeds, text } = await run(quirk, hideLists)
    expect(alarms(report).filter(alarm => !isOfName(alarm))).toEqual([])
    const got = report.rules.find(({ id, form }) => id === 'dashboard/created-is-got' && form === 'selfHosted')
    expect([got?.outcome, got?.detail]).toEqual([
      'not-applicable',
      expect.stringContaining('could not be distinguished'),
    ])
    const kept = there().filter(one => !seeds.includes(one))
    expect(kept.length).toBeGreaterThan(0)
    expect(report.left?.length).toBe(kept.length)
    expect(createLedger(undefined, text).left().length).toBe(kept.length)
  })
})

describe('a deployment that accepts deletions and does them later', () => {
  /** It deletes when a thing that is to be deleted was looked for so often. */
  const later =
    (looks: number) =>
    (client: Client): Client => {
      const waiting = new Map<string, { request: Outgoing; looks: number }>()
      return {
        async send(request) {
          const { method, path } = request
          const isList = method === 'GET' && /\/(?:dashboards|alerts)$/.test(path)
          for (const [one, deletion] of waiting) {
            if (!isList || !one.startsWith(`${path}/`) || --deletion.looks > 0) continue
            waiting.delete(one)
            await client.send(deletion.request)
          }
          if (method !== 'DELETE' || !/\/(?:dashboards|alerts)\//.test(path)) return client.send(request)
          const got = await client.send({ ...request, method: 'GET' })
          if (got.status >= 300) return got
          if (!waiting.has(path)) waiting.set(path, { request, looks })
          return {
            ...got,
            status: 202,
            text: JSON.stringify({ status: 202, requestId: crypto.randomUUID(), result: {} }),
          }
        },
      }
    }

  it('has nothing under left when they are done after some looks', async () => {
    const { report, there, seeds } = await run({ id: 'is late' }, later(3))
    expect(there()).toEqual(seeds)
    expect(report.left ?? []).toEqual([])
  })

  it('has under left what is there when no more looks are taken', async () => {
    const { client, there, seeds } = start({ id: 'is too late' })
    const report = await verify({
      target,
      client: later(1000)(client),
      rules: ['dashboard/create-answers'],
      forms: ['managed'],
    })
    const kept = there().filter(one => !seeds.includes(one))
    expect(kept.length).toBeGreaterThan(0)
    expect(report.left?.length).toBe(kept.length)
  }, 60_000)
})

describe('a managed form that takes webhooks and charts by POST', () => {
  /** Its lists of them are refused; what it made can be got and deleted. */
  function withAbsent(client: Client, isGot = true) {
    const made = new Map<string, object>()
    const wrapped: Client = {
      async send(request) {
        const { method, path, headers, body } = request
        const [, resource, id] = /\/(webhooks|charts)(?:\/(?!series)([^/]+))?$/.exec(path) ?? []
        const isGood = headers.authorization === authorization(target, 'managed', 'key')
        const answer = await client.send(request)
        if (!resource || request.baseUrl !== target.cloud.baseUrl || !isGood) return answer
        const say = (status: number, result: object) => ({
          status,
          headers: { 'content-type': 'application/json' },
          text: JSON.stringify({ status, requestId: crypto.randomUUID(), result }),
        })
        if (method === 'POST' && !id) {
          const one = { ...JSON.parse(body ?? '{}'), id: `${resource}-${made.size + 1}` }
          made.set(one.id, one)
          return say(200, one)
        }
        if (!id) return answer
        if (isGot && !made.has(id)) return say(404, {})
        if (method === 'GET') return isGot ? say(200, made.get(id)!) : answer
        if (method === 'DELETE') made.delete(id)
        return say(200, {})
      },
    }
    return { wrapped, made }
  }

  it.each([true, false])('breaks the rules, and keeps nothing that is not reported (can be got: %s)', async isGot => {
    const { client } = start({ id: 'has webhooks' })
    const { wrapped, made } = withAbsent(client, isGot)
    let text = ''
    const ledger = createLedger(line => {
      expect(line.includes('"intended"') && line.includes('webhooks') && made.has('webhooks-1')).toBe(false)
      text += line
    })
    const report = await verify({ target, client: wrapped, ledger })
    const broken = report.rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)
    expect(broken.sort()).toEqual(['chart/absent-in-managed-form', 'webhook/absent-in-managed-form'])
    for (const resource of ['webhook', 'chart'])
      expect(text).toMatch(new RegExp(`"intended".*"resource":"${resource}"`))
    const left = (report.left ?? []).map(({ form, resource }) => `${form} ${resource}s`)
    expect(left.sort()).toEqual(isGot ? [] : ['managed charts', 'managed webhooks'])
    expect(made.size).toBe(left.length)
  })

  it('sends it no POST for charts when GET is answered', async () => {
    const { client } = start({ id: 'lists charts' })
    const sent: string[] = []
    const report = await verify({
      target,
      client: {
        async send(request) {
          const { method, path } = request
          const isAbsent = /\/charts(?:\/series)?$/.test(path) && request.baseUrl === target.cloud.baseUrl
          if (isAbsent) sent.push(method)
          const answer = await client.send(request)
          const body = { status: 200, requestId: crypto.randomUUID(), result: [] }
          const headers = { 'content-type': 'application/json' }
          return isAbsent ? { status: 200, headers, text: JSON.stringify(body) } : answer
        },
      },
    })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken')).toHaveLength(1)
    expect(new Set(sent)).toEqual(new Set(['GET']))
  })
})

describe('a creation of which only the intent is known', () => {
  const intent = { what: 'intended', form: 'selfHosted', resource: 'savedSearch', name: 'n', run: 'r' }
  const path = '/api/v2/saved-searches'
  const leftWhere = async (status: number, ...lines: object[]) => {
    const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
    return (await sweep({ send: async () => ({ status, headers: {}, text: '' }) }, text)).left.length
  }

  it.each([404, 405, 501])('came to nothing where the deployment does not offer its kind (%i)', async status => {
    expect(await leftWhere(status, { ...intent, path })).toBe(0)
  })

  it.each([401, 403, 500])('is left where the list is refused for another reason (%i)', async status => {
    expect(await leftWhere(status, { ...intent, path })).toBe(1)
  })

  it('is left where its request succeeded, and where it was sent to another path', async () => {
    const answered = { ...intent, what: 'answered', path, answer: { status: 201, body: '' } }
    expect(await leftWhere(404, { ...intent, path }, answered)).toBe(1)
    expect(await leftWhere(404, { ...intent, path: '/elsewhere' })).toBe(1)
  })

  it('is left where every deployment offers its kind, or none in that form', async () => {
    expect(await leftWhere(404, { ...intent, resource: 'dashboard', path: '/api/v2/dashboards' })).toBe(1)
    const { organizationId, serviceId } = target.cloud
    const webhooks = `/v1/organizations/${organizationId}/services/${serviceId}/observability/webhooks`
    expect(await leftWhere(404, { ...intent, form: 'managed', resource: 'webhook', path: webhooks })).toBe(1)
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
