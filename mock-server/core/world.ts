import { factory, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE, ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import type { Alert } from '../words/resources.ts'
import { Order } from './order.ts'
import type { AlertCollection, Collection } from './stack.ts'

/**
 * Where the records of a world lie: the only file that knows @mswjs/data. Its finders look at every record and its
 * `update` loses what changed inside an object, so records go past both: straight into the map of their model, whole,
 * under a key that begins with their scope. Writing there also keeps the worlds of two browser tabs apart, which the
 * events of the library would copy into each other.
 */
const model = { id: primaryKey(String), scope: String, doc: Object }
const models = {
  organizations: model,
  keys: model,
  members: model,
  services: model,
  backups: model,
  dashboards: model,
  alerts: model,
  sources: model,
  webhooks: model,
  connections: model,
}

export type Kind = keyof typeof models
export const kinds = Object.keys(models) as readonly Kind[]

interface Entity {
  readonly id: string
  readonly scope: string
  /** Never changed, only replaced. */
  doc: object
  /** Where the record stands in the order of its scope. */
  at: number
}

export interface World {
  /** The records of one kind in one scope; they are laid out by the plan when somebody looks for the first time. */
  collection<T>(kind: Exclude<Kind, 'alerts'>, scope: string): Collection<T & { readonly id: string }>
  alerts(scope: string): AlertCollection
  /** Grows with every write; laying out what a scope holds at the start is none. */
  readonly writes: number
  /** Puts exactly these records into a scope. */
  fill(kind: Kind, scope: string, records: readonly { readonly id: string }[]): void
}

/** What a scope holds at the start. */
export type Plan = (kind: Kind, scope: string) => readonly { readonly id: string }[]

export function createDatabase() {
  return factory(models)
}

export function createWorld(plan: Plan, database = createDatabase()): World {
  const maps = database[DATABASE_INSTANCE]
  const scopes = Object.fromEntries(kinds.map(kind => [kind, new Map()])) as Record<Kind, Map<string, Scope>>
  let writes = 0
  const wrote = () => {
    writes++
  }

  const scopeOf = (kind: Kind, scope: string): Scope => {
    let found = scopes[kind].get(scope)
    if (!found) {
      const entities = maps.getModel(kind) as unknown as Map<string, Entity>
      found = kind === 'alerts' ? new AlertScope(kind, scope, entities) : new Scope(kind, scope, entities)
      scopes[kind].set(scope, found)
      for (const record of plan(kind, scope)) found.create(record)
      found.wrote = wrote
    }
    return found
  }

  return {
    collection: <T>(kind: Kind, scope: string) =>
      scopeOf(kind, scope) as unknown as Collection<T & { readonly id: string }>,
    alerts: scope => scopeOf('alerts', scope) as AlertScope,
    get writes() {
      return writes
    },
    fill(kind, scope, records) {
      const found = scopeOf(kind, scope)
      for (const { id } of found.list()) found.remove(id)
      for (const record of records) found.create(record)
    },
  }
}

type Doc = { readonly id: string }

class Scope implements Collection<Doc> {
  version = 0
  /** Told of every write from the moment at which the scope is laid out. */
  wrote: () => void = () => {}
  readonly #order = new Order<Entity>()
  #listed: { readonly version: number; readonly docs: readonly Doc[] } | undefined

  constructor(
    readonly kind: Kind,
    readonly scope: string,
    readonly entities: Map<string, Entity>,
  ) {}

  get size(): number {
    return this.#order.size
  }

  get(id: string): Doc | undefined {
    return this.#find(id)?.doc as Doc | undefined
  }

  list(): readonly Doc[] {
    if (this.#listed?.version !== this.version) {
      this.#listed = { version: this.version, docs: this.page(0, this.size) }
    }
    return this.#listed.docs
  }

  page(offset: number, limit: number): readonly Doc[] {
    return this.#order.page(offset, limit).map(entity => entity.doc as Doc)
  }

  create(doc: Doc): void {
    const id = `${this.scope}/${doc.id}`
    if (this.entities.has(id)) throw new Error(`create one of ${this.kind}: the id ${doc.id} is taken`)
    const entity = { id, scope: this.scope, doc, at: 0, [ENTITY_TYPE]: this.kind, [PRIMARY_KEY]: 'id' }
    // keeps: dashboard/created-is-listed, alert/created-is-listed
    this.#order.add(entity)
    // keeps: dashboard/created-is-got, alert/created-is-got
    this.entities.set(id, entity)
    this.#change()
  }

  /** Returns what stood in its place. */
  replace(doc: Doc): Doc {
    const entity = this.#find(doc.id)
    if (!entity) throw new Error(`replace one of ${this.kind}: there is none with the id ${doc.id}`)
    // keeps: dashboard/updated-is-got, alert/updated-is-got
    const before = entity.doc as Doc
    entity.doc = doc
    this.#change()
    return before
  }

  remove(id: string): boolean {
    const entity = this.#find(id)
    if (!entity) return false
    // keeps: dashboard/deleted-is-gone, alert/deleted-is-gone
    this.#order.remove(entity)
    this.entities.delete(entity.id)
    this.#change()
    return true
  }

  #change(): void {
    this.version++
    this.wrote()
  }

  #find(id: string): Entity | undefined {
    return this.entities.get(`${this.scope}/${id}`)
  }
}

class AlertScope extends Scope implements AlertCollection {
  readonly #ofDashboard = new Map<string, Map<string, Alert>>()

  override get(id: string) {
    return super.get(id) as Alert | undefined
  }

  override list() {
    return super.list() as readonly Alert[]
  }

  override page(offset: number, limit: number) {
    return super.page(offset, limit) as readonly Alert[]
  }

  override create(alert: Doc): void {
    super.create(alert)
    this.#index(alert as Alert)
  }

  override replace(alert: Doc): Doc {
    const before = super.replace(alert) as Alert
    if (before.dashboardId !== (alert as Alert).dashboardId) this.#forget(before)
    this.#index(alert as Alert)
    return before
  }

  override remove(id: string): boolean {
    const before = this.get(id)
    if (before) this.#forget(before)
    return super.remove(id)
  }

  ofDashboard(dashboardId: string): readonly Alert[] {
    return [...(this.#ofDashboard.get(dashboardId)?.values() ?? [])]
  }

  #index(alert: Alert): void {
    if (alert.dashboardId === undefined) return
    const alerts = this.#ofDashboard.get(alert.dashboardId)
    if (alerts) alerts.set(alert.id, alert)
    else this.#ofDashboard.set(alert.dashboardId, new Map([[alert.id, alert]]))
  }

  #forget(alert: Alert): void {
    if (alert.dashboardId === undefined) return
    const alerts = this.#ofDashboard.get(alert.dashboardId)
    alerts?.delete(alert.id)
    if (alerts?.size === 0) this.#ofDashboard.delete(alert.dashboardId)
  }
}
