import { describe, expect, it } from 'vitest'
import type { Client, Outgoing } from '../engine/clients/client.ts'
import { authorization } from '../engine/credentials.ts'
import { createLedger } from '../engine/ledger.ts'
import { recogniseMock } from '../engine/target/own-mock.ts'
import { exitStatus } from '../report/exit-status.ts'
import { cleanUp } from '../run/clean-up.ts'
import { sendSteps } from '../run/send-steps.ts'
import { verify } from '../run/verify.ts'
import { answerControl } from './control.ts'
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

/** However a deployment names ids and changes names, a run deletes what it created, or reports it as left. */

const target = withoutDocumented(deploymentTarget)

/** A deployment with a quirk, and the documents on it. */
function start(quirk: Quirk) {
  const { answer, documents } = deployWithDocuments(undefined, { quirk })
  const listDocuments = () => documents().map(({ form, kind, id }) => `${form} ${kind} ${id}`)
  return { client: createDeploymentClient(answer), listDocuments, seeds: listDocuments() }
}

/** Cleans up as `sweep` does, and returns what is left, and the ledger after it. */
async function sweep(client: Client, text: string) {
  let more = ''
  const ledger = createLedger(line => {
    more += line
  }, text)
  const trusted = await recogniseMock(target, client)
  const sentSteps = await sendSteps({
    target: trusted,
    client,
    steps: [],
    runMark: 'sweep',
    now: 0,
    ledger,
    readOnly: false,
  })
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

const findWrongRules = (report: Awaited<ReturnType<typeof verify>>) =>
  report.rules
    .filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    .map(({ id, form, detail }) => `${id} ${form}: ${detail}`)

/** Whether the rule is about a name that differs from the name that was sent. */
const isAboutName = (rule: string) => /^\w+\/(?:(?:created|updated)-is-got|whole-is-kept) /.test(rule)

describe.each([...compliantQuirks, ...renamingQuirks])('a deployment that $id', quirk => {
  it('breaks no rule except those about the names that it changes, and the run leaves nothing behind', async () => {
    const { report, listDocuments, seeds } = await run(quirk)
    const isRenaming = renamingQuirks.includes(quirk)
    expect(findWrongRules(report).filter(rule => !isRenaming || !isAboutName(rule))).toEqual([])
    expect(findWrongRules(report).some(isAboutName)).toBe(isRenaming)
    expect(exitStatus({ ...report, failOn: 'documented' })).toBe(isRenaming ? 1 : 0)
    expect(listDocuments()).toEqual(seeds)
    expect(report.left ?? []).toEqual([])
  })

  it('is cleaned up by a sweep after a run that ended before its deletions', async () => {
    // From the first deletion on, no request of the run reaches the deployment.
    const cut = (client: Client): Client => {
      let isCut = false
      return {
        ...client,
        async send(request: Outgoing) {
          isCut ||= request.method === 'DELETE'
          if (isCut) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
          return client.send(request)
        },
      }
    }
    const { client, listDocuments, seeds, text } = await run(quirk, cut)
    expect(listDocuments().length).toBeGreaterThan(seeds.length)
    const { left, text: after } = await sweep(client, text)
    expect(listDocuments()).toEqual(seeds)
    expect(left).toEqual([])
    expect((await sweep(client, after)).left).toEqual([])
  })
})

describe.each(rulebreakingQuirks)('a deployment that $id', quirk => {
  it('keeps no object of the run, and every object that existed before', async () => {
    const { report, listDocuments, seeds } = await run(quirk)
    expect(listDocuments().sort()).toEqual(seeds.toSorted())
    expect(report.left ?? []).toEqual([])
  })
})

describe.each(leftoverQuirks)('a deployment that $id', quirk => {
  it('has every object that it keeps in the report, in the ledger and in the result of a sweep', async () => {
    const { client, report, listDocuments, seeds, text } = await run(quirk)
    const kept = listDocuments().filter(one => !seeds.includes(one))
    const keptKinds = kept.map(one => one.replace(/ [^ ]*$/, '')).sort()
    // A copy of an alert goes with its dashboard, after the run has seen it.
    const kindsOf = (left: readonly { form: string; resource: string }[]) =>
      left
        .map(({ form, resource }) => `${form} ${resource}s`)
        .filter(kind => keptKinds.includes(kind) || !kind.endsWith(' alerts'))
        .sort()
    expect(kept.length).toBeGreaterThan(0)
    expect(kindsOf(report.left ?? [])).toEqual(keptKinds)
    for (const left of report.left ?? []) {
      expect(left).toMatchObject({ name: expect.any(String), why: expect.stringMatching(/\S/) })
      if (!left.why?.includes('from an update'))
        expect(left.answer).toMatchObject({ status: expect.any(Number), body: expect.any(String) })
    }
    expect(kindsOf(createLedger(undefined, text).left())).toEqual(kindsOf(report.left ?? []))
    expect(kindsOf((await sweep(client, text)).left)).toEqual(kindsOf(report.left ?? []))
    expect(listDocuments()).toEqual(expect.arrayContaining(seeds))
  })
})

describe('a deployment whose lists are empty and which replaces names', () => {
  const hideLists = (client: Client): Client => ({
    ...client,
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

  it('breaks no rule except those about names, and every object that it keeps is reported', async () => {
    const { report, listDocuments, seeds, text } = await run(quirk, hideLists)
    expect(findWrongRules(report).filter(rule => !isAboutName(rule))).toEqual([])
    const got = report.rules.find(({ id, form }) => id === 'dashboard/created-is-got' && form === 'selfHosted')
    expect([got?.outcome, got?.detail]).toEqual([
      'not-applicable',
      expect.stringContaining('could not be distinguished'),
    ])
    const kept = listDocuments().filter(one => !seeds.includes(one))
    expect(kept.length).toBeGreaterThan(0)
    expect(report.left?.length).toBe(kept.length)
    expect(createLedger(undefined, text).left().length).toBe(kept.length)
  })
})

describe('a deployment that accepts deletions and performs them later', () => {
  /** Deletes an object only after its list was read `reads` times. */
  const deleteLater =
    (reads: number) =>
    (client: Client): Client => {
      const waiting = new Map<string, { request: Outgoing; reads: number }>()
      return {
        ...client,
        async send(request) {
          const { method, path } = request
          const isList = method === 'GET' && /\/(?:dashboards|alerts)$/.test(path)
          for (const [one, deletion] of waiting) {
            if (!isList || !one.startsWith(`${path}/`) || --deletion.reads > 0) continue
            waiting.delete(one)
            await client.send(deletion.request)
          }
          if (method !== 'DELETE' || !/\/(?:dashboards|alerts)\//.test(path)) return client.send(request)
          const got = await client.send({ ...request, method: 'GET' })
          if (got.status >= 300) return got
          if (!waiting.has(path)) waiting.set(path, { request, reads })
          return {
            ...got,
            status: 202,
            text: JSON.stringify({ status: 202, requestId: crypto.randomUUID(), result: {} }),
          }
        },
      }
    }

  it('has nothing left in the report when the lists are read until the deletions are done', async () => {
    const { report, listDocuments, seeds } = await run({ id: 'is late' }, deleteLater(3))
    expect(listDocuments()).toEqual(seeds)
    expect(report.left ?? []).toEqual([])
  })

  it('has the objects in the report that still exist when the run stops reading the lists', async () => {
    const { client, listDocuments, seeds } = start({ id: 'is too late' })
    const report = await verify({
      target,
      client: deleteLater(1000)(client),
      rules: ['dashboard/create-answers'],
      forms: ['managed'],
    })
    const kept = listDocuments().filter(one => !seeds.includes(one))
    expect(kept.length).toBeGreaterThan(0)
    expect(report.left?.length).toBe(kept.length)
  })
})

describe('a managed form that accepts webhooks and charts by POST', () => {
  /** Accepts webhooks and charts in the managed form, and shows them if `isReadable`; their lists stay refused. */
  function acceptAbsentResources(client: Client, isReadable = true) {
    const made = new Map<string, object>()
    const wrapped: Client = {
      ...client,
      async send(request) {
        const { method, path, headers, body } = request
        const [, resource, id] = /\/(webhooks|charts)(?:\/(?!series)([^/]+))?$/.exec(path) ?? []
        const isGood = headers.authorization === authorization(target, 'managed', 'key')
        const answer = await client.send(request)
        if (!resource || request.baseUrl !== target.cloud.baseUrl || !isGood) return answer
        const answerWith = (status: number, result: object) => ({
          status,
          headers: { 'content-type': 'application/json' },
          text: JSON.stringify({ status, requestId: crypto.randomUUID(), result }),
        })
        if (method === 'POST' && !id) {
          const one = { ...JSON.parse(body ?? '{}'), id: `${resource}-${made.size + 1}` }
          made.set(one.id, one)
          return answerWith(200, one)
        }
        if (!id) return answer
        if (isReadable && !made.has(id)) return answerWith(404, {})
        if (method === 'GET') return isReadable ? answerWith(200, made.get(id)!) : answer
        if (method === 'DELETE') made.delete(id)
        return answerWith(200, {})
      },
    }
    return { wrapped, made }
  }

  it.each([true, false])(
    'breaks the rules about both, and every object that it keeps is reported (get is answered: %s)',
    async isReadable => {
      const { client } = start({ id: 'has webhooks' })
      const { wrapped, made } = acceptAbsentResources(client, isReadable)
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
      expect(left.sort()).toEqual(isReadable ? [] : ['managed charts', 'managed webhooks'])
      expect(made.size).toBe(left.length)
    },
  )

  it('gets no POST for charts when it answers GET', async () => {
    const { client } = start({ id: 'lists charts' })
    const sent: string[] = []
    const report = await verify({
      target,
      client: {
        ...client,
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

describe('a creation that the ledger has only as intended', () => {
  const intent = { what: 'intended', form: 'selfHosted', resource: 'savedSearch', name: 'n', run: 'r' }
  const path = '/api/v2/saved-searches'
  const countLeft = async (status: number, ...lines: object[]) => {
    const text = lines.map(line => `${JSON.stringify(line)}\n`).join('')
    const client = answerControl(target, { send: async () => ({ status, headers: {}, text: '' }) })
    return (await sweep(client, text)).left.length
  }

  it.each([404, 405, 501])(
    'counts as failed when its list is answered with %i, because the resource is not offered',
    async status => {
      expect(await countLeft(status, { ...intent, path })).toBe(0)
    },
  )

  it.each([401, 403, 500])('counts as left when its list is answered with %i', async status => {
    expect(await countLeft(status, { ...intent, path })).toBe(1)
  })

  it('counts as left when its request succeeded, and when it was sent to another path', async () => {
    const answered = { ...intent, what: 'answered', path, answer: { status: 201, body: '' } }
    expect(await countLeft(404, { ...intent, path }, answered)).toBe(1)
    expect(await countLeft(404, { ...intent, path: '/elsewhere' })).toBe(1)
  })

  it('counts as left when its resource is offered by every deployment, not when only some have it in that form', async () => {
    expect(await countLeft(404, { ...intent, resource: 'dashboard', path: '/api/v2/dashboards' })).toBe(1)
    const { organizationId, serviceId } = target.cloud
    for (const resource of ['webhook', 'chart']) {
      const path = `/v1/organizations/${organizationId}/services/${serviceId}/observability/${resource}s`
      expect(await countLeft(404, { ...intent, form: 'managed', resource, path })).toBe(0)
    }
  })
})

describe('the ledger', () => {
  it('has the answers to creations, cut and without credentials', async () => {
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
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(12_000)
  })
})
