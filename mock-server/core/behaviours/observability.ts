import { alerts } from '../../families/alert/alerts.ts'
import { connections } from '../../families/connection/connections.ts'
import { dashboards } from '../../families/dashboard/dashboards.ts'
import { sources } from '../../families/source/sources.ts'
import { webhooks } from '../../families/webhook/webhooks.ts'
import type { Behaviour } from './behaviour.ts'

const resources = { dashboards, alerts, sources, webhooks, connections }
type Resources = typeof resources

/** An operation of the observability API by its name, such as `alerts.create`. */
export type OperationName = {
  [Resource in keyof Resources]: `${Resource}.${keyof Resources[Resource] & string}`
}[keyof Resources]

/** What each operation does between an accepted call and its answer, in both forms and both editions. */
export const observability = Object.fromEntries(
  Object.entries(resources).flatMap(([resource, operations]) =>
    Object.entries(operations).map(([operation, behaviour]) => [`${resource}.${operation}`, { behaviour }]),
  ),
) as Record<OperationName, { readonly behaviour: Behaviour }>
