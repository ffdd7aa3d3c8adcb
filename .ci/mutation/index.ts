import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { readProgramOptions } from '../read-program-options.ts'
import { type Slice, slices } from './slices.ts'

/**
 * `npm run mutation`: makes thousands of small changes to the code, runs the tests of the slice on each, and prints the
 * surviving mutants and the score of each file. Results are kept in `reports/mutation`, and the next run tests only what
 * changed since; `-- --force` tests everything, `-- --only journal` the slices of this name or file.
 */
const force = { description: 'test everything, also unchanged code', isSwitch: true } as const
const threads = {
  description: 'the number of mutants that are tested at a time',
  number: availableParallelism(),
} as const
const only = {
  description: 'only the slices of this name, or with a file of this name',
  words: [],
  isRepeatable: true,
} as const
const { only: words, ...values } = readProgramOptions('mutation', { force, threads, only })
const isWanted = ({ name, mutate }: Slice) =>
  words.length === 0 || words.some(word => name === word || mutate.some(file => file.includes(word)))

const began = performance.now()
const counts = new Map<string, { caught: number; missed: number }>()
const wanted = slices.filter(isWanted)
if (wanted.length === 0) refuse(`no slice has a file like ${words.join(', ')}: .ci/mutation/slices.ts has them all`)
// Without this, a slice would run all tests of the project.
const missingFile = wanted.flatMap(({ mutate, tests }) => [...mutate, ...tests]).find(file => !existsSync(file))
if (missingFile !== undefined) refuse(`there is no ${missingFile}; correct .ci/mutation/slices.ts`)
for (const slice of wanted) await judge(slice).catch(reason => reportFailure(slice, reason))

async function judge({ name, mutate, tests }: Slice) {
  const mutants = await new Stryker({
    mutate: [...mutate],
    testFiles: [...tests],
    force: values.force,
    concurrency: values.threads,
    incrementalFile: `reports/mutation/${name}.json`,
  }).runMutationTest()
  for (const { fileName, status } of mutants) {
    const file = relative('.', fileName)
    const count = counts.get(file) ?? { caught: 0, missed: 0 }
    counts.set(file, count)
    if (status === 'Killed' || status === 'Timeout') count.caught++
    if (status === 'Survived' || status === 'NoCoverage') count.missed++
  }
}

function refuse(description: string): never {
  console.error(`mutation: ${description}`)
  process.exit(2)
}

/** If the tests of a slice fail without a mutant, the scores of the other slices are printed all the same. */
function reportFailure({ name }: Slice, reason: unknown) {
  console.error(`mutation: the slice ${name} was not judged: ${reason instanceof Error ? reason.message : reason}`)
  process.exitCode = 1
}

const reasons = Object.assign({}, ...wanted.map(({ survivors }) => survivors)) as Readonly<Record<string, string>>
const row = (name: string, { caught, missed }: { caught: number; missed: number }, why = '') =>
  `| ${name} | ${((100 * caught) / (caught + missed)).toFixed(1)} % | ${caught + missed} | ${missed} | ${why} |`
const all = [...counts.values()].reduce(
  (sum, { caught, missed }) => ({ caught: sum.caught + caught, missed: sum.missed + missed }),
  { caught: 0, missed: 0 },
)
const lines = [
  '| file | score | mutants | survived | which, and why |',
  '|---|---:|---:|---:|---|',
  ...[...counts].map(([file, count]) => row(file, count, reasons[file])),
  row('**all**', all),
]
console.log(`${lines.join('\n')}\n\nIt took ${Math.round((performance.now() - began) / 1000)} seconds.`)
