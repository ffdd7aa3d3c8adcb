import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Cause } from '../../words/cause.ts'
import type { CallFilter } from './filter.ts'
import { type AnsweredCall, createJournal } from './journal.ts'

const at = Date.UTC(2026, 5, 1)
const cause: Cause = { basis: 'stated', rule: 'member/list-answers-200', why: 'The specification says so.' }

function trace(
  path: string,
  more: { body?: string; answered?: string; query?: string } & Partial<AnsweredCall> = {},
): AnsweredCall {
  const { body = '', answered = '', query = '', ...rest } = more
  return {
    at,
    ms: 2,
    host: 'cloud',
    call: { method: 'GET', path, query, headers: { accept: 'x' }, body },
    answer: { status: 200, headers: { etag: 'x' }, body: answered, cause },
    form: 'cloud',
    operation: 'member.list',
    ...rest,
  }
}

const open = (capacity = 3) => createJournal(capacity)
const paths = (journal: ReturnType<typeof open>, limit?: number) =>
  journal.read(limit).map(({ request }) => request.path)

describe('the journal', () => {
  it('has the newest call first, and no more than its limit', () => {
    const journal = open()
    expect(journal.read()).toEqual([])
    const seen = ['/1', '/2', '/3', '/4', '/5'].map(path => {
      journal.record(trace(path))
      return paths(journal).join(' ')
    })
    expect(seen).toEqual(['/1', '/2 /1', '/3 /2 /1', '/4 /3 /2', '/5 /4 /3'])
    expect([paths(journal, 2), paths(journal, 0), paths(journal, 9)]).toEqual([['/5', '/4'], [], ['/5', '/4', '/3']])
  })

  it('is empty once it was cleared, and keeps nothing where its limit is 0', () => {
    const journal = open()
    for (const path of ['/1', '/2']) journal.record(trace(path))
    journal.forget()
    expect(journal.read()).toEqual([])
    for (const path of ['/3', '/4']) journal.record(trace(path))
    expect(paths(journal)).toEqual(['/4', '/3'])
    const none = open(0)
    none.record(trace('/1'))
    expect(none.read()).toEqual([])
  })

  it.each([
    ['{"keySecret": "a\\"b", "name": "x"}', '{"keySecret": "[redacted]", "name": "x"}'],
    [
      '{"newPasswordHash":"a","keyIdHash":"b","password":"',
      '{"newPasswordHash":"[redacted]","keyIdHash":"[redacted]","password":"[redacted]"',
    ],
    ['{"name":"password","secretAccessKey":"cut o', '{"name":"password","secretAccessKey":"[redacted]"'],
    [
      '{"uri":"postgres://ada:pa55@db:5432/x?a=b@c","at":"http://h:80/@"}',
      '{"uri":"postgres://ada:[redacted]@db:5432/x?a=b@c","at":"http://h:80/@"}',
    ],
  ])('shows no secret of a body: %s', (body, shown) => {
    const journal = open()
    journal.record(trace('/a', { body, answered: body }))
    const [{ request, response } = expect.fail()] = journal.read()
    expect([request.body, response.body]).toEqual([shown, shown])
  })

  it('shows no secret of a query, of headers that are answered, or in what a refusal says of a body', () => {
    const journal = open()
    const call = { method: 'POST', path: '/a', query: 'x=1&apiKey=k&pageToken=t&y', headers: {} }
    journal.record(
      trace('/a', {
        call: { ...call, body: '{"password":"short of a digit"}' },
        answered: '<string:short of a digit>',
      }),
    )
    expect(journal.read()[0]).toMatchObject({
      request: { path: '/a?x=1&apiKey=[redacted]&pageToken=[redacted]&y' },
      response: { body: '<string:[redacted]>' },
    })
  })

  it('shows no secret in what a refusal says of a body that is cut before it', () => {
    const journal = open()
    const body = `{${' '.repeat(20_000)}"password":"short of a digit"}`
    const sentence = 'Expected a digit <string:short of a digit>'
    const answer = { status: 400, headers: {}, body: sentence, cause: { ...cause, why: sentence } }
    journal.record(trace('/a', { call: { method: 'POST', path: '/a', query: '', headers: {}, body }, answer }))
    expect(journal.read()[0]).toMatchObject({
      response: { body: 'Expected a digit <string:[redacted]>' },
      because: { why: 'Expected a digit <string:[redacted]>' },
    })
  })

  it.each([
    ['a name without end', `"${'password'.repeat(2 ** 20)}`],
    ['a value without end', `{"password":"${'x'.repeat(2 ** 24)}`],
    ['more values than are looked for', '{"password":"abcdef"},'.repeat(2 ** 19)],
  ])('looks for the secrets of a large refused body, and comes to an end: %s', (_, body) => {
    const journal = open()
    const call = { method: 'POST', path: '/a', query: '', headers: {}, body }
    journal.record(trace('/a', { call, answer: { status: 400, headers: {}, body: 'no', cause } }))
    expect(journal.read()[0]).toMatchObject({ isCut: true, response: { body: 'no' } })
  })

  it('shows a call and its answer, but no credentials', () => {
    const journal = open()
    const headers = { accept: 'x', authorization: 'Basic secret' }
    journal.record(trace('/a', { call: { method: 'GET', path: '/a', query: 'b=c', headers, body: 'sent' } }))
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
    journal.record(trace('/b', { form: undefined, operation: undefined }))
    const [refused] = journal.read(1)
    expect(Object.keys(refused!)).toEqual(['number', 'at', 'ms', 'host', 'client', 'request', 'response', 'because'])
    expect(refused!.request).toEqual({ method: 'GET', path: '/b', headers: { accept: 'x' }, body: '' })
  })

  it.each([4096, 4097, 16_384, 16_385, 100_000])('cuts bodies of %i signs after 4096, and says so', length => {
    const journal = open()
    const text = 'é'.repeat(length)
    journal.record(trace('/a', { body: text }))
    journal.record(trace('/b', { answered: text }))
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
  })

  it('shows what disturbed an answer, what a browser keeps from its page, and to a recording the kind of credentials', () => {
    const journal = open()
    const headers = { origin: 'http://page.test', authorization: 'bEaReR secret' }
    const call = { method: 'GET', path: '/a', query: '', headers, body: '' }
    journal.record(trace('/a', { call, answer: { status: 200, headers: {}, body: '', trouble: { delayMs: 7 } } }))
    const [listed] = journal.read(1, { isWhole: true })
    expect(listed).toMatchObject({
      request: { headers: { authorization: 'bEaReR [redacted]' } },
      response: { trouble: { delayMs: 7 } },
      because: { basis: 'invented', why: 'The mock recorded no cause for this answer, which is a defect of the mock.' },
      blockedByBrowser: expect.stringContaining('http://page.test'),
    })
    expect(journal.read(1)[0]!.request.headers.authorization).toBe('[redacted]')
  })

  it('shows deliveries between the calls', () => {
    const journal = open()
    const request = { method: 'POST', path: 'https://hooks.test', headers: {}, body: 'x'.repeat(5000) }
    journal.record(trace('/1'))
    journal.recordDelivery(at, { ms: 3, request, why: 'nobody answered', isFailed: true })
    const response = { status: 200, headers: { a: 'b' }, body: 'y'.repeat(5000) }
    journal.recordDelivery(at, { ms: 3, request, response, why: 'was delivered', isFailed: false })
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

  it('says of no delivery that a browser keeps its answer, whatever headers its webhook has', () => {
    const journal = open()
    const request = { method: 'POST', path: 'https://hooks.test', headers: { origin: '[redacted]' }, body: '{}' }
    const response = { status: 200, headers: {}, body: 'thanks' }
    journal.recordDelivery(at, { ms: 3, request, response, why: 'was delivered', isFailed: false })
    expect(journal.read()[0]).not.toHaveProperty('blockedByBrowser')
    expect(journal.read()[0]).not.toHaveProperty('isCut')
  })

  it('drops the oldest calls when the others take 32 MiB', () => {
    const journal = open(100_000)
    for (let number = 1; number <= 3000; number++) journal.record(trace(`/${number}`, { answered: 'x'.repeat(16_000) }))
    const kept = journal.read()
    // There is room for 1,971 of 17,024 bytes; the end of the ring, where the next body did not fit, takes three of them.
    expect([kept.length, kept[0]!.request.path]).toEqual([1968, '/3000'])
    expect(kept[0]!.number).toBe(3000)
  })

  it('counts a KiB for each call beside its bodies, so that a thousand worlds of calls without bodies fit in memory', () => {
    const journal = createJournal(10_000, 1024 * 1024)
    for (let number = 1; number <= 3000; number++) journal.record(trace(`/${number}`))
    const kept = journal.read()
    expect([kept.length, kept[0]!.number, kept.at(-1)!.number]).toEqual([1024, 3000, 1977])
    journal.forget()
    journal.record(trace('/after'))
    expect(paths(journal)).toEqual(['/after'])
  })

  it('holds on to nothing of a call that it dropped for its bodies', async () => {
    const journal = createJournal(10_000, 1024 * 1024)
    const refs = Array.from({ length: 1000 }, (_, number) => {
      const call = { method: 'GET', path: `/${number}`, query: '', headers: {}, body: '' }
      journal.record(trace('', { call, answered: 'x'.repeat(10_000) }))
      return new WeakRef(call.headers)
    })
    setFlagsFromString('--expose-gc')
    await new Promise(resolve => setImmediate(resolve))
    runInNewContext('gc')()
    const held = refs.filter(ref => ref.deref()).length
    expect([held < 150, journal.read().length > 80]).toEqual([true, true])
  })

  it('finds calls by form, operation, status, client, time and words', () => {
    const journal = open(20)
    const agent = (name: string) => ({
      method: 'GET',
      path: '/b',
      query: '',
      body: '',
      headers: { 'user-agent': name },
    })
    journal.record(trace('/a', { answered: 'Ada Lovelace' }))
    journal.record(trace('/b', { call: agent('stack-parity verify'), form: 'managed', operation: 'alert.list' }))
    journal.record(
      trace('/c', { call: agent('stack-parity console'), at: at + 1000, host: 'selfHosted', form: undefined }),
    )
    journal.record(
      trace('/d', { answer: { status: 404, headers: {}, body: '', cause: { basis: 'implied', why: 'Gone.' } } }),
    )
    const request = { method: 'POST', path: '/hook', headers: {}, body: '' }
    journal.recordDelivery(at, { ms: 3, request, why: 'nobody answered', isFailed: true })
    const numbers = (filter: CallFilter) => journal.read(undefined, filter).map(({ number }) => number)
    expect(numbers({ form: 'managed' })).toEqual([2])
    expect(numbers({ form: 'selfHosted' })).toEqual([3])
    expect(numbers({ form: 'webhook' })).toEqual([5])
    expect(numbers({ operation: 'alert.list' })).toEqual([2])
    expect([numbers({ status: 404 }), numbers({ status: '2xx' }), numbers({ status: 0 })]).toEqual([
      [4],
      [3, 2, 1],
      [5],
    ])
    expect(['suite', 'console', 'mock', 'other'].map(client => numbers({ client } as CallFilter))).toEqual([
      [2],
      [3],
      [5],
      [4, 1],
    ])
    expect([numbers({ since: at + 1 }), numbers({ until: at + 1, form: 'cloud' })]).toEqual([[3], [4, 1]])
    expect([numbers({ text: 'lovelace ADA' }), numbers({ text: 'gone' }), numbers({ text: 'ada eve' })]).toEqual([
      [1],
      [4],
      [],
    ])
    expect(journal.read(1, { form: 'cloud' }).map(({ number }) => number)).toEqual([4])
  })
})
