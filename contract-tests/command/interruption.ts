import type { LedgerEntry } from '../engine/ledger.ts'
import { describeLeftInOneLine, leftOf } from '../report/describe-left.ts'
import { formNames } from '../report/outline.ts'
import { onOneLine } from '../report/visible.ts'
import type { CommandContext } from './run.ts'

/** The exit status of a program that was stopped by Ctrl-C, as shells know it. */
export const STOPPED = 130

/**
 * Listens for signals: the first makes a run clean up and end, the second ends it at once. It says at the first what happens
 * now, since winding up takes as long as the target does.
 */
export function heedSignals({ stopped, stderr }: CommandContext, left: () => readonly LedgerEntry[]) {
  const windUp = new AbortController()
  const atOnce = stopped().then(async () => {
    const then = left().length > 0 ? 'deletes what it created' : 'ends'
    stderr.write(
      `${stderr.isTTY ? '\r\u001b[K' : ''}Interrupted: the run waits for the answers that are under way, then ${then}. A second signal stops it at once.\n`,
    )
    windUp.abort()
    await stopped()
    return 'stopped' as const
  })
  return { windUp: windUp.signal, atOnce }
}

/** What a run that was stopped at once says: what it leaves behind, and how that is taken away. */
export function describeInterruption(left: readonly LedgerEntry[], sweep: string): string {
  if (left.length === 0) return 'Stopped at once; nothing is left behind.\n'
  const things = left.map(entry => onOneLine(`${formNames[entry.form]}: ${describeLeftInOneLine(leftOf(entry))}`))
  return [
    'Stopped at once. This may be left behind:',
    ...things.map(thing => `  ${thing}`),
    `Take it away with: ${sweep}\n`,
  ].join('\n')
}

/** The command line that deletes what a ledger holds. */
export const sweepLine = (target: string, ledger: string, isInsecure: boolean): string =>
  `stack-parity sweep --target ${quote(target)} --ledger ${quote(ledger)}${isInsecure ? ' --insecure' : ''}`

/** A word as a shell takes it. */
export const quote = (word: string) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
