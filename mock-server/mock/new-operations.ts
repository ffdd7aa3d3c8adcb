import type { Contract, Field, Fields } from '../../fixtures/built-contract/index.ts'
import type { NewOperation, NewResource } from '../../fixtures/built-contract/new-operations.ts'
import { exampleOfField } from '../core/openapi/openapi-examples.ts'
import { answerObject, type Family, type Handler, type Request } from '../families/family.ts'
import { isRecord } from '../words/check-options.ts'
import { day } from '../words/durations.ts'
import { conflict, Refusal, unknownId } from '../words/refusal.ts'
import { type AnyModel, type Collection, keyOf, type Model } from '../world/collection.ts'
import { isWantedBy } from '../world/filter-records.ts'
import { createRandom, objectIdByIndex, seedOf } from '../world/random.ts'
import { pick, recordSchema } from '../world/record.ts'
import { deployment } from '../world/world.ts'

type Kept = Readonly<Record<string, unknown>>
type Ids = Readonly<Record<string, unknown>>

/** Makes the families of what only a document has. */
export function makeFamilies(
  { contract, resources, operations }: Pick<Added, 'contract' | 'resources' | 'operations'>,
  known: readonly AnyModel[],
): Readonly<Record<string, Family>> {
  const families: Record<string, Family> = {}
  const models = [...known]
  for (const resource of resources) {
    const family = makeFamily(resource, models)
    families[resource.id] = family
    models.push(...(family.models ?? []))
  }
  const handlers = operations.map(one => [one.id, answerExample(one, contract, models)] as const)
  return { ...families, examplesOfDocument: { handlers: Object.fromEntries(handlers) } }
}

interface Added {
  readonly contract: Contract
  readonly resources: readonly NewResource[]
  readonly operations: readonly NewOperation[]
}

const modelOf = ({ within: { model } }: NewResource | NewOperation, models: readonly AnyModel[]) =>
  models.find(one => one.name === model)

/** The record within which the path lies, if it is that of a model. The core refuses unknown organizations and services only. */
function parentOf({ within }: NewResource | NewOperation, model: AnyModel | undefined, request: Request) {
  if (!model || within.parameter === undefined) return undefined
  const key = request.ids[within.parameter] ?? ''
  const record = request.in<object>(model).get(key)
  if (!record) throw unknownId(model.name)
  return { key, record }
}

