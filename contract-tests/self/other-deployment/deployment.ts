import type { Form } from '../../../fixtures/contract/index.ts'
import { acceptChartQuery, type TimeUnit } from './accept-body.ts'
import { type AdministrativeStore, administer, examineKey, seedRecords } from './administrative.ts'
import { checkPath, description, findOwner, getBackup, listMembers } from './cloud.ts'
import { type Credential, recogniseBasic, recogniseBearer } from './credentials.ts'
import { type DocumentStore, operate, type VisibilityChange } from './documents.ts'
import { applyMutant, type Mutant } from './mutant.ts'
import { type Paging, pageOf } from './paging.ts'
import { type Place, placeCloud, placeSelfHosted, type QueryKind, Refused } from './place.ts'
import type { Quirk } from './quirks.ts'
import { type Answer, writeRefusal, writeSuccess } from './wire.ts'
import * as world from './world.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly query?: string
  readonly origin?: string
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  /** Undefined if the body was too large. */
  readonly body: string | undefined
}

function readBody({ method, body, contentType }: Call, form: Form): unknown {
  if (body === undefined) throw new Refused('too-large', 'a megabyte is enough')
  if (method === 'GET' || method === 'DELETE') return undefined
  // The self-hosted form reads JSON with any content type.
  if (form !== 'selfHosted' && !/^application\/json\b/i.test(contentType ?? ''))
    throw new Refused('not-labelled-json', 'only application/json is read')
  try {
    return JSON.parse(body)
  } catch {
    throw new Refused('malformed-json', 'the body cannot be read as JSON')
  }
}

function recognise(call: Call, { form, ids }: Place, apiKey: string): Credential {
  const keys = [world.firstKey, world.secondKey]
  if (form === 'selfHosted') return recogniseBearer(call.authorization, apiKey, world.ingestionKey, keys)
  const second = ids.organization?.toLowerCase() === world.ids.secondOrganization
  return recogniseBasic(call.authorization, keys[second ? 1 : 0]!, second ? keys.slice(0, 1) : keys.slice(1), apiKey)
}

function admit(call: Call, place: Place, accepted: Credential | undefined, apiKey: string): void {
  const credential = recognise(call, place, apiKey)
  if (credential === 'good' || credential === accepted) return
  if (credential === 'other-organization') throw new Refused('other-organization', 'this key opens another door')
  throw new Refused('unauthenticated', 'who are you?')
}

interface Series {
  readonly where: string
  readonly groupBy: readonly string[]
}

const seriesOf = (query: unknown) => (query as { readonly series: readonly Series[] }).series

function kindOf(query: unknown): QueryKind {
  const series = seriesOf(query)
  const [one] = series
  if (series.length > 1) return 'two series'
  if (one && one.groupBy.length > 0) return 'grouped'
  return one && one.where !== '' ? 'filtered' : 'plain'
}

/** All rows have the same time, and some counts are fractional. The names of the columns are outside the rows. */
function queryChart(query: unknown) {
  const { startTime } = query as { readonly startTime: number }
  const table = (columns: readonly string[], ...rows: (readonly unknown[])[]) => ({
    columns: ['at', ...columns],
    rows: rows.map(row => [startTime, ...row]),
    partial: false,
  })
  switch (kindOf(query)) {
    case 'filtered':
      return table(['series_0'], [0.5])
    case 'grouped':
      return table(['404', 'series_0'], ['12', 3], [7, 0.25], [null, 0.25])
    case 'two series':
      return table(['series_0', 'series_1'], [3, 3], [0.5, 0.5])
    default:
      return table(['series_0'], [3], [0.5])
  }
}

/** Adds the kind of a chart query to its place, if the body can be read. */
function withQuery(place: Place, { body = '' }: Call): Place {
  if (place.operation !== 'chart.query') return place
  try {
    return { ...place, query: kindOf(JSON.parse(body)) }
  } catch {
    return place
  }
}

/** Differences of a deployment where the specification is silent. */
export interface Variant {
  /** How it creates, updates and deletes. */
  readonly quirk?: Quirk
  /** How its lists are paged; by default they are not. */
  readonly paging?: Paging
  /** A field that the body of a dashboard must have, although no document shows it. */
  readonly dashboardsNeed?: string
  /** The only unit in which the times of a chart query are accepted; any by default. */
  readonly unit?: TimeUnit
  /** The token of the self-hosted form; by default one that is no UUID. */
  readonly apiKey?: string
}

/** The deployment without sockets: answers calls. */
export const deploy = (mutant?: Mutant, variant?: Variant) => deployWithDocuments(mutant, variant).answer

