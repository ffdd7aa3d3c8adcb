import type { OperationId, ResourceId } from '../../fixtures/contract/index.ts'
import type { Fault, Place } from './fault.ts'
import {
  anotherId,
  change,
  changeResult,
  inAnswers,
  isObject,
  pretend,
  resultOf,
  succeeds,
  successOf,
} from './rewrite.ts'

/** Faults in the life cycle of a record. */

type Subject = ResourceId

/** The id that the path ends with, whatever the contract calls it. */
const idAtEnd = ({ params }: Place): string | undefined => Object.values(params).at(-1)

const idOf = (thing: unknown): unknown => (isObject(thing) ? thing.id : undefined)

/** Leaves created records out of the list. */
export const leaveOutCreated = (subject: Subject) => (): Fault => {
  const created = new Set<unknown>()
  return async (call, next, place) => {
    const answer = await next(call)
    if (!succeeds(answer)) return answer
    if (place.operation === `${subject}.create`) created.add(idOf(resultOf(answer)))
    if (place.operation !== `${subject}.list`) return answer
    return change(answer, ({ meta, ...json }) => {
      const key = 'result' in json ? 'result' : 'data'
      const all = json[key]
      if (!Array.isArray(all)) return { ...json, meta }
      const listed = all.filter(thing => !created.has(idOf(thing)))
      // Adjusts the total as well, so that the list stays consistent.
      const total = isObject(meta) ? { ...meta, total: Number(meta.total) - all.length + listed.length } : undefined
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
    if (place.operation === `${subject}.create`) created.add(idOf(resultOf(answer)))
    if (place.operation === `${subject}.update`) created.delete(id)
    if (place.operation !== `${subject}.get` || !id || !created.has(id)) return answer
    return changeResult(answer, thing =>
      isObject(thing) ? { ...thing, id: anotherId(id), name: 'Another one' } : thing,
    )
  }
}

/** Answers a get with the values before the first update. */
export const forgetUpdates = (subject: Subject) => (): Fault => {
  const before = new Map<string, unknown>()
  return async (call, next, place) => {
    const id = idAtEnd(place)
    if (id && place.operation === `${subject}.update`) {
      const got = await next({ ...call, method: 'GET', body: '' })
      const answer = await next(call)
      if (succeeds(answer) && succeeds(got) && !before.has(id)) before.set(id, resultOf(got))
      return answer
    }
    const answer = await next(call)
    const stale = id && place.operation === `${subject}.get` && succeeds(answer) ? before.get(id) : undefined
    return stale === undefined ? answer : changeResult(answer, () => stale)
  }
}

/** Answers a deletion without doing it. */
export const keepDeleted =
  (subject: Subject): (() => Fault) =>
  () =>
  (call, next, place) =>
    place.operation === `${subject}.delete` ? pretend(call, next) : next(call)

/** Removes the names of other created records when one is deleted. */
export const renameSiblings = (subject: Subject) => (): Fault => {
  const created = new Set<unknown>()
  const deletedIn = new Set<Place['form']>()
  const rename = (thing: unknown) =>
    isObject(thing) && created.has(thing.id) ? { ...thing, name: 'Another one' } : thing
  return async (call, next, place) => {
    const answer = await next(call)
    if (!succeeds(answer)) return answer
    if (place.operation === `${subject}.create`) created.add(idOf(resultOf(answer)))
    if (place.operation === `${subject}.delete` && created.has(idAtEnd(place))) deletedIn.add(place.form)
    if (!deletedIn.has(place.form)) return answer
    return place.operation === `${subject}.get` || place.operation === `${subject}.list`
      ? changeResult(answer, result => (Array.isArray(result) ? result.map(rename) : rename(result)))
      : answer
  }
}

/** Shows the name before the update in lists. */
export const listOldNames = (subject: Subject) => (): Fault => {
  const names = new Map<unknown, unknown>()
  return async (call, next, place) => {
    const id = idAtEnd(place)
    if (id && place.operation === `${subject}.update`) {
      const got = resultOf(await next({ ...call, method: 'GET', body: '' }))
      const answer = await next(call)
      if (succeeds(answer) && isObject(got)) names.set(got.id, got.name)
      return answer
    }
    const answer = await next(call)
    if (!succeeds(answer) || place.operation !== `${subject}.list`) return answer
    return changeResult(answer, list =>
      Array.isArray(list)
        ? list.map(thing => (names.has(idOf(thing)) ? { ...thing, name: names.get(idOf(thing)) } : thing))
        : list,
    )
  }
}

/** Answers an update with another id. */
export const changeId = (subject: Subject): (() => Fault) =>
  inAnswers(successOf(`${subject}.update` as OperationId), answer =>
    changeResult(answer, thing => (isObject(thing) ? { ...thing, id: anotherId(thing.id) } : thing)),
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
      ? changeResult(answer, thing => (isObject(thing) ? { ...thing, [field]: value } : thing))
      : answer
  }
}
