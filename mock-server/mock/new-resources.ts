import type { Field, Fields } from '../../fixtures/built-contract/index.ts'
import type { NewResource } from '../../fixtures/built-contract/new-resources.ts'
import { exampleOfField } from '../core/openapi/openapi-examples.ts'
import { type Family, type Handler, type Request, serve } from '../families/family.ts'
import { isRecord } from '../words/check-options.ts'
import { day } from '../words/durations.ts'
import { unknownId } from '../words/refusal.ts'
import { type AnyModel, keyOf, type Model } from '../world/collection.ts'
import { createRandom, seedOf } from '../world/random.ts'
import { pick, recordSchema } from '../world/record.ts'

type Kept = Readonly<Record<string, unknown>>

/** Makes a family of a resource that only a document has: records with a life, seeded from its schema. */
export function makeFamily(resource: NewResource, models: readonly AnyModel[]): Family {
  const { id, parent, keyField, fields } = resource
  const within = models.find(one => one.name === parent)!
  const model: Model<Kept> = {
    name: id,
    within,
    record: recordSchema<Kept>(optionalFields(fields)),
    keyFields: [keyField],
    seed: (place, { identitySeed, start }) =>
      seededNames.map((name, index) => {
        const random = createRandom(seedOf(identitySeed, 'document', id, place, index))
        const at = start - (index + 1) * day
        return make(resource, { [`${parent}Id`]: place }, { newKey: random.uuid(), at, name: `${id} ${name}` })
      }),
  }
  const { find, get, create, replace, remove } = serve(model, record => pick(record, fields), `${id}Id`)
  const handlers: Readonly<Record<NewResource['verbs'][number], Handler>> = {
    list: request => {
      const isWanted = (record: Kept) =>
        [...request.query].every(
          ([name, value]) => !Object.hasOwn(fields, name) || isPosition.test(name) || String(record[name]) === value,
        )
      return {
        kind: 'records',
        records: request
          .list(model)
          .filter(isWanted)
          .map(record => pick(record, fields)),
      }
    },
    create: request => {
      const made = make(resource, request.ids, { newKey: request.world.newUuid(), at: request.now })
      return create(request, { ...made, ...bodyOf(request), [keyField]: keyOf(model, made) })
    },
    get,
    update: request => replace(request, change(request, find(request))),
    replace: request => replace(request, change(request, find(request))),
    delete: request => remove(request, find(request)),
  }
  const change = (request: Request, before: Kept): Kept => ({
    ...before,
    ...bodyOf(request),
    ...('updatedAt' in fields && { updatedAt: new Date(request.now).toISOString() }),
    [keyField]: before[keyField],
  })
  /** The core refuses paths below unknown organizations and services only. */
  const below =
    (handle: Handler): Handler =>
    request => {
      const parentId = request.ids[`${parent}Id`] ?? ''
      if (!request.in<object>(within).get(parentId)) throw unknownId(parent)
      return handle(request)
    }
  const own = resource.verbs.map(verb => [`${id}.${verb}`, below(handlers[verb])] as const)
  return { models: [model], handlers: Object.fromEntries(own) }
}

const seededNames = ['one', 'two']
const isPosition = /^(?:limit|cursor|offset)$/
const bodyOf = ({ body }: Request): Kept => (isRecord(body) ? body : {})

const optionalFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, optional: true }]))

interface Origin {
  readonly newKey: string
  readonly at: number
  readonly name?: string
}

/** A new record by the names and formats of its fields; the ids of the path go into the fields of their names. */
function make({ fields, keyField }: NewResource, ids: Kept, { newKey, at, name }: Origin): Kept {
  const values = Object.entries(fields).map(([field, described]) => [field, valueFor(field, described)] as const)
  return Object.fromEntries([...values.filter(([, value]) => value !== undefined), [keyField, newKey]])

  function valueFor(field: string, described: Field): unknown {
    if (ids[field] !== undefined) return ids[field]
    if (described.format === 'date-time') return new Date(at).toISOString()
    if (field === 'name' && name !== undefined && described.type === 'string' && !described.values) return name
    if (described.default !== undefined) return described.default
    return described.optional === true && name === undefined ? undefined : exampleOfField(described, field)
  }
}
