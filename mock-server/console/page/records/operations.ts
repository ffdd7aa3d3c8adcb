import { parametersOf } from '../../../words/parameters-of.ts'
import { ask, Declined, listRecords, readTarget } from '../control.ts'
import { readJson } from '../parts/basic.tsx'
import { type Operation, operationsOf, resolve, type Schema, type Schemas } from '../parts/openapi.ts'
import type { FormSettings } from '../parts/schema-form.tsx'
import type { Api, Page } from '../state.ts'
import { selfHosted } from '../telemetry/stacks.ts'
import { type Kind, kinds, type ListedRecord, nameOfRecord, type Place, scopeOf } from './kinds.ts'

/** An operation of an API, ready to be called in a place. */
export interface Callable {
  readonly method: string
  readonly path: string
  readonly body?: Schema
  /** Calls it with credentials of the world, and answers its result; a refusal is thrown in the mock's own words. */
  call(body?: unknown): Promise<unknown>
}

/** What an API can do with the records of a kind in a place, as its own description says. */
export interface Operations {
  /** The first of these verbs that there is, such as `update`; `key` is that of the record. */
  find(verbs: readonly string[], key?: string): Callable | undefined
  /** What a record looks like in an answer. */
  readonly answered: Schema | undefined
  readonly named: Schemas
}

export async function readOperations({ describe }: Page, kind: Kind, place: Place): Promise<Operations> {
  const api = kind.in === 'stack' && place.service === selfHosted ? 'selfHosted' : 'cloud'
  const description = await describe(api)
  const prefix = kind.in === 'stack' && api === 'cloud' ? 'managed.' : ''
  const named = description.components.schemas
  const all = operationsOf(description)
  return {
    named,
    answered: named[`${kind.one[0]!.toUpperCase()}${kind.one.slice(1)}`],
    find(verbs, key) {
      const ids = verbs.map(verb => `${prefix}${kind.one}.${verb}`)
      const found = ids.map(id => all.find(({ operation }) => operation.operationId === id)).find(Boolean)
      if (!found) return undefined
      const method = found.method.toUpperCase()
      const path = fillIn(found.path, place, key)
      return { method, path, body: bodyOf(found.operation, named), call: sent => callApi(api, method, path, sent) }
    },
  }
}

function bodyOf({ requestBody }: Operation, named: Schemas): Schema | undefined {
  const schema = requestBody?.content?.['application/json']?.schema
  return schema && resolve(schema, named)
}

/** The last id of a path is that of the record, when there is one. */
function fillIn(path: string, { organization, service }: Place, key: string | undefined): string {
  const ids: Record<string, string> = { organizationId: organization, serviceId: service }
  if (key !== undefined) ids[parametersOf(path).at(-1)!] = key
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
}

/** Calls an API through the control plane; the call stands in the journal as any other. */
export async function callApi(api: Api, method: string, path: string, body?: unknown): Promise<unknown> {
  const call = { api, method, path, ...(body !== undefined && { body }) }
  const sent = await ask<{ readonly status: number; readonly body: string }>('POST', '/control/send', call)
  if (sent.status === 0)
    throw new Declined('No whole answer came: chaos cut it off. It may have been done all the same.')
  const answer = readJson(sent.body)?.value as Readonly<Record<string, unknown>> | undefined
  if (sent.status < 400) return answer && ('result' in answer ? answer.result : answer.data)
  const sentence = answer && (answer.error ?? answer.message)
  throw new Declined(typeof sentence === 'string' ? sentence : `${sent.status}: ${sent.body.slice(0, 400)}`)
}

/** What a form of a kind is helped with: what its fields may be chosen from, and what new items and records begin as. */
export interface Help extends Pick<FormSettings, 'choices' | 'items'> {
  readonly usual?: object
}

interface Tiles {
  readonly tiles?: readonly { readonly id: string; readonly name: string }[]
}

/** Reads what helps with a form of a kind: the ids of what exists in the place. */
export async function readHelp({ one, usual }: Kind, place: Place): Promise<Help> {
  const list = (name: keyof typeof kinds) => listRecords<ListedRecord>(name, scopeOf(kinds[name], place))
  const choose = async (name: keyof typeof kinds) =>
    (await list(name)).map(record => ({ value: record.id, label: nameOfRecord(record) }))
  switch (one) {
    case 'alert': {
      const dashboards = await list('dashboards')
      const tileId = dashboards.flatMap(dashboard =>
        ((dashboard as Tiles).tiles ?? []).map(({ id, name }) => ({ value: id, label: name, within: dashboard.id })),
      )
      const dashboardId = dashboards.map(record => ({ value: record.id, label: nameOfRecord(record) }))
      return { usual, choices: { dashboardId, tileId, webhookId: await choose('webhooks') } }
    }
    case 'dashboard': {
      const logs = (await list('sources')).find(({ kind }) => kind === 'log')
      const tile = errorsByService(logs?.id)
      return { usual: { name: '', tiles: [tile], tags: [] }, items: { tiles: tile, tags: '' } }
    }
    case 'webhook': {
      const { control } = await readTarget()
      return {
        usual: {
          service: 'generic',
          url: `${control?.baseUrl}/control/received/my-webhook`,
          body: '{"text": "{{title}}"}',
        },
      }
    }
    case 'member':
    case 'invitation':
    case 'key':
      return { usual, choices: { assignedRoleIds: await choose('roles') } }
    default:
      return { usual }
  }
}

/** A tile that draws something where there are logs. */
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
