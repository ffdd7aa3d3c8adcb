/** A few files of code, and the tests that should notice errors in them. */
export interface Slice {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  /** By file: why some mutants survive, such as those that change no behaviour. */
  readonly survivors?: Readonly<Record<string, string>>
}

/** Files `name.ts` of a folder, each with `name.test.ts` beside it. */
const withTests = (folder: string, ...names: readonly string[]) => ({
  mutate: names.map(name => `${folder}/${name}.ts`),
  tests: names.map(name => `${folder}/${name}.test.ts`),
})

const core = 'mock-server/core'
const words = 'mock-server/words'
const families = 'mock-server/families'
const query = 'mock-server/telemetry/query'
const columns = 'mock-server/telemetry/columns'
const engine = 'contract-tests/engine'
const run = 'contract-tests/run'

export const slices: readonly Slice[] = [
  {
    name: 'requests',
    mutate: [
      `${families}/key/authenticate.ts`,
      ...['accept/accept-body', 'dispatch/dispatch'].map(name => `${core}/${name}.ts`),
      ...['json-break', 'json-size', 'memoize'].map(name => `${words}/${name}.ts`),
    ],
    tests: [
      `${families}/key/authenticate.test.ts`,
      ...['accept/accept-body', 'dispatch/dispatch'].map(name => `${core}/${name}.test.ts`),
      ...['json-break', 'json-size', 'memoize'].map(name => `${words}/${name}.test.ts`),
    ],
    survivors: {
      [`${families}/key/authenticate.ts`]:
        'the size of caches; no key has an empty id; an unreadable header is treated as an empty one',
      [`${core}/accept/accept-body.ts`]: 'reading a body twice gives the same value',
      [`${words}/json-size.ts`]:
        'the fast path for small bodies; a sum and a difference have the same parity; there is no character past the end',
      [`${core}/dispatch/dispatch.ts`]:
        'fast paths for paths without encoding or capitals; no literal segment shares its place and method with an id',
    },
  },
  {
    name: 'records',
    ...withTests(core, 'journal/journal', 'journal/text-ring', 'rate-limit'),
    survivors: {
      [`${core}/journal/journal.ts`]:
        'the initial values are not read before they are replaced; a journal without calls needs no space for bodies',
      [`${core}/journal/text-ring.ts`]: 'how a ring grows, which is not observable',
      [`${core}/rate-limit.ts`]: 'a text among the times of calls is never within the period',
    },
  },
  { name: 'recognisers', ...withTests(engine, 'recognise', 'circuit-breaker', 'redact') },
  { name: 'baselines', ...withTests(run, 'shape', 'baseline') },
  {
    name: 'checks',
    ...withTests(engine, 'check', 'exchange'),
    survivors: { [`${engine}/exchange.ts`]: 'an explicit return without a value' },
  },
  {
    name: 'alerts',
    ...withTests(`${families}/alert`, 'evaluate-run', 'notification'),
  },
  {
    name: 'filters',
    mutate: ['lucene', 'lucene-to-sql', 'sql'].map(name => `${query}/${name}.ts`),
    tests: [`${query}/lucene.test.ts`, `${query}/sql.test.ts`, `${columns}/filter.test.ts`],
  },
  {
    name: 'aggregates',
    ...withTests(columns, 'aggregate'),
    survivors: { [`${columns}/aggregate.ts`]: 'the order of equal values; 0 / 0 is also written as null' },
  },
  {
    name: 'budget',
    ...withTests(columns, 'budget'),
    survivors: { [`${columns}/budget.ts`]: 'nothing is read at exactly the length of a short part' },
  },
  {
    name: 'seen-objects',
    ...withTests(engine, 'seen-objects'),
    survivors: { [`${engine}/seen-objects.ts`]: 'comparison in lower case or in upper case; a text has no id' },
  },
  { name: 'targets', ...withTests(engine, 'target/check-target', 'connection-failure') },
  {
    name: 'options',
    mutate: [`${words}/check-options.ts`, 'mock-server/gaps/baselines.ts'],
    tests: ['mock-server/options.test.ts'],
  },
  { name: 'arguments', ...withTests('mock-server/command', 'read-arguments') },
  {
    name: 'accepted-alerts',
    mutate: ['make-alert', 'index'].map(name => `${families}/alert/${name}.ts`),
    tests: [`${families}/alert/alerts.test.ts`],
  },
  {
    name: 'accepted-dashboards',
    mutate: ['body-rules', 'index', 'make-dashboard']
      .map(name => `${families}/dashboard/${name}.ts`)
      .concat('mock-server/telemetry/query/formula.ts'),
    tests: [`${families}/dashboard/dashboards.test.ts`, 'mock-server/telemetry/query/formula.test.ts'],
  },
  {
    name: 'accepted-webhooks',
    mutate: ['webhook/index', 'source/index'].map(name => `${families}/${name}.ts`),
    tests: [`${families}/stack/sources-and-webhooks.test.ts`],
  },
  { name: 'chaos', ...withTests('mock-server/chaos', 'chaos') },
  {
    name: 'choices',
    ...withTests('mock-server/gaps', 'choices'),
    survivors: {
      'mock-server/gaps/choices.ts': 'another order of random choices; every gap has a default in each of its forms',
    },
  },
  {
    name: 'replies',
    mutate: ['write-reply', 'cause-of'].map(name => `${core}/write/${name}.ts`),
    tests: ['written-replies', 'weak-tag', 'cause-of'].map(name => `${core}/write/${name}.test.ts`),
    survivors: {
      [`${core}/write/write-reply.ts`]:
        'the tag may be that of the wrapped or the unwrapped body, and its hash another; an optional W/ is only ever at the start; no operation has an empty name',
    },
  },
]
