import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { payloadOf } from '../../engine/recognise.ts'
import { setterOf } from '../../visits/singleton.ts'
import { mismatch, sentIn } from '../fields.ts'
import { agrees, answersTo, each, together } from '../steps.ts'

/** Optional singletons, which do not exist at first. */

export const setIsGot = (resource: string): Check =>
  together([setterOf(resource), `${resource}.get`], ([set, got]) =>
    isSuccess(set) && isSuccess(got)
      ? agrees(mismatch(sentIn(set), payloadOf(got.json), '$'), ', as it was set', got)
      : undefined,
  )

export const absentIsNotFound = (resource: string): Check =>
  each([`${resource}.get-before`, `${resource}.get-after-delete`], ({ step, response: { status } }, evidence) => {
    const [deletion] = answersTo([`${resource}.delete`], evidence)
    const isSet = step.endsWith('.get-after-delete') && !isSuccess(deletion)
    if (status === 403 || isSet) return undefined
    return status === 404 ? [] : [{ expected: 'status 404', got: status }]
  })