/** Makes the family of a resource: records with a life, seeded from its schema. */
function makeFamily(resource: NewResource, models: readonly AnyModel[]): Family {
  const { id, within, keyField, fields, sent, shown } = resource
  const parent = modelOf(resource, models)
  const model: Model<Kept> = {
    name: id,
    within: parent ?? (within.model as 'stack' | 'deployment'),
    record: recordSchema<Kept>(optionalFields(fields)),
    ...(keyField === undefined ? { isSingleton: true } : { keyFields: [keyField] }),
    seed: (place, { identitySeed, start, isSample }) =>
      seededNames.slice(0, keyField === undefined ? 1 : undefined).map((name, index) => {
        const random = createRandom(seedOf(identitySeed, 'document', id, place, index))
        const objectId = () => objectIdByIndex(seedOf(identitySeed, 'document', id, place), '67')(index + 1)
        // The sample of a new record must have another key than the seeded ones.
        const part = random.uuid().slice(0, 8)
        const newKey = keyFor(resource, {
          uuid: random.uuid,
          objectId,
          number: isSample ? Number.parseInt(part, 16) : index + 1,
          name: `${id}-${isSample ? part : name}`,
        })
        return make(resource, idsAround(place), { newKey, at: start - (index + 1) * day, name: `${id} ${name}` })
      }),
  }
  const parameter = `${id}Id`
  const idsAround = (place: string): Ids => (parent ? { [`${parent.name}Id`]: place, [within.parameter!]: place } : {})
  const open = (request: Request): Collection<Kept> =>
    request.in(
      model,
      parentOf(resource, parent, request)?.key ?? (parent || within.model === 'stack' ? undefined : deployment),
    )
  const keyIn = (request: Request) => (keyField === undefined ? id : (request.ids[parameter] ?? ''))
  const find = (request: Request) => {
    const key = keyIn(request)
    const record = open(request).get(key)
    if (!record) throw new Refusal('unknownId', key)
    return record
  }
  const show = (verb: keyof typeof shown, record: Kept) => {
    const own = shown[verb] ?? fields
    const missing = Object.entries(own).filter(([name, { optional }]) => !optional && record[name] === undefined)
    return {
      ...pick(record, own),
      ...Object.fromEntries(missing.map(([name, one]) => [name, exampleOfField(one, name)])),
    }
  }
  const makeFor = (request: Request, records: Collection<Kept>) => {
    const { world, now, ids } = request
    const number = 1 + Math.max(0, ...records.list().map(one => Number(one[keyField ?? '']) || 0))
    const own = keyFor(resource, {
      uuid: world.newUuid,
      objectId: world.newObjectId,
      number,
      name: world.newObjectId(),
    })
    const around = { ...idsAround(within.parameter ? (ids[within.parameter] ?? '') : ''), ...ids }
    return make(resource, around, { newKey: own, at: now })
  }
  function create(request: Request, verb: 'create' | 'replace', key?: string) {
    const records = open(request)
    const record = {
      ...makeFor(request, records),
      ...defaultsOf(sent[verb] ?? {}),
      ...bodyOf(request, fields),
      ...(keyField !== undefined && key !== undefined && { [keyField]: key }),
    }
    if (records.get(keyOf(model, record))) throw conflict(`There is a ${id} ${keyOf(model, record)} already`)
    records.create(record)
    return answerObject(show(verb, record))
  }
  function change(request: Request, verb: 'update' | 'replace') {
    const before = find(request)
    const record = {
      ...(verb === 'replace' ? replaceable(before, resource) : before),
      ...bodyOf(request, fields),
      ...stampOf(fields, request.now),
      ...(keyField !== undefined && { [keyField]: before[keyField] }),
    }
    open(request).replace(record)
    return answerObject(show(verb, record))
  }
  const handlers: Readonly<Record<NewResource['verbs'][number], Handler>> = {
    list: request => ({
      kind: 'records',
      records: open(request)
        .list()
        .filter(isWantedBy(request.query, fields))
        .map(record => show('list', record)),
    }),
    create: request => create(request, 'create'),
    get: request => answerObject(show('get', find(request))),
    update: request => change(request, 'update'),
    // A replacement creates what has no creation of its own.
    replace: request =>
      resource.verbs.includes('create') || open(request).get(keyIn(request))
        ? change(request, 'replace')
        : create(request, 'replace', request.ids[parameter]),
    delete: request => {
      const record = find(request)
      open(request).remove(keyOf(model, record))
      return shown.delete ? answerObject(show('delete', record)) : { kind: 'deleted' }
    },
  }
  return {
    models: [model],
    handlers: Object.fromEntries(resource.verbs.map(verb => [`${id}.${verb}`, handlers[verb]])),
  }
}

/** Answers an example of the schema, with the ids of the path and what the record of the path has of it. */
function answerExample(operation: NewOperation, contract: Contract, models: readonly AnyModel[]): Handler {
  const { id, result } = operation
  const { mediaType } = contract.operations[id as keyof typeof contract.operations]
  const model = modelOf(operation, models)
  return request => {
    const around = parentOf(operation, model, request)
    if (mediaType !== undefined) return { kind: 'text', text: 'text' }
    const example = result ? exampleOfField(result) : {}
    if (Array.isArray(example)) return { kind: 'list', json: JSON.stringify(example) }
    if (!isRecord(example)) return { kind: 'object', json: JSON.stringify(example) }
    const known = Object.entries({ ...around?.record, ...request.ids }).filter(
      ([name, value]) =>
        Object.hasOwn(example, name) && typeof example[name] === typeof value && typeof value === 'string',
    )
    return answerObject({ ...example, ...Object.fromEntries(known) })
  }
}

