import type { Contract, Field, Fields, Operation, OperationId } from '../../fixtures/built-contract/index.ts'
import type { LaidResource } from '../../fixtures/built-contract/lay-over.ts'
import type { Request } from '../families/family.ts'
import { hasFormat, testOf } from '../fields/formats.ts'
import { viewOfShape } from '../fields/view.ts'
import { isRecord } from '../words/check-options.ts'
import { Refusal } from '../words/refusal.ts'
import type { Reply } from '../words/reply.ts'
import { type AnyModel, type Collection, keyOf } from '../world/collection.ts'
import { isWantedBy } from '../world/filter-records.ts'
import { exampleOfField } from './openapi/openapi-examples.ts'

/**
 * What only a document of the user has, or does not have any more. No family knows of it, so that the core keeps new
 * fields in the records, shows them in answers, and leaves out what is gone. Objects that a family keeps as a whole need
 * nothing of this. Where a field has another type than its family knows, the record has both values: the family reads its own,
 * and answers show the other.
 */

/** A shape before and after a document was laid over it. The parts that it does not change are the same values. */
interface Change {
  readonly before: Field
  readonly after: Field
}

/** What a document changes of an operation. */
export interface Addition {
  readonly model: AnyModel | undefined
  readonly method: Operation['method']
  readonly sent: Change | undefined
  readonly shown: Change | undefined
  /** The field of the result that has the record, if the result is not the record itself. */
  readonly holder: string | undefined
  /** The fields that paths name records by. A record whose value the document does not have is not there. */
  readonly keys: readonly string[]
  /** The parameters that only the document has: lists are filtered by them. */
  readonly parameters: readonly string[]
  readonly fields: Fields
  /** Fields of the body that handlers need and only the document lets requests omit, or gives another type. */
  readonly relaxed: Fields
  /** Fields of the body to which the document gives another type, as handlers know them. */
  readonly retyped: Fields
}

export type Additions = ReadonlyMap<OperationId, Addition>

type Json = Readonly<Record<string, unknown>>

export function findAdditions({ operations, resources }: Contract, models: readonly AnyModel[]): Additions {
  const changeOf = (id: string | undefined): Change | undefined => {
    const resource = resources[id as keyof typeof resources] as LaidResource | undefined
    if (!resource?.before) return undefined
    const { before, fields, oneOf } = resource
    return { before: { type: 'object', ...before }, after: { type: 'object', fields, oneOf } }
  }
  const found = (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, operation]) => {
    const { body, method, result, query = {} } = operation
    const modelNamed = (name: string | undefined) => models.find(one => one.name === name)
    const model = modelNamed(result.resource) ?? modelNamed(id.split('.')[0])
    const [sent, shown] = [changeOf(body), changeOf(result.resource)]
    const fields = resources[result.resource as keyof typeof resources]?.fields ?? {}
    const parameters = Object.keys(query).filter(name => query[name]!.isFromDocument)
    if (!sent && !shown && parameters.length === 0) return []
    const isHeld = model && result.resource !== model.name && shown?.after.fields?.[model.name]?.fields
    const bodyFields = Object.entries(sent?.after.fields ?? {})
    const retyped = Object.fromEntries(
      bodyFields.flatMap(([name, field]) => (field.isRetyped ? [[name, sent!.before.fields![name]!]] : [])),
    )
    const relaxed = bodyFields.filter(
      ([name, field]) => field.optional && sent!.before.fields?.[name]?.optional === undefined && !field.isFromDocument,
    )
    const needed = Object.entries(retyped).filter(([, { optional }]) => !optional || optional === 'answer')
    return [
      [
        id,
        {
          model,
          method,
          sent,
          shown,
          holder: isHeld ? model.name : undefined,
          keys: Object.keys(operations[`${result.resource}.get` as OperationId]?.ids ?? {}),
          parameters,
          fields,
          relaxed: Object.fromEntries([...relaxed, ...needed]),
          retyped,
        },
      ] as const,
    ]
  })
  return new Map(found)
}

/** The fields that records of a model have otherwise than its family knows. Any record may lack a new one. */
export function changedFields({ resources }: Contract, model: AnyModel, additions: Additions): Fields {
  const own = [...additions.values()].filter(one => one.model?.name === model.name)
  const ofRecord = ({ shown, holder }: Addition): Change | undefined => {
    const [before, after] = [shown?.before.fields?.[holder ?? ''], shown?.after.fields?.[holder ?? '']]
    return holder === undefined ? shown : before && after && { before, after }
  }
  const added = [
    ...own.flatMap(one => ofRecord(one) ?? []).flatMap(newIn),
    // A record has what was sent, such as null where only the document allows it.
    ...own.flatMap(({ sent }) =>
      Object.entries(sent?.after.fields ?? {}).filter(([name, one]) => one !== sent?.before.fields?.[name]),
    ),
  ]
  const optional = added.map(([name, field]) => [keptName(name, field), { ...field, optional: true }] as const)
  const { before, fields = {} } = (resources[model.name as keyof typeof resources] as LaidResource | undefined) ?? {}
  const changed = Object.entries(fields).filter(
    ([name, field]) => before && field !== before.fields[name] && !field.isRetyped,
  )
  const view = viewOfShape({ fields: Object.fromEntries(changed) }, { side: 'record' }).fields
  return { ...view, ...Object.fromEntries(optional) }
}

