import { reportKinds } from '../report/report.ts'

/** An option of a command. A switch, which takes no value, has no `placeholder`. */
export interface Option {
  readonly placeholder?: string
  readonly description: string
  readonly repeatable?: true
}

const flag = (description: string): Option => ({ description })
const value = (placeholder: string, description: string): Option => ({ placeholder, description })
const values = (placeholder: string, description: string): Option => ({ placeholder, description, repeatable: true })

const insecure = flag('allow credentials over http: beyond loopback')

/** The options of `stack-parity verify`. */
export const options = {
  target: value('FILE', 'the deployment; without it, a mock is started for the run'),
  section: values('S', 'only the rules of this section of the specification'),
  rule: values('ID', 'only this rule, or all rules whose id begins with ID'),
  forms: values('FORM', 'judge only this form: cloud, managed or selfHosted'),
  list: flag('print the rules, send nothing'),
  'read-only': flag('send only GET, HEAD and OPTIONS (default, except on a mock of ours)'),
  'allow-writes': flag('send writes too; the run deletes what it creates'),
  'allow-effects': values(
    'KIND',
    'on a deployment, allow operations of this effect: disrupts, costs, notifies or grants',
  ),
  thorough: flag(
    'on a deployment, send bodies with every field of the contract in every variant (default: one; on a mock of ours: all)',
  ),
  quiet: flag('print only broken and errored rules, drift, and the last line (default in CI)'),
  'fail-on': value(
    'LEVEL',
    'broken rules of this level and of graver ones fail the run: must, should (default) or documented',
  ),
  strict: flag('the same as --fail-on documented'),
  report: values('KIND=FILE', `write a report; FILE - is stdout; KIND: ${reportKinds.join(', ')}`),
  retries: value(
    'N',
    'at the end, retry rules that failed by a 5xx or a lost connection up to N times (default: 1, and 0 on a mock of ours)',
  ),
  timeout: value('MS', 'for each request, default 10000'),
  rate: value('N', 'at most N requests a second (default: 0.9, and no limit on a mock of ours)'),
  'max-requests': value('N', 'send at most N requests, the clean-up included'),
  plan: flag('print every request, send nothing'),
  ledger: value('FILE', 'the file that records what the run creates (default: beside the report)'),
  baseline: value('FILE', 'compare the observations with a baseline: a file, or the name of one that is shipped'),
  'update-baseline': value('FILE', 'write the observations as a baseline'),
  drift: value('LEVEL', 'which drift fails the run: warn (none, the default), error (breaking), strict (all)'),
  document: value(
    'FILE',
    "compare a vendor's OpenAPI document (JSON or YAML) with ours; with --target, judge by it; with --har, compare the answers with it",
  ),
  against: value('FILE', "compare --document with this document, such as last night's, instead of ours"),
  'used-by': values(
    'FILE',
    'what a program uses, from stack-parity usage or recorded traffic (HAR): only differences that touch it fail the run',
  ),
  'known-drift': value('FILE', 'fingerprints of known drift: one per line, # begins a remark'),
  'update-known-drift': value('FILE', 'the same, and add what this run finds to it, as accepted today'),
  'known-broken': value(
    'FILE',
    'ids of rules that are known to be broken: one per line, # begins a remark; or the name of a shipped list',
  ),
  har: value('FILE', 'judge recorded traffic (HAR 1.2), send nothing'),
  insecure,
} satisfies Record<string, Option>

export const proxyOptions = {
  target: value('FILE', 'the deployment that calls are passed on to'),
  'cloud-port': value('PORT', 'the port of its cloud and managed forms (default 8001; 0 = any free port)'),
  'self-hosted-port': value('PORT', 'the port of its self-hosted form (default 8000)'),
  'console-port': value('PORT', 'the port of the page that shows the calls with their judgements (default 8080)'),
  'no-console': flag('serve no page'),
  hold: flag('answer 502 instead of an answer to GET or HEAD that breaks a rule of the level of --fail-on'),
  record: value('FILE', 'write the calls as HAR 1.2 at the end, without secrets'),
  'fail-on': options['fail-on'],
  strict: options.strict,
  'known-broken': options['known-broken'],
  baseline: options.baseline,
  drift: options.drift,
  report: options.report,
  insecure,
} satisfies Record<string, Option>

