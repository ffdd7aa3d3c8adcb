import { type Form, type Operation, type OperationId, operations } from '../../../fixtures/built-contract/index.ts'
import { decode } from '../../engine/paths.ts'

/** A recorded request in the contract's words. */
export interface Call {
  readonly form: Form
  /** Undefined for a path of the API that is no operation of the contract. */
  readonly operation?: OperationId
  /** The ids of the path, by parameter. */
  readonly ids: Readonly<Record<string, string>>
  /** For a request that is no operation: the step of a visit that sends such a request. */
  readonly otherStep?: string
}

interface Route {
  readonly form: Form
  readonly id: OperationId
  readonly operation: Operation
  readonly pattern: RegExp
}

/** All operations but the public ones: no rule of operations applies to them, and any host may answer at `/health`. */
const routes: readonly Route[] = (Object.entries(operations) as [OperationId, Operation][])
  .filter(([, { isPublic }]) => !isPublic)
  .flatMap(([id, operation]) =>
    (Object.entries(operation.paths) as [Form, string][]).map(([form, path]) => ({
      form,
      id,
      operation,
      pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    })),
  )
  // A word in a path, such as `context`, comes before an id.
  .sort((a, b) => countIds(a) - countIds(b))

function countIds({ operation, form }: Omit<Route, 'pattern'>): number {
  return operation.paths[form]!.split('{').length
}

/** An update may be sent by PATCH: the specification does not show by which method (§4.2). */
const answersTo = ({ operation, id }: Route, method: string) =>
  operation.method === method || (method === 'PATCH' && id.endsWith('.update'))

/** Recognises an operation of the contract, on any host. */
export function recogniseOperation(method: string, path: string): Call | undefined {
  for (const route of routes) {
    const match = answersTo(route, method) ? route.pattern.exec(path) : null
    const ids = Object.entries(match?.groups ?? {}).map(([name, value]) => [name, decode(value)])
    if (match) return { form: route.form, operation: route.id, ids: Object.fromEntries(ids) }
  }
  return undefined
}

/** Recognises other requests to a host of the API; `segments` are the fixed path segments of its managed form. */
export function recogniseOtherRequest(method: string, path: string, segments: ReadonlySet<string>): Call | undefined {
  const [, segment = '', tail = ''] = /^\/v1\/organizations\/[^/]+\/services\/[^/]+\/([^/]+)\/(.+)$/.exec(path) ?? []
  const form = segments.has(segment) ? 'managed' : formAtRoot(path)
  if (!form) return undefined
  const step = nameOtherRequest(form, method, path, tail)
  return { form, ids: {}, otherStep: step && `${form}:${step}` }
}

function formAtRoot(path: string): Form | undefined {
  if (/^\/api\/v2(?:\/|$)/i.test(path)) return 'selfHosted'
  return /^\/v1(?:\/|$)/i.test(path) ? 'cloud' : undefined
}

function nameOtherRequest(form: Form, method: string, path: string, tail: string): string | undefined {
  if (form === 'managed' && /^webhooks(?:\/|$)/.test(tail)) return method === 'POST' ? 'webhooks-create' : 'webhooks'
  if (form === 'managed' && /^charts(?:\/|$)/.test(tail)) {
    if (method === 'POST') return tail === 'charts' ? 'charts-create' : 'charts-query'
    return tail === 'charts' ? 'charts' : 'charts-series'
  }
  if (form === 'selfHosted' && path === '/api/v2/charts/series') return `chart.${method.toLowerCase()}`
  if (form === 'cloud' && method === 'GET' && path === '/v1') return 'description'
  if (form === 'cloud' && method === 'GET' && /^\/v1\/organizations\/[^/]+\/notificationSettings$/.test(path))
    return 'other-operations'
  const list = listOf(form)
  const isList = (listPath: string) => recogniseOperation('GET', listPath)?.operation === list
  if (method === 'HEAD') return recogniseOperation('GET', path) ? 'head' : undefined
  if (method !== 'GET') return recogniseOperation('GET', path) ? 'wrong-method' : undefined
  if (path.endsWith('/') && isList(path.slice(0, -1))) return 'trailing-slash'
  if (isList(path.toLowerCase())) return 'letter-case'
  return 'unknown-path'
}

/** The list that stands for its form where one operation is enough. */
export const listOf = (form: Form): OperationId => (form === 'cloud' ? 'member.list' : 'dashboard.list')
