import { type Form, type Operation, type OperationId, operations } from '../../../fixtures/built-contract/index.ts'
import type { Mock } from '../../../mock-server/index.ts'

/** Reads calls and changes answers for mutants, without the code of the suite or the mock. */

export type Call = Parameters<Mock['answer']>[0]
export type Answer = Awaited<ReturnType<Mock['answer']>>
export type Json = Record<string, unknown>

export interface Route {
  readonly operation: OperationId | undefined
  readonly form: Form | undefined
  /** The ids in the path, by name, in the order of the path. */
  readonly params: Readonly<Record<string, string>>
}

const patterns = (Object.entries(operations) as [OperationId, Operation][]).flatMap(
  ([operation, { method, paths, pathsBeyondSpecification }]) =>
    (Object.entries({ ...pathsBeyondSpecification, ...paths }) as [Form, string][]).map(([form, path]) => ({
      operation,
      form,
      method,
      // A path with fewer parameters wins.
      parameters: path.split('{').length,
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
    })),
)
patterns.sort((a, b) => a.parameters - b.parameters)

export function routeOf({ method, path }: Pick<Call, 'method' | 'path'>, isSelfHosted: boolean): Route {
  for (const { operation, form, pattern, ...route } of patterns) {
    if (route.method !== method || (form === 'selfHosted') !== isSelfHosted) continue
    const match = pattern.exec(path)
    if (match) return { operation, form, params: { ...match.groups } }
  }
  return { operation: undefined, form: undefined, params: {} }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const succeeds = ({ status }: Answer): boolean => status >= 200 && status < 300

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const withBody = ({ status, headers: { etag: _, ...headers } }: Answer, body: string): Answer => ({
  status,
  headers,
  body,
})

/** The field with the payload; undefined for a body without a wrapper. */
const payloadKey = (json: unknown) => (isObject(json) ? ['result', 'data'].find(one => one in json) : undefined)

/** The content of an answer, without its wrapper. */
export function payloadIn({ body }: Answer): unknown {
  const json = parse(body)
  const key = payloadKey(json)
  return key === undefined ? json : (json as Json)[key]
}

/** Changes the payload and keeps its wrapper. */
export function changePayload(answer: Answer, change: (payload: unknown) => unknown): Answer {
  const json = parse(answer.body)
  if (json === undefined) return answer
  const key = payloadKey(json)
  const changed = key === undefined ? change(json) : { ...(json as Json), [key]: change((json as Json)[key]) }
  return withBody(answer, JSON.stringify(changed))
}

/** Changes the record, or each record of a list. With `resource`, keeps what a creation shows besides its record. */
export const changeRecords = (answer: Answer, change: (record: Json) => unknown, resource = ''): Answer =>
  changePayload(answer, payload => {
    if (Array.isArray(payload)) return payload.map(one => (isObject(one) ? change(one) : one))
    if (!isObject(payload)) return payload
    const inner = payload[resource]
    return isObject(inner) ? { ...payload, [resource]: change(inner) } : change(payload)
  })

export const recordsIn = (answer: Answer, resource = ''): Json[] => {
  const payload = payloadIn(answer)
  if (Array.isArray(payload)) return payload.filter(isObject)
  return isObject(payload) ? [isObject(payload[resource]) ? (payload[resource] as Json) : payload] : []
}

/** The path of an operation, also in a form where deployments have it against the specification. */
export function pathIn(operation: OperationId, form: Form): string | undefined {
  const { paths, pathsBeyondSpecification }: Operation = operations[operation]
  return paths[form] ?? pathsBeyondSpecification?.[form]
}

/** The name of the last id in the path, if it is that of the operation's own object and not of its place. */
export function ownId(operation: OperationId, form: Form): string | undefined {
  const path = pathIn(operation, form) ?? ''
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const last = names.at(-1)
  return last && !['organizationId', 'segment'].includes(last) && !isPlace(operation, last) ? last : undefined
}

/** True for a service, except in the operations on the service itself. */
const isPlace = (operation: OperationId, name: string) => name === 'serviceId' && !operation.startsWith('service.')
