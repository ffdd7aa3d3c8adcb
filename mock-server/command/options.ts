import type { Contract, OperationId, RuleId } from '../../fixtures/built-contract/index.ts'
import { maxLatencyMs } from '../chaos/chaos.ts'
import { offersOf } from '../core/dispatch/offer.ts'
import { isSegment } from '../gaps/choices.ts'
import { scenarios } from '../mock/arrange/scenario.ts'
import { parseDuration } from '../words/durations.ts'
import { type Limits, limitBounds } from '../words/limits.ts'
import { maxSpeed, parseMoment } from '../world/clock.ts'
import { sizeBounds } from '../world/size.ts'
import { choices, cors, flag, hosts, integer, listOf, type Option, port, range, rate, text } from './option.ts'

const operationIdsOf = ({ operations }: Contract) => Object.keys(operations) as OperationId[]

const sql = {
  sql: text('ENGINE', 'none', 'engine for the SQL of services: chdb, or http://user:$PASSWORD@host:8123'),
  'sql-port': port('8443', 'HTTP interface of services, with and without TLS; 0 is any free port'),
  'sql-host': text('HOST', '*.localhost', 'host name of a service; * stands for its own label'),
  'sql-ca': text('FILE', 'none', 'write the CA certificate to this file, for NODE_EXTRA_CA_CERTS'),
  'sql-services': integer('N', '4', 'most services with a running chdb process', { min: 1, max: 64 }),
  'sql-clean': flag('list what killed mocks left in the ClickHouse of --sql; with --yes, drop it'),
  yes: flag('drop what --sql-clean lists'),
}

const size = (name: keyof typeof sizeBounds, description: string) =>
  integer('N', String(sizeBounds[name].defaultValue), description, sizeBounds[name])

const limit = (name: keyof Limits, placeholder: string, description: string) => ({
  ...integer(placeholder, String(limitBounds[name].defaultValue), description, limitBounds[name]),
  name,
})

const listening = {
  host: text('ADDRESS', '127.0.0.1', 'address to listen on; anything but loopback prints a warning'),
  'cloud-port': port('8001', 'cloud management API (/v1), with the managed form'),
  'self-hosted-port': port('8000', 'self-hosted observability API (/api/v2)'),
  'console-port': port('8080', 'console page and control plane; for all three, 0 is any free port'),
  'console-token': text('TOKEN', 'none; beyond loopback, a random one', 'token that console and control plane require'),
  tls: flag('serve the cloud API over TLS as well'),
  'tls-port': port('8444', 'port of --tls; 0 is any free port'),
  'tls-ca': text('FILE', 'none', 'write the CA certificate of --tls to this file, for clients to trust'),
  'no-console': flag('serve neither console page nor control plane'),
  cors: cors(
    'any; with --as, as-deployed; with --sql, none',
    'web pages that may call: an origin, any, none, or as-deployed',
  ),
  log: { ...flag('log each call as a line on stderr'), defaultValue: 'on at a terminal, off with --json' },
  json: flag('one line on stdout, the target file, once all ports answer; all else on stderr'),
}

const world = {
  seed: integer('SEED', '1', 'the same seed gives the same world, credentials included'),
  now: {
    placeholder: 'TIME',
    defaultValue: 'the real time',
    description: 'start of its clock, such as 2026-01-01T00:00:00Z',
    read: parseMoment,
    expected: 'an ISO 8601 time or epoch milliseconds, from 1970 to 9999',
  } satisfies Option<number>,
  freeze: flag('stop its clock until it is set or advanced'),
  speed: integer('N', '1', 'seconds by its clock per real second', { min: 1, max: maxSpeed }),
  organizations: size('organizations', 'organizations'),
  services: size('services', 'services of each organization'),
  members: size('members', 'members of each organization'),
  backups: size('backups', 'backups of each service'),
  logs: size('logs', 'log rows of two weeks; other telemetry in proportion'),
  scenario: text('NAME|FILE', 'shop', `initial content: ${Object.keys(scenarios).join(', ')}, or a file of records`),
  'world-idle': {
    placeholder: 'DURATION',
    defaultValue: 'never',
    description: 'close an additional world, and lose its content, after this time without a call',
    read: parseDuration,
    expected: 'a duration such as 90s, 30m, 12h or 2d, at least a second',
  } satisfies Option<number>,
  telemetry: text('URL', 'embedded', 'engine of telemetry: embedded, or http://user:$PASSWORD@host:8123/otel'),
  'telemetry-write': text(
    'DATABASE',
    'none',
    'allow writing rows to the database of --telemetry, whose name is repeated here',
  ),
  'telemetry-seed': flag('write the generated telemetry to that database, unless it has logs'),
  state: text('FILE', 'none', 'keep the world in this file; a folder, such as worlds/, keeps named worlds, too'),
  'strict-state': flag('refuse an invalid file in the folder of --state instead of setting it aside'),
}

