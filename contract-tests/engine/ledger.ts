import type { Form } from '../../fixtures/contract/index.ts'
import type { Created } from './created.ts'

/** What a creation was answered, with credentials redacted and the body cut. */
interface LedgerAnswer {
  readonly status: number
  readonly location?: string
  readonly body: string
}

/** One object that the run tried to create. Without an id, it is not known which one it is, or whether it exists. */
export interface LedgerEntry {
  readonly form: Form
  readonly resource: Created
  /** Unique, with the mark of the run in it. */
  readonly name: string
  /** The mark of the run, by which an interrupted run's leftovers are recognised. */
  readonly run?: string
  /** Where the request that creates it is sent. */
  readonly path?: string
  /** True for an object with the run's mark that no request of the run asked for. */
  readonly stray?: true
  /** True for a creation that should be refused: it does not keep the run from creating what it means to. */
  readonly probe?: true
  /** Set when the run can show that it created this thing. */
  id?: string
  answer?: LedgerAnswer
  /** The thing as a list shows it, redacted and cut, when its id is not known. */
  shown?: string
  /** True once a list has shown the id: its absence from a later list then means that it is gone. */
  listed?: true
  /** Why it may still be there. */
  why?: string
  deleted?: true
}

/**
 * What the run created, written down before it is used: the intent with its name before the request is sent, the answer and
 * the id before anything else is done with it. Only what stands here with an id is ever updated or deleted, and it stays
 * until a get or a list shows that it is gone.
 */
export interface Ledger {
  intend(entry: LedgerEntry): LedgerEntry
  answered(entry: LedgerEntry, answer: LedgerAnswer): void
  /** The run can show that it created the thing with this id. */
  created(entry: LedgerEntry, id: string): void
  /** Nothing was created: the request was refused, or a list shows that there is nothing. */
  dismiss(entry: LedgerEntry): void
  /** A get or a list shows that it is gone. */
  deleted(entry: LedgerEntry): void
  stays(entry: LedgerEntry, why: string, shown?: string): void
  /** The ids of a whole list that was read before the run created anything of the kind. */
  noteBefore(form: Form, resource: Created, ids: readonly string[]): void
  before(form: Form, resource: Created): ReadonlySet<string> | undefined
  /** Lists of this deployment show the mark of the run: absence from them then means that the object does not exist. */
  noteShowsMarks(form: Form, resource: Created): void
  showsMarks(form: Form, resource: Created): boolean
  entries(): readonly LedgerEntry[]
  left(): readonly LedgerEntry[]
  /** How many kinds of things it has. */
  kinds(): number
}

const keyOf = (form: Form, resource: Created) => `${form} ${resource}`

/**
 * `write` appends one line; it must have reached the disk when it returns. Without it the ledger is kept in memory. `text`
 * is that of a ledger which is taken up again.
 */
export function createLedger(write: (line: string) => void = () => {}, text = ''): Ledger {
  const { entries, before, marked } = readContent(text)
  const kinds = new Set(entries.map(({ form, resource }) => keyOf(form, resource)))
  const note = (what: string, value: object) => write(`${JSON.stringify({ what, ...value })}\n`)
  return {
    intend(entry) {
      entries.push(entry)
      kinds.add(keyOf(entry.form, entry.resource))
      note('intended', entry)
      return entry
    },
    answered: (entry, answer) => note('answered', Object.assign(entry, { answer })),
    created(entry, id) {
      entry.id = id
      delete entry.deleted
      note('created', entry)
    },
    dismiss: entry => note('dismissed', Object.assign(entry, { deleted: true })),
    deleted: entry => note('deleted', Object.assign(entry, { deleted: true })),
    stays(entry, why, shown) {
      entry.why = why
      if (shown !== undefined) entry.shown = shown
      note('left', entry)
    },
    noteBefore(form, resource, ids) {
      if (before.has(keyOf(form, resource))) return
      before.set(keyOf(form, resource), new Set(ids.map(id => id.toLowerCase())))
      note('before', { form, resource, ids })
    },
    before: (form, resource) => before.get(keyOf(form, resource)),
    noteShowsMarks(form, resource) {
      if (marked.has(keyOf(form, resource))) return
      marked.add(keyOf(form, resource))
      note('marked', { form, resource })
    },
    showsMarks: (form, resource) => marked.has(keyOf(form, resource)),
    entries: () => entries,
    left: () => entries.filter(entry => !entry.deleted),
    kinds: () => kinds.size,
  }
}

/** The addresses of the deployment of each run that a ledger is of. */
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

/** A line cut short by a crash is passed over. */
function readLines<T>(text: string): (T | null)[] {
  return text.split('\n').flatMap(line => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}
