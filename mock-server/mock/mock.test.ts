import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { createMock, type Mock, type MockOptions } from './mock.ts'

const now = Date.UTC(2026, 5, 1, 12)
const nilUuid = '00000000-0000-0000-0000-000000000000'
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A mock, its addresses and ids, and functions that send calls with its credentials. */
function open(options: MockOptions = {}) {
  const mock = createMock({ now, ...options })
  const { cloud, selfHosted } = mock.target({ cloud: 'http://cloud', selfHosted: 'http://self-hosted' })
  const basic = `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`
  const bearer = `Bearer ${selfHosted!.apiKey}`
  const send =
    (host: 'cloud' | 'selfHosted', own: string) =>
    async (method: string, path: string, body?: unknown, extraHeaders: Record<string, string | undefined> = {}) => {
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
      const contentType = body === undefined ? {} : { 'content-type': 'application/json' }
      const headers = { authorization: own, ...contentType, ...extraHeaders }
      const answer = await mock.answer({ method, path, query: '', headers, body: text }, host)
      return { ...answer, json: () => JSON.parse(answer.body) }
    }
  const organization = `/v1/organizations/${cloud!.organizationId}`
  const service = `${organization}/services/${cloud!.serviceId}`
  const references = { managed: cloud!.references, selfHosted: selfHosted!.references }
  return {
    mock,
    cloud: cloud!,
    selfHosted: selfHosted!,
    organization,
    service,
    managed: `${service}/observability`,
    references,
    inCloud: send('cloud', basic),
    inSelfHosted: send('selfHosted', bearer),
  }
}

const createAlertBody = ({
  dashboardId,
  tileId,
  webhookId,
}: {
  dashboardId: string
  tileId: string
  webhookId: string
}) => ({
  dashboardId,
  tileId,
  threshold: 3,
  interval: '1h',
  source: 'tile',
  thresholdType: 'above',
  channel: { type: 'webhook', webhookId },
  name: 'Mine',
  message: 'It rises.',
})

let client: ReturnType<typeof open>
beforeEach(() => {
  client = open()
})

