import type { Form, OperationId } from '../../../fixtures/contract/index.ts'

/** The operations of this deployment are those of the contract. */
export type Operation = OperationId | 'description.get'

/** Why a call is refused; how that looks on the wire differs by form. */
export type Reason =
  | 'unauthenticated'
  | 'other-organization'
  | 'malformed-organization-id'
  | 'malformed-service-id'
  | 'malformed-backup-id'
  | 'malformed-json'
  | 'invalid-body'
  | 'name-taken'
  | 'not-labelled-json'
  | 'too-large'
  | 'unknown-organization'
  | 'unknown-service'
  | 'unknown-backup'
  | 'unknown-document'
  | 'update-unknown'
  | 'delete-unknown'
  | 'unknown-source'
  | 'unknown-path'
  | 'wrong-method'
  | 'charts-by-post-only'
  | 'charts-absent'
  | 'webhooks-absent'
  | 'key-disabled'
  | 'key-expired'
  | 'key-deleted'
  | 'key-from-nowhere'
  | 'forbidden'

export type QueryKind = 'plain' | 'filtered' | 'grouped' | 'two series'

export class Refused extends Error {
  readonly reason: Reason
  constructor(reason: Reason, sentence: string) {
    super(sentence)
    this.reason = reason
  }
}

/** What a call addresses: an operation, or `nowhere` with the reason why there is none. */
export interface Place {
  readonly form: Form
  readonly method: string
  readonly operation?: Operation
  readonly nowhere?: Reason
  /** The kind of a chart query. */
  readonly query?: QueryKind
  readonly ids: { readonly organization?: string; readonly service?: string; readonly backup?: string; id?: string }
}

type Methods = Readonly<Record<string, Operation>>

const collection = (resource: 'dashboard' | 'alert' | 'key' | 'role'): Methods => ({
  GET: `${resource}.list`,
  POST: `${resource}.create`,
})
const single = (resource: 'dashboard' | 'alert' | 'key' | 'role', update: 'PUT' | 'PATCH'): Methods => ({
  GET: `${resource}.get`,
  [update]: `${resource}.update`,
  DELETE: `${resource}.delete`,
})

function pick(place: Place, methods: Methods, otherwise: Reason): Place {
  const operation = methods[place.method]
  return operation ? { ...place, operation } : { ...place, nowhere: otherwise }
}

function placeOfDocuments(place: Place, rest: readonly string[], update: 'PUT' | 'PATCH'): Place {
  const [resource, id, more] = rest
  if (more !== undefined) return { ...place, nowhere: 'unknown-path' }
  if (resource === 'sources' && id === undefined) return pick(place, { GET: 'source.list' }, 'wrong-method')
  if (resource !== 'dashboards' && resource !== 'alerts') return { ...place, nowhere: 'unknown-path' }
  const noun = resource === 'dashboards' ? 'dashboard' : 'alert'
  if (id === undefined) return pick(place, collection(noun), 'wrong-method')
  return pick({ ...place, ids: { ...place.ids, id } }, single(noun, update), 'wrong-method')
}

function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Self-hosted: fixed words in their exact letter case, no slash at the end, documents updated by PATCH. */
export function placeSelfHosted(method: string, path: string): Place {
  const place: Place = { form: 'selfHosted', method, ids: {} }
  const [api, version, ...rest] = decodeSegments(path) ?? []
  if (api !== 'api' || version !== 'v2') return { ...place, nowhere: 'unknown-path' }
  if (rest.join('/') === 'charts/series') return pick(place, { POST: 'chart.query' }, 'charts-by-post-only')
  if (rest.join('/') === 'webhooks') return pick(place, { GET: 'webhook.list' }, 'wrong-method')
  return placeOfDocuments(place, rest, 'PATCH')
}

/** Cloud: below a prefix, fixed words in any letter case, a slash at the end ignored, documents updated by PUT. */
export function placeCloud(method: string, path: string, prefix: string, segment: string): Place {
  const place: Place = { form: 'cloud', method, ids: {} }
  const segments = decodeSegments(path.replace(/\/$/, ''))
  const segmentAt = (at: number) => segments?.[at]?.toLowerCase()
  if (!segments || segmentAt(0) !== prefix || segmentAt(1) !== 'v1') return { ...place, nowhere: 'unknown-path' }
  if (segments.length === 2) return pick(place, { GET: 'description.get' }, 'wrong-method')
  const [, , , organization, , service, , ...rest] = segments
  if (segmentAt(2) !== 'organizations') return { ...place, nowhere: 'unknown-path' }
  if (segmentAt(4) === 'members' && segments.length === 5)
    return pick({ ...place, ids: { organization } }, { GET: 'member.list' }, 'wrong-method')
  if (segments.length === 3) return pick(place, { GET: 'organization.list' }, 'wrong-method')
  const kind = ({ keys: 'key', roles: 'role' } as const)[segmentAt(4) ?? '']
  if (kind && segments.length === 5) return pick({ ...place, ids: { organization } }, collection(kind), 'wrong-method')
  if (kind && segments.length === 6)
    return pick({ ...place, ids: { organization, id: service } }, single(kind, 'PATCH'), 'wrong-method')
  const ids = { organization, service }
  if (segmentAt(4) === 'services' && segmentAt(6) === 'backups' && rest.length === 1)
    return pick({ ...place, ids: { ...ids, backup: rest[0] } }, { GET: 'backup.get' }, 'wrong-method')
  if (segmentAt(4) !== 'services' || segmentAt(6) !== segment) return { ...place, nowhere: 'unknown-path' }
  const resource = rest[0]?.toLowerCase()
  const managed: Place = { form: 'managed', method, ids }
  if (resource === 'charts') return { ...managed, nowhere: 'charts-absent' }
  if (resource === 'webhooks') return { ...managed, nowhere: 'webhooks-absent' }
  return placeOfDocuments(managed, resource ? [resource, ...rest.slice(1)] : [], 'PUT')
}
