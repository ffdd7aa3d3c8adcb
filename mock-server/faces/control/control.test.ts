import { request as sendHttp } from 'node:http'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { TargetFile } from '../../mock/mock.ts'
import { maxStateBytes } from '../../mock/state.ts'
import { defaultLimits } from '../../words/limits.ts'
import { type RunningMock, startMock } from '../serve.ts'

let running: RunningMock | undefined
beforeEach(async () => {
  await running?.close()
  running = await startMock({ seed: 1 })
})
afterAll(() => running?.close())

/** Invalid values of an alert in a state. The evaluation of alerts relies on valid ones. */
const invalidAlertFields = [
  ['channels', [null], 'channels.0: Expected object, received null'],
  ['channels', [{ type: 'webhook' }], 'channels.0.webhookId: Required'],
  ['interval', '2m', "interval: Invalid enum value. Expected '1m' | '5m'"],
  ['interval', 'constructor', "interval: Invalid enum value. Expected '1m' | '5m'"],
  ['thresholdType', 'over', "thresholdType: Invalid enum value. Expected 'above' | 'below'"],
  ['thresholdMax', 'many', 'thresholdMax: Expected number'],
  ['scheduleStartAt', 'soon', 'scheduleStartAt: Expected an ISO 8601 time'],
  ['scheduleOffsetMinutes', 1e300, 'scheduleOffsetMinutes: Number must be less than or equal to 1439'],
  ['numConsecutiveWindows', 0.5, 'numConsecutiveWindows: Expected integer'],
  ['silenced', null, 'silenced: Expected object, received null'],
  ['silenced', {}, 'silenced.at: Required'],
  ['message', 7, 'message: Expected string, received number'],
  ['state', 'BAD', "state: Invalid enum value. Expected 'OK' | 'ALERT'"],
] as const

interface State {
  version: number
  now: string
  size: object
  rows: object
  // biome-ignore lint/suspicious/noExplicitAny: the test makes records of every kind invalid.
  records: Record<string, Record<string, any[]>>
}

/** The first record of a kind in the self-hosted stack. */
const firstRecord = (state: State, name: string) => state.records[name]!['self-hosted']![0]

