import { acceptAlert, acceptDashboard } from './accept-body.ts'
import { Refused } from './place.ts'
import type { Quirk } from './quirks.ts'
import type { Count, Document, Shelf } from './world.ts'

/** A fault of a mutant: a read finds deleted documents, or misses created ones. */
export interface VisibilityFault {
  readonly shows?: 'deleted'
  readonly hides?: 'created'
}

/** The dashboards and alerts of one form. */
export interface DocumentStore {
  shelf: Shelf
  /** Managed: unknown properties and double names are refused, an update replaces, and deleting a dashboard deletes its alerts. */
  readonly strict: boolean
  readonly webhookId: string
  readonly count: Count
  readonly quirk?: Quirk
}

type Verb = 'list' | 'create' | 'get' | 'update' | 'delete'

function accept(desk: DocumentStore, kind: keyof Shelf, body: unknown, old?: Document): Document['fields'] {
  if (kind === 'alerts') return rename(desk, acceptAlert(body, desk.strict, old?.fields, desk.shelf, desk.webhookId))
  const fields = rename(
    desk,
    acceptDashboard(body, desk.strict, old?.fields, () => desk.count.nextId('tile')),
  )
  const twin = desk.shelf.dashboards.find(one => !one.deleted && one.id !== old?.id && one.fields.name === fields.name)
  if (twin && desk.strict) throw new Refused('name-taken', `another dashboard is called ${fields.name}`)
  return fields
}

function rename({ quirk }: DocumentStore, fields: Document['fields']): Document['fields'] {
  const { name } = fields
  return quirk?.keepsName && typeof name === 'string' ? { ...fields, name: quirk.keepsName(name) } : fields
}

function put(desk: DocumentStore, kind: keyof Shelf, document: Document): Document {
  const others = desk.shelf[kind].filter(one => one.id !== document.id)
  // The newest change comes first, so that the order of the list is not that of creation.
  desk.shelf = { ...desk.shelf, [kind]: [document, ...others] }
  return document
}

function remove(desk: DocumentStore, kind: keyof Shelf, document: Document): undefined {
  put(desk, kind, { ...document, deleted: true })
  if (kind === 'alerts' || !desk.strict) return
  const alerts = desk.shelf.alerts.map(one =>
    one.fields.dashboardId === document.id ? { ...one, deleted: true } : one,
  )
  desk.shelf = { ...desk.shelf, alerts }
}

/** Does one of the five operations, and answers with documents. The self-hosted form accepts the deletion of an unknown document. */
export function work(
  desk: DocumentStore,
  kind: keyof Shelf,
  verb: Verb,
  id: string,
  body: unknown,
  change: VisibilityFault,
) {
  const visible = desk.shelf[kind].filter(
    one => (!one.deleted || change.shows === 'deleted') && (one.seeded || change.hides !== 'created'),
  )
  if (verb === 'list') return visible
  const moment = desk.count.nextMoment()
  if (verb === 'create') {
    const fields = accept(desk, kind, body)
    const prefix = kind === 'alerts' ? 'alrt' : 'dash'
    return put(desk, kind, { id: desk.count.nextId(prefix), fields, changedAt: moment, seeded: false, deleted: false })
  }
  const revives = verb === 'update' && desk.quirk?.updatesToo === 'what was deleted'
  const document = (revives ? desk.shelf[kind] : visible).find(one => one.id === id)
  if (verb === 'delete' && !document && !desk.strict) return
  const unknown = { get: 'unknown-document', update: 'update-unknown', delete: 'delete-unknown' } as const
  if (!document) throw new Refused(unknown[verb], 'there is no such document')
  if (verb === 'delete') return desk.quirk?.deletesNothing ? undefined : remove(desk, kind, document)
  if (verb === 'get') return document
  const fields = accept(desk, kind, body, document)
  const { name } = fields
  if (desk.quirk?.updatesToo === 'every other')
    for (const other of visible) put(desk, kind, { ...other, fields: { ...other.fields, name } })
  const updated = put(desk, kind, { ...document, fields, changedAt: moment, deleted: false })
  if (desk.quirk?.updatesToo !== 'copy') return updated
  const copy = put(desk, kind, { ...document, id: desk.count.nextId('copy'), fields, seeded: false })
  return desk.quirk.answersUpdate === 'copy' ? copy : updated
}
