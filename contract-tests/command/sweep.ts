import { appendFileSync } from 'node:fs'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { createLedger, readRuns } from '../engine/ledger.ts'
import { basesOf } from '../engine/ledger-file.ts'
import { UsageError } from '../engine/target/target.ts'
import { leftOf, sayLeft } from '../report/say-left.ts'
import { onOneLine } from '../report/visible.ts'
import { cleanUp } from '../run/clean-up.ts'
import { visit } from '../run/visit.ts'
import { readTarget, readText } from './files.ts'
import { type Given, renderOptions, sweepOptions } from './options.ts'
import type { Command, Surroundings } from './run.ts'

const help = `stack-parity sweep --target FILE --ledger FILE

Deletes what an interrupted verify left behind: what stands in the ledger and was not
deleted yet, and nothing else. It can be run again.

${renderOptions(sweepOptions)}
Exit status
  0  nothing is left
  1  something is left, and is named
  2  wrong use, or the ledger is of another deployment

Example
  stack-parity sweep --target staging.json --ledger /tmp/stack-parity-mbx1.ledger
`

export const sweep: Command<keyof typeof sweepOptions> = { options: sweepOptions, help, run }

/** Deletes what a ledger holds, and answers with the exit status: 0 when nothing is left. */
async function run(given: Given<keyof typeof sweepOptions>, around: Surroundings): Promise<number> {
  const [file] = given.ledger ?? []
  if (!given.target || !file) throw new UsageError('both --target FILE and --ledger FILE are needed.')
  const target = readTarget(given.target[0]!, around.env, given.insecure !== undefined)
  const text = readText('--ledger', file)
  refuseOtherDeployment(text, file, basesOf(target))
  const ledger = createLedger(line => appendFileSync(file, line), text)
  const before = ledger.left().length
  const client = createSupertestClient()
  const visited = await visit({
    target,
    client,
    steps: [],
    run: 'sweep',
    now: Date.now(),
    ledger,
    readOnly: false,
  })
  await cleanUp(target, ledger, visited)
  client.close?.()
  const left = ledger.left()
  // A list may show more than the ledger had.
  const all = Math.max(before, left.length)
  around.stdout.write(`${all - left.length} of ${all} entries of ${file} are gone from the deployment.\n`)
  const { redact } = visited
  for (const entry of left) {
    const { what, known } = sayLeft(leftOf(entry))
    around.stdout.write(redact(`  left in ${onOneLine(`${entry.form}: ${what}`)}\n`))
    for (const one of known) around.stdout.write(redact(`    ${onOneLine(one)}\n`))
  }
  return left.length === 0 ? 0 : 1
}

/** The ids of one deployment must not be deleted on another. */
function refuseOtherDeployment(text: string, file: string, bases: readonly string[]): void {
  const runs = readRuns(text)
  if (runs.length === 0) throw new UsageError(`--ledger ${file}: it is no ledger of a run: nothing was deleted.`)
  const strange = runs.flat().find(base => !bases.includes(base))
  if (strange)
    throw new UsageError(
      `--ledger ${file}: it is of a run on ${strange}, which the target file does not name: nothing was deleted.`,
    )
}
