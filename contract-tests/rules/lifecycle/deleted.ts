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
    if (!isRequestFor(deletion, id)) return notApplicable('what was created could not be distinguished from others')
    if (deletion.response.status === 202) return notApplicable('the deletion is only accepted (202), not done')
    if (got && hasId(objectIn(got, resource), resource, id)) {
      const expected = 'no success for what was deleted'
      return brokenBy({ path: '$', expected, got: got.response.status }, got, deletion)
    }
    if (listed && itemIn(listed, resource, id))
      return brokenBy({ path: '$', expected: `a list without ${id}`, got: 'a list that has it' }, listed, deletion)
    // The answer to the update of an unknown id may be open.
    if (isSuccess(updated) && isRequestFor(updated, id) && !(`${resource}/update-unknown` in gaps))
      return brokenBy(
        { path: '$', expected: 'no success for what was deleted', got: updated.response.status },
        updated,
        deletion,
      )
    return got || (listed && isReadToEnd(listed, resource)) ? held([got ?? listed!]) : undefined
  })

/** If an update or a probe had already deleted the object, their rules are broken, not this one. */
export const deletionAnswers = (resource: string): Check => {
  const check = adjustVerdict(anySucceeds([`${resource}.delete`]), (verdict, { all }) => {
    const isByProbe = all.some(one => one.isProbe && one.operation === `${resource}.delete` && isSuccess(one))
    return verdict.outcome === 'broken' && isGone(verdict.exchanges[0]) && isByProbe
      ? notApplicable('a request that should have been refused had deleted it')
      : verdict
  })
  if (!hasLife(resource) || !updateOf(resource)) return check
  return {
    reads: form => [`${form}:${resource}.delete`, ...stepsAroundUpdate(resource)(form)],
    judge: evidence => {
      const verdict = check.judge(evidence)
      const update = readUpdate(evidence, resource)
      return verdict.outcome === 'broken' && isGone(verdict.exchanges[0]) && 'got' in update && isGone(update.got)
        ? notApplicable('after its update it was not there any more')
        : verdict
    },
  }
}

/** Observed only after a successful deletion. */
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
    const isSet = step.endsWith('.get-after-delete') && !isSuccess(deletion)
    if (status === 403 || isSet) return undefined
    return status === 404 ? [] : [{ expected: 'status 404', got: status }]
  })