describe('the control plane', () => {
  it('serves a page with the addresses of both APIs', async () => {
    const response = await send('GET', '/')
    expect(response.headers['content-type']).toMatch('text/html')
    expect(response.body).toContain(`${running!.target().cloud!.baseUrl}/v1`)
    expect(response.body).toContain(`${running!.target().selfHosted!.baseUrl}/api/v2`)
    expect(response.body).not.toContain(running!.target().cloud!.keySecret)
  })

  it('serves the target file with the real addresses', async () => {
    expect(JSON.parse((await send('GET', '/control/target')).body)).toEqual(running!.target())
  })

  it('lists calls without credentials until they are deleted', async () => {
    const { baseUrl, apiKey } = running!.target().selfHosted!
    await fetch(`${baseUrl}/api/v2/alerts`, { headers: { authorization: `Bearer ${apiKey}` } })
    const calls = await send('GET', '/control/calls?limit=1')
    expect(JSON.parse(calls.body)).toMatchObject([{ request: { path: '/api/v2/alerts' }, response: { status: 200 } }])
    expect(calls.body).not.toContain(apiKey)
    expect((await send('DELETE', '/control/calls')).status).toBe(204)
    expect(JSON.parse((await send('GET', '/control/calls')).body)).toEqual([])
  })

  it('filters calls, and refuses unknown filters', async () => {
    const { baseUrl, apiKey } = running!.target().selfHosted!
    for (const path of ['alerts', 'nothing'])
      await fetch(`${baseUrl}/api/v2/${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
    const paths = async (query: string) =>
      JSON.parse((await send('GET', `/control/calls?${query}`)).body).map((call: { request: object }) => call.request)
    expect(await paths('status=4xx&client=other')).toMatchObject([{ path: '/api/v2/nothing' }])
    expect(await paths('operation=alert.list&form=selfHosted')).toMatchObject([{ path: '/api/v2/alerts' }])
    const refusals = ['sttus=404', 'status=nope', 'client=me', 'operation=alert.lst', 'since=soon', 'form=a&form=b']
    const answers = await Promise.all(refusals.map(query => send('GET', `/control/calls?${query}`)))
    expect(answers.map(({ status, body }) => [status, JSON.parse(body).error.split(',')[0]])).toEqual([
      [400, '"sttus" is not known: calls are filtered by form'],
      [400, '"status" must be a status such as 404'],
      [400, '"client" must be one of console'],
      [400, '"operation" must be the id of an operation; the nearest is alert.list.'],
      [400, '"since" must be an ISO 8601 time'],
      [400, '"form" must be given once.'],
    ])
  })

  it('resets the world to its initial state, or to another seed', async () => {
    await createDashboard()
    expect(await countDashboards()).toBe((await countInitialDashboards()) + 1)
    const reset = await send('POST', '/control/reset')
    expect(JSON.parse(reset.body)).toEqual(running!.target())
    expect(await countDashboards()).toBe(await countInitialDashboards())

    const before = running!.target().selfHosted
    const other = JSON.parse((await send('POST', '/control/reset', { seed: 2 })).body)
    expect(other.selfHosted.apiKey).not.toBe(before.apiKey)
    expect(other.selfHosted.baseUrl).toBe(before.baseUrl)
  })

  it('serves the whole world as one document, and loads it', async () => {
    await createDashboard()
    const before = await send('GET', '/control/state')
    await send('POST', '/control/reset')
    expect((await send('PUT', '/control/state', JSON.parse(before.body))).status).toBe(200)
    expect(await countDashboards()).toBe((await countInitialDashboards()) + 1)
  })

  it('switches faults on, and names the nearest rule for an unknown one', async () => {
    const rule = 'envelope/request-id-is-uuid-v4'
    expect(JSON.parse((await send('PUT', '/control/faults', [rule])).body)).toEqual([rule])
    expect(JSON.parse((await send('GET', '/control/faults')).body)).toEqual([rule])
    const unknown = await send('PUT', '/control/faults', ['envelope/request-id-is-uuid'])
    expect(unknown.status).toBe(400)
    expect(JSON.parse(unknown.body).error).toContain(rule)
  })

  it('changes single choices, which affect routes, too', async () => {
    const statusOf = async () => (await send('GET', '/control/requests/dashboard.list')).status
    const before = JSON.parse((await send('GET', '/control/choices')).body)
    expect(before).toMatchObject({ selfHosted: { 'dashboard/update-method': 'PUT' }, cloud: {} })
    const changes = { selfHosted: { 'dashboard/update-method': 'PATCH' } }
    const after = JSON.parse((await send('PUT', '/control/choices', changes)).body)
    expect(after).toEqual({ ...before, selfHosted: { ...before.selfHosted, ...changes.selfHosted } })
    expect(JSON.parse((await send('GET', '/control/openapi/self-hosted.json')).body).paths).toMatchObject({
      '/api/v2/dashboards/{id}': { patch: {} },
    })
    expect(await statusOf()).toBe(200)
    const wrong = await send('PUT', '/control/choices', { cloud: { 'service/hed': 'refused' } })
    expect([wrong.status, JSON.parse(wrong.body).error]).toEqual([400, expect.stringContaining('service/head')])
    const segment = await send('PUT', '/control/choices', { segment: 'other' })
    expect([segment.status, JSON.parse(segment.body).error]).toEqual([400, expect.stringContaining('--segment')])
    await send('PUT', '/control/choices', before)
    expect(JSON.parse((await send('GET', '/control/choices')).body)).toEqual(before)
  })

  it('answers calls by stubs until they are used up or removed', async () => {
    const definition = {
      when: { path: '/api/v2/dashboards' },
      answer: { status: 503, body: { message: 'busy' } },
      times: 1,
    }
    const stub = await send('POST', '/control/stubs', definition)
    expect([stub.status, stub.headers.location]).toEqual([201, '/control/stubs/stub-1'])
    const list = async () => {
      const { baseUrl, apiKey } = running!.target().selfHosted!
      return fetch(`${baseUrl}/api/v2/dashboards`, { headers: { authorization: `Bearer ${apiKey}` } })
    }
    const busy = await list()
    expect([busy.status, await busy.json(), (await list()).status]).toEqual([503, { message: 'busy' }, 200])
    expect(JSON.parse((await send('GET', '/control/stubs')).body)).toEqual([
      { id: 'stub-1', ...definition, answered: 1 },
    ])
    expect((await send('DELETE', '/control/stubs/stub-1')).status).toBe(204)
    expect((await send('DELETE', '/control/stubs/stub-1')).status).toBe(404)
    const refused = await send('POST', '/control/stubs', { when: { url: '/' }, answer: {} })
    expect([refused.status, JSON.parse(refused.body).error]).toEqual([
      400,
      expect.stringContaining('when.url: There is no such field'),
    ])
  })

  it('shows functions in the stubs of a program as "function", and refuses such a text as an answer', async () => {
    const { mock } = running!
    mock.stub({ when: { method: 'PUT' }, answer: [{ status: 503 }, () => ({ status: 200 })] })
    mock.stub({ when: { method: 'PATCH' }, change: () => {} })
    const listed = JSON.parse((await send('GET', '/control/stubs')).body)
    expect(listed).toMatchObject([{ answer: [{ status: 503 }, 'function'] }, { change: 'function' }])
    const sent = await send('POST', '/control/stubs', { when: {}, answer: 'function' })
    expect([sent.status, sent.body]).toEqual([400, expect.stringContaining('answer: Expected object')])
    mock.removeStubs()
  })

  it('delays answers by the latency of chaos', async () => {
    expect((await send('PUT', '/control/chaos', { latencyMs: [60, 80] })).status).toBe(200)
    const start = performance.now()
    await countDashboards()
    expect(performance.now() - start).toBeGreaterThan(55)
    expect((await send('PUT', '/control/chaos', { latencyMs: 'long' })).status).toBe(400)
  })

  it('sets and advances the clock', async () => {
    const set = await send('PUT', '/control/clock', { now: '2030-01-01T00:00:00Z' })
    expect(JSON.parse(set.body).now).toMatch(/^2030-01-01T00:00:0/)
    const advanced = await send('PUT', '/control/clock', { advanceMs: 86_400_000 })
    expect(JSON.parse(advanced.body).now).toMatch(/^2030-01-02T00:00:0/)
    expect((await send('PUT', '/control/clock', { now: 'soon' })).status).toBe(400)
  })

  it('freezes and resumes the clock, after setting it where a time is given', async () => {
    const now = '2030-01-01T00:00:00.000Z'
    const frozen = await send('PUT', '/control/clock', { now, freeze: true })
    expect(JSON.parse(frozen.body)).toEqual({ now, freeze: true })
    expect(JSON.parse((await send('GET', '/control/clock')).body)).toEqual({ now, freeze: true })
    const resumed = await send('PUT', '/control/clock', { freeze: false })
    expect(JSON.parse(resumed.body)).toMatchObject({ now: expect.stringMatching(/^2030-01-01T00:00:0/), freeze: false })
    expect(JSON.parse((await send('PUT', '/control/clock', { freeze: true })).body).freeze).toBe(true)
    await send('PUT', '/control/clock', { freeze: false })
  })

  it('loads rows into a source, and refuses an unknown source', async () => {
    const { sources } = running!.target().selfHosted!.references
    const rows = [{ Timestamp: '2026-03-01T00:00:00Z', ServiceName: 'api', SeverityText: 'error', Body: 'x' }]
    const loaded = await send('POST', '/control/rows', { sourceId: sources.log, rows })
    expect([loaded.status, JSON.parse(loaded.body)]).toEqual([200, { loaded: 1 }])
    expect((await send('POST', '/control/rows', { sourceId: 'nope', rows })).status).toBe(400)
  })

  it('serves the OpenAPI descriptions of both APIs with values of the world', async () => {
    const cloud = JSON.parse((await send('GET', '/control/openapi/cloud.json')).body)
    expect(cloud.info.version).toBe('1.0')
    expect(Object.keys(cloud.paths)).toContain('/v1/organizations/{organizationId}/members')
    const selfHosted = JSON.parse((await send('GET', '/control/openapi/self-hosted.json')).body)
    expect(Object.keys(selfHosted.paths)).toContain('/api/v2/charts/series')
    // Their examples can be sent unchanged.
    const { cloud: here } = running!.target()
    expect(cloud.servers).toEqual([{ url: here!.baseUrl }])
    const { post } = cloud.paths['/v1/organizations/{organizationId}/services/{serviceId}/observability/alerts']
    expect(post.parameters[1]).toMatchObject({ name: 'serviceId', example: here!.serviceId })
    expect(post.requestBody.content['application/json'].example).toMatchObject({
      tileId: here!.references.tileId,
    })
  })

  it('opens an independent world on the same ports, and closes it', async () => {
    const opened = await send('POST', '/control/worlds', { seed: 1 })
    const { id, ...target } = JSON.parse(opened.body)
    expect([opened.status, opened.headers.location]).toEqual([201, `/control/worlds/${id}`])
    expect(target.selfHosted.baseUrl).toBe(running!.target().selfHosted!.baseUrl)
    expect(target.selfHosted.apiKey).not.toBe(running!.target().selfHosted!.apiKey)
    const list = async ({ selfHosted }: TargetFile) => {
      const response = await fetch(`${selfHosted!.baseUrl}/api/v2/alerts`, {
        headers: { authorization: `Bearer ${selfHosted!.apiKey}` },
      })
      return response.status
    }
    await send('PUT', '/control/faults', ['alert/list-answers'])
    expect([await list(running!.target()), await list(target)]).toEqual([500, 200])
    await send('PUT', '/control/faults', [])
    await send('PUT', `/control/faults?world=${id}`, ['alert/list-answers'])
    expect([await list(running!.target()), await list(target)]).toEqual([200, 500])
    await send('PUT', `/control/clock?world=${id}`, { now: '2030-01-01T00:00:00Z' })
    expect(JSON.parse((await send('GET', `/control/clock?world=${id}`)).body).now).toMatch(/^2030/)
    expect(JSON.parse((await send('GET', '/control/clock')).body).now).not.toMatch(/^2030/)
    expect(JSON.parse((await send('GET', `/control/target?world=${id}`)).body)).toEqual(target)
    const calls: { host: string }[] = JSON.parse((await send('GET', `/control/calls?world=${id}`)).body)
    expect(calls.filter(({ host }) => host === 'selfHosted')).toHaveLength(2)

    expect((await send('DELETE', `/control/worlds/${id}`)).status).toBe(204)
    expect(await list(target)).toBe(401)
  })

  it('answers what a captured scenario has that a world does not serve', async () => {
    const id = '10000000-0000-4000-8000-000000000000'
    const tiles = [{ name: 'Newer', x: 0, y: 0, w: 1, h: 1, id: '1', config: { displayType: 'newer' } }]
    const dashboard = [{ id: 'a'.repeat(24), name: 'Board', tiles, tags: [], filters: [], within: 'self-hosted' }]
    const captured = { at: '2026-11-23T10:00:00Z' }
    const scenario = { captured, organization: [{ id, name: 'Shop' }], dashboard }
    const leftOut = [expect.stringMatching(/^dashboard \("Board"\): an item of tiles \("Newer"\) is left out: /)]
    const answers = [
      await send('POST', '/control/reset', { scenario }),
      await send('POST', '/control/reset'),
      await send('POST', '/control/worlds', { seed: 2, scenario }),
      await send('PUT', '/control/state', JSON.parse((await send('GET', '/control/state')).body)),
      await send('POST', '/control/reset', { scenario: 'shop' }),
    ].map(({ body }) => JSON.parse(body).leftOut)
    expect(answers).toEqual([leftOut, leftOut, leftOut, undefined, undefined])
  })

  it('opens a named world once for simultaneous requests, lists it, and closes it by name', async () => {
    const open = (body: object) => send('POST', '/control/worlds', { name: 'job-4711', ...body })
    const answers = await Promise.all(Array.from({ length: 8 }, () => open({ size: { members: 3 } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    const { id, ...target } = JSON.parse(answers[0]!.body)
    expect([id, target]).toEqual(['job-4711', JSON.parse((await send('GET', '/control/target?world=job-4711')).body)])
    const { baseUrl, keyId, keySecret } = target.cloud
    const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
    await fetch(`${baseUrl}/v1/organizations`, { headers: { authorization } })

    const { body } = await send('GET', '/control/worlds')
    expect(JSON.parse(body)).toEqual([
      {
        id,
        name: id,
        seed: 1,
        openedAt: expect.any(String),
        ageMs: expect.any(Number),
        lastCallAt: expect.any(String),
        calls: 1,
      },
    ])
    expect(body).not.toContain(keySecret)
    expect((await open({ seed: 2 })).status).toBe(409)
    expect((await send('DELETE', '/control/worlds/job-4711')).status).toBe(204)
    expect((await send('DELETE', '/control/worlds/job-4711')).status).toBe(404)
    expect((await open({ seed: 2 })).status).toBe(201)
  })

  it('refuses a state with its invalid field, and keeps the current world', async () => {
    const kept = (await send('GET', '/control/state')).body
    for (const [change, sentence] of [
      [state => delete firstRecord(state, 'dashboard').tiles, 'records.dashboard.self-hosted.0.tiles: Required'],
      [
        state => (state.records.key!['']![0].keySecret = 1),
        'records.key.0.keySecret: Expected string, received number',
      ],
      [state => (state.size = { logs: 1e12 }), 'size: logs: Expected a whole number'],
      [
        state => (firstRecord(state, 'team').accessKey = null),
        'records.team.self-hosted.0.accessKey: Expected string, received null',
      ],
      [
        state => state.records.webhook!['self-hosted']!.push(firstRecord(state, 'webhook')),
        'records.webhook.self-hosted: Expected a key of its own for every record',
      ],
      ...invalidAlertFields.map(([field, value, wrong]): [(state: State) => unknown, string] => [
        state => (firstRecord(state, 'alert')[field] = value),
        `records.alert.self-hosted.0.${wrong}`,
      ]),
      [
        state => (firstRecord(state, 'webhook').url = 'not a url'),
        'records.webhook.self-hosted.0.url: Expected an address that begins with http:// or https://',
      ],
      [
        state => (firstRecord(state, 'webhook').url = 'file:///etc/passwd'),
        'records.webhook.self-hosted.0.url: Expected an address',
      ],
      [
        state => (firstRecord(state, 'webhook').headers = { a: 1 }),
        'records.webhook.self-hosted.0.headers.a: Expected string, received number',
      ],
      [
        state => (firstRecord(state, 'source').kind = 'logs'),
        "records.source.self-hosted.0.kind: Invalid enum value. Expected 'log' | 'trace'",
      ],
      [state => (state.records.nothing = {}), 'records.nothing: Expected one of '],
      [state => (state.version = 1), 'version: Expected 2: version 1 is of an older release'],
      [state => (state.now = '+275760-01-01T00:00:00Z'), 'now: Expected an ISO 8601 time from 1970 to 9999'],
      [state => (state.rows = { nobody: {} }), 'rows.nobody: Expected the id of a service, or self-hosted'],
      [
        state => (state.rows = { 'self-hosted': { nobody: [] } }),
        'rows.self-hosted.nobody: Expected the id of a source that has rows',
      ],
    ] as [(state: State) => unknown, string][]) {
      const state: State = JSON.parse(kept)
      change(state)
      const refused = await send('PUT', '/control/state', state)
      const { error = '' } = JSON.parse(refused.body)
      expect([refused.status, error.slice(0, `load a state: ${sentence}`.length)]).toEqual([
        400,
        `load a state: ${sentence}`,
      ])
    }
    expect(await countDashboards()).toBe(await countInitialDashboards())
  })

  it('refuses to serve a state that is too large', async () => {
    const { log } = running!.target().selfHosted!.references.sources
    running!.mock.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'x'.repeat(maxStateBytes) }])
    const refused = await send('GET', '/control/state')
    expect([refused.status, JSON.parse(refused.body).error]).toEqual([413, expect.stringContaining('64 MiB')])
    await send('POST', '/control/reset')
    expect((await send('GET', '/control/state')).status).toBe(200)
  })

  it.each([
    ['a page of another site', { origin: 'http://evil.test' }],
    ['a page without an origin', { origin: 'null' }],
    ['a caller that uses another host name', { host: 'evil.test' }],
  ])('refuses %s', async (_, headers) => {
    const response = await send('POST', '/control/reset', undefined, headers)
    expect([response.status, Object.keys(JSON.parse(response.body))]).toEqual([403, ['error']])
  })

  it('accepts requests of its own page', async () => {
    const { host } = new URL(running!.target().control!.baseUrl)
    expect((await send('POST', '/control/reset', undefined, { origin: `http://${host}` })).status).toBe(200)
  })

  it.each([
    ['GET', '/control/nothing', undefined, 404],
    ['POST', '/control/target', undefined, 405],
    ['PUT', '/control/faults', '{"broken', 400],
    ['PUT', '/control/faults', {}, 400],
    ['POST', '/control/reset', { seed: 'x' }, 400],
    ['POST', '/control/reset', [], 400],
    ['GET', '/control/calls?limit=0', undefined, 400],
    ['GET', '/control/found/self-hosted/log?where=a&where=b', undefined, 400],
    ['PUT', '/control/state', { not: 'a world' }, 400],
    ['PUT', '/control/clock', { advanceMs: 1e300 }, 400],
    ['POST', '/control/worlds', { seed: 'x' }, 400],
    ['POST', '/control/worlds', { expiresInMs: -1 }, 400],
    ['POST', '/control/worlds', { sed: 1 }, 400],
    ['POST', '/control/worlds', { name: 'a/b' }, 400],
    ['POST', '/control/worlds', { name: null }, 400],
    ['POST', '/control/worlds', { size: { members: -1 } }, 400],
    ['POST', '/control/worlds', { size: 7 }, 400],
    ['PUT', '/control/clock', { advanceMs: 1, later: true }, 400],
    ['PUT', '/control/clock', {}, 400],
    ['PUT', '/control/clock', { freeze: 'yes' }, 400],
    ['PUT', '/control/clock', { now: 'soon', freeze: true }, 400],
    ['POST', '/control/rows', { sourceId: 'x', row: {} }, 400],
    ['DELETE', '/control/worlds/world-9', undefined, 404],
    ['GET', '/control/state?world=world-9', undefined, 404],
  ])('refuses %s %s with a reason: %j', async (method, path, body, status) => {
    const response = await send(method, path, body)
    expect(response.status).toBe(status)
    expect(JSON.parse(response.body)).toEqual({ error: expect.stringMatching(/\w+ \w+/) })
  })

  it.each([
    ['dashboard.creat', 'There is no operation dashboard.creat. Did you mean dashboard.create?'],
    ['managed.alert.lst', 'There is no operation managed.alert.lst. Did you mean managed.alert.list?'],
    ['zzzzzzzz', 'There is no operation zzzzzzzz. The documents below /control/openapi/ list them all.'],
  ])('suggests the nearest operation for %s', async (operation, error) => {
    const response = await send('GET', `/control/requests/${operation}`)
    expect([response.status, JSON.parse(response.body)]).toEqual([404, { error }])
  })

  it('does not reset the world if the name of an option is misspelled', async () => {
    await createDashboard()
    const refused = await send('POST', '/control/reset', { sede: 2 })
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      400,
      { error: '"sede" is not known; the body takes seed, scenario.' },
    ])
    expect(await countDashboards()).toBe((await countInitialDashboards()) + 1)
  })

  it('refuses a world beyond the limit, and explains how to close others', async () => {
    const { worlds } = running!.mock
    for (let open = worlds.size; open < defaultLimits.worlds; open++) worlds.open()
    const refused = await send('POST', '/control/worlds', {})
    expect([refused.status, JSON.parse(refused.body).error]).toEqual([
      409,
      expect.stringMatching(/^open a world: 1000 are open, .*DELETE \/control\/worlds\/\{id\}.*expiresInMs/),
    ])
    expect((await send('DELETE', '/control/worlds/world-1')).status).toBe(204)
    expect((await send('POST', '/control/worlds', {})).status).toBe(201)
  })

  it.each(['/control', '/control/targets', '/else'])(
    'answers %s with the list of its existing addresses',
    async path => {
      const { status, body } = await send('GET', path)
      expect(status).toBe(404)
      const [, names = ''] = /under \/control\/ there are (.+)\.$/.exec(JSON.parse(body).error) ?? []
      const listed = names.split(', ')
      for (const name of [
        'target',
        'calls',
        'state',
        'reset',
        'worlds',
        'worlds/{id}',
        'faults',
        'choices',
        'chaos',
        'clock',
        'rows',
      ])
        expect(listed).toContain(name)
      for (const name of listed) {
        // No address accepts TRACE.
        const answer = await send('TRACE', `/control/${name.replace(/[{}]/g, '')}`)
        expect([name, answer.status]).toEqual([name, 405])
      }
    },
  )

  it('refuses a wrong method with an Allow header', async () => {
    expect((await send('PATCH', '/control/faults')).headers.allow).toBe('HEAD, GET, PUT')
  })
})

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

