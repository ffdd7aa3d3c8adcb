import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Form, type RuleId, rules } from '../../../fixtures/built-contract/index.ts'
import { deploy } from './deployment.ts'
import { type OtherDeployment, startOtherDeployment } from './index.ts'
import { type Mutant, mutants } from './mutants.ts'
import {
  alertOn,
  bearer,
  type Connection,
  call,
  cloudAuthorization,
  managed,
  members,
  refusedAuthorizations,
  selfHosted,
  sendSession,
} from './session.ts'
import { describeTarget } from './target.ts'

describe('the other deployment', () => {
  let deployment: OtherDeployment
  let connection: Connection
  beforeAll(async () => {
    deployment = await startOtherDeployment()
    connection = { target: deployment.target, fetch }
  })
  afterAll(() => deployment.close())

  it('keeps a dashboard of the managed form from creation to deletion', async () => {
    const send = managed(connection)
    const created = await send('POST', '/dashboards', { name: 'Mine', tiles: [{ x: 0, y: 0, w: 1, h: 1 }] })
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({ status: 201, result: { dashboard: { name: 'Mine' } } })
    const { id } = created.json.result.dashboard
    const path = `/dashboards/${encodeURIComponent(id)}`
    expect((await send('PUT', path, { name: 'Yours' })).status).toBe(200)
    expect((await send('GET', path)).json.result).toMatchObject({ id, name: 'Yours' })
    expect((await send('GET', '/dashboards')).json.result.items).toContainEqual(expect.objectContaining({ id }))
    expect((await send('DELETE', path)).json).toMatchObject({ status: 200, result: {} })
    expect((await send('GET', path)).status).toBe(404)
    expect((await send('GET', '/dashboards')).json.result.items).toHaveLength(1)
  })

  it('keeps an alert of the self-hosted form from creation to deletion', async () => {
    const send = selfHosted(connection)
    const created = await send('POST', '/alerts', alertOn(deployment.target.selfHosted.references))
    const { _id } = created.json.alert
    const path = `/alerts/${encodeURIComponent(_id)}`
    expect((await send('PUT', path, { threshold: 7 })).status).toBe(405)
    expect((await send('PATCH', path, { threshold: 7 })).status).toBe(202)
    expect((await send('GET', path)).json.data).toMatchObject({ _id, threshold: 7 })
    expect((await send('GET', '/alerts')).json.alerts).toHaveLength(2)
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('GET', path)).status).toBe(410)
    expect((await send('GET', '/alerts')).json.alerts).toHaveLength(1)
  })

  it('refuses unknown fields, duplicate names, malformed JSON and missing paths with its own statuses', async () => {
    const cloud = managed(connection)
    const open = selfHosted(connection)
    expect((await cloud('POST', '/dashboards', { name: 'Odd', colour: 'red' })).json).toMatchObject({ status: 400 })
    expect((await cloud('POST', '/dashboards', { name: 'Seeded' })).status).toBe(409)
    expect((await cloud('POST', '/dashboards', '{"name":')).status).toBe(400)
    expect((await cloud('GET', '/charts/series')).status).toBe(501)
    expect((await cloud('GET', '/webhooks')).status).toBe(410)
    expect((await open('POST', '/dashboards', '{"name":')).status).toBe(422)
    expect((await open('GET', '/charts/series')).status).toBe(501)
    expect((await open('DELETE', '/dashboards/none')).status).toBe(204)
  })

  it('refuses requests without the credentials of the form', async () => {
    const { target } = deployment
    for (const authorization of refusedAuthorizations(target)) {
      const answers = await Promise.all([
        members(connection, target.cloud.organizationId, authorization),
        managed(connection, authorization)('GET', '/dashboards'),
        selfHosted(connection, authorization)('GET', '/dashboards'),
      ])
      expect(answers.map(({ status }) => status)).toEqual([403, 404, 401])
    }
  })

  it('lists the same members in another order each time', async () => {
    const list = async () => (await members(connection, deployment.target.cloud.organizationId)).json.result
    const [first, second] = [await list(), await list()]
    expect(second).not.toEqual(first)
    expect(second).toHaveLength(first.length)
    expect(second).toEqual(expect.arrayContaining(first))
  })

  it('accepts only the key of the second organization for that organization', async () => {
    const { cloud } = deployment.target
    expect((await members(connection, cloud.secondOrganizationId)).status).toBe(200)
    expect((await members(connection, cloud.secondOrganizationId, cloudAuthorization(connection))).status).toBe(403)
  })

  it('records every answer in its journal', async () => {
    const { target, journal } = deployment
    await call(connection, `${target.selfHosted.baseUrl}/nowhere`, 'GET', bearer(connection))
    expect(journal.at(-1)).toEqual({ method: 'GET', url: `${target.selfHosted.baseUrl}/nowhere`, status: 404 })
  })

  it('refuses an unknown name of a mutant', async () => {
    await expect(startOtherDeployment({ mutant: 'nobody' })).rejects.toThrow('There is no mutant nobody')
  })
})