describe('the cloud form', () => {
  it('lists the members of an organization in an envelope', async () => {
    const { status, requestId, result } = (await client.inCloud('GET', `${client.organization}/members`)).json()
    expect(status).toBe(200)
    expect(requestId).toMatch(uuidV4)
    expect(result).toHaveLength(10)
    expect(Object.keys(result[0])).toEqual(['userId', 'name', 'email', 'role', 'joinedAt'])
  })

  it('gives every answer a requestId of its own', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 50 },
        async () => (await client.inCloud('GET', `${client.organization}/members`)).json().requestId,
      ),
    )
    expect(new Set(ids).size).toBe(50)
  })

  it('has members who belong to both organizations, with the same name and email, and a different day of joining', async () => {
    const second = `Basic ${btoa(`${client.cloud.secondKeyId}:${client.cloud.secondKeySecret}`)}`
    const path = `/v1/organizations/${client.cloud.secondOrganizationId}/members`
    const membersOfSecond = (await client.inCloud('GET', path, undefined, { authorization: second })).json().result as {
      userId: string
    }[]
    const members = (await client.inCloud('GET', `${client.organization}/members`)).json().result as Record<
      string,
      string
    >[]
    const shared = members.filter(({ userId }) => membersOfSecond.some(other => other.userId === userId))
    expect(shared).toHaveLength(3)
    for (const { userId, name, email, joinedAt } of shared) {
      const twin = membersOfSecond.find(other => other.userId === userId) as Record<string, string>
      expect(twin).toMatchObject({ name, email })
      expect(twin.joinedAt).not.toBe(joinedAt)
    }
  })

  it('answers the backup of the target file with every field of the specification', async () => {
    const { result } = (await client.inCloud('GET', `${client.service}/backups/${client.cloud.backupId}`)).json()
    expect(result).toMatchObject({ id: client.cloud.backupId, serviceId: client.cloud.serviceId, status: 'done' })
    expect(Object.keys(result.bucket)).toEqual(['bucketProvider', 'bucketPath', 'iamRoleArn', 'iamRoleSessionName'])
    expect(Date.parse(result.finishedAt) - Date.parse(result.startedAt)).toBe(result.durationInSeconds * 1000)
  })

  it.each([
    ['a malformed organization', '/v1/organizations/nope/members', 'Invalid organization id <string:nope>'],
    ['a malformed service', 'organization/services/not-a-uuid/backups/y', 'Invalid service id <string:not-a-uuid>'],
    ['a malformed backup', 'service/backups/12', 'Invalid backup id <string:12>'],
    ['a long id', `service/backups/${'x'.repeat(500)}`, `Invalid backup id <string:${'x'.repeat(120)}…>`],
    [
      'the nil UUID of an organization',
      `/v1/organizations/${nilUuid}/members`,
      `Invalid organization id <string:${nilUuid}>`,
    ],
    [
      'the nil UUID of a service',
      `organization/services/${nilUuid}/backups/y`,
      `Invalid service id <string:${nilUuid}>`,
    ],
    ['the nil UUID of a backup', `service/backups/${nilUuid}`, `Invalid backup id <string:${nilUuid}>`],
  ])('refuses %s with a 400 that names the id', async (_, path, sentence) => {
    const answer = await client.inCloud(
      'GET',
      path.replace('service/', `${client.service}/`).replace(/^organization/, client.organization),
    )
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ status: 400, error: `BAD_REQUEST: ${sentence}` })
  })

  it('refuses unknown ids, another organization, operations that are not offered, and wrong methods', async () => {
    const unknown = '0b6f3c1e-9d0a-4c57-8f3e-2a1b4c5d6e7f'
    expect((await client.inCloud('GET', `${client.service}/backups/${unknown}`)).status).toBe(404)
    expect(
      (await client.inCloud('GET', `${client.organization}/services/${unknown}/backups/${client.cloud.backupId}`))
        .status,
    ).toBe(404)
    expect((await client.inCloud('GET', `/v1/organizations/${unknown}/members`)).status).toBe(404)
    expect((await client.inCloud('GET', `/v1/organizations/${client.cloud.secondOrganizationId}/members`)).status).toBe(
      403,
    )
    expect((await client.inCloud('GET', `${client.organization}/notificationSettings`)).status).toBe(404)
    expect(await client.inCloud('POST', `${client.organization}/members`)).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    })
  })

  it('checks the path, then the credentials, then the ids, then the method', async () => {
    const anonymous = { authorization: undefined }
    expect((await client.inCloud('GET', '/v1/nothing', undefined, anonymous)).status).toBe(404)
    expect((await client.inCloud('PUT', '/v1/organizations/nope/members', undefined, anonymous)).status).toBe(401)
    expect((await client.inCloud('PUT', '/v1/organizations/nope/members')).status).toBe(400)
    expect((await client.inCloud('PUT', `${client.organization}/services/nope/backups/nope`)).status).toBe(400)
  })

  it('serves its description, version 1.0, without credentials', async () => {
    const answer = await client.inCloud('GET', '/v1', undefined, { authorization: undefined })
    expect(answer.json().info.version).toBe('1.0')
    expect(Object.keys(answer.json().paths)).toContain('/v1/organizations/{organizationId}/members')
  })
})

