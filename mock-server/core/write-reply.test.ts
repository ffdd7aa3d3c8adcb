import { describe, expect, it } from 'vitest'
import { type Form, type Gap, type GapId, gaps } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from './call.ts'
import { createMock } from './mock.ts'
import {
  conflict,
  failed,
  Refusal,
  rateLimited,
  unauthenticated,
  unknownSource,
  unreadableWhere,
  unrouted,
  wrongMethod,
} from './refusal.ts'
import type { Reply } from './reply.ts'
import { type Circumstances, writeOptions, writeRefusal, writeReply } from './write-reply.ts'

const now = Date.UTC(2026, 5, 1)
const unknownUuid = '0b6f3c1e-9d0a-4c57-8f3e-2a1b4c5d6e7f'
const unknownId = 'f'.repeat(24)

type RefusalGap = { [Id in GapId]: (typeof gaps)[Id] extends { kind: 'refusal' } ? Id : never }[GapId]

interface Provocation {
  readonly method?: string
  /** Below the base of the form: the organization, the stack of a service, or `/api/v2`. */
  readonly path: string
  readonly body?: string
  readonly authorization?: string
}

const alert = { threshold: 1, interval: '1h', source: 'tile', thresholdType: 'above' }
const series = { aggFn: 'count', where: '', groupBy: [] }
const chart = (sourceId: string, where: string) =>
  JSON.stringify({ startTime: now - 1000, endTime: now, granularity: '1h', series: [{ ...series, sourceId, where }] })

/** A call that meets each gap, in the forms that have it. */
const provocations: Record<RefusalGap, (target: ReturnType<typeof open>, form: Form) => Provocation> = {
  'service/other-operations': () => ({ path: '' }),
  'service/absent-resource': () => ({ path: '/webhooks' }),
  'path/unknown-path': () => ({ path: '/nothing' }),
  'path/wrong-method': (_, form) => ({ method: 'PATCH', path: form === 'cloud' ? '/members' : '/alerts' }),
  'path/malformed-id': (_, form) => ({ path: form === 'cloud' ? '/services/x/backups/y' : '/alerts/x' }),
  'path/unknown-organization': () => ({ path: `/../${unknownUuid}/members` }),
  'auth/missing-credentials': (_, form) => ({ path: form === 'cloud' ? '/members' : '/alerts', authorization: '' }),
  'auth/invalid-credentials': (_, form) => ({
    path: form === 'cloud' ? '/members' : '/alerts',
    authorization: 'Basic x',
  }),
  'auth/key-of-another-organization': ({ second }) => ({ path: `/../${second}/members` }),
  'backup/unknown-id': ({ serviceId }) => ({ path: `/services/${serviceId}/backups/${unknownUuid}` }),
  'backup/unknown-service': () => ({ path: `/services/${unknownUuid}/backups/${unknownUuid}` }),
  'error/malformed-json': () => ({ method: 'POST', path: '/dashboards', body: '{' }),
  'dashboard/delete-answer': ({ of }, form) => ({ method: 'DELETE', path: `/dashboards/${of(form).dashboardId}` }),
  'dashboard/unknown-id': () => ({ path: `/dashboards/${unknownId}` }),
  'dashboard/update-unknown': () => ({
    method: 'PUT',
    path: `/dashboards/${unknownId}`,
    body: '{"name":"x","tiles":[]}',
  }),
  'dashboard/delete-unknown': () => ({ method: 'DELETE', path: `/dashboards/${unknownId}` }),
  'alert/delete-answer': ({ of }, form) => ({ method: 'DELETE', path: `/alerts/${of(form).alertId}` }),
  'alert/unknown-id': () => ({ path: `/alerts/${unknownId}` }),
  'alert/update-unknown': ({ of }, form) => {
    const { dashboardId, tileId, webhookId } = of(form)
    const body = JSON.stringify({ ...alert, dashboardId, tileId, channel: { type: 'webhook', webhookId } })
    return { method: 'PUT', path: `/alerts/${unknownId}`, body }
  },
  'alert/delete-unknown': () => ({ method: 'DELETE', path: `/alerts/${unknownId}` }),
  'chart/unreadable-where': ({ sourceId }) => ({
    method: 'POST',
    path: '/charts/series',
    body: chart(sourceId, 'a:[1 TO'),
  }),
  'chart/unknown-source': () => ({ method: 'POST', path: '/charts/series', body: chart(unknownId, '') }),
}

