import { dashboard } from '../../../fixtures/contract/dashboard.ts'
import type { Fields } from '../../../fixtures/contract/index.ts'
import type { Dashboard } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { planStack } from '../stack/stack-plan.ts'

/** A state or a scenario may omit all other fields. */
const withOnly = (needed: readonly string[], fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, needed.includes(name) ? field : { ...field, optional: true }]),
  )

const { tiles } = dashboard.fields
const tile = { ...tiles.items, fields: withOnly(['id', 'config'], tiles.items.fields) }

export const dashboards: Model<Dashboard, 'dashboard'> = {
  name: 'dashboard',
  within: 'stack',
  documents: true,
  // Fields that only requests have are translated before.
  record: recordSchema(
    withOnly(['id', 'name', 'tiles', 'tags', 'filters'], { ...dashboard.fields, tiles: { ...tiles, items: tile } }),
    {},
    undefined,
    'answer',
  ),
  seed: (stackId, from) => planStack(stackId, from).dashboards,
}
