import type { Client } from './engine/clients/client.ts'
import type { Ledger } from './engine/ledger.ts'
import { checkTarget, refuseVariableNames } from './engine/target/check-target.ts'
import { refuseUnencryptedUrl, type TargetFile, UsageError } from './engine/target/target.ts'
import type { Report } from './report/report.ts'
import { type VerifyOptions as RunOptions, verify as run } from './run/verify.ts'

/** The options of `verify`. */
export interface VerifyOptions extends Omit<RunOptions, 'client' | 'contract' | 'ledger'> {
  /** How requests are sent. Default: supertest in Node, `fetch` in a browser. */
  readonly client?: Client
  /**
   * Where created ids are written before they are used, so that `stack-parity sweep` can delete what a killed run
   * leaves behind: the path of a file, or a ledger of your own. Default: a file in the temporary folder, which is
   * removed when nothing is left; in a browser, memory.
   */
  readonly ledger?: string | Ledger
  /** Allows credentials over `http:` beyond loopback. */
  readonly insecure?: boolean
}

export interface Platform {
  readonly createClient: () => Client
  /** Opens a ledger on disk; absent in a browser. */
  readonly openLedger?: (target: TargetFile, file?: string) => { ledger: Ledger; file: string; close(): void }
}

export type VerifyFunction = (options: VerifyOptions) => Promise<Report>

export const createVerify =
  ({ createClient, openLedger }: Platform): VerifyFunction =>
  async ({ client: ownClient, ledger, insecure = false, ...options }) => {
    const checkedTarget = readTarget(options.target)
    // A browser cannot send SQL: services allow no origins, and a browser cannot be given their certificate authority.
    const target = openLedger ? checkedTarget : { ...checkedTarget, sql: undefined }
    if (!insecure) refuseUnencryptedUrl(target, '`insecure: true`')
    if (typeof ledger === 'string' && !openLedger)
      throw new UsageError(`ledger: ${JSON.stringify(ledger)} cannot be written, since a browser has no files.`)
    const openedLedger = typeof ledger === 'object' ? undefined : openLedger?.(target, ledger)
    const client = ownClient ?? createClient()
    try {
      const report = await run({
        ...options,
        target,
        client,
        ledger: typeof ledger === 'object' ? ledger : openedLedger?.ledger,
      })
      return report.left && openedLedger ? { ...report, ledger: openedLedger.file } : report
    } finally {
      if (!ownClient) client.close?.()
      openedLedger?.close()
    }
  }

function readTarget(value: unknown): TargetFile {
  try {
    refuseVariableNames(value)
    return checkTarget(value)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`the target cannot be used: ${error.message}`) : error
  }
}