describe('the mutants', () => {
  let unchanged: readonly string[]
  const play = (mutant?: Mutant) => sendSession(connectWithoutSockets(mutant))
  const differs = async (session: AsyncIterable<string>) => {
    let index = 0
    for await (const answer of session) if (answer !== unchanged[index++]) return true
    return index !== unchanged.length
  }
  beforeAll(async () => {
    unchanged = await collect(play())
  })

  it('have different names', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  })

  it('break every must and should rule in each of its forms, together with those of contract-mutants', () => {
    const pairs = (Object.keys(rules) as RuleId[]).flatMap(rule =>
      rules[rule].forms.map((form: Form) => ({
        pair: `${rule} ${form}`,
        isDocumented: rules[rule].level === 'documented',
      })),
    )
    // The mutants of self/contract-mutants break these, operation by operation.
    const derived =
      /^(?:answer\/shows-no-secret|auth\/(?:no-credentials-are|wrong-secret-is)-refused-elsewhere|error\/malformed-json|isolation\/(?:id-is|other-kinds|unknown-id)|key\/(?:expired|without))/
    const broken = new Set(mutants.map(({ rule, form }) => `${rule} ${form}`))
    expect(pairs.filter(({ pair, isDocumented }) => !isDocumented && !broken.has(pair) && !derived.test(pair))).toEqual(
      [],
    )
    expect([...broken].filter(one => !pairs.some(({ pair }) => pair === one))).toEqual([])
  })

  it('are compared with a deployment that answers every session alike', async () => {
    expect(await collect(play())).toEqual(unchanged)
  })

  it.each(mutants)('change at least one answer: $id', async mutant => {
    expect(await differs(play(mutant))).toBe(true)
  })

  it('can be started by name', async () => {
    const deployment = await startOtherDeployment({ mutant: 'cloud: members as text' })
    const { target } = deployment
    expect((await members({ target, fetch }, target.cloud.organizationId)).text).toBe('200 text/plain Ada, Brian')
    await deployment.close()
  })
})

/** Calls the deployment without sockets, over which 300 sessions take minutes instead of seconds. */
function connectWithoutSockets(mutant: Mutant | undefined): Connection {
  const answer = deploy(mutant)
  const target = describeTarget('http://cloud/gateway', 'http://open')
  const send: Connection['fetch'] = async (url, { method, headers, body = '' }) => {
    const { hostname, pathname } = new URL(url)
    const call = {
      method,
      path: pathname,
      authorization: headers.authorization,
      contentType: headers['content-type'],
      body,
    }
    const answered = answer(call, hostname === 'cloud' ? 'cloud' : 'selfHosted')
    const text = answered.text ?? (answered.json === undefined ? null : JSON.stringify(answered.json))
    return new Response(text, { status: answered.status, headers: answered.headers })
  }
  return { target, fetch: send }
}

async function collect(session: AsyncIterable<string>): Promise<string[]> {
  const answers: string[] = []
  for await (const answer of session) answers.push(answer)
  return answers
}