const gapOptions = {
  offer: {
    ...listOf('GROUP', 'serve only this group of cloud operations, or those specified', offersOf, {
      expected: 'a group of operations, or specified',
      all: offers => `There are ${offers.join(', ')}.`,
    }),
    defaultValue: 'all',
  },
  as: text('BASELINE', 'none', 'answer like this deployment: the name of a shipped baseline, or a file'),
  document: text('FILE', 'none', 'OpenAPI document (JSON, YAML) of a newer or older release of the API'),
  choose: choices('choose the answer to one gap; overrides --as and --gaps'),
  gaps: integer('SEED', 'none', 'choose other plausible answers to all gaps, by SEED'),
  segment: {
    placeholder: 'WORD',
    defaultValue: 'observability, or that of --as',
    description: 'path segment of the managed form',
    read: value => (isSegment(value) ? value : undefined),
    expected: 'one segment of a path, such as observability',
  } satisfies Option<string>,
}

const disruptions = {
  fault: listOf('RULE', 'break exactly this rule', ({ rules }) => Object.keys(rules) as RuleId[], {
    expected: 'the id of a rule',
    all: () => 'stack-parity verify --list prints them all.',
  }),
  latency: range('MS|MIN-MAX', '0', 'delay of every answer in milliseconds', maxLatencyMs),
  'error-rate': rate('share of calls that fail with a 500, such as 0.1'),
  'drop-rate': rate('share of calls whose connection is closed without an answer'),
  'truncate-rate': rate('share of answers that break off in the middle'),
  'chaos-operation': listOf('ID', 'apply chaos to this operation alone, such as alert.list', operationIdsOf, {
    expected: 'the id of an operation',
    all: ids => `There are ${ids.join(', ')}.`,
  }),
  'chaos-seed': integer('SEED', 'that of the world', 'the same seed and calls give the same chaos'),
  'rate-limit': flag('apply the rate limits of the real deployments'),
  'evaluate-alerts': flag('evaluate alerts in real time and deliver webhooks'),
  'webhook-host': hosts('a host, besides loopback, to which webhooks may be delivered'),
}

const limits = {
  'max-body': limit('body', 'BYTES', 'size of a body, after inflation'),
  'max-headers': limit('headers', 'BYTES', 'size of the headers of a request'),
  'max-depth': limit('depth', 'N', 'levels of nested arrays and objects in a body'),
  'max-values': limit('values', 'N', 'values in a body'),
  'max-series': limit('series', 'N', 'series of a chart query'),
  'max-points': limit('points', 'N', 'points of a series'),
  'max-rows': limit('rows', 'N', 'rows of a source'),
  'max-worlds': limit('worlds', 'N', 'open worlds besides the first'),
  'max-connections': limit(
    'connections',
    'N',
    'connections to each port; more get a 503, above twice as many are dropped',
  ),
  'headers-timeout': limit('headersMs', 'MS', 'time for the headers of a request to arrive'),
  'request-timeout': limit('requestMs', 'MS', 'time for the whole request to arrive'),
  'idle-timeout': limit('idleMs', 'MS', 'time without data after which a connection is closed'),
}

/** The options of `stack-parity mock`. Each row defines an option, its environment variable and its entry in the help. */
export const options = { ...listening, ...world, ...sql, ...gapOptions, ...disruptions, ...limits }

export const chapters = {
  Addresses: listening,
  'The world': world,
  'The SQL of services': sql,
  'Where the specification is silent': gapOptions,
  'Faults, chaos and alerts': disruptions,
  Limits: limits,
}

export type OptionValues = {
  readonly [Name in keyof typeof options]?: (typeof options)[Name] extends Option<infer Value> ? Value : never
}

/** All limits; undefined for those that were not given. */
export const limitsOf = (values: OptionValues): Partial<Limits> =>
  Object.fromEntries(Object.entries(limits).map(([option, { name }]) => [name, values[option as keyof typeof limits]]))

export const environmentVariableOf = (name: string) => `STACK_PARITY_${name.toUpperCase().replaceAll('-', '_')}`
