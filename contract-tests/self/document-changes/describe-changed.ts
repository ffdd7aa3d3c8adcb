import { createMock } from '../../../mock-server/index.ts'
import type { Loose, OperationPlace, ValueChange } from './changes.ts'

/** Our own OpenAPI documents, with a place for a change. */

export type Api = 'cloud' | 'selfHosted'
export type Side = 'request' | 'answer' | 'parameter'

/** By API: the path of a POST that has a body, and an object in its answer. */
const paths: Readonly<Record<Api, string>> = {
  cloud: '/v1/organizations/{organizationId}/keys',
  selfHosted: '/api/v2/alerts',
}

export function placeIn(document: Loose, api: Api): OperationPlace {
  const operation = document.paths[paths[api]].post
  return { path: paths[api], operation }
}

const documents: Readonly<Record<Api, Loose>> = {
  cloud: createMock({ as: 'clickhouse-cloud', logs: 1 }).describe('cloud'),
  selfHosted: createMock({ as: 'self-hosted-2.36', logs: 1 }).describe('selfHosted'),
}

/** Our own description of an API in its newest edition, as `verify --document` takes it. */
export const described = (api: Api): Loose => copy(documents[api])

/** A deep copy, in which schemas share no parts. */
const copy = (document: Loose): Loose => JSON.parse(JSON.stringify(document))

/** Our own description with one path and the components that it refers to, so that hundreds of comparisons take seconds. */
function pickPath(api: Api): Loose {
  const { paths: all, components, ...document } = documents[api]
  const path = all[paths[api]]
  const picked: Loose = { securitySchemes: components.securitySchemes }
  const pickFrom = (part: unknown) => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      picked[kind] ??= {}
      if (name in picked[kind]) continue
      picked[kind][name] = components[kind][name]
      pickFrom(picked[kind][name])
    }
  }
  pickFrom(path)
  return { ...document, paths: { [paths[api]]: path }, components: picked }
}
const pathDocuments: Readonly<Record<Api, Loose>> = { cloud: pickPath('cloud'), selfHosted: pickPath('selfHosted') }
const describedPath = (api: Api): Loose => copy(pathDocuments[api])

/** Our own description with the field `probe` at a place, as it is before or after a change. */
export function withProbe(api: Api, side: Side, change: ValueChange, time: 'was' | 'is'): Loose {
  const document = describedPath(api)
  const { operation } = placeIn(document, api)
  const schema = change[time]
  const required = change[`${time}Required`] === true
  if (schema === undefined) return document
  if (side === 'parameter') {
    operation.parameters = [...(operation.parameters ?? []), { name: 'probe', in: 'query', required, schema }]
    return document
  }
  const body = side === 'request' ? operation.requestBody : Object.values<Loose>(operation.responses)[0]
  const media = body.content['application/json']
  const probe = { type: 'object', properties: { probe: schema }, ...(required && { required: ['probe'] }) }
  media.schema = { allOf: [media.schema, probe] }
  return document
}

/** Our own description after changes. */
export function withChange(
  api: Api,
  ...changes: readonly (((document: Loose, place: OperationPlace) => void) | undefined)[]
) {
  const document = describedPath(api)
  for (const change of changes) change?.(document, placeIn(document, api))
  return document
}
