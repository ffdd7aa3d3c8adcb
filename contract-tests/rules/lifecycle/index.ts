import {
  type GapId,
  gaps,
  type OperationId,
  operations,
  type RuleId,
  rules,
} from '../../../fixtures/built-contract/index.ts'
import {
  type Check,
  type Evidence,
  held,
  noAnswer,
  notJudged,
  notReadToEnd,
  type Verdict,
  whyLost,
} from '../../engine/check.ts'
import { isDocumented } from '../../engine/contract.ts'
import { hasLife } from '../../engine/creatable-resources.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { because } from '../../engine/reasons.ts'
import { findObject, firstObjectIn, idOf, type JsonObject, payloadOf, sameId, valueAt } from '../../engine/recognise.ts'
import { updateOf, updatesOf } from '../../visits/life.ts'
import { setterOf } from '../../visits/singleton.ts'
import { answersAsDocumented } from '../documented.ts'
import { findLostField, findMismatch, isVolatile, type MayDiffer, mayNormalise, pick } from '../fields.ts'
import {
  adjustVerdict,
  answersTo,
  anySucceeds,
  anySucceedsUnlessBodyIsRefused,
  brokenBy,
  checkOf,
  describeAnswer,
  each,
  heldUnless,
  judgeTogether,
  observe,
  observeRefusal,
  stepsOfForm,
} from '../steps.ts'
import {
  createdId,
  creationSteps,
  hasId,
  isGone,
  isRequestFor,
  isSingleton,
  itemIn,
  objectIn,
  stepsAroundUpdate,
} from './common.ts'
import { listAgreesWithGet, orderOfList, siblingsAreUntouched } from './listed.ts'
import { wholeIsKept } from './whole.ts'

/** The checks that follow from the contract. A section or a family may replace one. */

const isEmpty = (value: unknown) => value == null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The update of the run's object with its creation and the gets before and after it; a verdict if no update can be judged. */
function readUpdate(evidence: Evidence, resource: string) {
  const names = stepsOfForm(updatesOf(resource))(evidence.form)
  const updated = evidence.exchangesOf(...names).find(isSuccess)
  const [got, created, gotBefore] = answersTo(
    ['get-after-update', 'create-main', 'get'].map(name => `${resource}.${name}`),
    evidence,
  )
  if (!updated) return noAnswer(evidence, ...names)
  const id = createdId(created, resource)
  if (id !== undefined && !isRequestFor(updated, id))
    return notJudged('the created object could not be distinguished from others')
  const before = objectIn(gotBefore, resource) ?? objectIn(created, resource)
  return { updated, created, id, got, object: objectIn(got, resource), before }
}

type Update = Exclude<ReturnType<typeof readUpdate>, Verdict>

/** The item of the list that has the name of the update, but another id. */
function findUnderOtherId(evidence: Evidence, resource: string, updated: Exchange, id: string | undefined) {
  const [listed] = answersTo([`${resource}.list-after-update`], evidence)
  const { name } = sentIn(updated)
  const item = listIn(listed, resource)?.find(one => typeof name === 'string' && one.name === name)
  const shownId = idOf(item, resource)
  return listed && id !== undefined && shownId !== undefined && !sameId(shownId, id) ? { shownId, listed } : undefined
}

/** True if the object has the id, or has none because it is a singleton. */
const isSameObject = (object: JsonObject, id: string | undefined, resource: string) =>
  isSingleton(resource) || hasId(object, resource, id)

const judgeUpdate = (resource: string, judge: (update: Update, evidence: Evidence) => Verdict) =>
  checkOf(stepsAroundUpdate(resource), (_, evidence) => {
    const update = readUpdate(evidence, resource)
    return 'outcome' in update ? update : judge(update, evidence)
  })

const hasProbeSucceeded = ({ exchanges }: Evidence, operation: string) =>
  exchanges.some(one => one.isProbe && one.operation === operation && isSuccess(one))

const stepsAroundDeletion = (resource: string) =>
  ['delete', 'get-after-delete', 'list-after-delete', ...(updateOf(resource) ? ['update-after-delete'] : [])].map(
    name => `${resource}.${name}`,
  )

