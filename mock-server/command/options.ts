import { type OperationId, operations, type RuleId, rules } from '../../fixtures/contract/index.ts'
import { mostLatencyMs } from '../chaos/chaos.ts'
import { offers } from '../core/dispatch/offer.ts'
import { scenarios } from '../mock/arrange/scenario.ts'
import { limitBounds } from '../words/limits.ts'
import { mostSpeed } from '../world/clock.ts'
import { bounds } from '../world/size.ts'
import {
  choices,
  cors,
  duration,
  flag,
  hosts,
  integer,
  listOf,
  moment,
  type Option,
  port,
  range,
  segment,
  share,
  text,
} from './option.ts'

const operationIds = Object.keys(operations) as OperationId[]

const sql = {
  sql: text('ENGINE', 'none', 'answers the SQL of services: chdb, or http://user:$PASSWORD@host:8123'),
  'sql-port': port('8443', 'the HTTP interface of services, with TLS and without; 0 is any free port'),
  'sql-host': text('HOST', '*.localhost', 'the host of a service, with * for its own word'),
  'sql-ca': text('FILE', 'none', 'write the authority of the certificate there, for NODE_EXTRA_CA_CERTS'),
  'sql-services': integer('N', '4', 'services that have a process of chdb at once', { least: 1, most: 64 }),
  'sql-clean': flag('list what killed mocks left in that ClickHouse, and end; with --yes, drop it'),
  yes: flag('carry out what --sql-clean lists'),
}

const size = (name: keyof typeof bounds, sentence: string) =>
  integer('N', String(bounds[name].usual), sentence, bounds[name])

const limit = (name: keyof typeof limitBounds, takes: string, sentence: string) =>
  integer(takes, String(limitBounds[name].usual), sentence, limitBounds[name])

const listening = {
  host: text('ADDRESS', '127.0.0.1', 'address to listen on; anything but loopback prints a warning'),
  'cloud-port': port('8001', 'cloud management API (/v1), with the managed form'),
  'self-hosted-port': port('8000', 'self-hosted observability API (/api/v2)'),
  'console-port': port('8080', 'console page and control plane; for all three, 0 is any free port'),
  'console-token': text('TOKEN', 'none; beyond loopback, made up', 'what the console and control plane ask for'),
  'no-console': flag('no console page and no control plane'),
  cors: cors(
    'any; with --as, as-deployed; with --sql, none',
    'pages that may call: an origin, any, none, or as-deployed',
  ),
  log: { ...flag('a line on stderr for each call'), usual: 'on at a terminal, off with --json' },
  json: flag('one line on stdout, the target file, once all ports answer; all else on stderr'),
}

const world = {
  seed: integer('SEED', '1', 'the same seed is the same world, credentials included'),
  now: moment('the real time', 'where its clock starts, such as 2026-01-01T00:00:00Z'),
  freeze: flag('its clock stands still until it is set or put forward'),
  speed: integer('N', '1', 'how many seconds pass in one', { least: 1, most: mostSpeed }),
  organizations: size('organizations', 'organizations'),
  services: size('services', 'services of each organization'),
  members: size('members', 'members of each organization'),
  backups: size('backups', 'backups of each service'),
  logs: size('logs', 'log rows of two weeks, which chart queries see'),
  scenario: text('NAME|FILE', 'shop', `the start: ${Object.keys(scenarios).join(', ')}, or a file of records`),
  'world-idle': duration('never', 'close a world beside the first, with what it holds, that was silent for so long'),
  telemetry: text('URL', 'embedded', 'where rows lie: embedded, or a ClickHouse, http://user:$PASSWORD@host:8123/otel'),
  'telemetry-write': text('DATABASE', 'none', 'the database of --telemetry, said again: rows may be written there'),
  'telemetry-seed': flag('write the story of the world there, unless there are logs already'),
  state: text('FILE', 'none', 'keep the world there; a folder, such as worlds/, keeps the named ones, too'),
  'strict-state': flag('refuse a folder with a file that holds no world, instead of setting it aside'),
}

const silence = {
  offer: {
    ...listOf('GROUP', 'only this group of the 174 cloud operations, or what is specified', offers, {
      wants: 'a group of operations, or specified',
      all: `There are ${offers.join(', ')}.`,
    }),
    usual: 'all',
  },
  as: text('BASELINE', 'none', 'answer as this deployment: a file, or a name that is shipped'),
  choose: choices('one such answer, over --as and --gaps; of all forms, or of one'),
  gaps: integer('SEED', 'none', 'take other sensible answers, chosen by SEED'),
  segment: segment('observability, or that of --as', "the managed form's fixed path segment"),
}

const trouble = {
  fault: listOf('RULE', 'break exactly this rule', Object.keys(rules) as RuleId[], {
    wants: 'the id of a rule',
    all: 'stack-parity verify --list prints them all.',
  }),
  latency: range('MS|MIN-MAX', '0', 'every answer waits for so many milliseconds', mostLatencyMs),
  'error-rate': share('the share of calls that fail with a 500, such as 0.1'),
  'drop-rate': share('the share of calls whose connection is closed without an answer'),
  'truncate-rate': share('the share of answers that break off in the middle'),
  'chaos-operation': listOf('ID', 'trouble only calls of this operation, such as alert.list', operationIds, {
    wants: 'the id of an operation',
    all: `There are ${operationIds.join(', ')}.`,
  }),
  'chaos-seed': integer('SEED', 'that of the world', 'the dice: the same seed and calls, the same trouble'),
  'rate-limit': flag('the rate limits of the real deployments'),
  'evaluate-alerts': flag('evaluate alerts in real time and deliver webhooks'),
  'webhook-host': hosts('a host beside loopback that webhooks may be delivered to'),
}

const limits = {
  'max-body': limit('body', 'BYTES', 'of a body, after inflation'),
  'max-headers': limit('headers', 'BYTES', 'of the headers of a request'),
  'max-depth': limit('depth', 'N', 'levels of arrays and objects in a body'),
  'max-values': limit('values', 'N', 'values in a body'),
  'max-series': limit('series', 'N', 'series of a chart query'),
  'max-points': limit('points', 'N', 'points of a series'),
  'max-rows': limit('rows', 'N', 'rows of a source'),
  'max-worlds': limit('worlds', 'N', 'worlds that are open beside the first'),
  'max-connections': limit('connections', 'N', 'connections to each port; of twice as many, none is taken at all'),
  'headers-timeout': limit('headersMs', 'MS', 'for the headers of a request to arrive'),
  'request-timeout': limit('requestMs', 'MS', 'for the whole request to arrive'),
  'idle-timeout': limit('idleMs', 'MS', 'of silence, after which a connection is closed'),
}

/**
 * The options of `stack-parity mock`. Each row defines an option, its environment variable and its entry in the help.
 */
export const options = { ...listening, ...world, ...sql, ...silence, ...trouble, ...limits }

/** The options by section of the help. */
export const chapters = {
  'Where it listens': listening,
  'The world': world,
  'The SQL of services': sql,
  'Where the specification is silent': silence,
  'What goes wrong, and what goes on': trouble,
  'What is taken at most': limits,
}

/** The values of the options that were given. */
export type GivenOptions = {
  readonly [Name in keyof typeof options]?: (typeof options)[Name] extends Option<infer Value> ? Value : never
}

/** The environment variable of an option. */
export const variableOf = (name: string) => `STACK_PARITY_${name.toUpperCase().replaceAll('-', '_')}`