/** Sends with node:http, because fetch does not send custom Host and Origin headers. */
function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const { hostname, port } = new URL(running!.target().control!.baseUrl)
  return new Promise((resolve, reject) => {
    const request = sendHttp({ hostname, port, method, path, headers }, response => {
      const chunks: Buffer[] = []
      response
        .on('data', chunk => chunks.push(chunk))
        .on('end', () => {
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString() })
        })
    })
    request.on('error', reject).end(text)
  })
}

const sendDashboards = (init: RequestInit = {}) => {
  const { baseUrl, apiKey } = running!.target().selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return fetch(`${baseUrl}/api/v2/dashboards`, { ...init, headers })
}

async function countDashboards(): Promise<number> {
  return (await (await sendDashboards()).json()).data.length
}

const createDashboard = () => sendDashboards({ method: 'POST', body: '{"name":"mine","tiles":[]}' })

async function countInitialDashboards(): Promise<number> {
  const fresh = await startMock({ seed: 1 })
  const { baseUrl, apiKey } = fresh.target().selfHosted!
  const response = await fetch(`${baseUrl}/api/v2/dashboards`, { headers: { authorization: `Bearer ${apiKey}` } })
  await fresh.close()
  return (await response.json()).data.length
}

it('the control plane refuses unknown fields of a run of the suite', async () => {
  const { control } = running!.target()
  const answer = await fetch(`${control!.baseUrl}/control/verify`, { method: 'POST', body: '{"sections":["7"]}' })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: '"sections" is not known; the body takes no fields.' },
  ])
})

it('a mock that cannot save its worlds is ready, and says why they are not saved', async () => {
  const mock = await startMock({ logs: 1, saveProblem: () => 'there is no space left for it' })
  const answer = await fetch(`${mock.target().control!.baseUrl}/ready`)
  await mock.close()
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { status: 'ready', unsaved: 'there is no space left for it' },
  ])
})
