import { type Check, type Evidence, held, noAnswer, notApplicable, type Verdict } from '../../engine/check.ts'
import { isDocumented } from '../../engine/contract.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { findObject, idOf, sameId } from '../../engine/recognise.ts'
import {
  findLostField,
  findMismatch,
  isVolatile,
  type MayDiffer,
  mayNormalise,
  pick,
  sentIn,
  valueAt,
} from '../fields.ts'
import { brokenBy, heldUnless } from '../steps.ts'
import {
  findUnderOtherId,
  isGone,
  isSameObject,
  isSingleton,
  objectIn,
  readUpdate,
  stepsAroundUpdate,
  type Update,
} from './common.ts'

const judgeUpdate = (resource: string, judge: (update: Update, evidence: Evidence) => Verdict): Check => ({
  reads: stepsAroundUpdate(resource),
  judge: evidence => {
    const update = readUpdate(evidence, resource)
    return 'outcome' in update ? update : judge(update, evidence)
  },
})

export const updatedIsGot = (resource: string): Check =>
  judgeUpdate(resource, ({ updated, id, got, object, before }, evidence) => {
    if (got && isGone(got) && before && isSameObject(before, id, resource))
      return findUnderOtherId(evidence, resource, updated, id)
        ? notApplicable('the update changed its id')
        : brokenBy({ path: '$', expected: 'the updated object', got: got.response.status }, got, updated)
    if (!got || !object) return noAnswer(evidence, `${evidence.form}:${resource}.get-after-update`)
    const sent = sentIn(updated)
    if (Object.keys(object).length === 0)
      return brokenBy({ path: '$', expected: 'the updated object', got: object }, got, updated)
    const mayDiffer = mayNormalise(resource)
    const finding = findMismatch(sent, object, '$', mayDiffer) ?? findLostField(resource, sent, object)
    // Answers of documented operations are judged by `answer/effects-are-shown`.
    const answered = isDocumented(updated.operation!) ? undefined : objectIn(updated, resource)
    if (finding || !answered || !before) return heldUnless(finding, ' of the update', got, updated)
    // The answer to an update may show the state before it or after it.
    const isFormer: MayDiffer = (_, value, keys) => findMismatch(valueAt(before, keys), value, '$') === undefined
    const difference = findMismatch(sent, answered, '$', (...values) => mayDiffer(...values) || isFormer(...values))
    return heldUnless(difference, ', as it was sent', updated)
  })

export const idNeverChanges = (resource: string): Check =>
  judgeUpdate(resource, ({ updated, id, got }, evidence) => {
    if (id === undefined) return notApplicable('no id of the created object is known')
    const expected = `the id "${id}" of the updated object`
    const answered = idOf(findObject(updated.json, resource), resource)
    if (answered !== undefined && !sameId(answered, id))
      return brokenBy({ path: '$.id', expected, got: answered }, updated)
    const isGot = got !== undefined && isSuccess(got)
    const moved = got && !isGot && findUnderOtherId(evidence, resource, updated, id)
    if (moved) return brokenBy({ path: '$', expected, got: moved.shown }, moved.listed, updated)
    return answered !== undefined || isGot ? held([updated]) : notApplicable('no answer shows the id')
  })

export const unsentStays = (resource: string): Check =>
  judgeUpdate(resource, ({ updated, created, id, got, object, before }, evidence) => {
    if (!got || !object || !before || !isSameObject(before, id, resource) || !isSameObject(object, id, resource))
      return noAnswer(evidence, `${evidence.form}:${resource}.get`, `${evidence.form}:${resource}.get-after-update`)
    // A replacement may reset fields that it leaves out, but not those that no request ever sent.
    const isReplaced = updated.request.method !== 'PATCH'
    const sent = { ...sentIn(updated), ...(isReplaced && sentIn(created)) }
    const isStable = (name: string) =>
      isSingleton(resource) ||
      name in sentIn(created) ||
      !(isVolatile(name, before[name]) || isVolatile(name, object[name]))
    const names = Object.keys(before).filter(
      name => !(name in sent) && !sameId(String(before[name]), id ?? '') && isStable(name),
    )
    if (names.length === 0) return notApplicable('all fields of the answer were sent, or may change by themselves')
    return heldUnless(
      findMismatch(pick(before, names), pick(object, names), '$'),
      ', as before the update',
      got,
      updated,
    )
  })
