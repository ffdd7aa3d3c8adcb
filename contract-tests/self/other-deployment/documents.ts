import { acceptAlert, acceptDashboard } from './accept-body.ts'
import { Refused } from './place.ts'
import type { Quirk } from './quirks.ts'
import type { Count, Document, DocumentsByKind } from './world.ts'

/** A change of a mutant: a read finds deleted documents, or misses created ones. */
export interface VisibilityChange {
  readonly shows?: 'deleted'
  readonly hides?: 'created'
}

/** The dashboards and alerts of one form. */
export interface DocumentStore {
  documents: DocumentsByKind
  /** Managed: refuses unknown properties and taken names, updates by replacing, and deletes alerts with their dashboard. */
  readonly isManaged: boolean
  readonly webhookId: string
  readonly count: Count
  readonly quirk?: Quirk
}

type Kind = keyof DocumentsByKind
type Verb = 'list' | 'create' | 'get' | 'update' | 'delete'

function accept(store: DocumentStore, kind: Kind, body: unknown, old?: Document): Document['fields'] {
  if (kind === 'alerts')
    return applyNameQuirk(store, acceptAlert(body, store.isManaged, old?.fields, store.documents, store.webhookId))
  const fields = applyNameQuirk(
    store,
    acceptDashboard(body, store.isManaged, old?.fields, () => store.count.nextId('tile')),
  )
  const twin = store.documents.dashboards.find(
    one => !one.deleted && one.id !== old?.id && one.fields.name === fields.name,
  )
  if (twin && store.isManaged) throw new Refused('name-taken', `another dashboard is called ${fields.name}`)
  return fields
}

function applyNameQuirk({ quirk }: DocumentStore, fields: Document['fields']): Document['fields'] {
  const { name } = fields
  return quirk?.changesName && typeof name === 'string' ? { ...fields, name: quirk.changesName(name) } : fields
}

function put(store: DocumentStore, kind: Kind, document: Document): Document {
  const others = store.documents[kind].filter(one => one.id !== document.id)
  // The newest change comes first, so that a list is not in the order of creation.
  store.documents = { ...store.documents, [kind]: [document, ...others] }
  return document
}

function remove(store: DocumentStore, kind: Kind, document: Document): undefined {
  put(store, kind, { ...document, deleted: true })
  if (kind === 'alerts' || !store.isManaged) return
  const alerts = store.documents.alerts.map(one =>
    one.fields.dashboardId === document.id ? { ...one, deleted: true } : one,
  )
  store.documents = { ...store.documents, alerts }
}

/**
 * Performs an operation. Returns the list, the document, or undefined after a deletion; the self-hosted form accepts the
 * deletion of an unknown document.
 */
export function operate(
  store: DocumentStore,
  kind: Kind,
  verb: Verb,
  id: string,
  body: unknown,
  change: VisibilityChange,
) {
  const visible = store.documents[kind].filter(
    one => (!one.deleted || change.shows === 'deleted') && (one.seeded || change.hides !== 'created'),
  )
  if (verb === 'list') return visible
  const moment = store.count.nextMoment()
  if (verb === 'create') {
    const fields = accept(store, kind, body)
    const prefix = kind === 'alerts' ? 'alrt' : 'dash'
    return put(store, kind, {
      id: store.count.nextId(prefix),
      fields,
      changedAt: moment,
      seeded: false,
      deleted: false,
    })
  }
  const revives = verb === 'update' && store.quirk?.updatesToo === 'what was deleted'
  const document = (revives ? store.documents[kind] : visible).find(one => one.id === id)
  if (verb === 'delete' && !document && !store.isManaged) return
  const unknown = { get: 'unknown-document', update: 'update-unknown', delete: 'delete-unknown' } as const
  if (!document) throw new Refused(unknown[verb], 'there is no such document')
  if (verb === 'delete') return store.quirk?.deletesNothing ? undefined : remove(store, kind, document)
  if (verb === 'get') return document
  const fields = accept(store, kind, body, document)
  const { name } = fields
  if (store.quirk?.updatesToo === 'all others')
    for (const other of visible) put(store, kind, { ...other, fields: { ...other.fields, name } })
  const updated = put(store, kind, { ...document, fields, changedAt: moment, deleted: false })
  if (store.quirk?.updatesToo !== 'copy') return updated
  const copy = put(store, kind, { ...document, id: store.count.nextId('copy'), fields, seeded: false })
  return store.quirk.answersUpdate === 'copy' ? copy : updated
}
