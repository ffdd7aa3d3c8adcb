import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reportExchange } from '../report/report-exchange.ts'
import type { Exchange } from './exchange.ts'
import { createRedactor, redactValue, secretsIn } from './redact.ts'

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

describe('the redactor', () => {
  it.each([
    ['in plain text', 'key: personal-api-key.', 'key: [redacted].'],
    ['that occurs twice', 'personal-api-keypersonal-api-key', '[redacted][redacted]'],
    ['in JSON', JSON.stringify({ a: 'secret/with "quotes"' }), '{"a":"[redacted]"}'],
    ['in percent-encoding', `?key=${encodeURIComponent('secret/with "quotes"')}&b`, '?key=[redacted]&b'],
    ['in Basic credentials', `Basic ${btoa('key:secret/with "quotes"')}`, 'Basic [redacted]'],
    ['in the Basic credentials of the second key', `Basic ${btoa('two:second-key-secret')}`, 'Basic [redacted]'],
    ['that is a Basic password', `Basic ${btoa('api:personal-api-key')}`, 'Basic [redacted]'],
    ['that is a Basic user name', `Basic ${btoa('personal-api-key:')}`, 'Basic [redacted]'],
    ['that is cut short', 'got "xxx personal-a…', 'got "xxx [redacted]…'],
    ['that is cut to eight characters', 'personal', '[redacted]'],
    ['that is the ingestion key', 'ingestion-key', '[redacted]'],
  ])('removes a secret %s', (_, text, clean) => {
    expect(redact(text)).toBe(clean)
  })

  const secret = 'secret/with "quotes"'
  it.each([
    ['in base64', btoa('personal-api-key')],
    ['in base64 after one character', btoa('apersonal-api-key').slice(2)],
    ['in base64 after two characters', btoa('abpersonal-api-key').slice(3)],
    ['in base64, after the start of another text', btoa(`user=${secret}`).slice(7)],
    ['in hexadecimal digits', '706572736f6e616c2d6170692d6b6579'],
    ['in capital hexadecimal digits', '706572736F6E616C2D6170692D6B6579'],
    ['in capitals', 'PERSONAL-API-KEY'],
    ['without its dashes', 'personalapikey'],
    ['in JSON as PHP escapes it', String.raw`secret\/with \"quotes\"`],
    ['in JSON as Go escapes it', String.raw`secret\u002fwith \u0022quotes\u0022`],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['in HTML', 'secret/with &quot;quotes&quot;'],
    ['in HTML with numeric character references', 'secret&#x2F;with &#34;quotes&#34;'],
    ['in double percent-encoding', encodeURIComponent(encodeURIComponent(secret))],
    ['in a form body', new URLSearchParams({ a: secret }).toString().slice(2)],
  ])('removes a secret %s', (_, text) => {
    expect(redact(`before=${text}, after`)).toBe('before=[redacted], after')
  })

  it.each(['a?>b?>c?>d?>', 'ÿþÿþÿþÿþÿþÿþ'])('removes %j from base64url', key => {
    const redact = createRedactor({ selfHosted: { baseUrl: 'http://b', apiKey: key } })
    for (const scheme of ['Bearer', 'Bearer ', 'Bearer: ']) {
      const whole = Buffer.from(scheme + key).toString('base64url')
      const alone = Buffer.from(scheme).toString('base64url')
      expect(redact(whole)).toMatch(/^[\w-]{0,12}\[redacted\]$/)
      expect(redact(alone)).toBe(alone)
    }
  })

  it('removes any secret under several layers of escapes', () => {
    const escapes: readonly ((text: string) => string)[] = [
      text => JSON.stringify(text).slice(1, -1),
      text => JSON.stringify(text).slice(1, -1).replaceAll('/', String.raw`\/`),
      text => JSON.stringify(text).slice(1, -1).replaceAll('&', String.raw`\u0026`).replaceAll('/', String.raw`\u002F`),
      text => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;').replaceAll('<', '&lt;'),
      encodeURIComponent,
      text => text.toUpperCase().toLowerCase(),
    ]
    const secrets = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_/+=&"\'<>. é数🔑'), minLength: 8, maxLength: 40 })
    const wrappings = fc.array(fc.nat(escapes.length - 1), { maxLength: 3 })
    fc.assert(
      fc.property(secrets, wrappings, (apiKey, wrapping) => {
        const redact = createRedactor({ selfHosted: { baseUrl: 'http://b', apiKey } })
        const text = wrapping.reduce((inner, kind) => escapes[kind]!(inner), apiKey)
        expect(redact(`(${text})`)).toBe('([redacted])')
      }),
    )
  })

  it.each([
    'a key, a person, two keys',
    'person@example.com',
    '7065-7273-6f6e-616c',
    '70657273-6f6e-4616-8000-706572736f6e',
    'cGVyc29',
    '100%; a\\b &c; &#99999999; %ff %zz',
    'ſecret',
  ])('keeps %j, which is no secret', text => {
    expect(redact(text)).toBe(text)
  })

  it('does not look for the encodings of a short secret, which would match other text', () => {
    const redact = createRedactor({ selfHosted: { baseUrl: 'http://b', apiKey: 'abcd' } })
    expect(redact('abcd ABCD YWJjZA 61626364')).toBe('[redacted] [redacted] YWJjZA 61626364')
  })

  it('redacts all strings and keys in a value, and keeps the rest', () => {
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

  it('shows no credential, whether the target file has it or not', () => {
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

  it('shows the first 4 KiB of a body, and no part of a secret', () => {
    expect(report(null, 'a'.repeat(4096)).response.body).toBe('a'.repeat(4096))
    expect(report(null, 'a'.repeat(4097)).response.body).toBe(`${'a'.repeat(4096)}…`)
    expect(report(null, `${'a'.repeat(4090)}personal-api-key`).response.body).toBe(`${'a'.repeat(4090)}[redac…`)
    expect(report(null, 'personal-api-key'.repeat(5000)).response.body).toBe(
      `${'[redacted]'.repeat(410).slice(0, 4096)}…`,
    )
  })
})

describe('the secrets that an answer shows', () => {
  const createAnswer = (json: object, operation?: string) =>
    ({ json, operation, request: { body: null } }) as unknown as Exchange

  it.each([
    [{ result: { key: { id: 'k' }, keySecret: 'never-seen-before' } }, 'key.create', ['never-seen-before']],
    [{ result: { service: { name: 'password' }, password: 'of-a-service' } }, undefined, ['of-a-service']],
    [{ result: [{ connectionString: 'postgres://a:secret-of-b@c' }] }, undefined, ['secret-of-b']],
    [{ result: { secretKey: 'of-a-bucket', serviceAccountKey: 'of-a-pipe' } }, undefined, ['of-a-bucket', 'of-a-pipe']],
    [{ result: { password: true, name: 'secret' } }, undefined, []],
  ])('are $2 in %j', (json, operation, secrets) => {
    expect(secretsIn(createAnswer(json, operation))).toEqual(secrets)
  })

  it('are redacted in all later texts', () => {
    const redactAll = createRedactor({})
    redactAll.learn(['never-seen-before'])
    expect(redactAll('never-seen-before, password')).toBe('[redacted], password')
    expect(redactAll(`Basic ${btoa('id:never-seen-before')}`)).not.toContain(btoa('never-seen-before').slice(4, 16))
  })
})