/** Observes the refusal of an operation on a deleted object; not applicable if the deletion did not succeed. */
const observeAfterDeletion = (resource: string, operation: 'get' | 'update' | 'delete'): Check => {
  const [deletion, after] = [`${resource}.delete`, `${resource}.${operation}-after-delete`]
  const { judge } = observeRefusal(after)
  return judgeTogether([deletion, after], ([deleted], evidence) =>
    isSuccess(deleted) ? judge(evidence) : noAnswer(evidence, `${evidence.form}:${deletion}`),
  )
}

/** Makes the check of a rule or gap, by the second half of its id. */
const checksByClaim = {
  'created-is-listed': resource =>
    judgeTogether([...creationSteps(resource), `${resource}.list`], exchanges => {
      const listed = exchanges.at(-1)
      const created = exchanges.slice(0, -1).flatMap(exchange => {
        const id = createdId(exchange, resource)
        return exchange && id !== undefined ? [{ exchange, id }] : []
      })
      if (!listed || created.length === 0) return undefined
      const list = listIn(listed, resource) ?? []
      if (!list.some(item => idOf(item, resource)) && !(list.length === 0 && isReadToEnd(listed, resource)))
        return notJudged('the list could not be recognised')
      const missing = created.find(({ id }) => !itemIn(listed, resource, id))
      if (!missing) return held([listed])
      if (!isReadToEnd(listed, resource)) return notReadToEnd(listed)
      const expected = `the ${resource} ${missing.id} that was created`
      return brokenBy({ path: '$', expected, got: `a list of ${list.length} without it` }, listed, missing.exchange)
    }),
  'created-is-got': resource =>
    judgeTogether([`${resource}.create-main`, `${resource}.get`], ([created, got]) => {
      const id = createdId(created, resource)
      const object = objectIn(got, resource)
      if (!created || !got || !id) return undefined
      const isMissing = isGone(got) || (!object && isSuccess(got) && isEmpty(payloadOf(got.json)))
      if (isMissing && isRequestFor(got, id)) {
        const shown = isGone(got) ? got.response.status : got.json
        return brokenBy({ path: '$', expected: `the ${resource} ${id} that was created`, got: shown }, got, created)
      }
      if (!object) return undefined
      if (!isRequestFor(got, id))
        return notJudged(
          because('the created object could not be distinguished from others, so another {resource} was got', {
            resource,
          }),
        )
      const expected = `the id "${id}" of the created object`
      if (!hasId(object, resource, id))
        return brokenBy({ path: '$.id', expected, got: idOf(object, resource) }, got, created)
      // The answer to the creation must show what was sent, too.
      const answered = findObject(created.json, resource)
      const sent = sentIn(created)
      const mayDiffer = mayNormalise(resource)
      const finding = findMismatch(sent, object, '$', mayDiffer) ?? findLostField(resource, sent, object)
      if (finding || !answered) return heldUnless(finding, [got, created], ', as it was sent')
      return heldUnless(findMismatch(sent, answered, '$', mayDiffer), [created], ', as it was sent')
    }),
  'set-is-got': resource =>
    judgeTogether([setterOf(resource), `${resource}.get`], ([set, got]) =>
      isSuccess(set) && isSuccess(got)
        ? heldUnless(findMismatch(sentIn(set), payloadOf(got.json), '$'), [got], ', as it was set')
        : undefined,
    ),
  'updated-is-got': resource =>
    judgeUpdate(resource, ({ updated, id, got, object, before }, evidence) => {
      if (got && isGone(got) && before && isSameObject(before, id, resource))
        return findUnderOtherId(evidence, resource, updated, id)
          ? notJudged('the update changed its id')
          : brokenBy({ path: '$', expected: 'the updated object', got: got.response.status }, got, updated)
      if (!got || !object) return noAnswer(evidence, `${evidence.form}:${resource}.get-after-update`)
      const sent = sentIn(updated)
      if (Object.keys(object).length === 0)
        return brokenBy({ path: '$', expected: 'the updated object', got: object }, got, updated)
      const mayDiffer = mayNormalise(resource)
      const finding = findMismatch(sent, object, '$', mayDiffer) ?? findLostField(resource, sent, object)
      // `answer/effects-are-shown` judges the answers of documented operations.
      const answered = isDocumented(updated.operation!) ? undefined : objectIn(updated, resource)
      if (finding || !answered || !before) return heldUnless(finding, [got, updated], ' of the update')
      // The answer to an update may show the state before it or after it.
      const wasBefore: MayDiffer = (_, value, keys) => findMismatch(valueAt(before, keys), value, '$') === undefined
      const difference = findMismatch(sent, answered, '$', (...values) => mayDiffer(...values) || wasBefore(...values))
      return heldUnless(difference, [updated], ', as it was sent')
    }),
  'id-never-changes': resource =>
    judgeUpdate(resource, ({ updated, id, got }, evidence) => {
      if (id === undefined) return notJudged('no id of the created object is known')
      const expected = `the id "${id}" of the updated object`
      const answered = idOf(findObject(updated.json, resource), resource)
      if (answered !== undefined && !sameId(answered, id))
        return brokenBy({ path: '$.id', expected, got: answered }, updated)
      const isGot = got !== undefined && isSuccess(got)
      const moved = got && !isGot && findUnderOtherId(evidence, resource, updated, id)
      if (moved) return brokenBy({ path: '$', expected, got: moved.shownId }, moved.listed, updated)
      return answered !== undefined || isGot ? held([updated]) : notJudged('no answer shows the id')
    }),
  'unsent-stays': resource =>
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
      if (names.length === 0) return notJudged('all fields of the answer were sent, or may change by themselves')
      const finding = findMismatch(pick(before, names), pick(object, names), '$')
      return heldUnless(finding, [got, updated], ', as before the update')
    }),
  'deleted-is-gone': resource =>
    judgeTogether(stepsAroundDeletion(resource), ([deletion, got, listed, updated], evidence) => {
      const [created] = answersTo([`${resource}.create-main`], evidence)
      const id = createdId(created, resource)
      if (!isSuccess(deletion) || !id) return undefined
      if (!isRequestFor(deletion, id)) return notJudged('the created object could not be distinguished from others')
      if (deletion.response.status === 202) return notJudged('the deletion was only accepted (202)')
      const expected = 'no success for the deleted object'
      if (got && hasId(objectIn(got, resource), resource, id))
        return brokenBy({ path: '$', expected, got: got.response.status }, got, deletion)
      if (listed && itemIn(listed, resource, id))
        return brokenBy({ path: '$', expected: `a list without ${id}`, got: 'a list that has it' }, listed, deletion)
      // Without the get, it is not known whether the deployment had finished the deletion.
      const lost = got ? undefined : whyLost(evidence, stepsOfForm([`${resource}.get-after-delete`])(evidence.form))
      if (lost) return lost
      // The contract may leave open what the update of an unknown id answers.
      if (isSuccess(updated) && isRequestFor(updated, id) && !(`${resource}/update-unknown` in gaps))
        return brokenBy({ path: '$', expected, got: updated.response.status }, updated, deletion)
      return got || (listed && isReadToEnd(listed, resource)) ? held([got ?? listed!]) : undefined
    }),
  /** Not applicable if an update or a probe had already removed the object, which other rules report. */
  'delete-answers': resource => {
    const hasUpdate = hasLife(resource) && updateOf(resource) !== undefined
    const check = adjustVerdict(anySucceeds([`${resource}.delete`]), (verdict, evidence) => {
      if (verdict.outcome !== 'broken' || !isGone(verdict.exchanges[0])) return verdict
      if (hasProbeSucceeded(evidence, `${resource}.delete`))
        return notJudged('a probe that should have been refused had deleted the object')
      const update = hasUpdate && readUpdate(evidence, resource)
      const isGoneBefore = update && 'got' in update && isGone(update.got)
      return isGoneBefore ? notJudged('the update had removed the object') : verdict
    })
    if (!hasUpdate) return check
    return { ...check, reads: form => [`${form}:${resource}.delete`, ...stepsAroundUpdate(resource)(form)] }
  },
  /** An optional singleton exists neither before it is set nor after its deletion. */
  'absent-is-not-found': resource =>
    each([`${resource}.get-before`, `${resource}.get-after-delete`], ({ step, response: { status } }, evidence) => {
      const [deletion] = answersTo([`${resource}.delete`], evidence)
      const isStillSet = step.endsWith('.get-after-delete') && !isSuccess(deletion)
      if (status === 403 || isStillSet) return undefined
      return status === 404 ? [] : [{ expected: 'status 404', got: status }]
    }),
  'unknown-id': resource => observeAfterDeletion(resource, 'get'),
  'update-unknown': resource => observeAfterDeletion(resource, 'update'),
  'delete-unknown': resource => observeAfterDeletion(resource, 'delete'),
  'list-agrees-with-get': listAgreesWithGet,
  'siblings-are-untouched': siblingsAreUntouched,
  'order-of-list': orderOfList,
  'whole-is-kept': wholeIsKept,
  'fields-present': resource =>
    observe([`${resource}.create-main`, `${resource}.get`, `${resource}.list`], exchanges => {
      const object = exchanges
        .filter(isSuccess)
        .map(({ json }) => firstObjectIn(json, resource))
        .find(Boolean)
      return object && Object.keys(object).sort()
    }),
  'create-status': resource =>
    observe([`${resource}.create-main`], ([exchange]) =>
      isSuccess(exchange) ? String(exchange.response.status) : undefined,
    ),
  'update-method': resource => observe(updatesOf(resource), exchanges => exchanges.find(isSuccess)?.request.method),
  'delete-answer': resource =>
    observe([`${resource}.delete`], ([exchange]) => (isSuccess(exchange) ? describeAnswer(exchange) : undefined)),
} as const satisfies Record<string, (resource: string) => Check>