describe('credentials', () => {
  const wrongCredentialsFor = (id: string, secret: string): Record<string, string | undefined> => ({
    none: undefined,
    'an empty secret': `Basic ${btoa(`${id}:`)}`,
    'a wrong secret': `Basic ${btoa(`${id}:${secret.slice(0, -1)}`)}`,
    'a wrong key id': `Basic ${btoa(`x${id}:${secret}`)}`,
    'another scheme': `Bearer ${btoa(`${id}:${secret}`)}`,
    'invalid Base64': 'Basic %%%',
    'no colon': `Basic ${btoa('credentials')}`,
  })

  it('of the cloud form are required, and a challenge names the scheme', async () => {
    for (const authorization of Object.values(wrongCredentialsFor(client.cloud.keyId, client.cloud.keySecret))) {
      const answer = await client.inCloud('GET', `${client.organization}/members`, undefined, { authorization })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
      expect(answer.json().error).toMatch(/^UNAUTHORIZED/)
    }
  })

  it('of the self-hosted form are the access key, not the ingestion key', async () => {
    const wrong = [`Bearer ${client.selfHosted.ingestionKey}`, 'Bearer ', `bearer ${client.selfHosted.apiKey}`]
    for (const authorization of wrong) {
      expect((await client.inSelfHosted('GET', '/api/v2/dashboards', undefined, { authorization })).status).toBe(401)
    }
    const prefixed = { authorization: `xxBearer ${client.selfHosted.apiKey}` }
    expect((await client.inSelfHosted('GET', '/api/v2/dashboards', undefined, prefixed)).status).toBe(200)
  })

  it('of one form are refused in the other', async () => {
    const bearer = { authorization: `Bearer ${client.selfHosted.apiKey}` }
    expect((await client.inCloud('GET', `${client.organization}/members`, undefined, bearer)).status).toBe(401)
    const basic = { authorization: `Basic ${btoa(`${client.cloud.keyId}:${client.cloud.keySecret}`)}` }
    expect((await client.inSelfHosted('GET', '/api/v2/dashboards', undefined, basic)).status).toBe(401)
  })
})

describe.each(['managed', 'selfHosted'] as const)('the observability API, %s', form => {
  const path = (rest: string) => (form === 'managed' ? `${client.managed}/${rest}` : `/api/v2/${rest}`)
  const send = (method: string, rest: string, body?: unknown, headers?: Record<string, string | undefined>) =>
    (form === 'managed' ? client.inCloud : client.inSelfHosted)(method, path(rest), body, headers)
  const result = (answer: { json(): Record<string, unknown> }) =>
    (form === 'managed' ? answer.json().result : answer.json().data) as never

  it('creates, gets, lists, updates and deletes an alert', async () => {
    const created = await send('POST', 'alerts', createAlertBody(client.references[form]))
    expect(created.status).toBe(200)
    const { id } = result(created) as { id: string }
    expect(result(await send('GET', `alerts/${id}`))).toMatchObject({ id, name: 'Mine', state: 'OK' })
    expect((result(await send('GET', 'alerts')) as { id: string }[]).map(alert => alert.id)).toContain(id)
    expect(
      result(await send('PUT', `alerts/${id}`, { ...createAlertBody(client.references[form]), threshold: 9 })),
    ).toMatchObject({
      threshold: 9,
    })
    expect((await send('DELETE', `alerts/${id}`)).status).toBe(200)
    expect((await send('GET', `alerts/${id}`)).status).toBe(404)
    expect((await send('DELETE', `alerts/${id}`)).status).toBe(404)
  })

  it('lists dashboards whose tiles read its own sources', async () => {
    const dashboards = result(await send('GET', 'dashboards')) as { tiles: { config: { sourceId?: string } }[] }[]
    const sources = (result(await send('GET', 'sources')) as { id: string }[]).map(({ id }) => id)
    expect(dashboards).toHaveLength(4)
    const read = dashboards.flatMap(({ tiles }) => tiles.flatMap(({ config }) => config.sourceId ?? []))
    expect(read.every(id => sources.includes(id))).toBe(true)
  })

  it('starts with dashboards that an update accepts unchanged', async () => {
    for (const { id, ...board } of result(await send('GET', 'dashboards')) as { id: string; filters: object[] }[]) {
      const answer = await send('PUT', `dashboards/${id}`, board)
      expect(answer.body).toContain(id)
      expect(answer.status).toBe(200)
      expect(result(answer)).toEqual({ id, ...board })
    }
  })

  it('refuses malformed JSON, another media type and a body that breaks the schema', async () => {
    expect((await send('POST', 'alerts', '{"name":')).status).toBe(400)
    const text = await send('POST', 'alerts', '{}', { 'content-type': 'text/plain' })
    expect(text.status).toBe(400)
    expect(text.body).toContain('Content-Type')
    const wrong = await send('POST', 'alerts', { ...createAlertBody(client.references[form]), threshold: '5' })
    expect(wrong.status).toBe(400)
    expect(wrong.body).toContain('threshold: Expected number, received string')
  })
})

