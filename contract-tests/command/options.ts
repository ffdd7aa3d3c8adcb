/** An option of a command; `takes` is absent for a switch. */
export interface Option {
  readonly takes?: string
  readonly description: string
  readonly repeatable?: true
}

const insecure = { description: 'allow credentials over http: beyond loopback' } as const

/** The options of `stack-parity verify`. */
export const options = {
  target: { takes: 'FILE', description: 'the deployment; without it, a mock is started for the run' },
  section: { takes: 'S', description: 'only the rules of this section of the specification', repeatable: true },
  rule: { takes: 'ID', description: 'only this rule, or all that begin so', repeatable: true },
  forms: { takes: 'FORM', description: 'judge only this form: cloud, managed or selfHosted', repeatable: true },
  list: { description: 'print the rules, send nothing' },
  'read-only': { description: 'send only GET, HEAD and OPTIONS (default for a target that is not on loopback)' },
  'allow-writes': { description: 'send writes too; what the run creates, it deletes' },
  'allow-effects': {
    takes: 'KIND',
    description: 'let the run do what disrupts, costs, notifies or grants beyond loopback',
    repeatable: true,
  },
  quiet: { description: 'print only what is broken, errored or drifted, and the last line (default in CI)' },
  'fail-on': {
    takes: 'LEVEL',
    description: 'broken rules of this level and of graver ones fail the run: must, should (default) or documented',
  },
  strict: { description: 'the same as --fail-on documented' },
  report: {
    takes: 'KIND=FILE',
    description: 'write a report: json, junit, ctrf, sarif, html, markdown or github; FILE - is stdout',
    repeatable: true,
  },
  retries: {
    takes: 'N',
    description:
      'ask a rule that a 5xx or a lost connection broke N times again at the end (default: 1 beyond loopback, else 0)',
  },
  timeout: { takes: 'MS', description: 'for each request, default 10000' },
  rate: { takes: 'N', description: 'at most N requests a second (default: 0.9 beyond loopback)' },
  'max-requests': { takes: 'N', description: 'stop cleanly before the N+1st' },
  plan: { description: 'print every request, send nothing' },
  ledger: {
    takes: 'FILE',
    description: 'where created ids are written before they are used (default: beside the report)',
  },
  baseline: { takes: 'FILE', description: 'compare what was observed with FILE, or with a shipped baseline by name' },
  'update-baseline': { takes: 'FILE', description: 'write what was observed' },
  drift: {
    takes: 'LEVEL',
    description: 'which drift fails the run: warn (none, the default), error (breaking), strict (all)',
  },
  document: {
    takes: 'FILE',
    description:
      "compare a vendor's OpenAPI document (JSON or YAML) with ours; with --target or --har, judge the answers by it",
  },
  against: { takes: 'FILE', description: "compare --document with this one, such as last night's, instead of ours" },
  'known-drift': { takes: 'FILE', description: 'fingerprints of drift that is known: one a line, # for the reason' },
  'known-broken': {
    takes: 'FILE',
    description: 'rules that are known to be broken there: one id a line, # for remarks; or a shipped list by name',
  },
  har: { takes: 'FILE', description: 'judge recorded traffic (HAR 1.2), send nothing' },
  insecure,
} as const satisfies Record<string, Option>

export const proxyOptions = {
  target: { takes: 'FILE', description: 'the deployment that calls are passed on to' },
  'cloud-port': {
    takes: 'PORT',
    description: 'where its cloud and managed forms are reached (default 8001; 0 = any free port)',
  },
  'self-hosted-port': { takes: 'PORT', description: 'where its self-hosted form is reached (default 8000)' },
  'console-port': { takes: 'PORT', description: 'the page that shows the calls with their judgements (default 8080)' },
  'no-console': { description: 'no page' },
  hold: { description: 'answer 502 instead of an answer to GET or HEAD that breaks a rule of the level of --fail-on' },
  record: { takes: 'FILE', description: 'write the calls as HAR 1.2 at the end, without secrets' },
  'fail-on': options['fail-on'],
  strict: options.strict,
  'known-broken': options['known-broken'],
  baseline: options.baseline,
  drift: options.drift,
  report: options.report,
  insecure,
} as const satisfies Record<string, Option>

