import { type OperationId, type ResourceId, type RuleId, rules } from '../../fixtures/contract/index.ts'
import type { Answer } from '../words/call.ts'
import { isRecord } from '../words/check-options.ts'
import type { Fault, Place } from './fault.ts'
import {
  anotherId,
  change,
  changeResult,
  failing,
  inAnswers,
  type Json,
  pretend,
  resultOf,
  succeeds,
  successOf,
} from './rewrite.ts'

/** Faults in the life cycle of a record. */

type Subject = ResourceId

/** The id that the path ends with, whatever the contract calls it. */
const idAtEnd = ({ params }: Place): string | undefined => Object.values(params).at(-1)

const idOf = (thing: unknown): unknown => (isRecord(thing) ? thing.id : undefined)

/** The id in the answer to a creation, which may show the record beside what is shown this once. */
function createdIdIn(answer: Answer, subject: Subject): unknown {
  const result = resultOf(answer)
  return idOf(isRecord(result) && isRecord(result[subject]) ? result[subject] : result)
}

/** Leaves created records out of the list. */
export const leaveOutCreated = (subject: Subject) => (): Fault => {
  const created = new Set<unknown>()
  return async (call, next, place) => {
    const answer = await next(call)
    if (!succeeds(answer)) return answer
    if (place.operation === `${subject}.create`) created.add(createdIdIn(answer, subject))
    if (place.operation !== `${subject}.list`) return answer
    return change(answer, ({ meta, ...json }) => {
      const key = 'result' in json ? 'result' : 'data'
      const all = json[key]
      if (!Array.isArray(all)) return { ...json, meta }
      const listed = all.filter(thing => !created.has(idOf(thing)))
      // Adjusts the total as well, so that the list stays consistent.
      const total = isRecord(meta) ? { ...meta, total: Number(meta.total) - all.length + listed.length } : undefined
      return { ...json, [key]: listed, meta: total }
    })
  }
}

/** Answers a get of a created record with wrong values until it is updated. */
export const mistakeCreated = (subject: Subject) => (): Fault => {
  const created = new Set<unknown>()
  return async (call, next, place) => {
    const answer = await next(call)
    const id = idAtEnd(place)
    if (!succeeds(answer)) return answer
    if (place.operation === `${subject}.create`) created.add(createdIdIn(answer, subject))
    if (place.operation === `${subject}.update`) created.delete(id)
    if (place.operation !== `${subject}.get` || !id || !created.has(id)) return answer
    return changeResult(answer, thing =>
      isRecord(thing) ? { ...thing, id: anotherId(id), name: 'Another one' } : thing,
    )
  }
}

/** Answers a get with the values before the first update, in the fields that it sent. */
export const forgetUpdates = (subject: Subject) => (): Fault => {
  const before = new Map<string, Json>()
  return async (call, next, place) => {
    const id = idAtEnd(place)
    if (id && place.operation === `${subject}.update`) {
      const got = await next({ ...call, method: 'GET', body: '' })
      const answer = await next(call)
      const old = resultOf(got)
      if (succeeds(answer) && succeeds(got) && isRecord(old) && !before.has(id)) {
        const sent = Object.keys(JSON.parse(call.body)).filter(field => field in old)
        before.set(id, Object.fromEntries(sent.map(field => [field, old[field]])))
      }
      return answer
    }
    const answer = await next(call)
    const stale = id && place.operation === `${subject}.get` && succeeds(answer) ? before.get(id) : undefined
    return stale ? changeResult(answer, thing => (isRecord(thing) ? { ...thing, ...stale } : thing)) : answer
  }
}

/** Answers a deletion without doing it. */
export const keepDeleted =
  (subject: Subject): (() => Fault) =>
  () =>
  (call, next, place) =>
    place.operation === `${subject}.delete` ? pretend(call, next) : next(call)

/** By what a thing is named: an address, a name, or else a description. */
const anotherName = (thing: object): object => {
  if ('email' in thing) return { email: 'another@example.com' }
  return { ['name' in thing ? 'name' : 'description']: 'Another one' }
}

