import type { Form } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import { uiOrigin } from '../words/ui-origin.ts'

/**
 * Which pages of other origins may call: `any`, `none`, origins such as `http://localhost:3000` (`null` for files and
 * sandboxed frames), or `as-deployed`, the headers of real deployments.
 */
export type CorsOptions = string | readonly string[]

type Headers = Readonly<Record<string, string>>
type Asking = Pick<Call, 'method' | 'headers'>

export interface Cors {
  /** The option: a keyword, or origins. */
  readonly allows: readonly string[]
  /** The headers of real deployments, which do not depend on the caller. */
  readonly isAsDeployed: boolean
  readonly ofForm: Readonly<Record<Form, Headers>>
  /** Headers of an answer to a body that could not be read. */
  readonly ofUnread: Readonly<Record<Form, Headers>>
  /** Adds the CORS headers that a browser needs. Without a call, the origin is not known. */
  open(call: Asking | undefined, answer: Answer): Answer
}

export const corsDescription = 'an origin such as http://localhost:3000, or any, none or as-deployed alone'

export const corsWords = ['any', 'none', 'as-deployed']

const deployed = {
  'access-control-allow-origin': uiOrigin,
  'access-control-allow-credentials': 'true',
  'timing-allow-origin': uiOrigin,
  vary: 'Origin, Accept-Encoding',
}

const plain = { vary: 'Accept-Encoding' }
const byOrigin = { vary: 'Origin' }

/** Real deployments read bodies before CORS is applied: an unreadable body is refused without CORS headers. */
export const asDeployed: Cors = {
  allows: ['as-deployed'],
  isAsDeployed: true,
  ofForm: { cloud: {}, managed: {}, selfHosted: deployed },
  ofUnread: { cloud: {}, managed: {}, selfHosted: plain },
  open: (_call, answer) => answer,
}

const closedForm = { cloud: {}, managed: {}, selfHosted: plain }
const closed: Cors = { ...asDeployed, allows: ['none'], isAsDeployed: false, ofForm: closedForm, ofUnread: closedForm }

/** Checks the option; throws a sentence about the first value that is not valid. */
export function readCors(task: string, options: CorsOptions): Cors {
  const values = typeof options === 'string' ? [options] : options
  if (!Array.isArray(values) || values.length === 0) throw refuse(task, options)
  const word = values.find(value => corsWords.includes(value))
  if (word !== undefined && new Set(values).size > 1) {
    throw new Error(`${task}: "${word}" stands alone, and there is ${values.find(value => value !== word)} beside it`)
  }
  if (word === 'as-deployed') return asDeployed
  if (word === 'none') return closed
  if (word === 'any') return openTo(['any'], () => true)
  const origins = new Set(
    values.map(value => {
      const origin = readOrigin(value)
      if (origin === undefined) throw refuse(task, value)
      return origin
    }),
  )
  return openTo([...origins], origin => origins.has(origin))
}

function refuse(task: string, value: unknown): Error {
  return new Error(`${task}: Expected ${corsDescription}, received ${JSON.stringify(value)}`)
}

/** An origin as browsers write it; undefined for what is none. Schemes of apps, such as `app:`, have no port to leave out. */
export function readOrigin(text: unknown): string | undefined {
  if (text === 'null') return text
  if (typeof text !== 'string' || !/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@,]+$/i.test(text)) return undefined
  if (!/^https?:/i.test(text)) return text.toLowerCase()
  return URL.canParse(text) ? new URL(text).origin : undefined
}

/** What can be echoed in a header. */
const isVisible = (text: string) => /^[\x20-\x7e]+$/.test(text)

/** The CORS-safelisted response headers. */
const safelisted: ReadonlySet<string> = new Set(
  'cache-control content-language content-length content-type expires last-modified pragma vary'.split(' '),
)
const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE']

function openTo(allows: readonly string[], isAllowed: (origin: string) => boolean): Cors {
  const ofForm = { cloud: byOrigin, managed: byOrigin, selfHosted: { vary: 'Origin, Accept-Encoding' } }
  return {
    allows,
    isAsDeployed: false,
    ofForm,
    ofUnread: ofForm,
    open(call, answer) {
      if (!call) return isAllowed(anybody) ? { ...answer, headers: { ...answer.headers, ...toAnybody } } : answer
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

const anybody = '*'
const toAnybody = { 'access-control-allow-origin': anybody }

/** Answers a preflight: every method and header is allowed. */
function allowRequest({ headers: asked }: Asking, headers: Record<string, string>) {
  const method = asked['access-control-request-method']
  if (method === undefined) return
  const isNew = !methods.includes(method) && isVisible(method)
  headers['access-control-allow-methods'] = (isNew ? [...methods, method] : methods).join(', ')
  const names = asked['access-control-request-headers']
  if (names !== undefined && isVisible(names)) headers['access-control-allow-headers'] = names
  if (asked['access-control-request-private-network'] === 'true')
    headers['access-control-allow-private-network'] = 'true'
  headers.vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
}