function open(choices: object) {
  const mock = createMock({ now, choices })
  const { cloud, selfHosted } = mock.target({ cloud: '', selfHosted: '' })
  const organization = `/v1/organizations/${cloud!.organizationId}`
  const managed = `${organization}/services/${cloud!.serviceId}/observability`
  const state = mock.state() as { stacks: Record<string, { alerts: { id: string }[] }> }
  const alertId = (stack: string) => state.stacks[stack]!.alerts[0]!.id
  return {
    second: cloud!.secondOrganizationId,
    serviceId: cloud!.serviceId,
    sourceId: selfHosted!.references.sourceId,
    of: (form: Form) =>
      form === 'managed'
        ? { ...cloud!.references, alertId: alertId(cloud!.serviceId) }
        : { ...selfHosted!.references, alertId: alertId('self-hosted') },
    send(form: Form, { method = 'GET', path, body = '', authorization }: Provocation): Answer {
      const isCloud = form !== 'selfHosted'
      const own = isCloud ? `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}` : `Bearer ${selfHosted!.apiKey}`
      const headers = { authorization: (authorization ?? own) || undefined, 'content-type': 'application/json' }
      const base = { cloud: organization, managed, selfHosted: '/api/v2' }[form]
      const whole = path.startsWith('/../') ? path.replace('/..', '/v1/organizations') : base + path
      return mock.answer({ method, path: whole, query: '', headers, body }, isCloud ? 'cloud' : 'selfHosted')
    },
  }
}

function shapeOf({ headers, body }: Answer): string {
  if (body === '') return 'empty'
  const type = headers['content-type']!
  if (type.startsWith('application/json') && JSON.parse(body)) return 'json'
  return type.startsWith('text/html') ? 'html' : 'text'
}

const refusals = Object.entries(gaps as Record<string, Gap>).filter(([, { kind }]) => kind === 'refusal')
const places = refusals.flatMap(([id, { forms }]) => forms.map(form => [id as RefusalGap, form] as const))

describe('an answer in a silent place', () => {
  it.each(places)('takes every choice: %s, %s', (id, form) => {
    const gap: Gap = gaps[id]
    // Beside the sensible choices, whatever else a deployment was seen to do.
    const others = id.endsWith('delete-answer') ? ['204 empty'] : ['404 html', '410 text', '400 json', '403 empty']
    for (const choice of [...gap.choices, ...others]) {
      const at = open({ [form]: { [id]: choice } })
      const answer = at.send(form, provocations[id](at, form))
      expect(`${answer.status} ${shapeOf(answer)}`).toBe(choice)
    }
  })

  it('has the status in the envelope, whatever the status', () => {
    const at = open({ managed: { 'alert/unknown-id': '410 json' } })
    const answer = at.send('managed', { path: `/alerts/${unknownId}` })
    expect(JSON.parse(answer.body)).toMatchObject({ status: 410, error: 'GONE: Alert not found' })
  })
})

describe('other sensible choices', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('never make a mock fail, seed %i', gapsSeed => {
    const mock = createMock({ now, gaps: gapsSeed })
    const { selfHosted } = mock.target({ selfHosted: '' })
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const path of [
        '/api/v2/dashboards',
        '/api/v2/alerts/x',
        `/api/v2/dashboards/${unknownId}`,
        '/api/v2/charts/series',
      ]) {
        const headers = { authorization: `Bearer ${selfHosted!.apiKey}`, 'content-type': 'application/json' }
        const answer = mock.answer({ method, path, query: '', headers, body: '{}' }, 'selfHosted')
        expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(500)
      }
    }
  })
})