/** Removes the names of other created records when one is deleted. */
export const renameSiblings = (subject: Subject) => (): Fault => {
  const created = new Set<unknown>()
  const deletedIn = new Set<Place['form']>()
  const rename = (thing: unknown) =>
    isRecord(thing) && created.has(thing.id) ? { ...thing, ...anotherName(thing) } : thing
  return async (call, next, place) => {
    const answer = await next(call)
    if (!succeeds(answer)) return answer
    if (place.operation === `${subject}.create`) created.add(createdIdIn(answer, subject))
    if (place.operation === `${subject}.delete` && created.has(idAtEnd(place))) deletedIn.add(place.form)
    if (!deletedIn.has(place.form)) return answer
    return place.operation === `${subject}.get` || place.operation === `${subject}.list`
      ? changeResult(answer, result => (Array.isArray(result) ? result.map(rename) : rename(result)))
      : answer
  }
}

/** Shows the name before the update in lists. */
export const listOldNames = (subject: Subject) => (): Fault => {
  const names = new Map<unknown, object>()
  return async (call, next, place) => {
    const id = idAtEnd(place)
    if (id && place.operation === `${subject}.update`) {
      const got = resultOf(await next({ ...call, method: 'GET', body: '' }))
      const answer = await next(call)
      if (succeeds(answer) && isRecord(got)) names.set(got.id, 'name' in got ? { name: got.name } : got)
      return answer
    }
    const answer = await next(call)
    if (!succeeds(answer) || place.operation !== `${subject}.list`) return answer
    return changeResult(answer, list =>
      Array.isArray(list) ? list.map(thing => ({ ...thing, ...names.get(idOf(thing)) })) : list,
    )
  }
}

/** Answers an update with another id. */
export const changeId = (subject: Subject): (() => Fault) =>
  inAnswers(successOf(`${subject}.update` as OperationId), answer =>
    changeResult(answer, thing => (isRecord(thing) ? { ...thing, id: anotherId(thing.id) } : thing)),
  )

/** Changes a field that no request sent, after an update. */
export const resetUnsent = (subject: Subject, field: string, value: unknown) => (): Fault => {
  const updated = new Set<string>()
  return async (call, next, place) => {
    const answer = await next(call)
    const id = idAtEnd(place)
    if (!id || !succeeds(answer)) return answer
    if (place.operation === `${subject}.update`) updated.add(id)
    return place.operation === `${subject}.get` && updated.has(id)
      ? changeResult(answer, thing => (isRecord(thing) ? { ...thing, [field]: value } : thing))
      : answer
  }
}

/** What breaks each rule of a life alone. `unsent` is a field that updates do not send, with another value than records have. */
const ofLife = {
  'list-answers': subject => failing(`${subject}.list` as OperationId),
  'get-answers': subject => failing(`${subject}.get` as OperationId),
  'create-answers': subject => failing(`${subject}.create` as OperationId),
  'update-answers': subject => failing(`${subject}.update` as OperationId),
  'delete-answers': subject => failing(`${subject}.delete` as OperationId),
  'created-is-listed': leaveOutCreated,
  'created-is-got': mistakeCreated,
  'updated-is-got': forgetUpdates,
  'unsent-stays': (subject, [field, value]) => resetUnsent(subject, field, value),
  'list-agrees-with-get': listOldNames,
  'siblings-are-untouched': renameSiblings,
  'deleted-is-gone': keepDeleted,
} as const satisfies Record<string, (subject: Subject, unsent: readonly [string, unknown]) => () => Fault>

/** The faults of a resource's life, for those rules that its contract has. */
export const lifeFaults = <S extends Subject>(subject: S, unsent: readonly [field: string, value: unknown] = ['', 0]) =>
  Object.fromEntries(
    Object.entries(ofLife).flatMap(([claim, make]) => {
      const rule = `${subject}/${claim}`
      return rule in rules ? [[rule, make(subject, unsent)]] : []
    }),
  ) as Readonly<Record<`${S}/${keyof typeof ofLife}` & RuleId, () => Fault>>
