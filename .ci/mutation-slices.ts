/** A few files of code, and the tests that are to notice when something in them is wrong. */
export interface Slice {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  /** Why mutants of a file survive that nobody would notice: kept here so that the next reader need not find out again. */
  readonly survivors?: Readonly<Record<string, string>>
}

/** Files `name.ts` of a folder, each with `name.test.ts` beside it. */
const withTests = (folder: string, ...names: readonly string[]) => ({
  mutate: names.map(name => `${folder}/${name}.ts`),
  tests: names.map(name => `${folder}/${name}.test.ts`),
})

const core = 'mock-server/core'
const charts = `${core}/charts`
const behaviours = `${core}/behaviours`
const harness = 'contract-tests/harness'

export const slices: readonly Slice[] = [
  { name: 'requests', ...withTests(core, 'authenticate', 'accept-body', 'json-break', 'json-size', 'dispatch') },
  { name: 'records', ...withTests(core, 'order', 'journal', 'rate-limit') },
  { name: 'recognisers', ...withTests(harness, 'recognise', 'shape', 'patience', 'redact', 'baseline') },
  { name: 'checks', ...withTests(harness, 'check', 'exchange') },
  {
    name: 'alerts',
    mutate: ['alert-schedule', 'threshold', 'alert-evaluation'].map(name => `${behaviours}/${name}.ts`),
    tests: [`${behaviours}/alert-evaluation.test.ts`],
  },
  {
    name: 'filters',
    mutate: [`${charts}/lucene.ts`, `${charts}/sql-condition.ts`],
    tests: [`${charts}/lucene.test.ts`, `${charts}/sql-condition.test.ts`, `${charts}/filter.test.ts`],
  },
  { name: 'aggregates', ...withTests(charts, 'aggregate') },
  { name: 'chaos', ...withTests(core, 'chaos') },
  { name: 'choices', ...withTests(core, 'choices') },
  {
    name: 'replies',
    mutate: ['write-reply', 'refusal-table', 'weak-tag'].map(name => `${core}/${name}.ts`),
    tests: [`${core}/write-reply.test.ts`],
  },
  { name: 'world', ...withTests(core, 'world') },
]
