import { describe, expect, it } from 'vitest'
import { failedToConnect, failureOf, reasonOf } from './connection-failure.ts'

const openSslMessage =
  '80FC26FC2A7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:\n'
const createError = (message: string, code?: string) => Object.assign(new Error(message), code ? { code } : {})
const createFetchError = (cause: Error) => Object.assign(new TypeError('fetch failed'), { cause })

describe('the error of a request without an answer', () => {
  it.each([
    ['its message', createError('socket hang up'), 'socket hang up'],
    [
      'the message of its cause, if fetch threw it',
      createFetchError(createError('other side closed')),
      'other side closed',
    ],
    ['its code, if it has no message', { code: 'EPIPE' }, 'EPIPE'],
    ['a single line, if its message has several', createError('one\n  two\n'), 'one two'],
    [
      'that the server speaks no TLS',
      createError(`write EPROTO ${openSslMessage}`, 'EPROTO'),
      'it speaks no TLS: is http: meant?',
    ],
    [
      'that the server speaks no TLS, if fetch threw it',
      createFetchError(createError(openSslMessage)),
      'it speaks no TLS: is http: meant?',
    ],
  ])('gives as its reason %s', (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason)
  })

  it.each([
    createError('ECONNREFUSED: Connection refused'),
    createError('getaddrinfo ENOTFOUND nowhere.invalid', 'ENOTFOUND'),
    createError(`write EPROTO ${openSslMessage}`, 'EPROTO'),
    createFetchError(createError('', 'ECONNREFUSED')),
    createFetchError(createError(openSslMessage, 'ERR_SSL_WRONG_VERSION_NUMBER')),
  ])('shows that there was no connection: $message $code', error => {
    expect(failedToConnect(error)).toBe(true)
  })

  it.each([
    ['unreachable', createError('connect EHOSTUNREACH 10.0.0.1:443', 'EHOSTUNREACH')],
    ['untrusted', createError('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
    [
      'untrusted',
      createFetchError(createError('unable to get local issuer certificate', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY')),
    ],
    ['misplaced', createError('certificate has expired', 'CERT_HAS_EXPIRED')],
    [
      'misplaced',
      createFetchError(createError("IP: 10.0.0.1 is not in the cert's list", 'ERR_TLS_CERT_ALTNAME_INVALID')),
    ],
    ['slow', createError('Timeout of 300ms exceeded', 'ECONNABORTED')],
  ])('is classified as %s', (kind, error) => {
    expect(failureOf(error)).toBe(kind)
  })

  it.each([
    createError('socket hang up', 'ECONNRESET'),
    createError('Timeout of 300ms exceeded', 'ECONNABORTED'),
    createFetchError(createError('x')),
  ])('does not show that there was no connection: $message', error => {
    expect(failedToConnect(error)).toBe(false)
  })
})