describe('the managed form', () => {
  it('refuses an invalid body with its place, the expected type and the received value', async () => {
    const body = { ...createAlertBody(client.references.managed), threshold: '5' }
    expect((await client.inCloud('POST', `${client.managed}/alerts`, body)).json().error).toBe(
      'BAD_REQUEST: request body.threshold: Expected number, received string <string:"5">',
    )
    expect((await client.inCloud('POST', `${client.managed}/alerts`, '{"a":')).json().error).toContain('position 5')
  })

  it('has neither charts nor webhooks', async () => {
    for (const path of ['charts/series', 'charts', 'webhooks', 'webhooks/1']) {
      for (const method of ['GET', 'POST'])
        expect((await client.inCloud(method, `${client.managed}/${path}`)).status).toBe(404)
    }
  })

  it('separates the dashboards of services', async () => {
    const other = open({ services: 2 })
    const { records } = other.mock.state() as { records: { service: Record<string, { id: string }[]> } }
    const [, second] = records.service[other.cloud.organizationId]!
    const otherDashboards = `${other.organization}/services/${second!.id}/observability/dashboards`
    const { id } = (await other.inCloud('POST', `${other.managed}/dashboards`, { name: 'Here', tiles: [] })).json()
      .result
    expect((await other.inCloud('GET', `${other.managed}/dashboards/${id}`)).status).toBe(200)
    expect((await other.inCloud('GET', `${otherDashboards}/${id}`)).status).toBe(404)
    expect((await other.inCloud('GET', otherDashboards)).json().result).toHaveLength(4)
  })

  it('answers a deletion with an envelope that has a result', async () => {
    const { dashboardId } = client.references.managed
    const answer = (await client.inCloud('DELETE', `${client.managed}/dashboards/${dashboardId}`)).json()
    expect(answer).toEqual({ status: 200, requestId: expect.stringMatching(uuidV4), result: {} })
  })
})

