import { appendFileSync } from 'node:fs'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { createLedger, type LedgerEntry, readRuns } from '../engine/ledger.ts'
import { createRedactor } from '../engine/redact.ts'
import { recogniseMock } from '../engine/target/own-mock.ts'
import { basesOf, defaultRate, refuseForbiddenWrites, UsageError } from '../engine/target/target.ts'
import { describeLeftBehind, toLeftBehind } from '../report/describe-left.ts'
import { formNames } from '../report/outline.ts'
import { onOneLine } from '../report/visible.ts'
import { cleanUp } from '../run/clean-up.ts'
import { sendSteps } from '../run/send-steps.ts'
import type { Command, CommandContext } from './command.ts'
import { readTarget, readText } from './files.ts'
import { type OptionValues, renderOptions, sweepOptions } from './options.ts'
import { formatDuration } from './plan.ts'
import { readNumber } from './values.ts'

const help = `stack-parity sweep --target FILE --ledger FILE

Deletes the objects that an interrupted verify left behind: those in its ledger that are
not deleted yet, and nothing else. It can be run again.

${renderOptions(sweepOptions)}
Exit status
  0  nothing is left
  1  something is left, and is named
  2  wrong use, or the ledger is of another deployment

Example
  stack-parity sweep --target staging.json --ledger /tmp/stack-parity-mbx1.ledger
`

export const sweep: Command<keyof typeof sweepOptions> = { options: sweepOptions, help, run }

async function run(values: OptionValues<keyof typeof sweepOptions>, context: CommandContext): Promise<number> {
  const [file] = values.ledger ?? []
  if (!values.target || !file) throw new UsageError('both --target FILE and --ledger FILE are needed.')
  const named = readTarget(values.target[0]!, context.env, values.insecure !== undefined)
  refuseForbiddenWrites(named, 'the deletions of a sweep')
  const text = readText('--ledger', file)
  refuseOtherDeployment(text, file, basesOf(named))
  const client = createSupertestClient()
  const target = await recogniseMock(named, client)
  const show = showEntries(createRedactor(target), context)
  const ledger = createLedger(line => {
    appendFileSync(file, line)
    show(JSON.parse(line))
  }, text)
  const countBefore = ledger.left().length
  const rate = readNumber(values, 'rate') ?? defaultRate(target)
  context.stderr.write(announce(countBefore, rate))
  const sentSteps = await sendSteps({
    target,
    client,
    steps: [],
    runMark: 'sweep',
    now: Date.now(),
    ledger,
    readOnly: false,
    rate,
  })
  await cleanUp(target, ledger, sentSteps)
  client.close?.()
  const left = ledger.left()
  // A list may show further objects of the run.
  const count = Math.max(countBefore, left.length)
  context.stdout.write(`${count - left.length} of ${count} entries of ${file} are gone from the deployment.\n`)
  const { redact } = sentSteps
  for (const entry of left) {
    const { what, facts } = describeLeftBehind(toLeftBehind(entry))
    context.stdout.write(redact(`  left in ${onOneLine(`${entry.form}: ${what}`)}\n`))
    for (const one of facts) context.stdout.write(redact(`    ${onOneLine(one)}\n`))
  }
  return left.length === 0 ? 0 : 1
}

/** The fewest requests for an entry: its deletion, and a list or a get as the proof. */
const REQUESTS_PER_ENTRY = 2

function announce(entries: number, rate: number | undefined): string {
  if (entries === 0) return ''
  const seconds = (entries * REQUESTS_PER_ENTRY) / (rate ?? Number.POSITIVE_INFINITY)
  const time = rate ? ` at ${rate} requests a second: at least ${formatDuration(seconds * 1000)}` : ''
  return `${entries === 1 ? '1 entry' : `${entries} entries`} to look for and delete${time}.\n`
}

/** Returns a function that writes a line for a finished entry: at a limited rate, a sweep may take minutes. */
function showEntries(redact: (text: string) => string, { stderr }: CommandContext) {
  const labels: Readonly<Record<string, string>> = { deleted: 'gone', dismissed: 'not there', left: 'still there' }
  return ({ what, form, resource, name, id = '(id not known)' }: { what: string } & LedgerEntry) => {
    const label = labels[what]
    if (label) stderr.write(redact(`${onOneLine(`${label}: ${formNames[form]} ${resource} ${id} "${name}"`)}\n`))
  }
}

/** Refuses the ledger of another deployment, where the same ids may belong to other objects. */
function refuseOtherDeployment(text: string, file: string, bases: readonly string[]): void {
  const runs = readRuns(text)
  if (runs.length === 0) throw new UsageError(`--ledger ${file}: it is no ledger of a run: nothing was deleted.`)
  const otherBase = runs.flat().find(base => !bases.includes(base))
  if (otherBase === undefined) return
  const reason = `it is of a run on ${otherBase}, which the target file does not name`
  throw new UsageError(`--ledger ${file}: ${reason}: nothing was deleted.`)
}
