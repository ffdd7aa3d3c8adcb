import { notification } from '../../../../fixtures/contract/organization/notification.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inList } from '../../../faults/rewrite.ts'
import { day } from '../../../words/durations.ts'
import { pick } from '../../../world/record.ts'
import { answerList, type Handlers, momentIn, type Request } from '../../family.ts'
import { balances } from '../balance.ts'
import { makeNotification, type Notification, notifications } from './model.ts'
import { type TypeName, types } from './types.ts'

export const models = [notifications]

/** Time from the notification to the expiry of a balance. */
const notice = 14 * day

/** Notifications about expiring balances, which follow from the clock. */
const listExpiring = ({ list, world, now, ids }: Request): readonly Notification[] =>
  list(balances)
    .map(({ type, expirationDate }) => ({ type, to: Date.parse(expirationDate) }))
    .filter(({ to }) => to - notice <= now && to > now)
    .map(({ type, to }) =>
      makeNotification(world.seed, {
        type: 'organization_credits_expiring',
        at: to - notice,
        resourceId: ids.organizationId!,
        sentence: `Credits of a ${type} balance expire on ${new Date(to).toISOString().slice(0, 10)}.`,
      }),
    )

const mayUse = ({ actor }: Request, type: TypeName, instance?: string) =>
  actor.kind === 'key' && actor.may(types[type].permission, instance)

export const handlers = {
  'notification.list': request => {
    const { query } = request
    const sentence = 'Expected a date and time of RFC 3339'
    const from = momentIn(request, 'from_date', { sentence }) ?? Number.NEGATIVE_INFINITY
    const to = momentIn(request, 'to_date', { sentence }) ?? Number.POSITIVE_INFINITY
    const wants = (name: string, ...values: readonly (string | undefined)[]) =>
      query.get(name) === null || values.includes(query.get(name)!)
    const found = [...request.list(notifications), ...listExpiring(request)]
      .map(one => ({ one, at: Date.parse(one.createdAt) }))
      .filter(({ one, at }) => {
        const { resourceType, resourceId, serviceId = resourceId } = one
        const instance = resourceType === 'organization' ? undefined : serviceId
        const isWanted = at >= from && at <= to && wants('severity', one.severity) && wants('type', one.type)
        const isAbout = wants('resource_id', resourceId, serviceId) && wants('resource_type', resourceType)
        return isWanted && isAbout && mayUse(request, one.type as TypeName, instance)
      })
      .toSorted((a, b) => b.at - a.at)
    return answerList(found.map(({ one }) => pick(one, notification.fields)))
  },
  'notificationType.list': request =>
    answerList(
      Object.entries(types).map(([name, { permission: _, ...type }]) => ({
        name,
        ...type,
        isAvailable: mayUse(request, name as TypeName),
      })),
    ),
} as const satisfies Handlers

export const faults = {
  'notification/filter-holds': () => async (call, next, context) =>
    context.operation === 'notification.list'
      ? next({ ...call, query: call.query.replace(/severity=[^&]*&?/, '') })
      : next(call),
  'notification/type-is-listed': inList('notification.list', list =>
    list.map(one => ({ ...one, type: `${one.type}_before` })),
  ),
} as const satisfies Faults
