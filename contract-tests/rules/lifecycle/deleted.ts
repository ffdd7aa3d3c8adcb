import { gaps } from '../../../fixtures/contract/index.ts'
import { type Check, held, noAnswer, notApplicable } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { isReadToEnd } from '../../engine/pages.ts'
import { hasLife } from '../../engine/resources-with-life.ts'
import { updateOf } from '../../visits/life.ts'
import { anySucceeds, observeRefusal } from '../observations.ts'
import { adjustVerdict, answersTo, brokenBy, each, judgeTogether } from '../steps.ts'
import { createdId, hasId, isGone, isRequestFor, itemIn, objectIn, readUpdate, stepsAroundUpdate } from './common.ts'

const stepsAroundDeletion = (resource: string) =>
  ['delete', 'get-after-delete', 'list-after-delete', ...(updateOf(resource) ? ['update-after-delete'] : [])].map(
    name => `${resource}.${name}`,
  )

export const deletedIsGone = (resource: string): Check =>
  judgeTogether(stepsAroundDeletion(resource), ([deletion, got, listed, updated], evidence) => {
    const [created] = answersTo([`${resource}.create-main`], evidence)
    const id = createdId(created, resource)
    if (!isSuccess(deletion) || !id) return undefined
    if (!isRequestFor(deletion, id)) return notApplicable('the created object could not be distinguished from others')
    if (deletion.response.status === 202) return notApplicable('the deletion was only accepted (202)')
    if (got && hasId(objectIn(got, resource), resource, id)) {
      const expected = 'no success for the deleted object'
      return brokenBy({ path: '$', expected, got: got.response.status }, got, deletion)
    }
    if (listed && itemIn(listed, resource, id))
      return brokenBy({ path: '$', expected: `a list without ${id}`, got: 'a list that has it' }, listed, deletion)
    // The answer to the update of an unknown id may be open.
    if (isSuccess(updated) && isRequestFor(updated, id) && !(`${resource}/update-unknown` in gaps))
      return brokenBy(
        { path: '$', expected: 'no success for the deleted object', got: updated.response.status },
        updated,
        deletion,
      )
    return got || (listed && isReadToEnd(listed, resource)) ? held([got ?? listed!]) : undefined
  })

/** Not applicable if an update or a probe had already deleted the object, since their rules are broken then. */
export const deletionAnswers = (resource: string): Check => {
  const check = adjustVerdict(anySucceeds([`${resource}.delete`]), (verdict, { exchanges }) => {
    const isByProbe = exchanges.some(one => one.isProbe && one.operation === `${resource}.delete` && isSuccess(one))
    return verdict.outcome === 'broken' && isGone(verdict.exchanges[0]) && isByProbe
      ? notApplicable('a probe that should have been refused had deleted the object')
      : verdict
  })
  if (!hasLife(resource) || !updateOf(resource)) return check
  return {
    reads: form => [`${form}:${resource}.delete`, ...stepsAroundUpdate(resource)(form)],
    judge: evidence => {
      const verdict = check.judge(evidence)
      const update = readUpdate(evidence, resource)
      return verdict.outcome === 'broken' && isGone(verdict.exchanges[0]) && 'got' in update && isGone(update.got)
        ? notApplicable('the update had removed the object')
        : verdict
    },
  }
}

/** Observes the refusal of an operation on a deleted object; not applicable if the deletion did not succeed. */
export const observeAfterDeletion = (resource: string, operation: 'get' | 'update' | 'delete'): Check => {
  const [deletion, after] = [`${resource}.delete`, `${resource}.${operation}-after-delete`]
  const observe = observeRefusal(after)
  return {
    reads: form => [`${form}:${after}`, `${form}:${deletion}`],
    judge: evidence => {
      const [deleted] = answersTo([deletion], evidence)
      return isSuccess(deleted) ? observe.judge(evidence) : noAnswer(evidence, `${evidence.form}:${deletion}`)
    },
  }
}

/** An optional singleton does not exist before it is set and after its deletion. */
export const absentIsNotFound = (resource: string): Check =>
  each([`${resource}.get-before`, `${resource}.get-after-delete`], ({ step, response: { status } }, evidence) => {
    const [deletion] = answersTo([`${resource}.delete`], evidence)
    const isStillSet = step.endsWith('.get-after-delete') && !isSuccess(deletion)
    if (status === 403 || isStillSet) return undefined
    return status === 404 ? [] : [{ expected: 'status 404', got: status }]
  })
