import { flag, integer, list, moment, type Option, port, range, share, text } from './option.ts'

const listening = {
  host: text('ADDRESS', '127.0.0.1', 'address to listen on; anything but loopback prints a warning'),
  'cloud-port': port('8001', 'cloud management API (/v1), with the managed form'),
  'self-hosted-port': port('8000', 'self-hosted observability API (/api/v2)'),
  'console-port': port('8080', 'console page and control plane; for all three, 0 is any free port'),
  'console-token': text('TOKEN', 'none; beyond loopback, made up', 'what the console and control plane ask for'),
  'no-console': flag('no console page and no control plane'),
  json: flag('one line on stdout, the target file, once all ports answer; all else on stderr'),
}

const world = {
  seed: integer('SEED', '1', 'the same seed is the same world, credentials included'),
  now: moment('the real time', 'where its clock starts, such as 2026-01-01T00:00:00Z'),
  organizations: integer('N', '2', 'organizations'),
  services: integer('N', '3', 'services of each organization'),
  members: integer('N', '10', 'members of each organization'),
  backups: integer('N', '6', 'backups of each service'),
  logs: integer('N', '5000', 'log rows, which chart queries see'),
  state: text('FILE', 'none', 'keep the world in FILE, up to 64 MiB, from one start to the next'),
}

const silence = {
  as: text('BASELINE', 'none', 'answer as this deployment: a file, or a name that is shipped'),
  gaps: integer('SEED', 'none', 'take other sensible answers, chosen by SEED'),
  segment: text('WORD', 'observability, or that of --as', "the managed form's fixed path segment"),
}

const trouble = {
  fault: list('RULE', 'break exactly this rule'),
  latency: range('MS|MIN-MAX', '0', 'every answer waits for so many milliseconds'),
  'error-rate': share('the share of calls that fail with a 500, such as 0.1'),
  'drop-rate': share('the share of calls whose connection is closed without an answer'),
  'truncate-rate': share('the share of answers that break off in the middle'),
  'chaos-operation': list('ID', 'trouble only calls of this operation, such as alert.list'),
  'chaos-seed': integer('SEED', 'that of the world', 'the dice: the same seed and calls, the same trouble'),
  'rate-limit': flag('the rate limits of the real deployments'),
  'evaluate-alerts': flag('evaluate alerts in real time and deliver webhooks'),
  'webhook-host': list('HOST', 'a host beside loopback that webhooks may be delivered to'),
}

/** What `stack-parity mock` can be told: a row makes an option, its environment variable and its place in the help. */
export const options = { ...listening, ...world, ...silence, ...trouble }

/** The options as chapters of the help. */
export const chapters = {
  'Where it listens': listening,
  'The world': world,
  'Where the specification is silent': silence,
  'What goes wrong, and what goes on': trouble,
}

/** What was told, by the name of the option; absent where nothing was. */
export type Told = {
  readonly [Name in keyof typeof options]?: (typeof options)[Name] extends Option<infer Value> ? Value : never
}

/** The environment variable that tells the same as an option. */
export const variableOf = (name: string) => `STACK_PARITY_${name.toUpperCase().replaceAll('-', '_')}`