const sent = { method: 'GET', path: '/here', query: '', headers: {}, body: '' }
const around = (
  form: Form,
  more: Partial<Omit<Circumstances, 'call' | 'choice'>> & { readonly call?: Partial<Call> } = {},
  choices: Readonly<Record<string, string>> = {},
): Circumstances => ({
  form,
  operation: undefined,
  isUnknown: false,
  headers: undefined,
  choice: gap => choices[gap] ?? '',
  ...more,
  call: { ...sent, ...more.call },
})
const crossOrigin = {
  'access-control-allow-origin': 'http://localhost:8080',
  'access-control-allow-credentials': 'true',
  'timing-allow-origin': 'http://localhost:8080',
  vary: 'Origin, Accept-Encoding',
}
const json = 'application/json; charset=utf-8'
const found = (text: string): Reply => ({ kind: 'object', json: text })

describe('what was found', () => {
  it('is wrapped by the cloud form, with nothing around it but its media type', () => {
    const answer = writeReply(found('[1]'), around('cloud'))
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': json } })
    expect(Object.keys(answer.headers)).toEqual(['content-type'])
    expect(answer.body).toMatch(/^{"status":200,"requestId":"[0-9a-f-]{36}","result":\[1\]}$/)
    expect(writeReply({ kind: 'bare', json: '{}' }, around('cloud')).body).toBe('{}')
  })

  it('is wrapped by the self-hosted form, tagged, for the page of its UI', () => {
    const answer = writeReply(found('[1]'), around('selfHosted'))
    expect(answer).toEqual({
      status: 200,
      headers: { ...crossOrigin, 'content-type': json, etag: expect.stringMatching(/^W\/"[^"]+"$/) },
      body: '{"data":[1]}',
    })
    const meta = { total: 7, limit: 1, offset: 0 }
    const page = writeReply({ kind: 'list', json: '[1]', meta }, around('selfHosted'))
    expect(page).toMatchObject({
      headers: { 'x-total-count': '7' },
      body: '{"data":[1],"meta":{"total":7,"limit":1,"offset":0}}',
    })
    const bare = writeReply({ kind: 'bare', json: '{"a":1}' }, around('selfHosted'))
    expect(bare.body).toBe('{"a":1}')
  })

  it('has the status that was chosen for creations, and no body where that has none', () => {
    const choices = { 'dashboard/create-status': '201', 'alert/create-status': '204' }
    const statuses = ['dashboard.create', 'alert.create', 'dashboard.update'].map(operation => {
      const { status, body } = writeReply(found('{}'), around('selfHosted', { operation }, choices))
      return [status, body]
    })
    expect(statuses).toEqual([
      [201, '{"data":{}}'],
      [204, ''],
      [200, '{"data":{}}'],
    ])
    const reset = around('selfHosted', { operation: 'alert.create' }, { 'alert/create-status': '205' })
    expect(writeReply(found('{}'), reset)).toEqual({ status: 205, headers: crossOrigin, body: '' })
  })

  it('is not sent again to whoever has it: one of the tags, weak or strong, or any', () => {
    const ask = (wanted: string, method = 'GET') =>
      writeReply(found('[1]'), around('selfHosted', { call: { method, headers: { 'if-none-match': wanted } } }))
    const { etag } = ask('').headers
    for (const wanted of [etag!, etag!.slice(2), `"x" , ${etag}`, ' * ']) {
      expect(ask(wanted)).toEqual({ status: 304, headers: { ...crossOrigin, etag }, body: '' })
      expect(ask(wanted, 'HEAD').status).toBe(304)
      expect(ask(wanted, 'POST').status).toBe(200)
    }
    for (const wanted of ['"x"', `x${etag}`, etag!.slice(0, -1)]) expect(ask(wanted).status).toBe(200)
    const refused = around('selfHosted', { call: { headers: { 'if-none-match': '*' } } })
    expect(writeRefusal(conflict('It is in use'), refused).status).toBe(409)
    const cloud = around('cloud', { call: { headers: { 'if-none-match': '*' } } })
    expect(writeReply(found('[1]'), cloud).status).toBe(200)
  })

  it('has another tag when it is another', () => {
    const tags = ['[1]', '[2]', '[1,1]', '[]'].map(text => writeReply(found(text), around('selfHosted')).headers.etag)
    expect(new Set(tags).size).toBe(4)
    expect(writeReply(found('[1]'), around('selfHosted')).headers.etag).toBe(tags[0])
  })

  it('has its length in bytes for HEAD, and no body', () => {
    const answer = writeReply(found('"é"'), around('selfHosted', { call: { method: 'HEAD' } }))
    expect(answer).toMatchObject({ status: 200, body: '', headers: { 'content-length': '13', 'content-type': json } })
    expect(writeReply(found('1'), around('selfHosted')).headers['content-length']).toBeUndefined()
  })

  it('carries what the rate limit says', () => {
    for (const form of ['cloud', 'selfHosted'] as const) {
      const answer = writeReply(found('1'), around(form, { headers: { 'ratelimit-limit': '100' } }))
      expect(answer.headers['ratelimit-limit']).toBe('100')
    }
  })
})

describe('a deletion', () => {
  const deleted: Reply = { kind: 'deleted', resource: 'Alert' }

  it('is answered as was chosen, also when there was nothing to delete', () => {
    const choices = { 'alert/delete-answer': '200 json', 'alert/delete-unknown': '202 text' }
    const [done, nothing] = [false, true].map(isUnknown =>
      writeReply(deleted, around('selfHosted', { isUnknown }, choices)),
    )
    expect(done).toMatchObject({ status: 200, body: '{}', headers: { 'content-type': json } })
    expect(nothing).toMatchObject({
      status: 202,
      body: '202',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    const empty = writeReply(deleted, around('selfHosted', {}, { 'alert/delete-answer': '204 empty' }))
    expect(empty).toEqual({ status: 204, headers: crossOrigin, body: '' })
    const inCloud = writeReply(deleted, around('managed', {}, { 'alert/delete-answer': '202 json' }))
    expect(JSON.parse(inCloud.body)).toMatchObject({ status: 202, result: {} })
  })
})

describe('a refusal', () => {
  const answerTo = (refusal: Refusal, ...rest: Parameters<typeof around>) => writeRefusal(refusal, around(...rest))

  it('has the status of its kind and the sentence of the form where nothing was chosen', () => {
    expect(answerTo(conflict('It is in use'), 'selfHosted')).toMatchObject({ status: 409 })
    const present = { 'envelope/request-id-on-refusals': 'present', 'error/self-hosted-body': 'message' }
    expect(JSON.parse(answerTo(conflict('It is in use'), 'selfHosted', {}, present).body)).toEqual({
      message: 'It is in use',
    })
    const cloud = JSON.parse(answerTo(conflict('It is in use'), 'cloud', {}, present).body)
    expect(cloud).toEqual({ status: 409, requestId: expect.any(String), error: 'CONFLICT: It is in use' })
    const absent = { 'envelope/request-id-on-refusals': 'absent' }
    const without = JSON.parse(answerTo(conflict('It is in use'), 'cloud', {}, absent).body)
    expect(without).toEqual({ status: 409, error: 'CONFLICT: It is in use' })
  })

  it('names the methods that are allowed with a 405 and no other status', () => {
    const refusal = wrongMethod('Cannot PATCH /here', 'GET, OPTIONS')
    expect(answerTo(refusal, 'cloud').headers.allow).toBe('GET, OPTIONS')
    expect(answerTo(refusal, 'cloud', {}, { 'path/wrong-method': '404 json' }).headers).not.toHaveProperty('allow')
    const silent = new Refusal('wrongMethod', 'Cannot PATCH /here')
    expect(answerTo(silent, 'cloud').headers).not.toHaveProperty('allow')
  })

  it('names the scheme of the credentials with a 401, where that was chosen', () => {
    const ask = (form: Form, choices: Readonly<Record<string, string>> = {}) =>
      answerTo(unauthenticated('Who?'), form, {}, { 'auth/challenge': 'present', ...choices }).headers[
        'www-authenticate'
      ]
    expect([ask('cloud'), ask('managed'), ask('selfHosted')]).toEqual([
      'Basic realm="cloud", charset="UTF-8"',
      'Basic realm="cloud", charset="UTF-8"',
      'Bearer',
    ])
    expect(ask('cloud', { 'auth/challenge': 'absent' })).toBeUndefined()
    expect(ask('cloud', { 'auth/missing-credentials': '403 json' })).toBeUndefined()
  })

  it('is another one with wrong credentials than without any', () => {
    const choices = { 'auth/missing-credentials': '401 json', 'auth/invalid-credentials': '403 json' }
    const ask = (authorization?: string) =>
      answerTo(unauthenticated('Who?'), 'cloud', { call: { headers: { authorization } } }, choices).status
    expect([ask(), ask('x')]).toEqual([401, 403])
  })

  it('of a chart that failed while it ran is an error, all others what was chosen', () => {
    const keyOf = (refusal: Refusal, operation?: string, choices = {}) =>
      Object.keys(
        JSON.parse(
          answerTo(refusal, 'selfHosted', { operation }, { 'error/self-hosted-body': 'message', ...choices }).body,
        ),
      )[0]
    expect(keyOf(unknownSource('There is none'))).toBe('error')
    expect(keyOf(unreadableWhere('Expected a value'))).toBe('message')
    expect(keyOf(unreadableWhere('Expected a value'), 'chart.query', { 'chart/unreadable-where': '500 json' })).toBe(
      'error',
    )
    expect(keyOf(failed('It broke'), 'chart.query')).toBe('error')
    expect(keyOf(failed('It broke'), 'alert.list')).toBe('message')
    expect(keyOf(conflict('It is in use'), 'chart.query')).toBe('message')
  })

  it('of too many calls is the same whatever was chosen', () => {
    const about = { headers: { 'retry-after': '60' } }
    expect(answerTo(rateLimited('Too many'), 'selfHosted', about)).toEqual({
      status: 429,
      headers: {
        ...crossOrigin,
        'content-type': 'text/html; charset=utf-8',
        etag: expect.any(String),
        'retry-after': '60',
      },
      body: 'Too many requests, please try again later.',
    })
    expect(answerTo(rateLimited('Too many'), 'cloud', about)).toEqual({
      status: 429,
      headers: { 'content-type': json, 'retry-after': '60' },
      body: '{"error":"TOO_MANY_REQUESTS"}',
    })
  })

  it('is a text, a page or nothing where that was chosen', () => {
    const ask = (choice: string, call: Partial<Call> = {}) =>
      answerTo(unrouted('Cannot GET /here'), 'selfHosted', { call }, { 'path/unknown-path': choice })
    expect(ask('404 text')).toMatchObject({
      body: 'Not Found',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    expect(ask('418 text').body).toBe('418')
    expect(ask('404 empty')).toEqual({ status: 404, headers: crossOrigin, body: '' })
    const page = ask('404 html', { method: 'POST', path: `/<a href="x">&'` })
    expect(page).toEqual({
      status: 404,
      headers: {
        ...crossOrigin,
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
      },
      body: [
        '<!DOCTYPE html>',
        '<html lang="en">',
        '<head>',
        '<meta charset="utf-8">',
        '<title>Error</title>',
        '</head>',
        '<body>',
        '<pre>Cannot POST /&lt;a href=&quot;x&quot;&gt;&amp;&#39;</pre>',
        '</body>',
        '</html>',
        '',
      ].join('\n'),
    })
    expect(ask('400 html').body).toContain('<pre>Bad Request</pre>')
    expect(ask('418 html').body).toContain('<pre>418</pre>')
  })
})

describe('OPTIONS', () => {
  it('says what is allowed, in the words of each form', () => {
    expect(writeOptions(sent, 'cloud', 'GET, OPTIONS')).toEqual({
      status: 204,
      headers: { allow: 'GET, OPTIONS' },
      body: '',
    })
    expect(writeOptions(sent, 'managed', undefined)).toEqual({ status: 204, headers: {}, body: '' })
    const preflight = {
      ...crossOrigin,
      vary: 'Origin, Access-Control-Request-Headers',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
    }
    expect(writeOptions(sent, 'selfHosted', 'GET')).toEqual({ status: 204, headers: preflight, body: '' })
    const asking = { ...sent, headers: { 'access-control-request-headers': 'authorization' } }
    expect(writeOptions(asking, 'selfHosted', undefined).headers).toEqual({
      ...preflight,
      'access-control-allow-headers': 'authorization',
    })
  })
})
