import type { Form } from '../../fixtures/contract/index.ts'
import type { CreatableResource } from './creatable-resources.ts'

/** The answer to a creation. Credentials are redacted and the body is cut. */
export interface LedgerAnswer {
  readonly status: number
  readonly location?: string
  readonly body: string
}

/** An object that the run tried to create. Without an id, it is not known whether it exists. */
export interface LedgerEntry {
  readonly form: Form
  readonly resource: CreatableResource
  /** Unique: it contains the run's mark. */
  readonly name: string
  /** The run's mark, by which leftovers of an interrupted run are recognised. */
  readonly run?: string
  /** The path of the creating request. */
  readonly path?: string
  /** An object with the run's mark that no request asked for. */
  readonly stray?: true
  /** A creation that should be refused. Even if its result is unknown, the run creates further objects. */
  readonly probe?: true
  /** Set once the run can prove that it created the object. */
  id?: string
  answer?: LedgerAnswer
  /** The object as a list shows it, redacted and cut, while its id is not known. */
  shown?: string
  /** A list has shown the id, so that its absence from a later list proves that the object is gone. */
  listed?: true
  /** Why the object may still exist. */
  why?: string
  deleted?: true
}

/**
 * What the run created, written down first: the name before the request is sent, the answer and the id before they are
 * used. A run updates and deletes only objects whose id is in the ledger, and each stays there until a get or a list shows
 * that it is gone.
 */
export type Ledger = ReturnType<typeof createLedger>

const keyOf = (form: Form, resource: CreatableResource) => `${form} ${resource}`

/** `write` appends one line, which must be on disk when the function returns. `text` is the content of a ledger to continue. */
export function createLedger(write: (line: string) => void = () => {}, text = '') {
  const { entries, before, marked } = readContent(text)
  const kinds = new Set(entries.map(({ form, resource }) => keyOf(form, resource)))
  const note = (what: string, value: object) => write(`${JSON.stringify({ what, ...value })}\n`)
  return {
    intend(entry: LedgerEntry): LedgerEntry {
      entries.push(entry)
      kinds.add(keyOf(entry.form, entry.resource))
      note('intended', entry)
      return entry
    },
    noteAnswer: (entry: LedgerEntry, answer: LedgerAnswer): void => note('answered', Object.assign(entry, { answer })),
    noteCreated(entry: LedgerEntry, id: string): void {
      entry.id = id
      delete entry.deleted
      note('created', entry)
    },
    /** Notes that nothing was created. */
    dismiss: (entry: LedgerEntry): void => note('dismissed', Object.assign(entry, { deleted: true })),
    noteDeleted: (entry: LedgerEntry): void => note('deleted', Object.assign(entry, { deleted: true })),
    noteLeft(entry: LedgerEntry, why: string, shown?: string): void {
      entry.why = why
      if (shown !== undefined) entry.shown = shown
      note('left', entry)
    },
    /** Notes the ids of a whole list from before the first creation of its kind. */
    noteBefore(form: Form, resource: CreatableResource, ids: readonly string[]): void {
      if (before.has(keyOf(form, resource))) return
      before.set(keyOf(form, resource), new Set(ids.map(id => id.toLowerCase())))
      note('before', { form, resource, ids })
    },
    listedBefore: (form: Form, resource: CreatableResource) => before.get(keyOf(form, resource)),
    /** Notes that the lists of this deployment show the run's mark, so that absence from them is proof. */
    noteShowsMarks(form: Form, resource: CreatableResource): void {
      if (marked.has(keyOf(form, resource))) return
      marked.add(keyOf(form, resource))
      note('marked', { form, resource })
    },
    showsMarks: (form: Form, resource: CreatableResource) => marked.has(keyOf(form, resource)),
    entries: (): readonly LedgerEntry[] => entries,
    left: (): readonly LedgerEntry[] => entries.filter(entry => !entry.deleted),
    countKinds: () => kinds.size,
  }
}

/** The addresses of the deployment of each run in a ledger. */
export function readRuns(text: string): (readonly string[])[] {
  return readLines<{ what?: string; bases?: readonly string[] }>(text).flatMap(line =>
    line?.what === 'run' && Array.isArray(line.bases) ? [line.bases] : [],
  )
}

function readContent(text: string) {
  const byName = new Map<string, LedgerEntry>()
  const before = new Map<string, ReadonlySet<string>>()
  const marked = new Set<string>()
  for (const value of readLines<LedgerEntry & { what?: string; ids?: readonly string[] }>(text)) {
    if (typeof value?.form !== 'string') continue
    const { what, ids, ...entry } = value
    const group = keyOf(entry.form, entry.resource)
    if (what === 'before' && Array.isArray(ids)) before.set(group, new Set(ids.map(id => String(id).toLowerCase())))
    else if (what === 'marked') marked.add(group)
    else if (typeof entry.name === 'string')
      byName.set(
        `${group} ${entry.name} ${entry.stray ? entry.id : ''}`,
        what === 'deleted' || what === 'dismissed' ? { ...entry, deleted: true } : entry,
      )
  }
  return { entries: [...byName.values()], before, marked }
}

/** Skips a line that a crash cut short. */
function readLines<T>(text: string): (T | null)[] {
  return text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}
