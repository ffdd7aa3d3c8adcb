import type { Answer, Call } from '../../words/call.ts'

/**
 * Why a browser withholds this answer from the page that asked, or does not send the request after a preflight.
 * Undefined if it does neither, or if no page of another origin asked.
 */
export function explainBlocking(
  { method, headers: requestHeaders }: Pick<Call, 'method' | 'headers'>,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
): string | undefined {
  const { origin, host } = requestHeaders
  if (origin === undefined || status === 0 || origin === `http://${host}` || origin === `https://${host}`)
    return undefined
  // A form submission, or a request in no-cors mode: no script reads the answer.
  if (['navigate', 'no-cors'].includes(requestHeaders['sec-fetch-mode'] ?? '')) return undefined
  const requestedMethod = method === 'OPTIONS' ? requestHeaders['access-control-request-method'] : undefined
  const why =
    explainOrigin(requestHeaders, headers, origin) ??
    (requestedMethod && explainPreflight(requestedMethod, requestHeaders, status, headers))
  if (!why) return undefined
  return requestedMethod === undefined
    ? `A browser keeps this answer from the page at ${origin}: ${why}.`
    : `A browser will not send the ${requestedMethod} that the page at ${origin} wants: ${why}.`
}

type RequestHeaders = Call['headers']

function explainOrigin(requestHeaders: RequestHeaders, headers: Answer['headers'], origin: string): string | undefined {
  const allowed = headers['access-control-allow-origin']
  const advice = `--cors ${origin} or --cors any allows it`
  const hasCookie = requestHeaders.cookie !== undefined
  if (allowed === undefined) return `its origin is not allowed (no Access-Control-Allow-Origin); ${advice}`
  if (allowed === '*') {
    return hasCookie ? 'the request has credentials, for which Access-Control-Allow-Origin: * is not enough' : undefined
  }
  if (allowed !== origin) return `only ${allowed} is allowed (Access-Control-Allow-Origin); ${advice}`
  if (!hasCookie || headers['access-control-allow-credentials'] === 'true') return undefined
  return 'the request has credentials, which are not allowed (no Access-Control-Allow-Credentials: true)'
}

const simpleMethods = ['GET', 'HEAD', 'POST']

function explainPreflight(
  method: string,
  requestHeaders: RequestHeaders,
  status: number,
  headers: Answer['headers'],
): string | undefined {
  if (status < 200 || status > 299) return `its preflight was answered with ${status}`
  const allowedMethods = listOf(headers['access-control-allow-methods'])
  if (![...simpleMethods, ...allowedMethods].includes(method) && !allowedMethods.includes('*')) {
    return `${method} is not among the methods that are allowed (Access-Control-Allow-Methods)`
  }
  const allowed = listOf(headers['access-control-allow-headers']).map(name => name.toLowerCase())
  const refused = listOf(requestHeaders['access-control-request-headers'])
    .map(name => name.toLowerCase())
    .find(name => !allowed.includes(name) && (name === 'authorization' || !allowed.includes('*')))
  if (refused !== undefined) return `the header ${refused} is not allowed (Access-Control-Allow-Headers)`
  const isPrivate = requestHeaders['access-control-request-private-network'] === 'true'
  if (!isPrivate || headers['access-control-allow-private-network'] === 'true') return undefined
  return 'the page comes from a public network, and there is no Access-Control-Allow-Private-Network: true'
}

const listOf = (text = '') =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)
