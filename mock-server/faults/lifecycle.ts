import type { Contract, Operation, OperationId, ResourceId, RuleId } from '../../fixtures/built-contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import { isRecord } from '../words/check-options.ts'
import type { Fault, FaultContext } from './fault.ts'
import {
  anotherId,
  answerWithoutWriting,
  change,
  changeRecords,
  failOperation,
  inList,
  inRecords,
  type Json,
  resultOf,
  succeeds,
} from './rewrite.ts'

/** Faults in the life cycle of a record. */

/** A successful operation on a resource. */
interface CompletedCall {
  readonly call: Call
  readonly context: FaultContext
  readonly answer: Answer
  /** The last id of the path. */
  readonly id: string | undefined
  /** For an update: the result of a get before it. */
  readonly before: unknown
}

/** Functions by the verb of the operation. The answer stays as it is where a function returns undefined. */
type Steps = Readonly<Record<string, (done: CompletedCall) => Answer | undefined>>

/** Calls a step after each successful operation on a resource; the step may replace the answer. */
export const onSuccess = (resource: ResourceId, begin: () => Steps) => (): Fault => {
  const steps = begin()
  return async (call, next, context) => {
    const [ofOperation, verb = ''] = context.operation?.split('.') ?? []
    if (ofOperation !== resource) return next(call)
    const before = verb === 'update' ? resultOf(await next({ ...call, method: 'GET', body: '' })) : undefined
    const answer = await next(call)
    if (!succeeds(answer)) return answer
    return steps[verb]?.({ call, context, answer, id: Object.values(context.params).at(-1), before }) ?? answer
  }
}

/** A step that only observes. */
const observe = (observer: (done: CompletedCall) => unknown) => (done: CompletedCall) => {
  observer(done)
  return undefined
}

/** The id of a record, or the name of a user-defined function, which has no id. */
const idOf = (record: unknown): unknown => (isRecord(record) ? (record.id ?? record.functionName) : undefined)

/** Keeps the ids of created records. Some answers hold the record next to secrets that are shown once. */
const rememberCreated = (resource: ResourceId, created: Set<unknown>) =>
  observe(({ answer }) => {
    const result = resultOf(answer)
    created.add(idOf(isRecord(result) && isRecord(result[resource]) ? result[resource] : result))
  })

/** Leaves created records out of the list. */
export const leaveOutCreated = (resource: ResourceId) =>
  onSuccess(resource, () => {
    const created = new Set<unknown>()
    return {
      create: rememberCreated(resource, created),
      list: ({ answer }) =>
        change(answer, ({ meta, ...json }) => {
          const key = 'result' in json ? 'result' : 'data'
          const all = json[key]
          if (!Array.isArray(all)) return { ...json, meta }
          const listed = all.filter(record => !created.has(idOf(record)))
          // Adjusts the total as well, so that the list stays consistent.
          const total = isRecord(meta) ? { ...meta, total: Number(meta.total) - all.length + listed.length } : undefined
          const { totalCount } = json
          const counted = typeof totalCount === 'number' && { totalCount: totalCount - all.length + listed.length }
          return { ...json, [key]: listed, ...counted, meta: total }
        }),
    }
  })

/** Answers a get of a created record with wrong values until it is updated. */
const wrongFieldAfterCreation = (resource: ResourceId) =>
  onSuccess(resource, () => {
    const created = new Set<unknown>()
    return {
      create: rememberCreated(resource, created),
      update: observe(({ id }) => created.delete(id)),
      get: ({ answer, id }) =>
        created.has(id)
          ? changeRecords(answer, record => ({
              ...record,
              ...('functionName' in record ? { functionName: 'another' } : { id: anotherId(id), name: 'Another one' }),
            }))
          : undefined,
    }
  })

/** Answers a get with the values before the first update, in the fields that this update sent. */
const forgetUpdates = (resource: ResourceId) =>
  onSuccess(resource, () => {
    const former = new Map<unknown, Json>()
    return {
      update: observe(({ call, id, before }) => {
        if (!isRecord(before) || former.has(id)) return
        const sent = Object.keys(JSON.parse(call.body)).filter(field => field in before)
        former.set(id, Object.fromEntries(sent.map(field => [field, before[field]])))
      }),
      get: ({ answer, id }) =>
        former.has(id) ? changeRecords(answer, record => ({ ...record, ...former.get(id) })) : undefined,
    }
  })

/**
 * Answers a deletion of a created record without doing it. Applies to all records if the resource has no creation, or if
 * the path of the deletion does not end with an id.
 */
