import type { Telemetry } from '../../telemetry/telemetry.ts'
import type { AnyModel, Collection, Model } from '../../world/collection.ts'
import type { World } from '../../world/world.ts'
import { alerts } from '../alert/index.ts'
import { connections } from '../connection/index.ts'
import { dashboards } from '../dashboard/index.ts'
import { savedSearches } from '../saved-search/index.ts'
import { sources } from '../source/index.ts'
import { teams } from '../team/index.ts'
import { webhooks } from '../webhook/index.ts'

const models = { dashboards, alerts, savedSearches, sources, webhooks, connections }

/** One observability stack: the self-hosted deployment, or the managed stack of one service (§4.2, §4.3). */
export type Stack = {
  readonly [Name in keyof typeof models]: (typeof models)[Name] extends Model<infer Record> ? Collection<Record> : never
} & { readonly id: string; readonly teamId: string; readonly telemetry: Telemetry }

/** The stack with an id. Its records are seeded on first use. */
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