/** The same, with the documents of both forms that are not deleted. */
export function deployWithDocuments(mutant?: Mutant, variant: Variant = {}) {
  const { apiKey = world.apiKey } = variant
  const count = world.startCounting()
  const applied = applyMutant(mutant)
  let memberListCount = 0
  const keysAndRoles: AdministrativeStore = { records: seedRecords(), count }
  const createStore = (form: 'managed' | 'selfHosted'): DocumentStore => ({
    documents: world.seedDocuments(world.webhookIds[form]),
    isManaged: form === 'managed',
    webhookId: world.webhookIds[form],
    count,
    quirk: variant.quirk,
  })
  const stores = { managed: createStore('managed'), selfHosted: createStore('selfHosted') }

  function handle(call: Call, place: Place, change: VisibilityChange & { accept?: Credential }): unknown {
    const { form, operation, nowhere, ids } = place
    if (operation === 'description.get') return description
    if (form === 'cloud') checkPath(ids)
    // The self-hosted form reads the body before it checks the credentials.
    const earlyBody = form === 'selfHosted' && operation ? readBody(call, form) : undefined
    const caller = form === 'cloud' ? examineKey(keysAndRoles, call.authorization, place) : undefined
    if (caller === undefined) admit(call, place, change.accept, apiKey)
    else if (caller !== 'good') throw new Refused(caller, 'not with this key')
    if (form !== 'selfHosted') {
      checkPath(ids)
      if (ids.organization !== undefined) findOwner(ids)
    }
    if (!operation) throw new Refused(nowhere ?? 'unknown-path', `${call.method} ${call.path} leads nowhere`)
    // Pages of a list whose order changes with each call would not fit together.
    if (operation === 'member.list') return listMembers(ids, variant.paging ? 0 : memberListCount++)
    if (operation === 'backup.get') return getBackup(ids)
    if (operation === 'organization.list') return [world.organization]
    if (operation === 'source.list') return [{ _id: world.sourceId, title: 'Logs', table: null }]
    if (operation === 'webhook.list') return [{ id: world.webhookIds.selfHosted, kind: 'generic', name: null }]
    const body = earlyBody ?? readBody(call, form)
    if (operation === 'chart.query') return queryChart(acceptChartQuery(body, world.sourceId, variant.unit))
    const { dashboardsNeed: field } = variant
    if (field && /^dashboard\.(create|update)$/.test(operation) && !(body as Record<string, unknown>)[field])
      throw new Refused('invalid-body', `${field} is missing`)
    const administrative = /^(key|role)\.(.*)$/.exec(operation)
    // The second organization has none.
    if (administrative?.[2] === 'list' && ids.organization?.toLowerCase() === world.ids.secondOrganization) return []
    if (administrative)
      return administer(keysAndRoles, administrative[1] as 'key' | 'role', administrative[2]!, ids.id ?? '', body)
    const [kind, verb] = operation.split('.') as [
      'dashboard' | 'alert',
      'list' | 'create' | 'get' | 'update' | 'delete',
    ]
    return operate(stores[form === 'managed' ? 'managed' : 'selfHosted'], `${kind}s`, verb, ids.id ?? '', body, change)
  }

  function writeList(call: Call, place: Place, value: unknown, requestId: string): Answer {
    const write = (what: unknown) => writeSuccess(place.form, place.operation!, what, requestId, variant.quirk)
    const { paging } = variant
    if (!paging || !Array.isArray(value) || !place.operation?.endsWith('.list')) return write(value)
    const ids = value.map(({ id, _id, userId }) => id ?? _id ?? userId)
    const asked = { path: call.path, query: new URLSearchParams(call.query), origin: call.origin ?? '' }
    const { items, beside, headers } = pageOf(paging, value, ids, asked)
    const answer = write(items)
    const json = Array.isArray(answer.json) ? { values: answer.json } : answer.json
    return { ...answer, headers: { ...answer.headers, ...headers }, json: { ...(json as object), ...beside } }
  }

  function answer(call: Call, server: 'cloud' | 'selfHosted'): Answer {
    const locate = server === 'cloud' ? placeCloud : placeSelfHosted
    const place = withQuery(locate(call.method, call.path, world.prefix, world.segment), call)
    const { records } = keysAndRoles
    const before = { managed: stores.managed.documents, selfHosted: stores.selfHosted.documents }
    const requestId = count.nextRequestId()
    let refused: Refused | undefined
    let value: unknown
    try {
      value = handle(call, place, applied.changeOfOperation(place))
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem
      refused = problem
    }
    const genuine = refused
      ? writeRefusal(place.form, refused.reason, refused.message, requestId)
      : writeList(call, place, value, requestId)
    const wrap = (result: unknown, status: number) =>
      place.form === 'selfHosted' ? result : { requestId, result, status }
    const { answer, undo } = applied.change(genuine, place, refused?.reason, wrap)
    if (undo) {
      for (const form of ['managed', 'selfHosted'] as const) stores[form].documents = before[form]
      keysAndRoles.records = records
    }
    return answer
  }

  const documents = () =>
    (['managed', 'selfHosted'] as const).flatMap(form =>
      (['dashboards', 'alerts'] as const).flatMap(kind =>
        stores[form].documents[kind].filter(({ deleted }) => !deleted).map(document => ({ form, kind, ...document })),
      ),
    )
  return { answer, documents }
}