/**
 * Holds if the operation succeeds. A documented operation must also answer with the fields of the contract. Any other may refuse
 * the run's body, since the specification does not describe it.
 */
function operationAnswers(operation: OperationId): Check {
  const { basis, body } = operations[operation]
  const [resource = '', verb] = operation.split('.')
  const steps =
    verb === 'update' ? updatesOf(resource) : [verb === 'create' && hasLife(resource) ? `${operation}-main` : operation]
  if (basis === 'documented') return unlessProbeDidIt(operation, answersAsDocumented(operation, steps))
  return body === undefined ? anySucceeds(steps) : anySucceedsUnlessBodyIsRefused(steps)
}

/** Not applicable if the operation was refused because a probe had wrongly succeeded before, which another rule reports. */
const unlessProbeDidIt = (operation: OperationId, check: Check): Check =>
  adjustVerdict(check, (verdict, evidence) => {
    const isRepeated = verdict.exchanges.some(({ response: { status } }) => status === 409 || status === 410)
    return verdict.outcome === 'broken' && isRepeated && hasProbeSucceeded(evidence, operation)
      ? notJudged('a probe that should have been refused has already succeeded')
      : verdict
  })

type AnswersId<Id extends OperationId> = Id extends `${infer Resource}.${infer Verb}`
  ? `${Resource}/${Verb}-answers`
  : never
/** Extracted rather than intersected: the product of both unions is too large for the compiler. */
type GenericId = Extract<RuleId | GapId, `${string}/${keyof typeof checksByClaim}` | AnswersId<OperationId>>

export const checks = Object.fromEntries(
  Object.keys({ ...rules, ...gaps }).flatMap((id): [string, Check][] => {
    const [resource = '', claim = ''] = id.split('/')
    if (claim in checksByClaim) return [[id, checksByClaim[claim as keyof typeof checksByClaim](resource)]]
    const operation = `${resource}.${claim.replace(/-answers$/, '')}` as OperationId
    return claim.endsWith('-answers') && operations[operation] ? [[id, operationAnswers(operation)]] : []
  }),
) as Readonly<Record<GenericId, Check>>
