import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { Alert, Dashboard, Source } from '../../words/resources.ts'
import type { AnyModel, Collection } from '../../world/collection.ts'
import type { World } from '../../world/world.ts'
import { alerts } from '../alert/model.ts'
import { type Connection, connections } from '../connection/model.ts'
import { dashboards } from '../dashboard/model.ts'
import { type SavedSearch, savedSearches } from '../saved-search/model.ts'
import { sources } from '../source/model.ts'
import { teams } from '../team/model.ts'
import { type Webhook, webhooks } from '../webhook/model.ts'

/** One observability stack: the self-hosted deployment, or the managed stack of one service (§4.2, §4.3). */
export interface Stack {
  readonly id: string
  readonly teamId: string
  readonly dashboards: Collection<Dashboard>
  readonly alerts: Collection<Alert>
  readonly savedSearches: Collection<SavedSearch>
  readonly sources: Collection<Source>
  readonly webhooks: Collection<Webhook>
  readonly connections: Collection<Connection>
  readonly telemetry: Telemetry
}

const models = { dashboards, alerts, savedSearches, sources, webhooks, connections }

/** The stack of a place. Its records are seeded on first use. */
export function openStack(world: World, id: string, telemetryOf: (stackId: string) => Telemetry): Stack {
  const stack = {
    id,
    get teamId() {
      return world.in(teams, id).get('team')!.id
    },
    get telemetry() {
      return telemetryOf(id)
    },
  }
  for (const [name, model] of Object.entries<AnyModel>(models))
    Object.defineProperty(stack, name, { get: () => world.in(model, id), enumerable: true })
  return stack as Stack
}
