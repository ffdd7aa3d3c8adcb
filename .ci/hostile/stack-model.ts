import { strict as assert } from 'node:assert'
import type { Site } from './site.ts'

export interface Tile {
  readonly id: string
  readonly name: string
}

export interface KnownDashboard {
  readonly id: string
  readonly name: string
  readonly tiles: readonly Tile[]
}

export interface KnownAlert {
  readonly id: string
  readonly name: string
  readonly threshold: number
  readonly dashboardId: string
  readonly tileId: string
}

/** The knowledge of one client about one stack: the records that it created, in order, and those that it deleted. */
export class StackModel {
  readonly dashboards = new Map<string, KnownDashboard>()
  readonly alerts = new Map<string, KnownAlert>()
  readonly gone = new Set<string>()

  constructor(readonly site: Site) {}

  forgetAlerts(isLost: (alert: KnownAlert) => boolean) {
    for (const alert of this.alerts.values()) if (isLost(alert)) this.forget('alerts', alert.id)
  }

  forget(kind: 'dashboards' | 'alerts', id: string) {
    this[kind].delete(id)
    this.gone.add(id)
  }
}

/** The knowledge of one client about all stacks. A single client knows all records. */
export interface ClientModel {
  readonly stacks: readonly StackModel[]
  readonly isOnlyClient: boolean
  steps: number
}

type Listed = { readonly id: string }

/** Alerts are listed in order of creation, dashboards by descending name. */
function inOrder({ dashboards, alerts }: StackModel, kind: 'dashboards' | 'alerts'): readonly string[] {
  if (kind === 'alerts') return [...alerts.keys()]
  const byName = [...dashboards.values()].toSorted(({ name: a }, { name: b }) => Number(a < b) - Number(a > b))
  return byName.map(({ id }) => id)
}

/** A list is correct if it has each known record once and in order, and no deleted one. */
export function checkList(
  { isOnlyClient }: ClientModel,
  model: StackModel,
  kind: 'dashboards' | 'alerts',
  listed: readonly Listed[],
) {
  const { name, initial } = model.site
  const ids = listed.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, `${name}: one of the ${kind} is listed twice`)
  assert.deepEqual(
    ids.filter(id => model[kind].has(id)),
    inOrder(model, kind),
    `${name}: known ${kind} are missing from the list or out of order`,
  )
  if (isOnlyClient)
    assert.equal(ids.length, initial[kind].length + model[kind].size, `${name}: wrong number of ${kind}`)
  assert.ok(!ids.some(id => model.gone.has(id)), `${name}: a deleted one of the ${kind} is listed`)
  for (const one of listed) {
    const wanted = model[kind].get(one.id)
    if (wanted) assert.deepEqual(pick(one, wanted), wanted)
  }
}

/** The part of an answer that has the shape of `wanted`; the first item of an array stands for all. */
export function pick<T extends object>(answered: object, wanted: T): unknown {
  const project = (value: unknown, shape: unknown): unknown => {
    if (Array.isArray(shape) && Array.isArray(value)) return value.map(item => project(item, shape[0]))
    if (typeof shape !== 'object' || shape === null) return value
    return Object.fromEntries(
      Object.keys(shape).map(key => [key, project((value as Record<string, unknown>)?.[key], shape[key as never])]),
    )
  }
  return project(answered, wanted)
}
