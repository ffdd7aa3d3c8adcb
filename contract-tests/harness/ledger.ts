import type { Form } from '../../fixtures/contract/index.ts'

/** One thing that the run meant to create. Without an id, it is not known whether it came to be. */
export interface LedgerEntry {
  readonly form: Form
  readonly resource: 'alert' | 'dashboard'
  /** Unique and run-marked: by it an interrupted run's leftovers are found. */
  readonly name: string
  id?: string
  deleted?: true
}

/**
 * What the run created, written down before it is used: the intent with its name before the request is sent, the id before
 * anything else is done with it. Only what stands here is ever updated or deleted.
 */
export interface Ledger {
  intend(entry: LedgerEntry): LedgerEntry
  created(entry: LedgerEntry, id: string): void
  /** The id turned out to be that of something else: what was intended may still be there under its name. */
  disowned(entry: LedgerEntry): void
  /** The request was refused: nothing came to be. */
  dismiss(entry: LedgerEntry): void
  deleted(form: Form, id: string): void
  left(): readonly LedgerEntry[]
}

/** `write` appends one line; it must have reached the disk when it returns. Without it the ledger is kept in memory. */
export function createLedger(write: (line: string) => void = () => {}): Ledger {
  const entries: LedgerEntry[] = []
  const note = (what: string, entry: LedgerEntry) => write(`${JSON.stringify({ what, ...entry })}\n`)
  return {
    intend(entry) {
      entries.push(entry)
      note('intended', entry)
      return entry
    },
    created(entry, id) {
      entry.id = id
      note('created', entry)
    },
    disowned(entry) {
      delete entry.id
      note('intended', entry)
    },
    dismiss(entry) {
      entry.deleted = true
      note('dismissed', entry)
    },
    deleted(form, id) {
      for (const entry of entries) {
        if (entry.form !== form || entry.id !== id || entry.deleted) continue
        entry.deleted = true
        note('deleted', entry)
      }
    },
    left: () => entries.filter(entry => !entry.deleted),
  }
}

/** The addresses of the deployment of each run that a ledger is of. */
export function readRuns(text: string): (readonly string[])[] {
  return readLines<{ what?: string; bases?: readonly string[] }>(text).flatMap(line =>
    line?.what === 'run' && Array.isArray(line.bases) ? [line.bases] : [],
  )
}

/** The entries of a ledger that were not deleted, from its text. */
export function readLedger(text: string): LedgerEntry[] {
  const byName = new Map<string, LedgerEntry>()
  for (const value of readLines<LedgerEntry & { what?: string }>(text)) {
    if (typeof value?.name !== 'string' || typeof value.form !== 'string') continue
    const { what, ...entry } = value
    byName.set(
      `${entry.form} ${entry.resource} ${entry.name}`,
      what === 'deleted' || what === 'dismissed' ? { ...entry, deleted: true } : entry,
    )
  }
  return [...byName.values()].filter(entry => !entry.deleted)
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