const seededNames = ['one', 'two']

const bodyOf = ({ body }: Request, fields: Fields): Kept => (isRecord(body) ? (pick(body, fields) as Kept) : {})

const defaultsOf = (fields: Fields): Kept =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]) => (one.default === undefined ? [] : [[name, one.default]])),
  )

const optionalFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, optional: true }]))

/** What a replacement keeps of a record: what it cannot send, and what answers must have. */
function replaceable(before: Kept, { fields, sent }: NewResource): Kept {
  const body = sent.replace ?? {}
  const isKept = (name: string) => !Object.hasOwn(body, name) || body[name]!.readOnly || !fields[name]?.optional
  return { ...defaultsOf(body), ...Object.fromEntries(Object.entries(before).filter(([name]) => isKept(name))) }
}

const stampOf = (fields: Fields, now: number): Kept =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      /^(?:updat|modif|chang)/i.test(name) && isTime(name, field) ? [[name, timeOf(field, now)]] : [],
    ),
  )

interface Keys {
  readonly number: number
  readonly name: string
  uuid(): string
  objectId(): string
}

/** A new key, by type and format of its field. In a stack, ids without a format are object ids. */
function keyFor({ fields, keyField, within }: NewResource, { number, name, uuid, objectId }: Keys): string | number {
  if (keyField === undefined) return name
  const { type, format, pattern } = fields[keyField]!
  if (type === 'number') return number
  if (format === undefined && !/id$/i.test(keyField)) return name
  const isObjectId =
    format === 'object-id' || pattern?.includes('{24}') || (format === undefined && within.model === 'stack')
  return isObjectId ? objectId() : uuid()
}

interface Origin {
  readonly newKey: string | number
  readonly at: number
  readonly name?: string
}

/** A new record by the names and formats of its fields; the ids of the path go into the fields of their names. */
function make({ fields, keyField }: NewResource, ids: Ids, { newKey, at, name }: Origin): Kept {
  const values = Object.entries(fields).map(([field, described]) => [field, valueFor(field, described)] as const)
  const own = Object.fromEntries(values.filter(([, value]) => value !== undefined))
  return keyField === undefined ? own : { ...own, [keyField]: newKey }

  function valueFor(field: string, described: Field): unknown {
    if (ids[field] !== undefined && described.type === 'string') return ids[field]
    if (isTime(field, described)) {
      if (/^(?:creat|updat|modif|chang|start|add)/i.test(field) || field === 'timestamp') return timeOf(described, at)
      if (described.optional) return undefined
      return described.nullable ? null : timeOf(described, at)
    }
    if (field === 'name' && name !== undefined && described.type === 'string' && !described.values)
      return shortened(name, described)
    if (described.default !== undefined) return described.default
    if (described.optional === true && name === undefined && !isState(field)) return undefined
    if (described.values && isState(field))
      return described.values.find(one => settled.test(one)) ?? described.values[0]
    return exampleOfField(described, field)
  }
}

const shortened = (name: string, field: Field) =>
  name.length > (field.max ?? name.length) || field.pattern ? exampleOfField(field, 'name') : name

const isState = (name: string) => /(?:state|status|phase)$/i.test(name)
/** A state that a client waits for. */
const settled = /^(?:running|ready|active|available|enabled|idle|online|healthy|ok|up|succeeded|completed?|done)$/i

const isTime = (name: string, { type, format }: Field) =>
  format === 'date-time' ||
  (format === undefined && (type === 'number' || type === 'string') && /[a-z](?:At|_at|Time|_time)$/.test(name))
const timeOf = ({ type }: Field, at: number) => (type === 'number' ? at : new Date(at).toISOString())
