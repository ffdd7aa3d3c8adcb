/** Why a request got no answer, by the error of its client, and whether it can have had an effect. */

export function reasonOf(error: unknown): string {
  const { message, code, cause, route } = error as {
    message?: string
    code?: string
    cause?: { message?: string }
    /** How a client of Node tried to reach the address. */
    route?: { proxy?: unknown; description: string }
  }
  const sentence = cause?.message ?? message ?? code ?? String(error)
  if (isPlainHttp(sentence)) return 'it speaks no TLS: is http: meant?'
  const reason = sentence.trim().replace(/\s*\n\s*/g, ' ')
  const tellsRoute = route && !reason.includes(route.description) && (route.proxy || /ENOTFOUND|EAI_AGAIN/.test(reason))
  return tellsRoute ? `${reason}, ${route.description}` : reason
}

/** True when there was no connection, so that the request had no effect. */
export function failedToConnect(error: unknown): boolean {
  const { message = '', code = '', cause } = error as { message?: string; code?: string; cause?: unknown }
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(`${code} ${message}`) || isPlainHttp(message)) return true
  return typeof cause === 'object' && cause !== null && failedToConnect(cause)
}

/**
 * `misplaced`: the certificate is not valid now, or is for another host. `anonymous`: the client has no certificate.
 * `slow`: no answer in time. `silent`: any other failure, such as a lost connection.
 */
export type ConnectionFailure = 'unreachable' | 'proxy' | 'untrusted' | 'misplaced' | 'anonymous' | 'slow' | 'silent'

export function failureOf(error: unknown): ConnectionFailure {
  const { code = '', message = '', cause } = (error ?? {}) as { code?: string; message?: string; cause?: unknown }
  if (failedToConnect(error) || /EHOSTUNREACH|ENETUNREACH|EHOSTDOWN/.test(code)) return 'unreachable'
  const sentence = `${code} ${message}`
  if (/^no connection through the proxy|_proxy is not the address/i.test(message)) return 'proxy'
  if (/Timeout of \d+ms exceeded|TimeoutError|^timeout$/.test(message) || code === 'ECONNABORTED') return 'slow'
  if (/alert (?:number 116|certificate required)|CERTIFICATE_REQUIRED/i.test(sentence)) return 'anonymous'
  if (/SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED|self-signed cert/.test(sentence))
    return 'untrusted'
  if (/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_INVALID/.test(sentence)) return 'misplaced'
  return typeof cause === 'object' && cause !== null ? failureOf(cause) : 'silent'
}

/** True for the messages of OpenSSL about an answer in plain HTTP. */
const isPlainHttp = (sentence: string) =>
  /SSL routines.*(?:wrong version number|packet length too long|http request)/i.test(sentence)
