import {
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  type RuleId,
  rules,
} from '../../fixtures/contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import { isRecord } from '../words/check-options.ts'
import type { Fault, FaultContext } from './fault.ts'
import {
  anotherId,
  change,
  changeRecords,
  failOperation,
  inList,
  inRecords,
  type Json,
  pretend,
  resultOf,
  succeeds,
} from './rewrite.ts'

/** Faults in the life cycle of a record. */

/** A successful operation on a resource. */
interface Done {
  readonly call: Call
  readonly context: FaultContext
  readonly answer: Answer
  /** The id that the path ends with, whatever the contract calls it. */
  readonly id: string | undefined
  /** What a get answered before an update. */
  readonly before: unknown
}

/** By the verb of the operation. A step that returns nothing leaves the answer as it is. */
type Steps = Readonly<Record<string, (done: Done) => Answer | undefined>>

/** Observes the operations on a resource, and changes their answers. */
export const following = (subject: ResourceId, begin: () => Steps) => (): Fault => {
  const steps = begin()
  return async (call, next, context) => {
    const [resource, verb = ''] = context.operation?.split('.') ?? []
    if (resource !== subject) return next(call)
    const before = verb === 'update' ? resultOf(await next({ ...call, method: 'GET', body: '' })) : undefined
    const answer = await next(call)
    if (!succeeds(answer)) return answer
    return steps[verb]?.({ call, context, answer, id: Object.values(context.params).at(-1), before }) ?? answer
  }
}

/** A step that only observes. */
const noting = (note: (done: Done) => unknown) => (done: Done) => {
  note(done)
  return undefined
}

/** The id of a record; a user-defined function has its name instead. */
const idOf = (thing: unknown): unknown => (isRecord(thing) ? (thing.id ?? thing.functionName) : undefined)

/** Keeps the ids of created records. The answer may hold the record beside secrets that are shown once. */
const noteCreated = (subject: ResourceId, created: Set<unknown>) =>
  noting(({ answer }) => {
    const result = resultOf(answer)
    created.add(idOf(isRecord(result) && isRecord(result[subject]) ? result[subject] : result))
  })

/** Leaves created records out of the list. */
export const leaveOutCreated = (subject: ResourceId) =>
  following(subject, () => {
    const created = new Set<unknown>()
    return {
      create: noteCreated(subject, created),
      list: ({ answer }) =>
        change(answer, ({ meta, ...json }) => {
          const key = 'result' in json ? 'result' : 'data'
          const all = json[key]
          if (!Array.isArray(all)) return { ...json, meta }
          const listed = all.filter(thing => !created.has(idOf(thing)))
          // Adjusts the total as well, so that the list stays consistent.
          const total = isRecord(meta) ? { ...meta, total: Number(meta.total) - all.length + listed.length } : undefined
          const { totalCount } = json
          const counted = typeof totalCount === 'number' && { totalCount: totalCount - all.length + listed.length }
          return { ...json, [key]: listed, ...counted, meta: total }
        }),
    }
  })

/** Answers a get of a created record with wrong values until it is updated. */
const wrongFieldAfterCreation = (subject: ResourceId) =>
  following(subject, () => {
    const created = new Set<unknown>()
    return {
      create: noteCreated(subject, created),
      update: noting(({ id }) => created.delete(id)),
      get: ({ answer, id }) =>
        created.has(id)
          ? changeRecords(answer, thing => ({
              ...thing,
              ...('functionName' in thing ? { functionName: 'another' } : { id: anotherId(id), name: 'Another one' }),
            }))
          : undefined,
    }
  })

/** Answers a get with the values before the first update, in the fields that it sent. */
const forgetUpdates = (subject: ResourceId) =>
  following(subject, () => {
    const former = new Map<unknown, Json>()
    return {
      update: noting(({ call, id, before }) => {
        if (!isRecord(before) || former.has(id)) return
        const sent = Object.keys(JSON.parse(call.body)).filter(field => field in before)
        former.set(id, Object.fromEntries(sent.map(field => [field, before[field]])))
      }),
      get: ({ answer, id }) =>
        former.has(id) ? changeRecords(answer, thing => ({ ...thing, ...former.get(id) })) : undefined,
    }
  })

