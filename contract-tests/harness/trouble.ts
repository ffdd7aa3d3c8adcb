/** Why a request got no answer, as its client tells it, and whether it can have done anything. */

/** What went wrong in a sentence of one line. */
export function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: { message?: string } }
  const says = cause?.message ?? message ?? code ?? String(error)
  return speaksNoTls(says) ? 'it speaks no TLS: is http: meant?' : says.trim().replace(/\s*\n\s*/g, ' ')
}

/** True when no connection came about: what was to be sent reached nobody, and nothing can have come of it. */
export function reachedNobody(error: unknown): boolean {
  const { message = '', code = '', cause } = error as { message?: string; code?: string; cause?: unknown }
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(`${code} ${message}`) || speaksNoTls(message)) return true
  return typeof cause === 'object' && cause !== null && reachedNobody(cause)
}

/** OpenSSL's words for an answer in plain HTTP. */
const speaksNoTls = (says: string) =>
  /SSL routines.*(?:wrong version number|packet length too long|http request)/i.test(says)
