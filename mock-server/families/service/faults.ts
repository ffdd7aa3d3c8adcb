import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import { lifeFaults } from '../../faults/lifecycle.ts'
import { changeResult, failing, inAnswers, pretend, resultOf, successOf } from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

/** Answers deletions in some states without carrying them out. */
const keepDeleted =
  (isKept: (state: unknown) => boolean): (() => Fault) =>
  () =>
  async (call, next, place) => {
    if (place.operation !== 'service.delete') return next(call)
    const got = resultOf(await next({ ...call, method: 'GET', body: '' }))
    return isRecord(got) && isKept(got.state) ? pretend(call, next) : next(call)
  }

export const faults = {
  ...lifeFaults('service', ['releaseChannel', 'slow']),
  'service/state-answers': failing('service.state'),
  'service/password-answers': failing('service.password'),
  'service/moves-as-documented': inAnswers(successOf('service.get'), answer =>
    changeResult(answer, service =>
      isRecord(service) && service.state === 'terminating' ? { ...service, state: 'running' } : service,
    ),
  ),
  'service/deleted-is-gone': keepDeleted(state => state !== 'running'),
  'service/delete-while-running-is-refused': keepDeleted(state => state === 'running'),
  'service/password-is-shown-once': inAnswers(successOf('service.list'), answer =>
    changeResult(answer, result =>
      Array.isArray(result) ? result.map(one => (isRecord(one) ? { ...one, password: 'shown again' } : one)) : result,
    ),
  ),
} as const satisfies Partial<Record<RuleId, () => Fault>>
