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
const telemetry = 'mock-server/telemetry'
const columns = `${telemetry}/columns`
const behaviours = `${core}/behaviours`
const accept = `${core}/accept`
const harness = 'contract-tests/harness'

export const slices: readonly Slice[] = [
  {
    name: 'requests',
    ...withTests(core, 'authenticate', 'accept-body', 'json-break', 'json-size', 'dispatch', 'remember'),
    survivors: {
      [`${core}/authenticate.ts`]: 'how much is remembered; no key has an empty id; unreadable is empty',
      [`${core}/accept-body.ts`]: 'reading a body once more than is needed gives the same',
      [`${core}/json-size.ts`]: 'the short cut for small bodies; the same parity; one sign behind the end is none',
      [`${core}/dispatch.ts`]:
        'short cuts for what is not encoded and not folded; no word beside an id shares a method',
    },
  },
  {
    name: 'records',
    ...withTests(core, 'order', 'journal', 'rate-limit'),
    survivors: {
      [`${core}/order.ts`]: 'skipping and closing holes is for speed: the pages are the same without',
      [`${core}/journal.ts`]: 'copying long bodies is for memory: what is told is the same without',
      [`${core}/rate-limit.ts`]: 'a text among the times of calls is never within the span',
    },
  },
  { name: 'recognisers', ...withTests(harness, 'recognise', 'shape', 'patience', 'redact', 'baseline') },
  {
    name: 'checks',
    ...withTests(harness, 'check', 'exchange'),
    survivors: { [`${harness}/exchange.ts`]: 'returning nothing, in words or without' },
  },
  {
    name: 'alerts',
    mutate: ['alert-schedule', 'threshold', 'alert-evaluation'].map(name => `${behaviours}/${name}.ts`),
    tests: [`${behaviours}/alert-evaluation.test.ts`],
    survivors: {
      [`${behaviours}/alert-schedule.ts`]: 'remembering the timetable and what is done is for speed',
      [`${behaviours}/alert-evaluation.ts`]: 'no record has the id of nothing; a group that is OK may be kept or not',
    },
  },
  {
    name: 'filters',
    mutate: ['lucene', 'lucene-to-sql', 'sql'].map(name => `${telemetry}/query/${name}.ts`),
    tests: [`${telemetry}/query/lucene.test.ts`, `${telemetry}/query/sql.test.ts`, `${columns}/filter.test.ts`],
  },
  {
    name: 'aggregates',
    ...withTests(columns, 'aggregate'),
    survivors: { [`${columns}/aggregate.ts`]: 'equal values, in either order; 0 / 0 is written as null as well' },
  },
  {
    name: 'budget',
    ...withTests(columns, 'budget'),
    survivors: { [`${columns}/budget.ts`]: 'at the very length of a short part, nothing is read' },
  },
  {
    name: 'sightings',
    ...withTests(harness, 'sightings'),
    survivors: { [`${harness}/sightings.ts`]: 'folded to small letters or to large ones; a text has no id' },
  },
  { name: 'targets', ...withTests(harness, 'check-target', 'trouble') },
  { name: 'secrets', mutate: [`${harness}/find-secrets.ts`], tests: [`${harness}/redact.test.ts`] },
  {
    name: 'stated',
    ...withTests('contract-tests/document', 'stated'),
    survivors: { 'contract-tests/document/stated.ts': 'the body that most operations do not have is among those sent' },
  },
  {
    name: 'options',
    mutate: [`${core}/check-options.ts`, `${core}/baselines.ts`],
    tests: ['mock-server/options.test.ts'],
  },
  {
    name: 'accepted-alerts',
    mutate: [`${accept}/alert.ts`, `${behaviours}/alerts.ts`],
    tests: [`${accept}/alert.test.ts`, `${behaviours}/alerts.test.ts`],
  },
  {
    name: 'accepted-dashboards',
    mutate: ['dashboard', 'filter', 'select', 'tile', 'tile-config', 'tile-series']
      .map(name => `${accept}/${name}.ts`)
      .concat(['dashboards', 'dashboard-references', 'tiles', 'tile-alerts'].map(name => `${behaviours}/${name}.ts`)),
    tests: [`${behaviours}/dashboards.test.ts`],
  },
  {
    name: 'accepted-webhooks',
    mutate: [`${accept}/webhook.ts`, `${accept}/source.ts`].concat(
      ['webhooks', 'webhook-address', 'sources'].map(name => `${behaviours}/${name}.ts`),
    ),
    tests: [`${behaviours}/sources-and-webhooks.test.ts`],
  },
  { name: 'chaos', ...withTests(core, 'chaos') },
  {
    name: 'choices',
    ...withTests(core, 'choices'),
    survivors: { [`${core}/choices.ts`]: 'another way to deal; every gap takes something in each of its forms' },
  },
  {
    name: 'replies',
    mutate: ['write-reply', 'refusal-table', 'weak-tag'].map(name => `${core}/${name}.ts`),
    tests: ['written-replies', 'refusal-table', 'weak-tag'].map(name => `${core}/${name}.test.ts`),
    survivors: {
      [`${core}/write-reply.ts`]:
        'what is wrapped has a tag as good as its text; an optional W/ is found at the start anyway',
      [`${core}/refusal-table.ts`]: 'no operation has the name of none',
      [`${core}/weak-tag.ts`]: 'how many tags are remembered is for speed and memory; another hash may be as good',
    },
  },
  {
    name: 'world',
    ...withTests(core, 'world'),
    survivors: {
      [`${core}/world.ts`]: 'an index may hold more than is asked of it; a version that falls changes as well',
    },
  },
]
