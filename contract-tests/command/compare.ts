import { show } from '../engine/check.ts'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { groupBy } from '../engine/group-by.ts'
import { createRedactor } from '../engine/redact.ts'
import { recogniseMock } from '../engine/target/own-mock.ts'
import { type TargetFile, UsageError } from '../engine/target/target.ts'
import type { Paint } from '../report/terminal.ts'
import { onOneLine } from '../report/visible.ts'
import { compareExaminations, type Difference } from '../run/compare.ts'
import { createAnswerUseJudge } from '../run/usage/mark-use.ts'
import { type Examination, examine } from '../run/verify.ts'
import type { Command, CommandContext } from './command.ts'
import { readUsage } from './document.ts'
import { readTarget } from './files.ts'
import { compareOptions, type OptionValues, renderOptions } from './options.ts'
import { announceLength } from './plan.ts'
import { screenFor } from './reports.ts'
import { readNumber } from './values.ts'

const help = `stack-parity compare --target A --target B

Sends the same read requests to two deployments and prints the differences between
their answers, with the rules that read these. Ids and times are compared as references.
Numbers that change with the clock, such as a remaining balance, are not compared. The
command writes to neither deployment.

${renderOptions(compareOptions)}
Exit status
  0  there is no difference, or with --used-by none that touches what is used
  1  there are differences
  2  wrong use, or a deployment could not be read

Example
  stack-parity compare --target staging.json --target production.json
`

export const compare: Command<keyof typeof compareOptions> = { options: compareOptions, help, run }

async function run(values: OptionValues<keyof typeof compareOptions>, context: CommandContext): Promise<number> {
  const files = values.target ?? []
  if (files.length !== 2) throw new UsageError('two targets are needed: --target A --target B.')
  const targets = files.map(file => readTarget(file, context.env, values.insecure !== undefined))
  const names = nameSides(targets, files)
  const client = createSupertestClient()
  const rate = readNumber(values, 'rate')
  const examinations: Examination[] = []
  for (const [index, target] of targets.entries()) {
    const options = { target: await recogniseMock(target, client), client, readOnly: true, rate }
    await announceLength(options, context, names[index])
    examinations.push(await examine(options))
  }
  client.close?.()
  for (const [index, { report }] of examinations.entries()) {
    const { rules, cut, summary } = report
    if (summary.held + summary.broken + summary.observed > 0) continue
    const reason = rules.find(({ outcome }) => outcome === 'errored')?.detail ?? cut ?? 'no rule applies to it'
    throw new UsageError(`${names[index]} could not be read: ${onOneLine(reason)}.`)
  }
  const [left, right] = examinations as [Examination, Examination]
  const all = compareExaminations(left, right)
  const used = await selectUsed(all, values, context)
  const differences = used ?? all
  const redactors = targets.map(createRedactor)
  const redact = (text: string) => redactors.reduce((clean, redactor) => redactor(clean), text)
  const { paint } = screenFor([], context)
  const keyOf = (difference: Difference) =>
    JSON.stringify({ ...difference, step: undefined, form: undefined, operation: undefined })
  const groups = [...groupBy(differences, keyOf).values()]
  if (groups.length > 0) context.stdout.write(`${paint.bold(names.join(' | '))}\n\n`)
  for (const group of groups) context.stdout.write(redact(renderDifferences(group, paint)))
  const count = differences.length
  const [requests, others] = [left.report.requests, right.report.requests]
  const sent = requests === others ? `${requests} requests each` : `${requests} and ${others} requests`
  const found = used ? `${count} of ${all.length} differences` : `${count} difference${count === 1 ? '' : 's'}`
  const impact = used ? ` ${count === 1 ? 'touches' : 'touch'} what you call` : ''
  const between = `between ${names.join(' and ')}`
  const verdict =
    all.length === 0 ? `nothing differs ${between}` : `${count > 0 ? '\n' : ''}${found} ${between}${impact}`
  context.stdout.write(`${verdict}, ${sent}\n`)
  return count === 0 ? 0 : 1
}

/** The differences that touch what the files of `--used-by` use; undefined without the option. */
async function selectUsed(
  differences: readonly Difference[],
  values: OptionValues<keyof typeof compareOptions>,
  context: CommandContext,
): Promise<readonly Difference[] | undefined> {
  const usage = await readUsage(values, context)
  if (!usage) return undefined
  const judge = createAnswerUseJudge(usage)
  return differences.filter(({ step, form, operation, path }) => {
    const isOfBody = path.startsWith('$')
    const difference = { form, id: operation ?? step, path: isOfBody ? path : undefined, kind: 'breaking' } as const
    return judge(difference).length > 0
  })
}

/** The names of the two deployments. Equal names get an address that differs, else the file. */
function nameSides(targets: readonly TargetFile[], files: readonly string[]): readonly string[] {
  const [one, other] = targets
  if (one?.name !== other?.name) return targets.map(({ name }, index) => name ?? files[index]!)
  const addresses = (['selfHosted', 'cloud'] as const).map(form => targets.map(target => target[form]?.baseUrl))
  const differing = addresses.find(([a, b]) => a && b && a !== b)
  return targets.map(({ name = 'unnamed' }, index) =>
    differing ? `${name} at ${differing[index]}` : `${name} of ${files[index]}`,
  )
}

const maxRules = 3

/** Renders a difference that the answers of a group share. The values come from the deployments, so they are escaped. */
function renderDifferences(group: readonly Difference[], paint: Paint): string {
  const [{ step, rules, path, left, right }] = group as [Difference]
  const isOutcome = path === 'outcome'
  const more = group.length - 1
  const title = isOutcome || more === 0 ? step : `${step} and ${more} more request${more === 1 ? '' : 's'}`
  const others = rules.length - maxRules
  const readers = isOutcome
    ? group.map(({ form }) => form)
    : [...rules.slice(0, maxRules), ...(others > 0 ? [`and ${others} more rule${others === 1 ? '' : 's'}`] : [])]
  return `${paint.bold(title)} ${paint.dim(readers.join(', '))}\n  ${onOneLine(path)}: ${onOneLine(show(left))} | ${onOneLine(show(right))}\n`
}
