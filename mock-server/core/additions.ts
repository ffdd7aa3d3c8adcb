import type { Contract, Field, Fields, Operation, OperationId } from '../../fixtures/built-contract/index.ts'
import type { LaidResource } from '../../fixtures/built-contract/lay-over.ts'
import type { Request } from '../families/family.ts'
import { viewOfShape } from '../fields/view.ts'
import { isRecord } from '../words/check-options.ts'
import type { Reply } from '../words/reply.ts'
import { type AnyModel, type Collection, keyOf } from '../world/collection.ts'
import { exampleOfField } from './openapi/openapi-examples.ts'

/**
 * The fields that only a document of the user has. No family knows them, so that the core keeps them in the records and
 * shows them in answers. Fields within objects that a family keeps as a whole need nothing of this.
 */

/** What a document adds to an operation on the records of a model. */
export interface Addition {
  readonly model: AnyModel
  readonly method: Operation['method']
  readonly sent: Fields
  readonly shown: Fields
  /** The fields that the document does not have any more, and families still answer. */
  readonly gone: readonly string[]
  /** The field of the result that has the record, if the result is not the record itself. */
  readonly holder: string | undefined
}

export type Additions = ReadonlyMap<OperationId, Addition>

type Json = Readonly<Record<string, unknown>>

const added = (fields: Fields = {}): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field.isFromDocument))

export function findAdditions({ operations, resources }: Contract, models: readonly AnyModel[]): Additions {
  const resourceOf = (id: string | undefined) => resources[id as keyof typeof resources] as LaidResource | undefined
  const found = (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, { body, method, result }]) => {
    const modelOf = (name: string | undefined) => models.find(one => one.name === name)
    const model = modelOf(result.resource) ?? modelOf(id.split('.')[0])
    if (!model) return []
    const fields = resourceOf(result.resource)?.fields
    const held: Field | undefined = result.resource === model.name ? undefined : fields?.[model.name]
    const sent = added(resourceOf(body)?.fields)
    const shown = withoutWriteOnly(added(held?.fields ?? fields))
    const { gone = [] } = resourceOf(held ? model.name : result.resource)?.byDocument ?? {}
    if (Object.keys({ ...sent, ...shown }).length + gone.length === 0) return []
    return [[id, { model, method, sent, shown, gone, holder: held && model.name }] as const]
  })
  return new Map(found)
}

/** The fields that records of a model have otherwise than its family knows. Any record may lack a new one. */
export function changedFields({ resources }: Contract, model: AnyModel, additions: Additions): Fields {
  const own = [...additions.values()].filter(one => one.model === model)
  const added = Object.assign({}, ...own.flatMap(({ sent, shown }) => [shown, sent])) as Fields
  const optional = Object.entries(added).map(([name, field]) => [name, { ...field, optional: true }] as const)
  const resource = resources[model.name as keyof typeof resources] as LaidResource | undefined
  const { changed = {} } = resource?.byDocument ?? {}
  return { ...viewOfShape({ fields: changed }, { side: 'record' }).fields, ...Object.fromEntries(optional) }
}

const withoutWriteOnly = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { writeOnly }]) => !writeOnly))

/** Writes what was sent into the record that the handler wrote, and adds to the reply what the record has. */
export function keepAdditions(addition: Addition, request: Request, handled: Reply | Promise<Reply>) {
  return handled instanceof Promise
    ? handled.then(reply => complete(addition, request, reply))
    : complete(addition, request, handled)
}

function complete(addition: Addition, request: Request, reply: Reply): Reply {
  if (reply.kind !== 'object' && reply.kind !== 'list' && reply.kind !== 'records') return reply
  const records = request.in<object>(addition.model)
  const show = (shown: Json) => showAdditions(addition, records, request, shown)
  if (reply.kind === 'records') {
    const { resultOf } = reply
    // A result of its own shape lists what the records show.
    return { ...reply, records: reply.records.map(one => show(one as Json)), ...(resultOf && { resultOf }) }
  }
  const value: unknown = JSON.parse(reply.json)
  if (Array.isArray(value))
    return { ...reply, json: JSON.stringify(value.map(one => (isRecord(one) ? show(one) : one))) }
  if (!isRecord(value)) return reply
  const { holder } = addition
  const shown = holder === undefined ? value : value[holder]
  if (!isRecord(shown)) return reply
  writeAdditions(addition, records, request, shown)
  return { ...reply, json: JSON.stringify(holder === undefined ? show(value) : { ...value, [holder]: show(shown) }) }
}

function writeAdditions(
  { model, method, sent }: Addition,
  records: Collection<object>,
  request: Request,
  shown: Json,
): void {
  if (method === 'GET' || method === 'DELETE' || !isRecord(request.body)) return
  const record = findRecord(model, records, request, shown)
  if (!record) return
  const { body } = request
  const isNew = method === 'POST' || method === 'PUT'
  const values = Object.entries(sent).flatMap(([name, field]) => {
    if (Object.hasOwn(body as object, name)) return [[name, (body as Json)[name]] as const]
    return isNew && field.default !== undefined && !Object.hasOwn(record, name) ? [[name, field.default] as const] : []
  })
  if (values.length > 0) records.replace({ ...record, ...Object.fromEntries(values) })
}

/** A field that no request has set has the example of its schema where answers must have it. */
function showAdditions(
  { model, shown: fields, gone }: Addition,
  records: Collection<object>,
  request: Request,
  shown: Json,
) {
  const record = findRecord(model, records, request, shown) as Json | undefined
  const values = Object.entries(fields).flatMap(([name, field]) => {
    if (record?.[name] !== undefined) return [[name, record[name]] as const]
    const isRequired = !field.optional || field.optional === 'request'
    return isRequired && !Object.hasOwn(shown, name)
      ? [[name, field.default ?? exampleOfField(field, name)] as const]
      : []
  })
  const kept =
    gone.length === 0 ? shown : Object.fromEntries(Object.entries(shown).filter(([name]) => !gone.includes(name)))
  return { ...kept, ...Object.fromEntries(values) }
}

/** The record that an answer shows: by its key, else by an id in the answer, else by the path. */
function findRecord(model: AnyModel, records: Collection<object>, { ids }: Request, shown: Json): object | undefined {
  const named = Object.entries(shown).flatMap(([name, value]) =>
    typeof value === 'string' && /^id$|Id$/.test(name) ? value : [],
  )
  return [keyOf(model, shown), ...named, ...Object.values(ids).toReversed()]
    .map(key => records.get(key))
    .find(record => record !== undefined)
}
