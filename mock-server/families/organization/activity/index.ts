import { operations } from '../../../../fixtures/contract/index.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inList } from '../../../faults/rewrite.ts'
import { Refusal, unknownId } from '../../../words/refusal.ts'
import { writeWithLag } from '../../../world/lag.ts'
import { answerList, answerObject, type Handlers, momentIn, type Request } from '../../family.ts'
import { activities, type NewActivity } from './model.ts'

export const models = [activities]

/** Seeds the activities before the records that they describe change. */
export const beforeActivities = ({ world, ids: { organizationId } }: Request): void => {
  if (organizationId) world.in(activities, organizationId)
}

/** Writes what the caller did into the log of the organization. */
export function log({ world, now, actor, choice, ids }: Request, act: NewActivity): void {
  if (actor.kind !== 'key') return
  const organizationId = ids.organizationId!
  const all = world.in(activities, organizationId)
  const isLate = choice('activity/list-after-act') === 'seconds later'
  const written = isLate ? writeWithLag(world, all, ({ id }) => id, { now, until: now + lag * 1000 }) : all
  const { id: actorId, name: actorDetails, address: actorIpAddress, userAgent } = actor
  written.create({
    id: world.newObjectId(),
    createdAt: new Date(now).toISOString(),
    ...act,
    ...({ actorType: 'api', actorId, actorDetails } as const),
    ...(actorIpAddress !== undefined && { actorIpAddress }),
    ...(userAgent !== undefined && { userAgent }),
    organizationId,
  })
}

/** Seconds until an activity is listed: half of the time that the contract allows. */
const lag = operations['activity.list'].lagInSeconds! / 2

/** A shorter id is refused as malformed. */
const shortestId = 20

export const handlers = {
  'activity.list': request => {
    // A date without a time is the whole day of UTC.
    const from = momentIn(request, 'from_date', { timeOfDay: '00:00:00' }) ?? Number.NEGATIVE_INFINITY
    const to = momentIn(request, 'to_date', { timeOfDay: '23:59:59.999' }) ?? Number.POSITIVE_INFINITY
    const listed = request
      .list(activities)
      .map(activity => [Date.parse(activity.createdAt), activity] as const)
      .filter(([at]) => from <= at && at <= to)
      // Newest first; at the same moment, the last written first.
      .toReversed()
      .toSorted(([a], [b]) => b - a)
    return answerList(listed.map(([, activity]) => activity))
  },
  'activity.get': request => {
    const { activityId = '' } = request.ids
    const found = request.in(activities).get(activityId)
    if (found) return answerObject(found)
    if (activityId.length >= shortestId) throw unknownId('Activity')
    const sentence = `BAD_REQUEST length is too small: ${activityId.length} < ${shortestId}`
    throw new Refusal('malformed', sentence, { omitsCode: true, gap: 'path/malformed-id' })
  },
} as const satisfies Handlers

export const faults = {
  'activity/dates-limit-the-list':
    () =>
    (call, next, { operation }) =>
      next(operation === 'activity.list' ? { ...call, query: '' } : call),
  'activity/what-was-done-is-listed': inList('activity.list', list => list.filter(one => one.actorType !== 'api')),
} as const satisfies Faults