describe('the self-hosted form', () => {
  const anonymous = { authorization: undefined }

  it('checks the body, then the first segment of the path, then the credentials, then the rest of the path and the method', async () => {
    expect((await client.inSelfHosted('POST', '/api/v2/alerts', '{"a":', anonymous)).json()).toEqual({
      message: 'Invalid JSON payload',
    })
    expect((await client.inSelfHosted('GET', '/api/v2/nothing', undefined, anonymous)).status).toBe(404)
    expect((await client.inSelfHosted('GET', '/api/v2/charts/nothing', undefined, anonymous)).status).toBe(401)
    expect((await client.inSelfHosted('GET', '/api/v2/charts/nothing')).status).toBe(404)
    expect((await client.inSelfHosted('PATCH', '/api/v2/alerts', undefined, anonymous)).status).toBe(401)
    expect((await client.inSelfHosted('PATCH', '/api/v2/alerts')).status).toBe(405)
    expect((await client.inSelfHosted('GET', '/api/v2/dashboards/nope', undefined, anonymous)).status).toBe(401)
  })

  it.each(['"text"', '1', 'true', 'null', '  '])('refuses the body %j as an invalid JSON payload', async body => {
    expect((await client.inSelfHosted('POST', '/api/v2/dashboards', body)).json()).toEqual({
      message: 'Invalid JSON payload',
    })
  })

  it('accepts a body with a byte order mark, and lets no body set a prototype', async () => {
    const body = '\u{feff}{"name":"x","tiles":[],"__proto__":{"polluted":true}}'
    expect((await client.inSelfHosted('POST', '/api/v2/dashboards', body)).status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('refuses a body that could not be read', async () => {
    const post = (unread: 'too-large' | 'unsupported-charset') =>
      client.mock.answer(
        { method: 'POST', path: '/api/v2/alerts', query: '', headers: {}, body: '', unread },
        'selfHosted',
      )
    expect((await post('too-large')).status).toBe(413)
    expect((await post('unsupported-charset')).status).toBe(415)
  })

  it('sends an ETag, and answers 304 to it until the answer changes', async () => {
    const read = (tag?: string) => client.inSelfHosted('GET', '/api/v2/dashboards', undefined, { 'if-none-match': tag })
    const tag = (await read()).headers.etag!
    expect(tag).toMatch(/^W\/"/)
    expect(await read(tag)).toMatchObject({ status: 304, body: '' })
    await client.inSelfHosted('POST', '/api/v2/dashboards', { name: 'New', tiles: [] })
    expect((await read(tag)).status).toBe(200)
  })

  it.each([
    ['no-cache', 200],
    ['max-age=0, no-cache', 200],
    ['max-age=0', 304],
  ])('answers If-None-Match with Cache-Control: %s by the status %i', async (cacheControl, status) => {
    const headers = { 'if-none-match': '*', 'cache-control': cacheControl }
    expect((await client.inSelfHosted('GET', '/api/v2/dashboards', undefined, headers)).status).toBe(status)
  })

  it('answers OPTIONS on any path, and HEAD as GET without the body', async () => {
    expect(await client.inSelfHosted('OPTIONS', '/api/v2/nothing', undefined, anonymous)).toMatchObject({
      status: 204,
      body: '',
    })
    const [head, get] = await Promise.all(['HEAD', 'GET'].map(method => client.inSelfHosted(method, '/api/v2/alerts')))
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head!.headers.etag).toBe(get!.headers.etag)
    expect(head!.headers['content-length']).toBe(String(get!.body.length))
  })

  it('accepts trailing slashes and any letter case, and does not resolve `..`', async () => {
    expect((await client.inSelfHosted('GET', '/API/v2/Dashboards/')).status).toBe(200)
    expect((await client.inSelfHosted('GET', '/api/v2/alerts//')).status).toBe(200)
    expect((await client.inSelfHosted('GET', '/api/v2/alerts/../dashboards')).status).toBe(404)
    expect((await client.inSelfHosted('GET', '/api/v2/alerts/%ZZ')).status).toBe(400)
  })

  it('answers its version and its health', async () => {
    expect((await client.inSelfHosted('GET', '/api/v2')).json()).toMatchObject({
      version: 'v2',
      user: { accessKey: client.selfHosted.apiKey },
    })
    expect((await client.inSelfHosted('GET', '/health', undefined, anonymous)).json()).toMatchObject({
      data: 'OK',
      version: '2.24.1',
    })
  })

  it('computes charts over the seeded telemetry', async () => {
    client = open({ logs: 5000 })
    const { log } = client.references.selfHosted.sources
    const series = [{ sourceId: log, aggFn: 'count', where: '', groupBy: [] }]
    const query = { startTime: now - 14 * 86_400_000, endTime: now, granularity: '1d', series }
    const rows = (await client.inSelfHosted('POST', '/api/v2/charts/series', query)).json().data as Record<
      string,
      string
    >[]
    const counted = rows.reduce((sum, row) => sum + Number(row['series_0.data']), 0)
    expect(Math.abs(counted - 5000)).toBeLessThan(250)
  })
})

describe('a baseline', () => {
  const choices = {
    selfHosted: {
      'auth/missing-credentials': '401 text',
      'auth/challenge': 'absent',
      'path/unknown-path': '404 html',
      'path/wrong-method': '404 html',
      'alert/unknown-id': '404 text',
      'alert/delete-answer': '200 text',
      'alert/delete-unknown': '200 text',
      'dashboard/create-status': '201',
    },
  }

  it('determines the choices of the mock', async () => {
    client = open({ choices })
    const anonymous = { authorization: undefined }
    const refused = await client.inSelfHosted('GET', '/api/v2/alerts', undefined, anonymous)
    expect(refused).toMatchObject({ status: 401, body: 'Unauthorized' })
    expect(refused.headers['www-authenticate']).toBeUndefined()
    const page = await client.inSelfHosted('GET', '/api/v2/<b>')
    expect(page.status).toBe(404)
    expect(page.body).toContain('<pre>Cannot GET /api/v2/&lt;b&gt;</pre>')
    expect(await client.inSelfHosted('GET', `/api/v2/alerts/${'f'.repeat(24)}`)).toMatchObject({
      status: 404,
      body: 'Not Found',
    })
    expect(await client.inSelfHosted('DELETE', `/api/v2/alerts/${'f'.repeat(24)}`)).toMatchObject({
      status: 200,
      body: 'OK',
    })
    expect((await client.inSelfHosted('POST', '/api/v2/dashboards', { name: 'x', tiles: [] })).status).toBe(201)
  })

  it('of the cloud has alerts with a note and a number of windows', async () => {
    const file = new URL('../../fixtures/baselines/clickhouse-cloud.json', import.meta.url)
    const { choices, segment } = JSON.parse(readFileSync(file, 'utf8'))
    client = open({ choices: { ...choices, segment } })
    const alerts = `${client.service}/${segment}/alerts`
    const alert = { ...createAlertBody(client.references.managed), note: 'Call us', numConsecutiveWindows: 3 }
    const { status, json } = await client.inCloud('POST', alerts, alert)
    expect([status, json().result]).toMatchObject([200, { note: 'Call us', numConsecutiveWindows: 3 }])
  })

  it('can set seconds as the unit of time in charts', async () => {
    client = open({ choices: { selfHosted: { 'chart/time-unit': 'seconds' } } })
    const series = [{ sourceId: client.references.selfHosted.sourceId, aggFn: 'count', where: '', groupBy: [] }]
    const queryChart = (unit: number) =>
      client.inSelfHosted('POST', '/api/v2/charts/series', {
        startTime: now / unit - 3600,
        endTime: now / unit,
        series,
      })
    expect((await queryChart(1000)).json().data.length).toBeGreaterThan(0)
    expect((await queryChart(1)).body).toContain('startTime: Timestamp must be in seconds')
  })

  it('is refused if it has an unknown gap, choice or form', () => {
    expect(() => createMock({ choices: { cloud: { 'auth/nothing': 'x' } } })).toThrow('cloud has no gap "auth/nothing"')
    expect(() => createMock({ choices: { selfHosted: { 'auth/challenge': 'maybe' } } })).toThrow('present, absent')
    expect(() => createMock({ choices: { mars: {} } as never })).toThrow('"mars" is no form')
  })

  it('can be replaced by random choices, which are equal for equal seeds', () => {
    expect(createMock({ gaps: 7 }).choices()).toEqual(createMock({ gaps: 7 }).choices())
    const drawn = [1, 2, 3, 4].map(gaps => JSON.stringify(createMock({ gaps }).choices()))
    expect(new Set(drawn).size).toBe(4)
  })
})

describe('the world', () => {
  const serialise = (mock: Mock) => JSON.stringify(mock.state())

  it('is the same, byte for byte, for the same seed and moment', () => {
    expect(serialise(createMock({ now, seed: 5 }))).toBe(serialise(createMock({ now, seed: 5 })))
    expect(serialise(createMock({ now, seed: 5 }))).not.toBe(serialise(createMock({ now, seed: 6 })))
  })

  it('does not depend on which reads were sent', async () => {
    const [one, other] = [open(), open()]
    await one.inCloud('GET', `${one.managed}/alerts`)
    await other.inCloud('GET', `${other.managed}/sources`)
    await other.inSelfHosted('GET', '/api/v2/sources')
    // Both clients used a key in the same minute, so even the time of last use is equal.
    expect(serialise(one.mock)).toBe(serialise(other.mock))
  })

  it('is in its initial state after a reset, and has other credentials after a reset with another seed', async () => {
    const before = serialise(client.mock)
    await client.inSelfHosted('DELETE', `/api/v2/dashboards/${client.references.selfHosted.dashboardId}`)
    client.mock.loadRows(client.references.selfHosted.sources.log!, [{ Timestamp: '2026-05-01T00:00:00Z', Body: 'x' }])
    expect(serialise(client.mock)).not.toBe(before)
    client.mock.reset()
    expect(serialise(client.mock)).toBe(before)
    client.mock.reset({ seed: 2 })
    expect((await client.inSelfHosted('GET', '/api/v2/dashboards')).status).toBe(401)
  })

  it('is saved as one document and loaded with its rows, and the next id is higher than the saved ones', async () => {
    const { log } = client.references.selfHosted.sources
    client.mock.loadRows(log!, [{ Timestamp: '2026-01-01T00:00:00Z', Body: 'loaded' }])
    const { id } = (await client.inSelfHosted('POST', '/api/v2/dashboards', { name: 'Kept', tiles: [] })).json().data
    const saved = JSON.parse(serialise(client.mock))
    const other = open({ seed: 99 })
    other.mock.load(saved)
    expect(JSON.parse(serialise(other.mock))).toEqual(saved)
    const bearer = { authorization: `Bearer ${client.selfHosted.apiKey}` }
    expect((await other.inSelfHosted('GET', `/api/v2/dashboards/${id}`, undefined, bearer)).status).toBe(200)
    const next = (await other.inSelfHosted('POST', '/api/v2/dashboards', { name: 'Next', tiles: [] }, bearer)).json()
      .data.id
    expect(next > id).toBe(true)
  })

  it.each([null, [], {}, { version: 1 }, { version: 1, seed: 1, created: 0, now: 'x' }])(
    'refuses the state %j',
    state => {
      expect(() => client.mock.load(state)).toThrow(/^load a state: /)
    },
  )

  it('creates records with ascending ids', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(
        async n =>
          (await client.inSelfHosted('POST', '/api/v2/dashboards', { name: `${n}`, tiles: [] })).json().data.id,
      ),
    )
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.every(id => /^[0-9a-f]{24}$/.test(id))).toBe(true)
  })

  it('can be large, and opens no stack that nobody uses', async () => {
    client = open({ organizations: 200, members: 5000, backups: 1000, services: 50, logs: 1_000_000 })
    // The target file names two: that of one of ten thousand services, and the self-hosted one.
    expect([...client.mock.deployment().openStacks()]).toEqual([])
    expect((await client.inCloud('GET', `${client.organization}/members`)).json().result).toHaveLength(5000)
  })
})

