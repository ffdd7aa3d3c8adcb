import { describe, expect, it } from 'vitest'
import { type Form, type GapId, type OperationId, operations } from '../../../fixtures/contract/index.ts'
import type { Call } from '../../words/call.ts'
import {
  conflict,
  failed,
  Refusal,
  rateLimited,
  unknownId,
  unknownSource,
  unreadableWhere,
  unrouted,
  wrongMethod,
} from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import { asDeployed } from '../cors.ts'
import { type ReplyContext, writeOptions, writeRefusal, writeReply } from './write-reply.ts'

/** What the writer makes of what was found, alone. Every choice of every gap, through a whole mock: write-reply.test.ts. */

const sent = { method: 'GET', path: '/here', query: '', headers: {}, body: '' }
const around = (
  form: Form,
  more: Partial<Omit<ReplyContext, 'call' | 'choiceOfGap'>> & { readonly call?: Partial<Call> } = {},
  choices: Readonly<Record<string, string>> = {},
): ReplyContext => ({
  form,
  listener: form === 'selfHosted' ? 'selfHosted' : 'cloud',
  match: { form, route: undefined, params: {}, refusal: undefined, isBelowResource: true },
  id: undefined,
  operation: more.id && operations[more.id],
  headers: {},
  cors: asDeployed,
  choiceOfGap: choices,
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
    const answer = writeReply(found('[1]'), around('selfHosted', { id: 'alert.get' }))
    expect(answer).toEqual({
      cause: expect.anything(),
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
    const statuses = (['dashboard.create', 'alert.create', 'dashboard.update'] as const).map(id => {
      const { status, body } = writeReply(found('{}'), around('selfHosted', { id }, choices))
      return [status, body]
    })
    expect(statuses).toEqual([
      [201, '{"data":{}}'],
      [204, ''],
      [200, '{"data":{}}'],
    ])
    const reset = around('selfHosted', { id: 'alert.create' }, { 'alert/create-status': '205' })
    expect(writeReply(found('{}'), reset)).toEqual({
      cause: expect.anything(),
      status: 205,
      headers: crossOrigin,
      body: '',
    })
  })

  it('is not sent again to a caller that has it: one of the tags, weak or strong, or any', () => {
    const ask = (wanted: string, method = 'GET') =>
      writeReply(
        found('[1]'),
        around('selfHosted', { id: 'alert.get', call: { method, headers: { 'if-none-match': wanted } } }),
      )
    const { etag } = ask('').headers
    for (const wanted of [etag!, etag!.slice(2), `"x" , ${etag}`, ' * ']) {
      expect(ask(wanted)).toEqual({
        cause: expect.anything(),
        status: 304,
        headers: { ...crossOrigin, etag },
        body: '',
      })
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
  const deleted: Reply = { kind: 'deleted' }
  const id = 'alert.delete'

  it('is answered as was chosen, also when there was nothing to delete', () => {
    const choices = { 'alert/delete-answer': '200 json', 'alert/delete-unknown': '202 text' }
    const done = writeReply(deleted, around('selfHosted', { id }, choices))
    const nothing = writeRefusal(unknownId('Alert'), around('selfHosted', { id }, choices))
    expect(done).toMatchObject({ status: 200, body: '{}', headers: { 'content-type': json } })
    expect(nothing).toMatchObject({
      status: 202,
      body: '202',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    const empty = writeReply(deleted, around('selfHosted', { id }, { 'alert/delete-answer': '204 empty' }))
    expect(empty).toEqual({ cause: expect.anything(), status: 204, headers: crossOrigin, body: '' })
    const silent = writeReply(deleted, around('selfHosted', { id }, { 'alert/delete-answer': '200 empty' }))
    expect(silent).toEqual({ cause: expect.anything(), status: 200, headers: crossOrigin, body: '' })
    const inCloud = writeReply(deleted, around('managed', { id }, { 'alert/delete-answer': '202 json' }))
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
    expect(cloud).toEqual({
      status: 409,
      requestId: expect.any(String),
      error: 'CONFLICT: It is in use',
    })
    const absent = { 'envelope/request-id-on-refusals': 'absent' }
    const without = JSON.parse(answerTo(conflict('It is in use'), 'cloud', {}, absent).body)
    expect(without).toEqual({ status: 409, error: 'CONFLICT: It is in use' })
  })

  it('names the methods that are allowed with a 405 and no other status', () => {
    const refusal = wrongMethod('Cannot PATCH /here', 'GET, OPTIONS', 'Try GET')
    expect(answerTo(refusal, 'cloud').headers.allow).toBe('GET, OPTIONS')
    expect(answerTo(refusal, 'cloud', {}, { 'path/wrong-method': '404 json' }).headers).not.toHaveProperty('allow')
    const silent = new Refusal('wrongMethod', 'Cannot PATCH /here')
    expect(answerTo(silent, 'cloud').headers).not.toHaveProperty('allow')
  })

  it('names the scheme of the credentials with a 401, where that was chosen', () => {
    const ask = (form: Form, choices: Readonly<Record<string, string>> = {}) =>
      answerTo(
        new Refusal('unauthenticated', 'Who?', { gap: 'auth/missing-credentials' }),
        ...[form, {}, { 'auth/challenge': 'present', ...choices }],
      ).headers['www-authenticate']
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
    const ask = (gap: GapId) => answerTo(new Refusal('unauthenticated', 'Who?', { gap }), 'cloud', {}, choices).status
    expect([ask('auth/missing-credentials'), ask('auth/invalid-credentials')]).toEqual([401, 403])
  })

  it('of a chart that failed while it ran is an error, all others what was chosen', () => {
    const keyOf = (refusal: Refusal, id?: OperationId, choices = {}) =>
      Object.keys(
        JSON.parse(answerTo(refusal, 'selfHosted', { id }, { 'error/self-hosted-body': 'message', ...choices }).body),
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
      cause: expect.anything(),
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
      cause: expect.anything(),
      status: 429,
      headers: { 'content-type': json, 'retry-after': '60' },
      body: '{"error":"TOO_MANY_REQUESTS"}',
    })
  })

  it('is a text, a page or nothing where that was chosen', () => {
    const ask = (choice: string, call: Partial<Call> = {}) =>
      answerTo(unrouted('Cannot GET /here', 'Try /api'), 'selfHosted', { call }, { 'path/unknown-path': choice })
    expect(ask('404 text')).toMatchObject({
      body: 'Not Found',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    expect(ask('418 text').body).toBe('418')
    expect(ask('404 empty')).toEqual({ cause: expect.anything(), status: 404, headers: crossOrigin, body: '' })
    const page = ask('404 html', { method: 'POST', path: `/<a href="x">&'` })
    expect(page).toEqual({
      cause: expect.anything(),
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
  const ask = (form: Form, allow?: string, headers = {}) => {
    const destination = { form, route: undefined, params: {}, refusal: allow ? wrongMethod('', allow, '') : undefined }
    const { cause, ...answer } = writeOptions(
      around(form, { match: { ...destination, isBelowResource: true }, call: { headers } }),
    )
    expect(cause).toMatchObject({ basis: 'observed', why: expect.stringContaining('preflight') })
    return answer
  }

  it('says what is allowed, in the words of each form', () => {
    expect(ask('cloud', 'GET, OPTIONS')).toStrictEqual({ status: 204, headers: { allow: 'GET, OPTIONS' }, body: '' })
    expect(ask('managed')).toStrictEqual({ status: 204, headers: {}, body: '' })
    const preflight = {
      ...crossOrigin,
      vary: 'Origin, Access-Control-Request-Headers',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
    }
    expect(ask('selfHosted', 'GET')).toStrictEqual({ status: 204, headers: preflight, body: '' })
    expect(ask('selfHosted', undefined, { 'access-control-request-headers': 'authorization' }).headers).toStrictEqual({
      ...preflight,
      'access-control-allow-headers': 'authorization',
    })
  })
})
