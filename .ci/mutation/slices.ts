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
        'the size of caches; no key has an empty id; an unreadable header counts as empty',
      [`${core}/accept/accept-body.ts`]: 'reading a body twice gives the same value',
      [`${words}/json-size.ts`]: 'the fast path for small bodies; equal parity; one character past the end is none',
      [`${core}/dispatch/dispatch.ts`]:
        'fast paths for paths that are not encoded and not folded; no word beside an id shares a method',
    },
  },
  {
    name: 'records',
    ...withTests(core, 'journal/journal', 'journal/text-ring', 'rate-limit'),
    survivors: {
      [`${core}/journal/journal.ts`]:
        'what is empty at first is looked at only after something was put there; no room for calls needs none for bodies',
      [`${core}/journal/text-ring.ts`]: 'how a ring grows, which nobody sees',
      [`${core}/rate-limit.ts`]: 'a text among the times of calls is never within the span',
    },
  },
  { name: 'recognisers', ...withTests(engine, 'recognise', 'circuit-breaker', 'redact') },
  { name: 'baselines', ...withTests(run, 'shape', 'baseline') },
  {
    name: 'checks',
    ...withTests(engine, 'check', 'exchange'),
    survivors: { [`${engine}/exchange.ts`]: 'a return without a value, written or not' },
  },
  {
    name: 'alerts',
    ...withTests(`${families}/alert`, 'alert-evaluation'),
    survivors: {
      [`${families}/alert/alert-evaluation.ts`]:
        'caching the schedule and what is done is for speed; no record has an undefined id; a group that is OK may be kept or not',
    },
  },
  {
    name: 'filters',
    mutate: ['lucene', 'lucene-to-sql', 'sql'].map(name => `${query}/${name}.ts`),
    tests: [`${query}/lucene.test.ts`, `${query}/sql.test.ts`, `${columns}/filter.test.ts`],
  },
  {
    name: 'aggregates',
    ...withTests(columns, 'aggregate'),
    survivors: { [`${columns}/aggregate.ts`]: 'equal values, in either order; 0 / 0 is written as null as well' },
  },
  {
    name: 'budget',
    ...withTests(columns, 'budget'),
    survivors: { [`${columns}/budget.ts`]: 'nothing is read at exactly the length of a short part' },
  },
  {
    name: 'seen-objects',
    ...withTests(engine, 'seen-objects'),
    survivors: { [`${engine}/seen-objects.ts`]: 'folded to lower case or to upper case; a text has no id' },
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
      'mock-server/gaps/choices.ts': 'another order of dealing; every gap has a default in each of its forms',
    },
  },
  {
    name: 'replies',
    mutate: ['write-reply', 'cause-of'].map(name => `${core}/write/${name}.ts`),
    tests: ['written-replies', 'weak-tag', 'cause-of'].map(name => `${core}/write/${name}.test.ts`),
    survivors: {
      [`${core}/write/write-reply.ts`]:
        'a wrapped body has a tag as good as its text, and another hash may be as good; an optional W/ is found at the start anyway; no operation has the name of none',
    },
  },
]
