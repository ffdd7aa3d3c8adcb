import type { Fault, Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'
import { inRecords, mistake, pretend, resultOf } from '../../faults/rewrite.ts'
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
  'service/unsent-stays': mistakeUpdated('service', 'releaseChannel', 'slow'),
  'service/moves-as-documented': inRecords('service.get', service =>
    service.state === 'terminating' ? { ...service, state: 'running' } : service,
  ),
  'service/deleted-is-gone': keepDeleted(state => state !== 'running'),
  'service/delete-while-running-is-refused': keepDeleted(state => state === 'running'),
  'service/password-is-shown-once': mistake('service.list', 'password', 'shown again'),
} as const satisfies Faults
