import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { listedSavedQuery, savedQuery } from '../../../fixtures/contract/service/saved-query.ts'
import type { Faults } from '../../faults/fault.ts'
import { succeeds } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'
import { conflict } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import { type Handlers, type Request, serve } from '../family.ts'
import { services } from './model.ts'

type SavedQuery = ValuesOf<typeof savedQuery.fields, 'record'> & {
  /** Whether a user saved it in the console; never part of an answer. */
  readonly isOfUser?: boolean
}

const sample = {
  name: 'Slow requests',
  sql: 'SELECT * FROM requests WHERE ms > {ms:UInt32}',
  database: 'default',
} as const

export const savedQueries: Model<SavedQuery, 'savedQuery'> = {
  name: 'savedQuery',
  within: services,
  record: recordSchema(savedQuery.fields, { isOfUser: z.boolean().optional() }),
  *seed(serviceId, { seed, isNew }) {
    if (isNew) return
    const id = createRandom(seedOf(seed, 'saved queries', serviceId)).uuid()
    yield { ...sample, id, parameters: { ms: '500' }, isOfUser: true }
  },
  defaults: (_place, _at, world) => ({ ...sample, id: world.newUuid(), parameters: {} }),
}

export const models = [savedQueries]

const { find, get, create, replace, remove } = serve(savedQueries, savedQuery.fields)

function findOwn(request: Request): SavedQuery {
  const query = find(request)
  if (query.isOfUser) throw conflict('The query belongs to a user and can not be managed via this API')
  return query
}

function refuseDuplicate(request: Request, name: string, id?: string): void {
  const all = request.list(savedQueries)
  if (all.some(one => one.name === name && one.id !== id)) throw conflict(`There is a saved query ${name} already`)
}

export const handlers = {
  'savedQuery.list': serve(savedQueries, listedSavedQuery.fields).list,
  'savedQuery.create': request => {
    refuseDuplicate(request, request.body.name)
    return create(request, { id: request.world.newUuid(), parameters: {}, ...request.body })
  },
  'savedQuery.get': get,
  'savedQuery.update': request => {
    const { id } = findOwn(request)
    refuseDuplicate(request, request.body.name, id)
    return replace(request, { id, parameters: {}, ...request.body })
  },
  'savedQuery.delete': request => remove(request, findOwn(request)),
} as const satisfies Handlers

export const faults = {
  // Saves the query under another name, and answers with the name that was sent.
  'savedQuery/name-is-unique': () => async (call, next, context) => {
    const answer = await next(call)
    if (context.operation !== 'savedQuery.create' || succeeds(answer) || answer.status !== 409) return answer
    const body: unknown = JSON.parse(call.body)
    const name = isRecord(body) ? String(body.name) : ''
    const saved = await next({ ...call, body: JSON.stringify({ ...(body as object), name: `${name} again` }) })
    return { ...saved, body: saved.body.replace(`${name} again`, name) }
  },
} as const satisfies Faults
