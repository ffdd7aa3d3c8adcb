import { operations } from '../../../fixtures/built-contract/index.ts'
import { type Check, held, noAnswer, notReadToEnd } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { idOf } from '../../engine/recognise.ts'
import { brokenBy, judgeTogether } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'

const [before, after] = ['cloud:activity.list', 'cloud:activity.list-after'] as const
/** Calls that are logged, if the deployment does not refuse them. */
const loggedSteps = ['cloud:key.create-main', 'cloud:invitation.create-main']

/** The calls without a new activity. */
function findUnlogged(done: readonly Exchange[], known: Exchange | undefined, listed: Exchange | undefined) {
  const oldIds = new Set(listIn(known, 'activity')?.map(one => idOf(one, 'activity')))
  const newActivities = listIn(listed, 'activity')?.filter(one => !oldIds.has(idOf(one, 'activity'))) ?? []
  return done.filter(({ operation }) => {
    const types: readonly string[] = operations[operation!].activities ?? []
    return !newActivities.some(({ type, actorType }) => types.includes(String(type)) && actorType === 'api')
  })
}

export const checks = {
  'activity/what-was-done-is-listed': judgeTogether(
    [before, after, ...loggedSteps],
    ([known, listed, ...sent], evidence) => {
      const done = sent.filter(call => call !== undefined).filter(isSuccess)
      if (!known || !listed || !listIn(listed, 'activity')) return noAnswer(evidence, before, after)
      if (done.length === 0) return noAnswer(evidence, ...loggedSteps)
      const [missing] = findUnlogged(done, known, listed)
      if (!missing) return held([listed])
      if (!isReadToEnd(listed, 'activity')) return notReadToEnd(listed)
      const expected = `an activity of a key about ${missing.operation}`
      return brokenBy({ path: '$', expected, got: 'no new one' }, listed, missing)
    },
  ),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'activity', run => {
  run.call('activity.list', { before: loggedSteps })
  run.call('activity.list', {
    name: 'activity.list-after',
    why: 'lists the activities again, for what the run did',
    from: [before, ...loggedSteps],
    poll: {
      after: loggedSteps,
      withinSeconds: operations['activity.list'].lagInSeconds ?? 0,
      until: (received, { exchange }) => {
        const done = loggedSteps.flatMap(step => exchange(step) ?? []).filter(isSuccess)
        return !isSuccess(received) || findUnlogged(done, exchange(before), received).length === 0
      },
    },
  })
})
