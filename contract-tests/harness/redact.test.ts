import { describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createRedactor, redactValue, reportExchange } from './redact.ts'

const redact = createRedactor({
  cloud: {
    baseUrl: 'http://a',
    keyId: 'key',
    keySecret: 'secret/with "quotes"',
    secondKeyId: 'two',
    secondKeySecret: 'second-key-secret',
  },
  selfHosted: { baseUrl: 'http://b', apiKey: 'personal-api-key', ingestionKey: 'ingestion-key' },
})

describe('redacting', () => {
  it.each([
    ['as it stands', 'key: personal-api-key.', 'key: [redacted].'],
    ['twice', 'personal-api-keypersonal-api-key', '[redacted][redacted]'],
    ['in JSON', JSON.stringify({ a: 'secret/with "quotes"' }), '{"a":"[redacted]"}'],
    ['percent-encoded', `?key=${encodeURIComponent('secret/with "quotes"')}&b`, '?key=[redacted]&b'],
    ['as Basic credentials', `Basic ${btoa('key:secret/with "quotes"')}`, 'Basic [redacted]'],
    ['as the second Basic credentials', `Basic ${btoa('two:second-key-secret')}`, 'Basic [redacted]'],
    ['as a Basic password', `Basic ${btoa('api:personal-api-key')}`, 'Basic [redacted]'],
    ['as a Basic user', `Basic ${btoa('personal-api-key:')}`, 'Basic [redacted]'],
    ['cut short', 'got "xxx personal-a…', 'got "xxx [redacted]…'],
    ['cut to eight characters', 'personal', '[redacted]'],
    ['the ingestion key', 'ingestion-key', '[redacted]'],
  ])('takes a secret out %s', (_, text, clean) => {
    expect(redact(text)).toBe(clean)
  })

  it('leaves what is no secret', () => {
    expect(redact('a key, a person, two keys')).toBe('a key, a person, two keys')
  })

  it('reaches every text and name in a value, and keeps the rest', () => {
    expect(redactValue({ a: ['personal-api-key', 1, null], 'second-key-secret': { b: true } }, redact)).toEqual({
      a: ['[redacted]', 1, null],
      '[redacted]': { b: true },
    })
  })
})

describe('an exchange in the report', () => {
  const report = (body: string | null, text = '{}') =>
    reportExchange(
      {
        as: 'key',
        request: {
          method: 'POST',
          path: '/a?key=personal-api-key',
          headers: { authorization: 'Bearer other', accept: 'personal-api-key' },
          body,
        },
        response: { status: 201, headers: { 'set-cookie': 'a=b', 'x-personal-api-key': 'b' }, text },
        ms: 3,
      } as unknown as Exchange,
      redact,
    )

  it('shows no credential, whoever it belongs to', () => {
    expect(report('"personal-api-key"')).toEqual({
      as: 'key',
      request: {
        method: 'POST',
        path: '/a?key=[redacted]',
        headers: { authorization: '[redacted]', accept: '[redacted]' },
        body: '"[redacted]"',
      },
      response: { status: 201, headers: { 'set-cookie': '[redacted]', 'x-[redacted]': 'b' }, body: '{}' },
      ms: 3,
    })
    expect(report(null).request.body).toBeNull()
  })

  it('shows 4 KiB of a body, and never a part of a secret', () => {
    expect(report(null, 'a'.repeat(4096)).response.body).toBe('a'.repeat(4096))
    expect(report(null, 'a'.repeat(4097)).response.body).toBe(`${'a'.repeat(4096)}…`)
    expect(report(null, `${'a'.repeat(4090)}personal-api-key`).response.body).toBe(`${'a'.repeat(4090)}[redac…`)
    expect(report(null, 'personal-api-key'.repeat(5000)).response.body).toBe(
      `${'[redacted]'.repeat(410).slice(0, 4096)}…`,
    )
  })
})
