import { describe, expect, it } from 'vitest'
import { failedToConnect, failureOf, reasonOf } from './connection-failure.ts'

const openSsl =
  '80FC26FC2A7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:\n'
const failed = (message: string, code?: string) => Object.assign(new Error(message), code ? { code } : {})
const fetchFailed = (cause: Error) => Object.assign(new TypeError('fetch failed'), { cause })

describe('why a request got no answer', () => {
  it.each([
    ['what the client says', failed('socket hang up'), 'socket hang up'],
    ['the cause of what fetch says', fetchFailed(failed('other side closed')), 'other side closed'],
    ['its code, without words', { code: 'EPIPE' }, 'EPIPE'],
    ['one line, whatever the client says', failed('one\n  two\n'), 'one two'],
    ['that there is no TLS', failed(`write EPROTO ${openSsl}`, 'EPROTO'), 'it speaks no TLS: is http: meant?'],
    ['that there is no TLS, to fetch', fetchFailed(failed(openSsl)), 'it speaks no TLS: is http: meant?'],
  ])('is %s', (_, error, sentence) => {
    expect(reasonOf(error)).toBe(sentence)
  })

  it.each([
    failed('ECONNREFUSED: Connection refused'),
    failed('getaddrinfo ENOTFOUND nowhere.invalid', 'ENOTFOUND'),
    failed(`write EPROTO ${openSsl}`, 'EPROTO'),
    fetchFailed(failed('', 'ECONNREFUSED')),
    fetchFailed(failed(openSsl, 'ERR_SSL_WRONG_VERSION_NUMBER')),
  ])('recognises that nothing was reached: $message $code', error => {
    expect(failedToConnect(error)).toBe(true)
  })

  it.each([
    ['unreachable', failed('connect EHOSTUNREACH 10.0.0.1:443', 'EHOSTUNREACH')],
    ['untrusted', failed('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['untrusted', fetchFailed(failed('unable to get local issuer certificate', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'))],
    ['misplaced', failed('certificate has expired', 'CERT_HAS_EXPIRED')],
    ['misplaced', fetchFailed(failed("IP: 10.0.0.1 is not in the cert's list", 'ERR_TLS_CERT_ALTNAME_INVALID'))],
    ['silent', failed('Timeout of 300ms exceeded', 'ECONNABORTED')],
  ])('is of a kind: %s', (kind, error) => {
    expect(failureOf(error)).toBe(kind)
  })

  it.each([
    failed('socket hang up', 'ECONNRESET'),
    failed('Timeout of 300ms exceeded', 'ECONNABORTED'),
    fetchFailed(failed('x')),
  ])('leaves open whether anybody was: $message', error => {
    expect(failedToConnect(error)).toBe(false)
  })
})
