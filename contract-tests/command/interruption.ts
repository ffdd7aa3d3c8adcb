import type { LedgerEntry } from '../engine/ledger.ts'
import { describeLeftBehindInOneLine, toLeftBehind } from '../report/describe-left.ts'
import { formNames } from '../report/outline.ts'
import { onOneLine } from '../report/visible.ts'
import type { CommandContext } from './command.ts'

/** The exit status of a program that was stopped by Ctrl-C, as shells know it. */
export const STOPPED = 130

/** Listens for signals: the first prints a message and makes the run clean up and end; the second ends the run at once. */
export function handleSignals({ stopped, stderr }: CommandContext, left: () => readonly LedgerEntry[]) {
  const ending = new AbortController()
  const stoppedAtOnce = stopped().then(async () => {
    const nextAction = left().length > 0 ? 'deletes what it created' : 'ends'
    stderr.write(
      `${stderr.isTTY ? '\r\u001b[K' : ''}Interrupted: the run waits for the answers that are under way, then ${nextAction}. A second signal stops it at once.\n`,
    )
    ending.abort()
    await stopped()
    return 'stopped' as const
  })
  return { ending: ending.signal, stoppedAtOnce }
}

/** Describes what a run that was stopped at once leaves behind, and how to delete it. */
export function describeInterruption(left: readonly LedgerEntry[], sweep: string): string {
  if (left.length === 0) return 'Stopped at once; nothing is left behind.\n'
  const objects = left.map(entry =>
    onOneLine(`${formNames[entry.form]}: ${describeLeftBehindInOneLine(toLeftBehind(entry))}`),
  )
  return [
    'Stopped at once. This may be left behind:',
    ...objects.map(object => `  ${object}`),
    `Delete what is left with: ${sweep}\n`,
  ].join('\n')
}

/** The command line that deletes what a ledger holds. */
export const sweepLine = (target: string, ledger: string, isInsecure: boolean): string =>
  `stack-parity sweep --target ${quote(target)} --ledger ${quote(ledger)}${isInsecure ? ' --insecure' : ''}`

/** Quotes a word for a shell, if necessary. */
export const quote = (word: string) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
