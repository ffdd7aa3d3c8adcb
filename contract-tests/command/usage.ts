import { rmSync } from 'node:fs'
import { UsageError } from '../engine/target/target.ts'
import { countOf } from '../report/outline.ts'
import type { Command, CommandContext } from './command.ts'
import { refuseMissingFolder, writeText } from './files.ts'
import { type OptionValues, renderOptions, usageOptions } from './options.ts'
import { readUsageFiles } from './usage-files.ts'

const help = `stack-parity usage merge FILE... [--out FILE]

Adds up usage files, recorded traffic (HAR 1.2), and the parts that the workers of a test
run with STACK_PARITY_USAGE=FILE wrote beside FILE. The result is a usage file, for
stack-parity verify --used-by: operations with counts, parameters, fields and values of
enums. It holds no other text of a request.

${renderOptions({ out: usageOptions.out })}
Exit status
  0  the usage is written
  2  wrong use, or a file could not be read

Examples
  STACK_PARITY_USAGE=usage.json npx vitest run
  stack-parity usage merge usage.json session.har --out usage.json
`

export const usage: Command<keyof typeof usageOptions> = { options: usageOptions, help, arguments: 'merge', run }

async function run(values: OptionValues<keyof typeof usageOptions>, context: CommandContext): Promise<number> {
  const [verb, ...files] = values.merge ?? []
  if (verb !== 'merge' || files.length === 0) throw new UsageError('files are needed: stack-parity usage merge FILE...')
  const [out] = values.out ?? []
  if (out !== undefined) refuseMissingFolder('--out', out)
  const { usage, parts, others } = await readUsageFiles('usage merge', files, context)
  const text = `${JSON.stringify(usage, null, 2)}\n`
  if (others > 0)
    context.stderr.write(`${countOf(others, 'recorded exchange')} left out: the path is no operation of this API.\n`)
  if (out === undefined) {
    context.stdout.write(text)
    return 0
  }
  writeText('--out', out, text)
  // They would count twice in the next merge.
  for (const part of parts) rmSync(part)
  context.stderr.write(`${out} is written: ${countOf(Object.keys(usage.operations).length, 'operation')}.\n`)
  return 0
}
