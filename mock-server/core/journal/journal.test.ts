import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Cause } from '../../words/cause.ts'
import type { CallFilter } from './filter.ts'
import { type AnsweredCall, createJournal } from './journal.ts'

const time = Date.UTC(2026, 5, 1)
const cause: Cause = { basis: 'stated', rule: 'member/list-answers-200', why: 'The specification says so.' }

function callTo(
  path: string,
  more: { body?: string; answerBody?: string; query?: string } & Partial<AnsweredCall> = {},
): AnsweredCall {
  const { body = '', answerBody = '', query = '', ...rest } = more
  return {
    at: time,
    ms: 2,
    host: 'cloud',
    call: { method: 'GET', path, query, headers: { accept: 'x' }, body },
    answer: { status: 200, headers: { etag: 'x' }, body: answerBody, cause },
    form: 'cloud',
    operation: 'member.list',
    ...rest,
  }
}

const open = (capacity = 3) => createJournal(capacity)
const listPaths = (journal: ReturnType<typeof open>, limit?: number) =>
  journal.read(limit).map(({ request }) => request.path)

describe('the journal', () => {
  it('lists the newest call first, and keeps as many calls as its limit', () => {
    const journal = open()
    expect(journal.read()).toEqual([])
    const listedPaths = ['/1', '/2', '/3', '/4', '/5'].map(path => {
      journal.record(callTo(path))
      return listPaths(journal).join(' ')
    })
    expect(listedPaths).toEqual(['/1', '/2 /1', '/3 /2 /1', '/4 /3 /2', '/5 /4 /3'])
    expect([listPaths(journal, 2), listPaths(journal, 0), listPaths(journal, 9)]).toEqual([
      ['/5', '/4'],
      [],
      ['/5', '/4', '/3'],
    ])
  })

  it('is empty after it was cleared, and always empty if its limit is 0', () => {
    const journal = open()
    for (const path of ['/1', '/2']) journal.record(callTo(path))
    journal.forget()
    expect(journal.read()).toEqual([])
    for (const path of ['/3', '/4']) journal.record(callTo(path))
    expect(listPaths(journal)).toEqual(['/4', '/3'])
    const none = open(0)
    none.record(callTo('/1'))
    expect(none.read()).toEqual([])
  })

  it.each([
    ['{"keySecret": "a\\"b", "name": "x"}', '{"keySecret": "[redacted]", "name": "x"}'],
    [
      '{"newPasswordHash":"a","keyIdHash":"b","password":"',
      '{"newPasswordHash":"[redacted]","keyIdHash":"[redacted]","password":"[redacted]"',
    ],
    [
      '{"serviceAccountKey":"a","apiKeyId":"b","token":"c',
      '{"serviceAccountKey":"[redacted]","apiKeyId":"b","token":"[redacted]"',
    ],
    ['{"name":"password","secretAccessKey":"cut o', '{"name":"password","secretAccessKey":"[redacted]"'],
    [
      '{"uri":"postgres://ada:pa55@db:5432/x?a=b@c","at":"http://h:80/@"}',
      '{"uri":"postgres://ada:[redacted]@db:5432/x?a=b@c","at":"http://h:80/@"}',
    ],
  ])('redacts the secrets in a body: %s', (body, redacted) => {
    const journal = open()
    journal.record(callTo('/a', { body, answerBody: body }))
    const [{ request, response } = expect.fail()] = journal.read()
    expect([request.body, response.body]).toEqual([redacted, redacted])
  })

  it('redacts the secrets in a query, and in a refusal that quotes a secret of the body', () => {
    const journal = open()
    const call = { method: 'POST', path: '/a', query: 'x=1&apiKey=k&pageToken=t&y', headers: {} }
    journal.record(
      callTo('/a', {
        call: { ...call, body: '{"password":"short of a digit"}' },
        answerBody: '<string:short of a digit>',
      }),
    )
    expect(journal.read()[0]).toMatchObject({
      request: { path: '/a?x=1&apiKey=[redacted]&pageToken=[redacted]&y' },
      response: { body: '<string:[redacted]>' },
    })
  })

  it('redacts a quoted secret in a refusal, even if the body is cut before the secret', () => {
    const journal = open()
    const body = `{${' '.repeat(20_000)}"password":"short of a digit"}`
    const sentence = 'Expected a digit <string:short of a digit>'
    const answer = { status: 400, headers: {}, body: sentence, cause: { ...cause, why: sentence } }
    journal.record(callTo('/a', { call: { method: 'POST', path: '/a', query: '', headers: {}, body }, answer }))
    expect(journal.read()[0]).toMatchObject({
      response: { body: 'Expected a digit <string:[redacted]>' },
      because: { why: 'Expected a digit <string:[redacted]>' },
    })
  })

  it.each([
    ['a name without end', `"${'password'.repeat(2 ** 20)}`],
    ['a value without end', `{"password":"${'x'.repeat(2 ** 24)}`],
    ['very many secrets', '{"password":"abcdef"},'.repeat(2 ** 19)],
  ])('records the refusal of a large body in limited time: %s', (_, body) => {
    const journal = open()
    const call = { method: 'POST', path: '/a', query: '', headers: {}, body }
    journal.record(callTo('/a', { call, answer: { status: 400, headers: {}, body: 'no', cause } }))
    expect(journal.read()[0]).toMatchObject({ isCut: true, response: { body: 'no' } })
  })

  it('shows a call and its answer, but no credentials', () => {
    const journal = open()
    const headers = { accept: 'x', authorization: 'Basic secret' }
    journal.record(callTo('/a', { call: { method: 'GET', path: '/a', query: 'b=c', headers, body: 'sent' } }))
    expect(journal.read()).toEqual([
      {
        number: 1,
        client: 'other',
        at: '2026-06-01T00:00:00.000Z',
        ms: 2,
        host: 'cloud',
        form: 'cloud',
        operation: 'member.list',
        request: {
          method: 'GET',
          path: '/a?b=c',
          headers: { accept: 'x', authorization: '[redacted]' },
          body: 'sent',
        },
        response: { status: 200, headers: { etag: 'x' }, body: '' },
        because: cause,
      },
    ])
    journal.record(callTo('/b', { form: undefined, operation: undefined }))
    const [refused] = journal.read(1)
    expect(Object.keys(refused!)).toEqual(['number', 'at', 'ms', 'host', 'client', 'request', 'response', 'because'])
    expect(refused!.request).toEqual({ method: 'GET', path: '/b', headers: { accept: 'x' }, body: '' })
  })

  it.each([4096, 4097, 16_384, 16_385, 100_000])(
    'keeps the first 4096 characters of a body of %i, but in a whole entry all of it up to 16384, and marks what it cuts',
    length => {
      const journal = open()
      const text = 'é'.repeat(length)
      journal.record(callTo('/a', { body: text }))
      journal.record(callTo('/b', { answerBody: text }))
      const listed = (isWhole: boolean) =>
        journal.read(2, { isWhole }).map(({ request, response, isCut }) => [request.body, response.body, isCut])
      const isCut = length > 4096 ? true : undefined
      const beginning = 'é'.repeat(4096)
      expect(listed(false)).toEqual([
        ['', beginning, isCut],
        [beginning, '', isCut],
      ])
      const [max, isCutAtMost] = length > 16_384 ? [beginning, true] : [text, undefined]
      expect(listed(true)).toEqual([
        ['', max, isCutAtMost],
        [max, '', isCutAtMost],
      ])
    },
  )

  it('shows a disturbance and that a browser blocks the answer; the scheme of credentials is shown only in whole entries', () => {
    const journal = open()
    const headers = { origin: 'http://page.test', authorization: 'bEaReR secret' }
    const call = { method: 'GET', path: '/a', query: '', headers, body: '' }
    journal.record(callTo('/a', { call, answer: { status: 200, headers: {}, body: '', disturbance: { delayMs: 7 } } }))
    const [listed] = journal.read(1, { isWhole: true })
    expect(listed).toMatchObject({
      request: { headers: { authorization: 'bEaReR [redacted]' } },
      response: { disturbance: { delayMs: 7 } },
      because: { basis: 'invented', why: 'The mock recorded no cause for this answer, which is a defect of the mock.' },
      blockedByBrowser: expect.stringContaining('http://page.test'),
    })
    expect(journal.read(1)[0]!.request.headers.authorization).toBe('[redacted]')
  })

  it('shows deliveries between the calls', () => {
    const journal = open()
    const request = { method: 'POST', path: 'https://hooks.test', headers: {}, body: 'x'.repeat(5000) }
    journal.record(callTo('/1'))
    journal.recordDelivery(time, { ms: 3, request, why: 'nobody answered' })
    const response = { status: 200, headers: { a: 'b' }, body: 'y'.repeat(5000) }
    journal.recordDelivery(time, { ms: 3, request, response, why: 'was delivered' })
    const [listed, failed, call] = journal.read()
    expect(call!.request.path).toBe('/1')
    expect(failed).toEqual({
      number: 2,
      client: 'mock',
      at: '2026-06-01T00:00:00.000Z',
      ms: 3,
      host: 'webhook',
      request: { ...request, body: 'x'.repeat(4096) },
      response: { status: 0, headers: {}, body: '' },
      because: { basis: 'observed', rule: 'event/webhook-payload', why: 'nobody answered' },
      isCut: true,
    })
    expect(listed!.response).toEqual({ status: 200, headers: { a: 'b' }, body: 'y'.repeat(4096) })
    expect(journal.read(1, { isWhole: true })[0]!.response.body).toHaveLength(4096)
  })

  it('never marks a delivery as blocked by a browser, even with an Origin header', () => {
    const journal = open()
    const request = { method: 'POST', path: 'https://hooks.test', headers: { origin: '[redacted]' }, body: '{}' }
    const response = { status: 200, headers: {}, body: 'thanks' }
    journal.recordDelivery(time, { ms: 3, request, response, why: 'was delivered' })
    expect(journal.read()[0]).not.toHaveProperty('blockedByBrowser')
    expect(journal.read()[0]).not.toHaveProperty('isCut')
  })

  it('drops the oldest calls when the others take 32 MiB', () => {
    const journal = open(100_000)
    for (let number = 1; number <= 3000; number++)
      journal.record(callTo(`/${number}`, { answerBody: 'x'.repeat(16_000) }))
    const kept = journal.read()
    // 32 MiB have room for 1,971 calls of 17,024 bytes; the unused end of the ring takes the room of three calls.
    expect([kept.length, kept[0]!.request.path]).toEqual([1968, '/3000'])
    expect(kept[0]!.number).toBe(3000)
  })

  it('counts 1 KiB for each call in addition to its bodies', () => {
    const journal = createJournal(10_000, 1024 * 1024)
    for (let number = 1; number <= 3000; number++) journal.record(callTo(`/${number}`))
    const kept = journal.read()
    expect([kept.length, kept[0]!.number, kept.at(-1)!.number]).toEqual([1024, 3000, 1977])
    journal.forget()
    journal.record(callTo('/after'))
    expect(listPaths(journal)).toEqual(['/after'])
  })

  it('does not retain a dropped call in memory', async () => {
    const journal = createJournal(10_000, 1024 * 1024)
    const refs = Array.from({ length: 1000 }, (_, number) => {
      const call = { method: 'GET', path: `/${number}`, query: '', headers: {}, body: '' }
      journal.record(callTo('', { call, answerBody: 'x'.repeat(10_000) }))
      return new WeakRef(call.headers)
    })
    setFlagsFromString('--expose-gc')
    await new Promise(resolve => setImmediate(resolve))
    runInNewContext('gc')()
    const held = refs.filter(ref => ref.deref()).length
    expect([held < 150, journal.read().length > 80]).toEqual([true, true])
  })

  it('filters calls by form, operation, status, client, time and words', () => {
    const journal = open(20)
    const agent = (name: string) => ({
      method: 'GET',
      path: '/b',
      query: '',
      body: '',
      headers: { 'user-agent': name },
    })
    journal.record(callTo('/a', { answerBody: 'Ada Lovelace' }))
    journal.record(callTo('/b', { call: agent('stack-parity verify'), form: 'managed', operation: 'alert.list' }))
    journal.record(
      callTo('/c', { call: agent('stack-parity console'), at: time + 1000, host: 'selfHosted', form: undefined }),
    )
    journal.record(
      callTo('/d', { answer: { status: 404, headers: {}, body: '', cause: { basis: 'implied', why: 'Gone.' } } }),
    )
    const request = { method: 'POST', path: '/hook', headers: {}, body: '' }
    journal.recordDelivery(time, { ms: 3, request, why: 'nobody answered' })
    const findNumbers = (filter: CallFilter) => journal.read(undefined, filter).map(({ number }) => number)
    expect(findNumbers({ form: 'managed' })).toEqual([2])
    expect(findNumbers({ form: 'selfHosted' })).toEqual([3])
    expect(findNumbers({ form: 'webhook' })).toEqual([5])
    expect(findNumbers({ operation: 'alert.list' })).toEqual([2])
    expect([findNumbers({ status: 404 }), findNumbers({ status: '2xx' }), findNumbers({ status: 0 })]).toEqual([
      [4],
      [3, 2, 1],
      [5],
    ])
    expect(['suite', 'console', 'mock', 'other'].map(client => findNumbers({ client } as CallFilter))).toEqual([
      [2],
      [3],
      [5],
      [4, 1],
    ])
    expect([findNumbers({ since: time + 1 }), findNumbers({ until: time + 1, form: 'cloud' })]).toEqual([[3], [4, 1]])
    expect([
      findNumbers({ text: 'lovelace ADA' }),
      findNumbers({ text: 'gone' }),
      findNumbers({ text: 'ada eve' }),
    ]).toEqual([[1], [4], []])
    expect(journal.read(1, { form: 'cloud' }).map(({ number }) => number)).toEqual([4])
  })
})
