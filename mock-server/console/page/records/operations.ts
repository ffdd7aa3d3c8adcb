import type { SendResult } from '../../../faces/control/page/answers.ts'
import { parametersOf } from '../../../words/parameters-of.ts'
import type { Dashboard, Source } from '../../../words/resources.ts'
import { fetchJson, listRecords, RefusalError, readTarget } from '../control.ts'
import { type Operation, operationsOf, resolve, type Schema, type Schemas } from '../parts/openapi.ts'
import { readJson } from '../parts/read-json.ts'
import type { FormSettings } from '../parts/schema-form.tsx'
import type { Api, Page } from '../state.ts'
import { selfHosted } from '../telemetry/stacks.ts'
import { type Kind, type KindName, kinds, type ListedRecord, nameOfRecord, type Place, scopeOf } from './kinds.ts'

/** An operation of an API with the ids of its path filled in. */
export interface BoundOperation {
  readonly method: string
  readonly path: string
  readonly body?: Schema
  /** Calls it with the credentials of the world, and returns its result. Throws the mock's sentence when it is refused. */
  call(body?: unknown): Promise<unknown>
}

/** The operations of an API on the records of a kind in a place, from its OpenAPI description. */
export interface Operations {
  /** The operation for the first of these verbs that the API has, such as `update`. `key` is the key of the record. */
  find(verbs: readonly string[], key?: string): BoundOperation | undefined
  readonly answerSchema: Schema | undefined
  readonly schemas: Schemas
}

export async function readOperations({ describe }: Page, kind: Kind, place: Place): Promise<Operations> {
  const api = kind.in === 'stack' && place.service === selfHosted ? 'selfHosted' : 'cloud'
  const description = await describe(api)
  const prefix = kind.in === 'stack' && api === 'cloud' ? 'managed.' : ''
  const schemas = description.components.schemas
  const all = operationsOf(description)
  return {
    schemas,
    answerSchema: schemas[`${kind.singular[0]!.toUpperCase()}${kind.singular.slice(1)}`],
    find(verbs, key) {
      const ids = verbs.map(verb => `${prefix}${kind.singular}.${verb}`)
      const match = ids.map(id => all.find(({ operation }) => operation.operationId === id)).find(Boolean)
      if (!match) return undefined
      const method = match.method.toUpperCase()
      const path = fillIn(match.path, place, key)
      return { method, path, body: bodyOf(match.operation, schemas), call: sent => callApi(api, method, path, sent) }
    },
  }
}

function bodyOf({ requestBody }: Operation, schemas: Schemas): Schema | undefined {
  const schema = requestBody?.content?.['application/json']?.schema
  return schema && resolve(schema, schemas)
}

/** Fills the ids into a path. With `key`, the last id is that of the record. */
function fillIn(path: string, { organization, service }: Place, key: string | undefined): string {
  const ids: Record<string, string> = { organizationId: organization, serviceId: service }
  if (key !== undefined) ids[parametersOf(path).at(-1)!] = key
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
}

/** Calls an API through the control plane. The call is in the journal like any other. */
export async function callApi(api: Api, method: string, path: string, body?: unknown): Promise<unknown> {
  const call = { api, method, path, ...(body !== undefined && { body }) }
  const sent = await fetchJson<SendResult>('POST', '/control/send', call)
  if (sent.status === 0) throw new RefusalError('Chaos cut the answer off. The mock may have acted nevertheless.')
  const answer = readJson(sent.body)?.value as Readonly<Record<string, unknown>> | undefined
  if (sent.status < 400) return answer && ('result' in answer ? answer.result : answer.data)
  const sentence = answer && (answer.error ?? answer.message)
  throw new RefusalError(typeof sentence === 'string' ? sentence : `${sent.status}: ${sent.body.slice(0, 400)}`)
}

/** The initial values of a new record and of new items, and the ids that fields of a form suggest. */
export interface FormDefaults extends Pick<FormSettings, 'choices' | 'items'> {
  readonly initial?: object
}

export async function readFormDefaults({ singular, initial }: Kind, place: Place): Promise<FormDefaults> {
  const list = <T = ListedRecord>(name: KindName) => listRecords<T>(name, scopeOf(kinds[name], place))
  const listOptions = async (name: KindName) =>
    (await list(name)).map(record => ({ value: record.id, description: nameOfRecord(record) }))
  switch (singular) {
    case 'alert': {
      const dashboards = await list<Dashboard>('dashboards')
      const dashboardId = dashboards.map(({ id, name }) => ({ value: id, description: name || id }))
      const tileId = dashboards.flatMap(({ id: within, tiles }) =>
        tiles.map(({ id, name }) => ({ value: id, description: name, within })),
      )
      return { initial, choices: { dashboardId, tileId, webhookId: await listOptions('webhooks') } }
    }
    case 'dashboard': {
      const logs = (await list<Source>('sources')).find(({ kind }) => kind === 'log')
      const tile = errorsByService(logs?.id)
      return { initial: { name: '', tiles: [tile], tags: [] }, items: { tiles: tile, tags: '' } }
    }
    case 'webhook': {
      const url = `${(await readTarget()).control?.baseUrl}/control/received/my-webhook`
      return { initial: { service: 'generic', url, body: '{"text": "{{title}}"}' } }
    }
    case 'member':
    case 'invitation':
    case 'key':
      return { initial, choices: { assignedRoleIds: await listOptions('roles') } }
    default:
      return { initial }
  }
}

export const errorsByService = (sourceId = '') => ({
  name: 'Errors by service',
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  config: {
    displayType: 'line',
    sourceId,
    groupBy: 'ServiceName',
    select: [{ aggFn: 'count', where: 'SeverityText:"ERROR"', whereLanguage: 'lucene' }],
  },
})
