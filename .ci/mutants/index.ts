import { writeFileSync } from 'node:fs'
import { unnoticeable } from '../../contract-tests/self/contract-mutants/list-mutants.ts'
import { mutantsOf } from '../../contract-tests/self/contract-mutants/mutants.ts'
import { findBrokenRules } from '../../contract-tests/self/contract-mutants/run-mutants.ts'
import type { Form } from '../../fixtures/contract/index.ts'

/**
 * `npm run mutants [-- cloud|managed|selfHosted [BASELINE [WORDS [FILE]]]]`: runs the suite on deployments that break the
 * contract in one point, and prints how many of each kind it notices. WORDS is a regular expression of the ids of those to
 * run. FILE gets the result of each. EVERY=8 runs each eighth.
 */

const [form = 'cloud', as = form === 'selfHosted' ? 'self-hosted-2.36' : 'clickhouse-cloud', words = '', out] =
  process.argv.slice(2)
const every = Number(process.env.EVERY ?? 1)
const mutants = mutantsOf(form as Form).filter(({ id }, index) => new RegExp(words).test(id) && index % every === 0)
const started = Date.now()
const results = await findBrokenRules(mutants, { as: as as 'clickhouse-cloud', only: form as Form }, nth =>
  process.stderr.write(`\r${nth}, ${Math.round((Date.now() - started) / 1000)} s `),
)
const kinds = [...new Set(results.map(({ mutant }) => mutant.kind))]
process.stdout.write(`\n${form} as ${as}: kind | mutants | changed an answer | noticed\n`)
let totals = [0, 0, 0]
for (const kind of kinds) {
  const ofKind = results.filter(({ mutant }) => mutant.kind === kind)
  const counts = [
    ofKind.length,
    ofKind.filter(({ changed }) => changed > 0).length,
    ofKind.filter(({ rules }) => rules.length > 0).length,
  ]
  totals = totals.map((total, index) => total + counts[index]!)
  process.stdout.write(`${kind} | ${counts.join(' | ')}\n`)
}
process.stdout.write(`all | ${totals.join(' | ')}\n`)
for (const { mutant, changed, rules } of results)
  if (changed > 0 && rules.length === 0) {
    const [, reason = 'why is not known'] = unnoticeable.find(([ids]) => ids.test(mutant.id)) ?? []
    process.stdout.write(`not noticed: ${mutant.id} (${reason})\n`)
  }
if (out)
  writeFileSync(
    out,
    JSON.stringify(
      results.map(({ mutant: { id, kind }, ...rest }) => ({ id, kind, ...rest })),
      null,
      1,
    ),
  )
