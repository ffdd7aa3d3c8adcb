import { describe, expect, it } from 'vitest'
import { type Form, type GapId, type OperationId, operations } from '../../../fixtures/built-contract/index.ts'
import { core } from '../../mock/made-of.ts'
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

/** Tests the functions alone. write-reply.test.ts tests every choice of every gap through a whole mock. */

const sent = { method: 'GET', path: '/here', query: '', headers: {}, body: '' }
const contextOf = (
  form: Form,
  more: Partial<Omit<ReplyContext, 'call' | 'choiceOfGap'>> & { readonly call?: Partial<Call> } = {},
  choices: Readonly<Record<string, string>> = {},
): ReplyContext => ({
  core,
  form,
  listener: form === 'selfHosted' ? 'selfHosted' : 'cloud',
  match: { form, route: undefined, params: {}, refusal: undefined, isWithinResource: true },
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
const objectReply = (text: string): Reply => ({ kind: 'object', json: text })

describe('a success', () => {
  it('has the envelope of the cloud form, and Content-Type as its only header', () => {
    const answer = writeReply(objectReply('[1]'), contextOf('cloud'))
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': json } })
    expect(Object.keys(answer.headers)).toEqual(['content-type'])
    expect(answer.body).toMatch(/^{"status":200,"requestId":"[0-9a-f-]{36}","result":\[1\]}$/)
    expect(writeReply({ kind: 'bare', json: '{}' }, contextOf('cloud')).body).toBe('{}')
  })

  it('has the envelope of the self-hosted form, an ETag, and CORS headers', () => {
    const answer = writeReply(objectReply('[1]'), contextOf('selfHosted', { id: 'alert.get' }))
    expect(answer).toEqual({
      cause: expect.anything(),
      status: 200,
      headers: { ...crossOrigin, 'content-type': json, etag: expect.stringMatching(/^W\/"[^"]+"$/) },
      body: '{"data":[1]}',
    })
    const meta = { total: 7, limit: 1, offset: 0 }
    const page = writeReply({ kind: 'list', json: '[1]', meta }, contextOf('selfHosted'))
    expect(page).toMatchObject({
      headers: { 'x-total-count': '7' },
      body: '{"data":[1],"meta":{"total":7,"limit":1,"offset":0}}',
    })
    const bare = writeReply({ kind: 'bare', json: '{"a":1}' }, contextOf('selfHosted'))
    expect(bare.body).toBe('{"a":1}')
  })

  it('has the chosen status of a creation, and no body with 204 and 205', () => {
    const choices = { 'dashboard/create-status': '201', 'alert/create-status': '204' }
    const statuses = (['dashboard.create', 'alert.create', 'dashboard.update'] as const).map(id => {
      const { status, body } = writeReply(objectReply('{}'), contextOf('selfHosted', { id }, choices))
      return [status, body]
    })
    expect(statuses).toEqual([
      [201, '{"data":{}}'],
      [204, ''],
      [200, '{"data":{}}'],
    ])
    const reset = contextOf('selfHosted', { id: 'alert.create' }, { 'alert/create-status': '205' })
    expect(writeReply(objectReply('{}'), reset)).toEqual({
      cause: expect.anything(),
      status: 205,
      headers: crossOrigin,
      body: '',
    })
  })

  it('is a 304 if If-None-Match has its tag, weak or strong, or *', () => {
    const requestIfNoneMatch = (tags: string, method = 'GET') =>
      writeReply(
        objectReply('[1]'),
        contextOf('selfHosted', { id: 'alert.get', call: { method, headers: { 'if-none-match': tags } } }),
      )
    const { etag } = requestIfNoneMatch('').headers
    for (const tags of [etag!, etag!.slice(2), `"x" , ${etag}`, ' * ']) {
      expect(requestIfNoneMatch(tags)).toEqual({
        cause: expect.anything(),
        status: 304,
        headers: { ...crossOrigin, etag },
        body: '',
      })
      expect(requestIfNoneMatch(tags, 'HEAD').status).toBe(304)
      expect(requestIfNoneMatch(tags, 'POST').status).toBe(200)
    }
    for (const tags of ['"x"', `x${etag}`, etag!.slice(0, -1)]) expect(requestIfNoneMatch(tags).status).toBe(200)
    const refused = contextOf('selfHosted', { call: { headers: { 'if-none-match': '*' } } })
    expect(writeRefusal(conflict('It is in use'), refused).status).toBe(409)
    const cloud = contextOf('cloud', { call: { headers: { 'if-none-match': '*' } } })
    expect(writeReply(objectReply('[1]'), cloud).status).toBe(200)
  })

  it('has different tags for different bodies, and equal tags for equal bodies', () => {
    const tags = ['[1]', '[2]', '[1,1]', '[]'].map(
      text => writeReply(objectReply(text), contextOf('selfHosted')).headers.etag,
    )
    expect(new Set(tags).size).toBe(4)
    expect(writeReply(objectReply('[1]'), contextOf('selfHosted')).headers.etag).toBe(tags[0])
  })

  it('has for HEAD its length in bytes, and no body', () => {
    const answer = writeReply(objectReply('"é"'), contextOf('selfHosted', { call: { method: 'HEAD' } }))
    expect(answer).toMatchObject({ status: 200, body: '', headers: { 'content-length': '13', 'content-type': json } })
    expect(writeReply(objectReply('1'), contextOf('selfHosted')).headers['content-length']).toBeUndefined()
  })

  it('has the headers of the rate limit', () => {
    for (const form of ['cloud', 'selfHosted'] as const) {
      const answer = writeReply(objectReply('1'), contextOf(form, { headers: { 'ratelimit-limit': '100' } }))
      expect(answer.headers['ratelimit-limit']).toBe('100')
    }
  })
})

describe('a deletion', () => {
  const deleted: Reply = { kind: 'deleted' }
  const id = 'alert.delete'

  it('has the chosen answer, also for an unknown id', () => {
    const choices = { 'alert/delete-answer': '200 json', 'alert/delete-unknown': '202 text' }
    const done = writeReply(deleted, contextOf('selfHosted', { id }, choices))
    const nothing = writeRefusal(unknownId('Alert'), contextOf('selfHosted', { id }, choices))
    expect(done).toMatchObject({ status: 200, body: '{}', headers: { 'content-type': json } })
    expect(nothing).toMatchObject({
      status: 202,
      body: '202',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    const empty = writeReply(deleted, contextOf('selfHosted', { id }, { 'alert/delete-answer': '204 empty' }))
    expect(empty).toEqual({ cause: expect.anything(), status: 204, headers: crossOrigin, body: '' })
    const silent = writeReply(deleted, contextOf('selfHosted', { id }, { 'alert/delete-answer': '200 empty' }))
    expect(silent).toEqual({ cause: expect.anything(), status: 200, headers: crossOrigin, body: '' })
    const inCloud = writeReply(deleted, contextOf('managed', { id }, { 'alert/delete-answer': '202 json' }))
    expect(JSON.parse(inCloud.body)).toMatchObject({ status: 202, result: {} })
  })
})

describe('a refusal', () => {
  const answerTo = (refusal: Refusal, ...rest: Parameters<typeof contextOf>) =>
    writeRefusal(refusal, contextOf(...rest))

  it('has the status of its kind and the error shape of the form if no gap determines it', () => {
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

  it('has an Allow header only with 405', () => {
    const refusal = wrongMethod('Cannot PATCH /here', 'GET, OPTIONS', 'Try GET')
    expect(answerTo(refusal, 'cloud').headers.allow).toBe('GET, OPTIONS')
    expect(answerTo(refusal, 'cloud', {}, { 'path/wrong-method': '404 json' }).headers).not.toHaveProperty('allow')
    const silent = new Refusal('wrongMethod', 'Cannot PATCH /here')
    expect(answerTo(silent, 'cloud').headers).not.toHaveProperty('allow')
  })

  it('has a WWW-Authenticate header with 401, if that is the choice', () => {
    const refuse = (form: Form, choices: Readonly<Record<string, string>> = {}) =>
      answerTo(
        new Refusal('unauthenticated', 'Who?', { gap: 'auth/missing-credentials' }),
        ...[form, {}, { 'auth/challenge': 'present', ...choices }],
      ).headers['www-authenticate']
    expect([refuse('cloud'), refuse('managed'), refuse('selfHosted')]).toEqual([
      'Basic realm="cloud", charset="UTF-8"',
      'Basic realm="cloud", charset="UTF-8"',
      'Bearer',
    ])
    expect(refuse('cloud', { 'auth/challenge': 'absent' })).toBeUndefined()
    expect(refuse('cloud', { 'auth/missing-credentials': '403 json' })).toBeUndefined()
  })

  it('has separate choices for wrong and for missing credentials', () => {
    const choices = { 'auth/missing-credentials': '401 json', 'auth/invalid-credentials': '403 json' }
    const refuse = (gap: GapId) =>
      answerTo(new Refusal('unauthenticated', 'Who?', { gap }), 'cloud', {}, choices).status
    expect([refuse('auth/missing-credentials'), refuse('auth/invalid-credentials')]).toEqual([401, 403])
  })

  it('of a chart that fails to run has the property error, and other refusals have the chosen shape', () => {
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

  it('of too many calls does not depend on choices', () => {
    const context = { headers: { 'retry-after': '60' } }
    expect(answerTo(rateLimited('Too many'), 'selfHosted', context)).toEqual({
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
    expect(answerTo(rateLimited('Too many'), 'cloud', context)).toEqual({
      cause: expect.anything(),
      status: 429,
      headers: { 'content-type': json, 'retry-after': '60' },
      body: '{"error":"TOO_MANY_REQUESTS"}',
    })
  })

  it('is plain text, HTML or empty if that is the choice', () => {
    const refuse = (choice: string, call: Partial<Call> = {}) =>
      answerTo(unrouted('Cannot GET /here', 'Try /api'), 'selfHosted', { call }, { 'path/unknown-path': choice })
    expect(refuse('404 text')).toMatchObject({
      body: 'Not Found',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
    expect(refuse('418 text').body).toBe('418')
    expect(refuse('404 empty')).toEqual({ cause: expect.anything(), status: 404, headers: crossOrigin, body: '' })
    const page = refuse('404 html', { method: 'POST', path: `/<a href="x">&'` })
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
    expect(refuse('400 html').body).toContain('<pre>Bad Request</pre>')
    expect(refuse('418 html').body).toContain('<pre>418</pre>')
  })
})

describe('an answer to OPTIONS', () => {
  const send = (form: Form, allow?: string, headers = {}) => {
    const destination = { form, route: undefined, params: {}, refusal: allow ? wrongMethod('', allow, '') : undefined }
    const { cause, ...answer } = writeOptions(
      contextOf(form, { match: { ...destination, isWithinResource: true }, call: { headers } }),
    )
    expect(cause).toMatchObject({ basis: 'observed', why: expect.stringContaining('preflight') })
    return answer
  }

  it('lists the allowed methods in the header of its form', () => {
    expect(send('cloud', 'GET, OPTIONS')).toStrictEqual({ status: 204, headers: { allow: 'GET, OPTIONS' }, body: '' })
    expect(send('managed')).toStrictEqual({ status: 204, headers: {}, body: '' })
    const preflight = {
      ...crossOrigin,
      vary: 'Origin, Access-Control-Request-Headers',
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
    }
    expect(send('selfHosted', 'GET')).toStrictEqual({ status: 204, headers: preflight, body: '' })
    expect(send('selfHosted', undefined, { 'access-control-request-headers': 'authorization' }).headers).toStrictEqual({
      ...preflight,
      'access-control-allow-headers': 'authorization',
    })
  })
})
