import type { Form } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import { uiOrigin } from '../words/ui-origin.ts'

/**
 * The origins whose pages may call: `any`, `none`, origins such as `http://localhost:3000` (`null` for files and
 * sandboxed frames), or `as-deployed`, the headers of real deployments.
 */
export type CorsOptions = string | readonly string[]

type Headers = Readonly<Record<string, string>>
type CorsRequest = Pick<Call, 'method' | 'headers'>

export interface Cors {
  /** The option: a keyword, or origins. */
  readonly allows: readonly string[]
  /** The headers of real deployments, which do not depend on the caller. */
  readonly isAsDeployed: boolean
  readonly headersByForm: Readonly<Record<Form, Headers>>
  /** Headers of an answer to a body that could not be read. */
  readonly headersIfUnread: Readonly<Record<Form, Headers>>
  /** Adds the CORS headers that a browser needs. A request that is not HTTP has no call, and no known origin. */
  open(call: CorsRequest | undefined, answer: Answer): Answer
}

export const corsDescription = 'an origin such as http://localhost:3000, or any, none or as-deployed alone'

export const corsKeywords = ['any', 'none', 'as-deployed']

const deployedHeaders = {
  'access-control-allow-origin': uiOrigin,
  'access-control-allow-credentials': 'true',
  'timing-allow-origin': uiOrigin,
  vary: 'Origin, Accept-Encoding',
}

const varyByEncoding = { vary: 'Accept-Encoding' }
const varyByOrigin = { vary: 'Origin' }

/** Real deployments read bodies before CORS is applied: an unreadable body is refused without CORS headers. */
export const asDeployed: Cors = {
  allows: ['as-deployed'],
  isAsDeployed: true,
  headersByForm: { cloud: {}, managed: {}, selfHosted: deployedHeaders },
  headersIfUnread: { cloud: {}, managed: {}, selfHosted: varyByEncoding },
  open: (_call, answer) => answer,
}

const closedForm = { cloud: {}, managed: {}, selfHosted: varyByEncoding }
const closed: Cors = {
  ...asDeployed,
  allows: ['none'],
  isAsDeployed: false,
  headersByForm: closedForm,
  headersIfUnread: closedForm,
}

/** Checks the option; throws a sentence about the first value that is not valid. */
export function readCors(task: string, options: CorsOptions): Cors {
  const values = typeof options === 'string' ? [options] : options
  if (!Array.isArray(values) || values.length === 0) throw refuse(task, options)
  const keyword = values.find(value => corsKeywords.includes(value))
  if (keyword !== undefined && new Set(values).size > 1) {
    throw new Error(`${task}: "${keyword}" cannot be combined with ${values.find(value => value !== keyword)}`)
  }
  if (keyword === 'as-deployed') return asDeployed
  if (keyword === 'none') return closed
  if (keyword === 'any') return allowOrigins(['any'], () => true)
  const origins = new Set(
    values.map(value => {
      const origin = readOrigin(value)
      if (origin === undefined) throw refuse(task, value)
      return origin
    }),
  )
  return allowOrigins([...origins], origin => origins.has(origin))
}

function refuse(task: string, value: unknown): Error {
  return new Error(`${task}: Expected ${corsDescription}, received ${JSON.stringify(value)}`)
}

/** Normalises an origin as browsers do; undefined if the text is no origin. Only http and https have a default port to omit. */
export function readOrigin(text: unknown): string | undefined {
  if (text === 'null') return text
  if (typeof text !== 'string' || !/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@,]+$/i.test(text)) return undefined
  if (!/^https?:/i.test(text)) return text.toLowerCase()
  return URL.canParse(text) ? new URL(text).origin : undefined
}

/** Whether a text can be the value of a header. */
const isVisible = (text: string) => /^[\x20-\x7e]+$/.test(text)

/** The CORS-safelisted response headers. */
const safelisted: ReadonlySet<string> = new Set(
  'cache-control content-language content-length content-type expires last-modified pragma vary'.split(' '),
)
const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE']

function allowOrigins(allows: readonly string[], isAllowed: (origin: string) => boolean): Cors {
  const headersByForm = { cloud: varyByOrigin, managed: varyByOrigin, selfHosted: { vary: 'Origin, Accept-Encoding' } }
  return {
    allows,
    isAsDeployed: false,
    headersByForm,
    headersIfUnread: headersByForm,
    open(call, answer) {
      if (!call) return isAllowed(wildcard) ? { ...answer, headers: { ...answer.headers, ...wildcardHeaders } } : answer
      const { origin } = call.headers
      // Status 0: the connection is closed without an answer.
      if (origin === undefined || answer.status === 0) return answer
      if (!isVisible(origin) || !isAllowed(origin)) return answer
      const headers: Record<string, string> = {
        ...answer.headers,
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'timing-allow-origin': origin,
      }
      const exposed = ['date', ...Object.keys(answer.headers).filter(name => !safelisted.has(name))]
      headers['access-control-expose-headers'] = exposed.join(', ')
      if (call.method === 'OPTIONS') allowRequest(call, headers)
      return { ...answer, headers }
    },
  }
}

const wildcard = '*'
const wildcardHeaders = { 'access-control-allow-origin': wildcard }

/** Answers a preflight: every method and header is allowed. */
function allowRequest({ headers: requestHeaders }: CorsRequest, headers: Record<string, string>) {
  const method = requestHeaders['access-control-request-method']
  if (method === undefined) return
  const isNew = !methods.includes(method) && isVisible(method)
  headers['access-control-allow-methods'] = (isNew ? [...methods, method] : methods).join(', ')
  const names = requestHeaders['access-control-request-headers']
  if (names !== undefined && isVisible(names)) headers['access-control-allow-headers'] = names
  if (requestHeaders['access-control-request-private-network'] === 'true')
    headers['access-control-allow-private-network'] = 'true'
  headers.vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
}
