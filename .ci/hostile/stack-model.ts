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
  readonly isAlone: boolean
  steps: number
}

type Listed = { readonly id: string }

/** Alerts are listed in order of creation, dashboards by descending name. */
function inOrder<K extends 'dashboards' | 'alerts'>({ dashboards, alerts }: StackModel, kind: K): readonly string[] {
  const byName = [...dashboards.values()].toSorted(({ name: a }, { name: b }) => (a < b ? 1 : a > b ? -1 : 0))
  return kind === 'alerts' ? [...alerts.keys()] : byName.map(({ id }) => id)
}

/** A list is correct if it has each known record once and in order, and no deleted one. */
export function checkList(
  { isAlone }: ClientModel,
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
    `${name}: the known ones in the list of ${kind}`,
  )
  if (isAlone) assert.equal(ids.length, initial[kind].length + model[kind].size, `${name}: more ${kind} than were made`)
  assert.ok(!ids.some(id => model.gone.has(id)), `${name}: one of the ${kind} is listed and deleted`)
  for (const one of listed) {
    const wanted = model[kind].get(one.id)
    if (wanted) assert.deepEqual(pick(one, wanted), wanted)
  }
}

/** The part of an answer that a client can predict. */
export function pick<T extends object>(answered: object, wanted: T): unknown {
  const look = (one: unknown, like: unknown): unknown => {
    if (Array.isArray(like) && Array.isArray(one)) return one.map(inner => look(inner, like[0]))
    if (typeof like !== 'object' || like === null) return one
    return Object.fromEntries(
      Object.keys(like).map(key => [key, look((one as Record<string, unknown>)?.[key], like[key as never])]),
    )
  }
  return look(answered, wanted)
}
