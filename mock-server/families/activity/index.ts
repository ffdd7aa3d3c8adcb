import { invalid, Refusal, unknownId } from '../../words/refusal.ts'
import type { Handlers, Request } from '../family.ts'
import { answerList, answerObject } from '../records.ts'
import { activities } from './model.ts'

export { faults } from './faults.ts'
export const models = [activities]

/** A shorter id is refused as malformed. */
const shortestId = 20

/** The first and the last moment that the query asks for. A date without a time is the whole day of UTC. */
function periodOf({ query }: Request): readonly [from: number, to: number] {
  const momentOf = (name: 'from_date' | 'to_date', timeOfDay: string, otherwise: number) => {
    const received = query.get(name)
    if (received === null) return otherwise
    const moment = Date.parse(received.includes('T') ? received : `${received}T${timeOfDay}Z`)
    if (/^\d{4}-\d\d-\d\d(T|$)/.test(received) && !Number.isNaN(moment)) return moment
    throw invalid([{ part: 'Query', path: [name], says: 'Expected the format date-time', received }])
  }
  return [
    momentOf('from_date', '00:00:00', Number.NEGATIVE_INFINITY),
    momentOf('to_date', '23:59:59.999', Number.POSITIVE_INFINITY),
  ]
}

export const handlers = {
  'activity.list': request => {
    const [from, to] = periodOf(request)
    const listed = request
      .in(activities)
      .list()
      .map(activity => [Date.parse(activity.createdAt), activity] as const)
      .filter(([at]) => from <= at && at <= to)
      // The newest first; of one moment, the one that was written last.
      .toReversed()
      .toSorted(([a], [b]) => b - a)
    return answerList(listed.map(([, activity]) => activity))
  },
  'activity.get': request => {
    const { activityId = '' } = request.ids
    const found = request.in(activities).get(activityId)
    if (found) return answerObject(found)
    if (activityId.length >= shortestId) throw unknownId('Activity')
    const says = `BAD_REQUEST length is too small: ${activityId.length} < ${shortestId}`
    throw new Refusal('malformed', says, { isWhole: true, gap: 'path/malformed-id' })
  },
} as const satisfies Handlers
