import type { Form } from '../../../fixtures/contract/index.ts'
import { absent, type Check, held, notApplicable } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { isWhole, listIn } from '../../engine/pages.ts'
import { findObject, idOf, sameId } from '../../engine/recognise.ts'
import { answers, refusal } from '../observations.ts'
import { asksFor, createdId, type Resource, readUpdate, updatesRead, wrong } from './common.ts'

/** What was deleted is gone. */

export const deletedIsGone = (resource: Resource): Check => {
  const names = (form: Form) => [
    `${form}:${resource}.delete`,
    `${form}:${resource}.get-after-delete`,
    `${form}:${resource}.list-after-delete`,
  ]
  return {
    reads: form => [...names(form), `${form}:${resource}.create-main`],
    judge: evidence => {
      const [deletion, got, listed] = names(evidence.form).map(step => evidence.of(step)[0])
      const id = createdId(evidence.of(`${evidence.form}:${resource}.create-main`)[0], resource)
      if (!deletion || !isSuccess(deletion) || !id) return absent(evidence, ...names(evidence.form))
      if (!asksFor(deletion, id)) return notApplicable('what was created could not be told from others')
      if (deletion.response.status === 202) return notApplicable('the deletion is only accepted (202), not done')
      if (got && isSuccess(got)) {
        const object = findObject(got.json, resource)
        if (object && sameId(idOf(object, resource) ?? '', id))
          return wrong('no success for what was deleted', got.response.status, '$', got, deletion)
      }
      const list = listIn(listed, resource)
      if (listed && list?.some(item => sameId(idOf(item, resource) ?? '', id)))
        return wrong(`a list without ${id}`, 'a list that has it', '$', listed, deletion)
      if (!got && (!listed || !isWhole(listed, resource))) return absent(evidence, ...names(evidence.form))
      return held([got ?? listed!])
    },
  }
}

/** The verdict on a deletion. Where the update had already removed the object, that rule is broken, not this one. */
export const deletionAnswers = (resource: Resource): Check => {
  const check = answers(form => [`${form}:${resource}.delete`])
  return {
    reads: form => [`${form}:${resource}.delete`, ...updatesRead(resource)(form)],
    judge: evidence => {
      const verdict = check.judge(evidence)
      if (verdict.outcome !== 'broken' || ![404, 410].includes(verdict.exchanges[0]!.response.status)) return verdict
      const { updated, got } = readUpdate(evidence, resource)
      return updated && got && [404, 410].includes(got.response.status)
        ? notApplicable('after its update it was not there any more')
        : verdict
    },
  }
}

/** What an operation on a deleted object answers; observed only when the deletion succeeded. */
export const gone = (resource: Resource, operation: 'get' | 'update' | 'delete'): Check => {
  const step = (form: Form) => `${form}:${resource}.${operation}-after-delete`
  const observe = refusal(step)
  return {
    reads: form => [step(form), `${form}:${resource}.delete`],
    judge: evidence => {
      const [deletion] = evidence.of(`${evidence.form}:${resource}.delete`)
      if (!deletion || !isSuccess(deletion)) return absent(evidence, `${evidence.form}:${resource}.delete`)
      return observe.judge(evidence)
    },
  }
}
