import { randomUUID } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createLedger } from './ledger.ts'
import { basesOf, type TargetFile, UsageError } from './target/target.ts'

/** Opens a ledger file, by default beside the report. Each line is written at once, so that a killed run can be swept. */
export function openLedger(target: TargetFile, named?: string, report?: string) {
  const mark = `${Date.now().toString(36)}-${process.pid}-${randomUUID().slice(0, 8)}`
  const file = named ?? join(report ? dirname(report) : tmpdir(), `stack-parity-${mark}.ledger`)
  const write = (line: string) => {
    try {
      appendFileSync(file, line)
    } catch (error) {
      throw new UsageError(
        `the ledger ${file} cannot be written (${(error as NodeJS.ErrnoException).code}); choose another place with --ledger FILE, or the option ledger of the library.`,
      )
    }
  }
  write(`${JSON.stringify({ what: 'run', bases: basesOf(target) })}\n`)
  const ledger = createLedger(write)
  return {
    ledger,
    file,
    /** Deletes the file when nothing is left, unless the user named it. */
    close: (): void => {
      if (!named && ledger.left().length === 0) rmSync(file, { force: true })
    },
  }
}
