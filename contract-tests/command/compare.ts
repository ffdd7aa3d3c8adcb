import type { Surroundings } from '../command.ts'
import { show } from '../harness/check.ts'
import { compareExaminations, type Difference } from '../harness/compare.ts'
import { createRedactor } from '../harness/redact.ts'
import { createPaint } from '../harness/report/terminal.ts'
import { createSupertestClient } from '../harness/supertest-client.ts'
import { UsageError } from '../harness/target.ts'
import { examine } from '../harness/verify.ts'
import { readTarget } from './files.ts'
import { compareOptions, readNamed, renderOptions } from './options.ts'

const help = () => `stack-parity compare --target A --target B

Sends the same reading requests to two deployments and prints what differs, by the rule
that reads it, after ids and times are replaced by references. It writes to neither.

${renderOptions(compareOptions)}
Exit status
  0  nothing differs
  1  something does
  2  wrong use, or one of them could not be read

Example
  stack-parity compare --target staging.json --target production.json
`

/** Compares two deployments by reading only, and answers with the exit status. */
export async function runCompare(args: readonly string[], around: Surroundings): Promise<number> {
  const given = readNamed(args, compareOptions, around.nearest, 'compare')
  if (given.help) {
    around.stdout.write(help())
    return 0
  }
  const files = given.target ?? []
  if (files.length !== 2) throw new UsageError('two targets are needed: --target A --target B.')
  const [one, other] = files.map(file => readTarget(file, around.env)) as [
    ReturnType<typeof readTarget>,
    ReturnType<typeof readTarget>,
  ]
  const client = createSupertestClient()
  const left = await examine({ target: one, client, readOnly: true })
  const right = await examine({ target: other, client, readOnly: true })
  client.close?.()
  const differences = compareExaminations(left, right)
  const redact = (text: string) => createRedactor(one)(createRedactor(other)(text))
  const paint = createPaint(around.stdout.isTTY === true && !around.env.NO_COLOR)
  const name = (index: 0 | 1) => [left, right][index]!.report.target.name
  for (const difference of differences) around.stdout.write(redact(renderDifference(difference, paint)))
  const { requests } = left.report
  around.stdout.write(
    `${differences.length === 0 ? 'nothing differs' : `${differences.length} differences`} between ${name(0)} and ${name(1)}, ${requests} and ${right.report.requests} requests\n`,
  )
  const judged = left.visited.exchanges.size > 0 && right.visited.exchanges.size > 0
  return judged ? (differences.length === 0 ? 0 : 1) : 2
}

function renderDifference(
  { step, rules, path, left, right }: Difference,
  paint: ReturnType<typeof createPaint>,
): string {
  return `${paint.bold(step)} ${paint.dim(rules.join(', '))}\n  ${path}: ${show(left)} | ${show(right)}\n`
}