export const captureOptions = {
  target: value('FILE', 'the deployment to read'),
  har: value('FILE', 'recorded traffic (HAR 1.2) to read instead; nothing is sent'),
  out: value('FILE', 'the scenario to write'),
  only: values('FAMILY', 'only this family, such as dashboard, and the parents of its records'),
  plan: flag('print what would be read, send nothing'),
  verbatim: flag('replace nothing; secrets are still left out'),
  'keep-amounts': flag('do not scale amounts of money and data'),
  partial: flag('write the scenario even if something could not be read'),
  rate: options.rate,
  insecure,
} satisfies Record<string, Option>

export const sweepOptions = {
  target: value('FILE', 'the deployment that the run was on'),
  ledger: value('FILE', 'the ledger that the run left'),
  rate: options.rate,
  insecure,
} satisfies Record<string, Option>

export const usageOptions = {
  merge: values('FILE', 'a usage file, a recording (HAR 1.2), or the file that STACK_PARITY_USAGE named'),
  out: value('FILE', 'the usage file to write (default: stdout); parts of test runs that are in it are deleted'),
} satisfies Record<string, Option>

export const compareOptions = {
  target: values('FILE', 'one of the two deployments; give the option twice'),
  'used-by': options['used-by'],
  rate: options.rate,
  insecure,
} satisfies Record<string, Option>

export const initOptions = {
  out: value('FILE', 'the target file to write; it must not exist (default: stdout)'),
  name: value('NAME', 'what reports call the deployment (default: its host and port)'),
  cloud: value('URL', 'the cloud management API'),
  'key-id': value('ID', 'id of an API key'),
  'key-secret': value('$NAME', 'the variable with its secret, in single quotes; or the secret'),
  segment: value('S', "the managed form's path segment (default: observability, else clickstack)"),
  'self-hosted': value('URL', 'the self-hosted observability API'),
  'api-key': value('$NAME', 'the variable with a personal API access key, or the key'),
  'ingestion-key': value('$NAME', 'the variable with the ingestion key, or the key'),
  rate: options.rate,
  insecure,
} satisfies Record<string, Option>

/** The values of each option on a command line. A switch has the value `true`. */
export type OptionValues<Name extends string = keyof typeof options> = Readonly<
  Partial<Record<Name | 'help', readonly string[]>>
>

/** The options of a table as lines of help. */
export function renderOptions(table: Readonly<Record<string, Option>>): string {
  const rows = Object.entries(table).map(([name, { placeholder, description, repeatable }]) => ({
    synopsis: `--${name}${placeholder ? ` ${placeholder}` : ''}`,
    text: `${description}${repeatable ? ' (repeatable)' : ''}`,
  }))
  const width = Math.max(...rows.map(({ synopsis }) => synopsis.length))
  return rows.map(({ synopsis, text }) => `  ${synopsis.padEnd(width)}  ${text}\n`).join('')
}

export const help = `stack-parity verify [options]

Judges a deployment by the rules of the specification, over real sockets. Without
--target it starts a mock of its own and judges that.

${renderOptions(options)}
Exit status
  0  every must rule of every form of the target was judged, and all must and should rules
     hold (--fail-on: all of that level and of graver ones). Rules do not count if the
     target file lists them under notOffered, if a read-only run may not send their
     requests, or if their condition never arose (no 400 came). --har: at least one must
     rule was judged, and no must or should rule is broken
  1  a must or should rule is broken (--fail-on), one that is known to be broken holds, or
     there is drift that --drift gates. A 5xx where the contract says success counts as a
     broken should rule on any operation that the deployment offers
  2  wrong use, --max-requests was reached, the run was interrupted, or not every must
     rule could be judged: no answer came, the credentials were refused, or the target
     file lacks something that reading did not find. The last lines say what to add.
     If 1 applies too, the status is 1
130  interrupted twice

Examples
  stack-parity verify
  stack-parity verify --target staging.json --report json=report.json
  stack-parity verify --section 5 --rule auth/ingestion-key
`
