import { acceptAlert, acceptDashboard } from './accept-body.ts'
import type { Habit } from './habits.ts'
import { Refused } from './place.ts'
import type { Count, Document, Shelf } from './world.ts'

/** What a mutant may bend inside: which documents a reading finds. */
export interface Bend {
  readonly shows?: 'deleted'
  readonly hides?: 'created'
}

/** The dashboards and alerts of one form. */
export interface Desk {
  shelf: Shelf
  /** Managed: unknown properties and double names are refused, an update replaces, and a dashboard takes its alerts along. */
  readonly strict: boolean
  readonly webhookId: string
  readonly count: Count
  readonly habit?: Habit
}

type Verb = 'list' | 'create' | 'get' | 'update' | 'delete'

function accept(desk: Desk, kind: keyof Shelf, body: unknown, old?: Document): Document['fields'] {
  if (kind === 'alerts') return rename(desk, acceptAlert(body, desk.strict, old?.fields, desk.shelf, desk.webhookId))
  const fields = rename(
    desk,
    acceptDashboard(body, desk.strict, old?.fields, () => desk.count.nextId('tile')),
  )
  const twin = desk.shelf.dashboards.find(one => !one.deleted && one.id !== old?.id && one.fields.name === fields.name)
  if (twin && desk.strict) throw new Refused('name-taken', `another dashboard is called ${fields.name}`)
  return fields
}

function rename({ habit }: Desk, fields: Document['fields']): Document['fields'] {
  const { name } = fields
  return habit?.keepsName && typeof name === 'string' ? { ...fields, name: habit.keepsName(name) } : fields
}

function put(desk: Desk, kind: keyof Shelf, document: Document): Document {
  const others = desk.shelf[kind].filter(one => one.id !== document.id)
  // The newest change comes first, so that the order of the list is not that of creation.
  desk.shelf = { ...desk.shelf, [kind]: [document, ...others] }
  return document
}

function remove(desk: Desk, kind: keyof Shelf, document: Document): undefined {
  put(desk, kind, { ...document, deleted: true })
  if (kind === 'alerts' || !desk.strict) return
  const alerts = desk.shelf.alerts.map(one =>
    one.fields.dashboardId === document.id ? { ...one, deleted: true } : one,
  )
  desk.shelf = { ...desk.shelf, alerts }
}

/** Does one of the five operations, and answers with documents. Deleting what is not there is no mistake in the self-hosted form. */
export function work(desk: Desk, kind: keyof Shelf, verb: Verb, id: string, body: unknown, bend: Bend) {
  const visible = desk.shelf[kind].filter(
    one => (!one.deleted || bend.shows === 'deleted') && (one.seeded || bend.hides !== 'created'),
  )
  if (verb === 'list') return visible
  const moment = desk.count.nextMoment()
  if (verb === 'create') {
    const fields = accept(desk, kind, body)
    const prefix = kind === 'alerts' ? 'alrt' : 'dash'
    return put(desk, kind, { id: desk.count.nextId(prefix), fields, changedAt: moment, seeded: false, deleted: false })
  }
  const revives = verb === 'update' && desk.habit?.updatesToo === 'what was deleted'
  const document = (revives ? desk.shelf[kind] : visible).find(one => one.id === id)
  if (verb === 'delete' && !document && !desk.strict) return
  const unknown = { get: 'unknown-document', update: 'update-unknown', delete: 'delete-unknown' } as const
  if (!document) throw new Refused(unknown[verb], 'there is no such document')
  if (verb === 'delete') return desk.habit?.deletesNothing ? undefined : remove(desk, kind, document)
  if (verb === 'get') return document
  const fields = accept(desk, kind, body, document)
  const { name } = fields
  if (desk.habit?.updatesToo === 'every other')
    for (const other of visible) put(desk, kind, { ...other, fields: { ...other.fields, name } })
  const updated = put(desk, kind, { ...document, fields, changedAt: moment, deleted: false })
  if (desk.habit?.updatesToo !== 'copy') return updated
  const copy = put(desk, kind, { ...document, id: desk.count.nextId('copy'), fields, seeded: false })
  return desk.habit.answersUpdate === 'copy' ? copy : updated
}