export const captureOptions = {
  target: { takes: 'FILE', description: 'the deployment to read' },
  har: { takes: 'FILE', description: 'recorded traffic (HAR 1.2) to read instead; nothing is sent' },
  out: { takes: 'FILE', description: 'the scenario to write' },
  only: {
    takes: 'FAMILY',
    description: 'only this family, such as dashboard, and what it lies within',
    repeatable: true,
  },
  plan: { description: 'print what would be read, send nothing' },
  verbatim: { description: 'replace nothing; secrets are left out all the same' },
  'keep-amounts': { description: 'do not scale amounts of money and data' },
  partial: { description: 'write also when something could not be read' },
  rate: options.rate,
  insecure,
} as const satisfies Record<string, Option>

export const sweepOptions = {
  target: { takes: 'FILE', description: 'the deployment that the run was on' },
  ledger: { takes: 'FILE', description: 'the ledger that the run left' },
  rate: { takes: 'N', description: 'at most N requests a second (default: 0.9 beyond loopback)' },
  insecure,
} as const satisfies Record<string, Option>

export const compareOptions = {
  target: { takes: 'FILE', description: 'a deployment; it is given twice', repeatable: true },
  insecure,
} as const satisfies Record<string, Option>

export const initOptions = {
  out: { takes: 'FILE', description: 'the target file to write; it must not exist (default: stdout)' },
  name: { takes: 'NAME', description: 'what reports call the deployment (default: its host)' },
  cloud: { takes: 'URL', description: 'the cloud management API, without /v1' },
  'key-id': { takes: 'ID', description: 'id of an API key' },
  'key-secret': { takes: '$NAME', description: 'the variable with its secret, in single quotes; or the secret' },
  segment: { takes: 'S', description: "the managed form's path segment (default: observability, else clickstack)" },
  'self-hosted': { takes: 'URL', description: 'the self-hosted observability API, without /api/v2' },
  'api-key': { takes: '$NAME', description: 'the variable with a personal API access key, or the key' },
  'ingestion-key': { takes: '$NAME', description: 'the variable with the ingestion key, or the key' },
  insecure,
} as const satisfies Record<string, Option>

/** What was given: a list of values for each option; a switch has the value `true`. */
export type Given<Name extends string = keyof typeof options> = Readonly<
  Partial<Record<Name | 'help', readonly string[]>>
>

/** The options of a table as lines of a manual. */
export const renderOptions = (table: Readonly<Record<string, Option>>): string =>
  Object.entries(table)
    .map(([name, { takes, description, repeatable }]) => {
      const synopsis = `--${name}${takes ? ` ${takes}` : ''}`
      return `  ${synopsis.padEnd(24)}${description}${repeatable ? ' (repeatable)' : ''}\n`
    })
    .join('')

export const help = `stack-parity verify [options]

Judges a deployment by the rules of the specification, over real sockets. Without
--target it starts a mock of its own and judges that.

${renderOptions(options)}
Exit status
  0  every must rule of every form of the target was judged, and all must and should rules
     hold (--fail-on: all of that level and of graver ones); not asked for is what the
     target file lists under notOffered, what a read-only run may not send, and what never
     arose (no 400 came). --har: one must rule was judged, and no rule that counts is broken
  1  a must or should rule is broken (--fail-on), one that is known to be broken holds, or
     there is drift that --drift gates. A 5xx where the contract says success counts as a
     broken should rule on any operation that the deployment offers
  2  wrong use, --max-requests was reached, the run was interrupted, or not every must
     rule could be judged: no answer came, the credentials were refused, or the target
     file lacks something that reading did not find. The last lines say what to add.
     Where 1 applies too, it is 1
130  interrupted twice

Examples
  stack-parity verify
  stack-parity verify --target staging.json --report json=report.json
  stack-parity verify --section 5 --rule auth/ingestion-key
`