const newIn = ({ before, after }: Change) =>
  Object.entries(after.fields ?? {}).filter(([name]) => !Object.hasOwn(before.fields ?? {}, name))

/** Records have a value of another type beside the one that their family knows. */
const keptName = (name: string, { isRetyped }: Field) => (isRetyped ? `${name} of the document` : name)

/** Gives handlers the fields that they need and only the document lets requests omit, and others as the type that they know. */
export function fitBody({ relaxed, retyped, method }: Addition, request: { body: unknown }): void {
  const { body } = request
  if (!isRecord(body)) return
  const known = Object.entries(retyped).flatMap(([name, field]) =>
    Object.hasOwn(body, name) ? [[name, toType(field, body[name])] as const] : [],
  )
  const fitting: Json = known.length > 0 ? { ...body, ...Object.fromEntries(known) } : body
  const needed = method === 'POST' || method === 'PUT' ? Object.entries(relaxed) : []
  const missing = needed.filter(([name]) => fitting[name] === undefined)
  if (missing.length === 0 && known.length === 0) return
  const filled = missing.map(([name, field]) => [name, field.default ?? exampleOfField(field, name)] as const)
  const all = Object.entries({ ...fitting, ...Object.fromEntries(filled) })
  request.body = Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** The same value as another type; undefined if the field does not take it. */
function toType(field: Field, value: unknown): string | number | undefined {
  if (field.type === 'number') {
    const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    return isNumeric ? Number(value) : undefined
  }
  if (field.type !== 'string' || (typeof value !== 'number' && typeof value !== 'boolean')) return undefined
  const { format, values, pattern } = field
  const text = String(value)
  const fits =
    (!format || hasFormat(text, format)) && (values?.includes(text) ?? true) && (!pattern || testOf(field)(text))
  return fits ? text : undefined
}

/** Writes what was sent into the record that the handler wrote, and adds to the reply what the record has. */
export function keepAdditions(addition: Addition, request: Request, sent: unknown, handled: Reply | Promise<Reply>) {
  return handled instanceof Promise
    ? handled.then(reply => complete(addition, request, sent, reply))
    : complete(addition, request, sent, handled)
}

function complete(addition: Addition, request: Request, sent: unknown, reply: Reply): Reply {
  if (reply.kind !== 'object' && reply.kind !== 'list' && reply.kind !== 'records') return reply
  const { model, shown: change, holder, keys, parameters, fields } = addition
  const records = model && request.in<object>(model)
  const show = (shown: Json) => (change ? (showField(change, shown, recordOf(shown)) as Json) : shown)
  const recordOf = (shown: Json) => records && findRecord(model!, records, request, shown)
  const query = new URLSearchParams([...request.query].filter(([name]) => parameters.includes(name)))
  const isWanted = isWantedBy(query, fields)
  const valuesOf = (side: Field | undefined, name: string): readonly unknown[] | undefined =>
    side?.fields?.[name]?.values
  const isThere = (shown: object) =>
    keys.every(name => {
      const value = (shown as Json)[name]
      const isKnown = valuesOf(change?.before, name)?.includes(value)
      return !isKnown || valuesOf(change?.after, name)?.includes(value) !== false
    })
  // A result of its own shape lists what the records show.
  if (reply.kind === 'records')
    return {
      ...reply,
      records: reply.records
        .filter(isThere)
        .map(one => show(one as Json))
        .filter(isWanted),
    }
  const value: unknown = JSON.parse(reply.json)
  if (Array.isArray(value)) {
    const all = value
      .filter(one => !isRecord(one) || isThere(one))
      .map(one => (isRecord(one) ? show(one) : one))
      .filter(one => !isRecord(one) || isWanted(one))
    return { ...reply, json: JSON.stringify(all) }
  }
  if (!isRecord(value)) return reply
  if (!isThere(value)) throw new Refusal('unknownId', keys.map(name => value[name]).join())
  const held = holder === undefined ? value : value[holder]
  if (!isRecord(held)) return reply
  if (records) writeAdditions(addition, records, request, sent, held)
  if (!change) return reply
  if (holder === undefined) return { ...reply, json: JSON.stringify(show(value)) }
  const [before, after] = [change.before.fields![holder]!, change.after.fields![holder]!]
  const inner = showField({ before, after }, held, recordOf(held))
  return { ...reply, json: JSON.stringify({ ...(showField(change, value, undefined) as Json), [holder]: inner }) }
}

function writeAdditions(
  { model, method, sent }: Addition,
  records: Collection<object>,
  request: Request,
  body: unknown,
  shown: Json,
): void {
  if (!sent || method === 'GET' || method === 'DELETE' || !isRecord(body)) return
  const record = findRecord(model!, records, request, shown)
  if (!record) return
  const isNew = method === 'POST' || method === 'PUT'
  const next = writeField(sent, body, record, isNew)
  if (next !== record) records.replace(next as object)
}

/** The fields of an object, with those of the variant that it has. */
function fieldsIn({ fields = {}, oneOf }: Field, value: Json): Fields {
  const variant = oneOf?.variants[String(value[oneOf.discriminator] ?? oneOf.defaultValue)]
  return variant ? { ...fields, ...variant } : fields
}

/** A kept value with what was sent of new fields; the same value if there is nothing. */
function writeField({ before, after }: Change, sent: unknown, kept: unknown, isNew: boolean): unknown {
  if (before === after) return kept
  if (Array.isArray(sent) && Array.isArray(kept) && sent.length === kept.length && before.items && after.items) {
    const items = { before: before.items, after: after.items }
    const next = kept.map((one, at) => writeField(items, sent[at], one, isNew))
    return next.some((one, at) => one !== kept[at]) ? next : kept
  }
  if (!isRecord(sent) || !isRecord(kept)) return kept
  const [old, own] = [fieldsIn(before, sent), fieldsIn(after, sent)]
  const written = Object.entries(own).flatMap(([name, field]) => {
    const known = Object.hasOwn(old, name) ? old[name]! : undefined
    if (known === undefined || field.isFromDocument) {
      if (Object.hasOwn(sent, name)) return [[keptName(name, field), sent[name]] as const]
      return isNew && field.default !== undefined && kept[name] === undefined ? [[name, field.default] as const] : []
    }
    const next = writeField({ before: known, after: field }, sent[name], kept[name], isNew)
    return next === kept[name] ? [] : [[name, next] as const]
  })
  return written.length > 0 ? { ...kept, ...Object.fromEntries(written) } : kept
}

/** A shown value with the new fields of the record, without those that are gone. */
function showField({ before, after }: Change, shown: unknown, kept: unknown): unknown {
  if (before === after) return shown
  if (after.values && typeof shown === 'string' && (before.values?.includes(shown) ?? true))
    return [...after.values, ...(after.answerOnlyValues ?? [])].includes(shown) ? shown : after.values[0]
  if (Array.isArray(shown) && before.items && after.items) {
    const items = { before: before.items, after: after.items }
    return shown.map((one, at) => showField(items, one, Array.isArray(kept) ? kept[at] : undefined))
  }
  if (!isRecord(shown)) return shown
  const record: Json = isRecord(kept) ? kept : {}
  const [old, own] = [fieldsIn(before, shown), fieldsIn(after, shown)]
  const stay = Object.entries(shown).flatMap(([name, value]) => {
    if (!Object.hasOwn(old, name)) return [[name, value] as const]
    if (!Object.hasOwn(own, name)) return []
    const field = own[name]!
    if (field.isRetyped) return [[name, toType(field, value) ?? field.default ?? exampleOfField(field, name)] as const]
    return [[name, showField({ before: old[name]!, after: own[name]! }, value, record[name])] as const]
  })
  const more = Object.entries(own).flatMap(([name, field]) => {
    const known = Object.hasOwn(old, name) ? old[name]! : undefined
    if (field === known || field.writeOnly) return []
    const kept = record[keptName(name, field)]
    if ((known === undefined || field.isFromDocument) && kept !== undefined) return [[name, kept] as const]
    // A field that no request has set has the example of its schema where only the document demands it.
    const isRequired = isInEvery(field) && !(known && isInEvery(known))
    return isRequired && !Object.hasOwn(shown, name)
      ? [[name, field.default ?? exampleOfField(field, name)] as const]
      : []
  })
  return { ...Object.fromEntries(stay), ...Object.fromEntries(more) }
}

const isInEvery = ({ optional }: Field) => !optional || optional === 'request'

/** The record that an answer shows: by its key, else by an id in the answer, else by the path. */
function findRecord(model: AnyModel, records: Collection<object>, { ids }: Request, shown: Json): object | undefined {
  const named = Object.entries(shown).flatMap(([name, value]) =>
    typeof value === 'string' && /^id$|Id$/.test(name) ? value : [],
  )
  return [keyOf(model, shown), ...named, ...Object.values(ids).toReversed()]
    .map(key => records.get(key))
    .find(record => record !== undefined)
}