/** Answers a deletion of a created record without doing it; of any record, where none can be created or the path names none. */
const keepDeleted = (subject: ResourceId) => (): Fault => {
  const created = new Set<unknown>()
  const creates = following(subject, () => ({ create: noteCreated(subject, created) }))()
  const deletion: Operation | undefined = operations[`${subject}.delete` as keyof typeof operations]
  const namesOne = Object.values(deletion?.paths ?? {}).every(path => path.endsWith('}'))
  const isAny = !(`${subject}.create` in operations) || !namesOne
  return (call, next, context) => {
    if (context.operation !== `${subject}.delete`) return creates(call, next, context)
    return isAny || created.has(Object.values(context.params).at(-1)) ? pretend(call, next) : next(call)
  }
}

/** Another name for a record, in the field that names it. */
const anotherName = (thing: object): object => {
  if ('email' in thing) return { email: 'another@example.com' }
  if ('functionName' in thing) return { returnType: 'String' }
  return { ['name' in thing ? 'name' : 'description']: 'Another one' }
}

/** Removes the names of other created records when one is deleted. */
const renameSiblings = (subject: ResourceId) =>
  following(subject, () => {
    const created = new Set<unknown>()
    const deletedIn = new Set<FaultContext['form']>()
    const rename = ({ answer, context }: Done) =>
      deletedIn.has(context.form)
        ? changeRecords(answer, thing => (created.has(idOf(thing)) ? { ...thing, ...anotherName(thing) } : thing))
        : undefined
    return {
      create: noteCreated(subject, created),
      delete: noting(({ id, context }) => created.has(id) && deletedIn.add(context.form)),
      get: rename,
      list: rename,
    }
  })

/** Shows the name before the update in lists. */
const listOldNames = (subject: ResourceId) =>
  following(subject, () => {
    const names = new Map<unknown, object>()
    return {
      update: noting(({ before }) => {
        if (isRecord(before)) names.set(before.id, 'name' in before ? { name: before.name } : before)
      }),
      list: ({ answer }) => changeRecords(answer, thing => ({ ...thing, ...names.get(thing.id) })),
    }
  })

/** Answers an update with another id. */
const changeId = (subject: ResourceId) =>
  inRecords(`${subject}.update` as OperationId, thing => ({ ...thing, id: anotherId(thing.id) }))

/** Answers another value of a field after an update, or another operation that changes a record. */
export const wrongFieldAfterUpdate = (subject: ResourceId, field: string, value: unknown, verb = 'update') =>
  following(subject, () => {
    const updated = new Set<unknown>()
    return {
      [verb]: noting(({ id }) => updated.add(id)),
      get: ({ answer, id }) =>
        updated.has(id) ? changeRecords(answer, thing => ({ ...thing, [field]: value })) : undefined,
    }
  })

/** The fault for each rule of a life cycle, by the second half of its id. */
const ofLife = {
  'created-is-listed': leaveOutCreated,
  'created-is-got': wrongFieldAfterCreation,
  'updated-is-got': forgetUpdates,
  'list-agrees-with-get': listOldNames,
  'siblings-are-untouched': renameSiblings,
  'id-never-changes': changeId,
  'deleted-is-gone': keepDeleted,
  'absent-is-not-found': keepDeleted,
  'newest-comes-first': subject => inList(`${subject}.list` as OperationId, list => list.toReversed()),
} as const satisfies Record<string, (subject: ResourceId) => () => Fault>

type Answers<Id> = Id extends `${infer Resource}.${infer Verb}` ? `${Resource}/${Verb}-answers` : never
type ByName = Extract<RuleId, `${ResourceId}/${keyof typeof ofLife}` | Answers<OperationId>>

/** The faults that follow from the ids of their rules: those of life cycles, and those of operations that answer. */
export const faults = Object.fromEntries(
  Object.keys(rules).flatMap(rule => {
    const [subject, claim] = rule.split('/') as [ResourceId, keyof typeof ofLife]
    const operation = `${subject}.${claim.replace(/-answers$/, '')}`
    if (operation in operations) return [[rule, failOperation(operation as OperationId)]]
    return claim in ofLife ? [[rule, ofLife[claim](subject)]] : []
  }),
) as Readonly<Record<ByName, () => Fault>>
