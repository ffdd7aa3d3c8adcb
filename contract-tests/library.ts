import type { Client } from './engine/clients/client.ts'
import type { Ledger } from './engine/ledger.ts'
import { checkTarget, refuseNames } from './engine/target/check-target.ts'
import { refuseOpenHttp, type TargetFile, UsageError } from './engine/target/target.ts'
import type { Report } from './report/report.ts'
import { type VerifyOptions as RunOptions, verify as run } from './run/verify.ts'

/** What `verify` takes: the target, what to judge of it, and how. */
export interface VerifyOptions extends Omit<RunOptions, 'client' | 'ledger'> {
  /** How requests are sent. Default: supertest in Node, `fetch` in a browser. */
  readonly client?: Client
  /**
   * Where created ids are written before they are used, so that `stack-parity sweep` can take away what a killed run leaves:
   * the path of a file, or a ledger of your own. Default: a file in the temporary folder, which is removed when nothing is
   * left; in a browser, memory.
   */
  readonly ledger?: string | Ledger
  /** Allows credentials over `http:` beyond loopback. */
  readonly insecure?: boolean
}

export interface Platform {
  readonly createClient: () => Client
  /** Opens a ledger on disk; absent where there is none. */
  readonly openLedger?: (target: TargetFile, file?: string) => { ledger: Ledger; file: string; close(): void }
}

export type VerifyFunction = (options: VerifyOptions) => Promise<Report>

export const createVerify =
  ({ createClient, openLedger }: Platform): VerifyFunction =>
  async ({ client: given, ledger, insecure = false, ...options }) => {
    const named = takeTarget(options.target)
    // Services answer no pages, and a page cannot add a certificate authority.
    const target = openLedger ? named : { ...named, sql: undefined }
    if (!insecure) refuseOpenHttp(target, '`insecure: true`')
    if (typeof ledger === 'string' && !openLedger)
      throw new UsageError(`ledger: ${JSON.stringify(ledger)} cannot be written, since a browser has no files.`)
    const book = typeof ledger === 'object' ? undefined : openLedger?.(target, ledger)
    const client = given ?? createClient()
    try {
      const report = await run({
        ...options,
        target,
        client,
        ledger: typeof ledger === 'object' ? ledger : book?.ledger,
      })
      return report.left && book ? { ...report, ledger: book.file } : report
    } finally {
      if (!given) client.close?.()
      book?.close()
    }
  }

function takeTarget(value: unknown): TargetFile {
  try {
    refuseNames(value)
    return checkTarget(value)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`the target cannot be used: ${error.message}`) : error
  }
}