const keepDeleted =
  (resource: ResourceId, { operations }: Contract) =>
  (): Fault => {
    const created = new Set<unknown>()
    const creates = onSuccess(resource, () => ({ create: rememberCreated(resource, created) }))()
    const deletion: Operation | undefined = operations[`${resource}.delete` as keyof typeof operations]
    const endsWithId = Object.values(deletion?.paths ?? {}).every(path => path.endsWith('}'))
    const appliesToAll = !(`${resource}.create` in operations) || !endsWithId
    return (call, next, context) => {
      if (context.operation !== `${resource}.delete`) return creates(call, next, context)
      return appliesToAll || created.has(Object.values(context.params).at(-1))
        ? answerWithoutWriting(call, next)
        : next(call)
    }
  }

/** A changed field of a record: its e-mail address or return type if it has one, else its name or description. */
const anotherName = (record: object): object => {
  if ('email' in record) return { email: 'another@example.com' }
  if ('functionName' in record) return { returnType: 'String' }
  return { ['name' in record ? 'name' : 'description']: 'Another one' }
}

/** Changes the names of the other created records when one is deleted. */
const renameSiblings = (resource: ResourceId) =>
  onSuccess(resource, () => {
    const created = new Set<unknown>()
    const formsWithDeletion = new Set<FaultContext['form']>()
    const rename = ({ answer, context }: CompletedCall) =>
      formsWithDeletion.has(context.form)
        ? changeRecords(answer, record => (created.has(idOf(record)) ? { ...record, ...anotherName(record) } : record))
        : undefined
    return {
      create: rememberCreated(resource, created),
      delete: observe(({ id, context }) => created.has(id) && formsWithDeletion.add(context.form)),
      get: rename,
      list: rename,
    }
  })

/** Lists a record with the name that it had before its last update; with all its former fields if it has no name. */
const listOldNames = (resource: ResourceId) =>
  onSuccess(resource, () => {
    const names = new Map<unknown, object>()
    return {
      update: observe(({ before }) => {
        if (isRecord(before)) names.set(before.id, 'name' in before ? { name: before.name } : before)
      }),
      list: ({ answer }) => changeRecords(answer, record => ({ ...record, ...names.get(record.id) })),
    }
  })

/** Answers an update with another id. */
const changeId = (resource: ResourceId) =>
  inRecords(`${resource}.update` as OperationId, record => ({ ...record, id: anotherId(record.id) }))

/** Answers gets with a wrong value of a field after an update, or after another operation (`verb`) on the record. */
export const wrongFieldAfterUpdate = (resource: ResourceId, field: string, value: unknown, verb = 'update') =>
  onSuccess(resource, () => {
    const updated = new Set<unknown>()
    return {
      [verb]: observe(({ id }) => updated.add(id)),
      get: ({ answer, id }) =>
        updated.has(id) ? changeRecords(answer, record => ({ ...record, [field]: value })) : undefined,
    }
  })

/** Shows letters beyond ASCII as question marks. Only bodies with every field of the contract have such letters. */
const loseLetters = (resource: ResourceId) =>
  inRecords([`${resource}.get`, `${resource}.list`] as OperationId[], record =>
    JSON.parse(JSON.stringify(record).replace(/[^ -~]/g, '?')),
  )

/** The fault for each rule of a life cycle, by the second half of the rule's id. */
const faultsByClaim = {
  'created-is-listed': leaveOutCreated,
  'created-is-got': wrongFieldAfterCreation,
  'updated-is-got': forgetUpdates,
  'list-agrees-with-get': listOldNames,
  'siblings-are-untouched': renameSiblings,
  'id-never-changes': changeId,
  'deleted-is-gone': keepDeleted,
  'whole-is-kept': loseLetters,
  'absent-is-not-found': keepDeleted,
  'newest-comes-first': resource => inList(`${resource}.list` as OperationId, list => list.toReversed()),
} as const satisfies Record<string, (resource: ResourceId, contract: Contract) => () => Fault>

type Answers<Id> = Id extends `${infer Resource}.${infer Verb}` ? `${Resource}/${Verb}-answers` : never
export type DerivedFaults = Readonly<
  Record<Extract<RuleId, `${ResourceId}/${keyof typeof faultsByClaim}` | Answers<OperationId>>, () => Fault>
>

/** The faults that follow from the ids of their rules: those of a life cycle, and those of `…-answers`. */
export const deriveFaults = (contract: Contract) =>
  Object.fromEntries(
    Object.keys(contract.rules).flatMap(rule => {
      const [resource, claim] = rule.split('/') as [ResourceId, keyof typeof faultsByClaim]
      const operation = `${resource}.${claim.replace(/-answers$/, '')}`
      if (operation in contract.operations) return [[rule, failOperation(operation as OperationId)]]
      return claim in faultsByClaim ? [[rule, faultsByClaim[claim](resource, contract)]] : []
    }),
  ) as DerivedFaults
