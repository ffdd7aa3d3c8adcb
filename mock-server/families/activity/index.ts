import type { OperationId } from '../../../fixtures/contract/index.ts'
import { invalid, Refusal, unknownId } from '../../words/refusal.ts'
import type { Handler, Request } from '../family.ts'
import { activities } from './model.ts'

export { faults } from './faults.ts'
export const models = [activities]

/** A shorter id is refused as malformed. */
const shortestId = 20

/** The moment that a field of the query names. */
function momentIn({ query }: Request, name: 'from_date' | 'to_date', otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  const moment = Date.parse(text)
  if (!Number.isNaN(moment)) return moment
  throw invalid([{ part: 'Query', path: [name], says: 'Expected the format date-time', received: text }])
}

export const handlers = {
  'activity.list': request => {
    const from = momentIn(request, 'from_date', Number.NEGATIVE_INFINITY)
    const to = momentIn(request, 'to_date', Number.POSITIVE_INFINITY)
    const listed = request
      .in(activities)
      .list()
      .map(activity => [Date.parse(activity.createdAt), activity] as const)
      .filter(([at]) => from <= at && at <= to)
      // The newest first; of one moment, the one that was written last.
      .toReversed()
      .toSorted(([a], [b]) => b - a)
    return { kind: 'list', json: JSON.stringify(listed.map(([, activity]) => activity)) }
  },
  'activity.get': request => {
    const { activityId = '' } = request.ids
    const found = request.in(activities).get(activityId)
    if (found) return { kind: 'object', json: JSON.stringify(found) }
    if (activityId.length >= shortestId) throw unknownId('Activity')
    const says = `BAD_REQUEST length is too small: ${activityId.length} < ${shortestId}`
    throw new Refusal('malformed', says, { isWhole: true, gap: 'path/malformed-id' })
  },
} as const satisfies Partial<Record<OperationId, Handler>>