describe('a mock', () => {
  it('records calls, the newest first, with causes and without credentials', async () => {
    await client.inCloud('GET', `${client.organization}/members`)
    await client.inCloud('GET', `${client.organization}/member`)
    const [refused, listed] = client.mock.calls(2)
    expect(listed).toMatchObject({
      operation: 'member.list',
      because: { basis: 'stated', rule: 'member/list-answers-200' },
    })
    expect(refused).toMatchObject({ response: { status: 404 }, because: { rule: 'path/unknown-path' } })
    expect(refused!.because.why).toContain('GET /v1/organizations/{organizationId}/members')
    expect(JSON.stringify(client.mock.calls())).not.toContain('Basic ')
    client.mock.forgetCalls()
    expect(client.mock.calls()).toEqual([])
  })

  it('keeps as many calls as the option journal allows, and cuts their bodies', async () => {
    const { mock, inSelfHosted } = open({ journal: 3 })
    for (let i = 0; i < 5; i++)
      await inSelfHosted('POST', '/api/v2/dashboards', {
        name: 'x'.repeat(1000 * i),
        tiles: [],
        pad: 'y'.repeat(20_000),
      })
    expect(mock.calls()).toHaveLength(3)
    expect(mock.calls().every(({ request }) => request.body.length === 4096)).toBe(true)
  })

  it('breaks the rule of a fault, and refuses an unknown rule with the nearest one', async () => {
    client.mock.setFaults(['envelope/status-equals-http'])
    const answer = await client.inCloud('GET', `${client.organization}/members`)
    expect(answer.json().status).not.toBe(answer.status)
    expect(() => client.mock.setFaults(['envelope/status-equal-http'])).toThrow('envelope/status-equals-http')
    expect(() => client.mock.setFaults(['zzzz'])).toThrow('no rule "zzzz"; stack-parity verify --list prints them all')
    expect(client.mock.faults()).toEqual(['envelope/status-equals-http'])
  })

  it('applies several faults to the same call', async () => {
    client.mock.setFaults(['dashboard/deleted-is-gone', 'auth/no-credentials-are-refused-elsewhere'])
    const { dashboardId } = client.references.selfHosted
    const path = `/api/v2/dashboards/${dashboardId}`
    const anonymous = { authorization: undefined }
    expect((await client.inSelfHosted('DELETE', path, undefined, anonymous)).status).toBe(200)
    expect((await client.inSelfHosted('GET', path)).status).toBe(200)
    const deletion = client.mock.calls().find(({ request }) => request.method === 'DELETE')
    const because = { rule: 'auth/no-credentials-are-refused-elsewhere', why: expect.stringContaining('on purpose') }
    expect(deletion).toMatchObject({ response: { status: 200 }, because })
  })

  it('answers with errors at the errorRate of chaos, in the error shape of the form', async () => {
    client.mock.setChaos({ errorRate: 1 })
    expect((await client.inCloud('GET', `${client.organization}/members`)).json()).toMatchObject({ status: 500 })
    expect((await client.inSelfHosted('GET', '/api/v2/alerts')).json()).toEqual({ message: 'Something went wrong :(' })
    expect(() => client.mock.setChaos({ errorRate: 2 })).toThrow('errorRate: Expected a number from 0 to 1')
  })

  it('limits rates by its own clock', async () => {
    client = open({ rateLimit: true })
    const call = () => client.inSelfHosted('GET', '/api/v2/webhooks')
    expect((await call()).headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '99' })
    for (let i = 0; i < 99; i++) await call()
    expect(await call()).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    expect((await client.inSelfHosted('GET', '/api/v2/nothing')).status).toBe(404)
    client.mock.clock.advance(60_000)
    expect((await call()).status).toBe(200)
    for (let i = 0; i < 10; i++)
      expect((await client.inCloud('GET', `${client.organization}/members`)).status).toBe(200)
    const limited = await client.inCloud('GET', `${client.organization}/members`)
    expect(limited).toMatchObject({ status: 429, body: '{"error":"TOO_MANY_REQUESTS"}' })
    expect(Number(limited.headers['x-ratelimit-reset'])).toBeGreaterThan(0)
  })

  it('loads rows, and refuses an invalid row with its place', () => {
    const { log } = client.references.selfHosted.sources
    expect(client.mock.loadRows(log!, [{ Timestamp: '2026-02-01T00:00:00Z', Body: 'x' }])).toBe(1)
    expect(() => client.mock.loadRows(log!, [{ Timestamp: 'never' }])).toThrow('rows.0.Timestamp')
    expect(() => client.mock.loadRows('nope', [])).toThrow('There is no source "nope"')
    expect(() => client.mock.loadRows(log!, {})).toThrow('Expected an array')
  })
})
