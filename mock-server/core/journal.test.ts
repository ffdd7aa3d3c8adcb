import { describe, expect, it } from 'vitest'
import type { Cause } from '../words/cause.ts'
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
  it('has the newest call first, and as many as it was told to keep', () => {
    const journal = open()
    expect(journal.read()).toEqual([])
    const seen = ['/1', '/2', '/3', '/4', '/5'].map(path => {
      journal.record(trace(path))
      return paths(journal).join(' ')
    })
    expect(seen).toEqual(['/1', '/2 /1', '/3 /2 /1', '/4 /3 /2', '/5 /4 /3'])
    expect([paths(journal, 2), paths(journal, 0), paths(journal, 9)]).toEqual([['/5', '/4'], [], ['/5', '/4', '/3']])
  })

  it('begins anew once it was told to forget, and keeps nothing where it has no room', () => {
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
  ])('shows no secret of a body: %s', (body, shown) => {
    const journal = open()
    journal.record(trace('/a', { body, answered: body }))
    const [{ request, response } = expect.fail()] = journal.read()
    expect([request.body, response.body]).toEqual([shown, shown])
  })

  it('tells a call as it came and what was answered, but no credentials', () => {
    const journal = open()
    const headers = { accept: 'x', authorization: 'Basic secret' }
    journal.record(trace('/a', { call: { method: 'GET', path: '/a', query: 'b=c', headers, body: 'sent' } }))
    expect(journal.read()).toEqual([
      {
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
    expect(Object.keys(refused!)).toEqual(['at', 'ms', 'host', 'request', 'response', 'because'])
    expect(refused!.request).toEqual({ method: 'GET', path: '/b', headers: { accept: 'x' }, body: '' })
  })

  it.each([4096, 4097, 16_384, 16_385, 100_000])('cuts bodies of %i signs after 4096', length => {
    const journal = open()
    const text = 'é'.repeat(length)
    journal.record(trace('/a', { body: text }))
    journal.record(trace('/b', { answered: text }))
    const [answered, sent] = journal.read()
    expect(answered).toMatchObject({ request: { body: '' }, response: { body: 'é'.repeat(4096) } })
    expect(sent).toMatchObject({ request: { body: 'é'.repeat(4096) }, response: { body: '' } })
  })

  it('tells what became of a delivery between the calls', () => {
    const journal = open()
    const request = { method: 'POST', path: 'https://hooks.test', headers: {}, body: 'x'.repeat(5000) }
    journal.record(trace('/1'))
    journal.recordDelivery(at, { ms: 3, request, why: 'nobody answered', isFailed: true })
    const response = { status: 200, headers: { a: 'b' }, body: 'y'.repeat(5000) }
    journal.recordDelivery(at, { ms: 3, request, response, why: 'was told', isFailed: false })
    const [told, failed, call] = journal.read()
    expect(call!.request.path).toBe('/1')
    expect(failed).toEqual({
      at: '2026-06-01T00:00:00.000Z',
      ms: 3,
      host: 'webhook',
      request: { ...request, body: 'x'.repeat(4096) },
      response: { status: 0, headers: {}, body: '' },
      because: { basis: 'observed', rule: 'event/webhook-payload', why: 'nobody answered' },
    })
    expect(told!.response).toEqual({ status: 200, headers: { a: 'b' }, body: 'y'.repeat(4096) })
  })
})
