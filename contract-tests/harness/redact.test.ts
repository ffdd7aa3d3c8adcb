import { describe, expect, it } from 'vitest'
import { createRedactor, redactValue } from './redact.ts'

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
