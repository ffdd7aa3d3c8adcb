import { pgConfig } from '../../../fixtures/contract/postgres/settings.ts'
import type { Field } from '../../../fixtures/contract/shape.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { conflict, type Issue, invalid, refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { pick } from '../../world/record.ts'
import {
  answerList,
  answerObject,
  type BodyOf,
  changeList,
  type Family,
  type Handlers,
  type Request,
} from '../family.ts'
import { handlers as insightHandlers } from './insight.ts'
import {
  enterState,
  find,
  makePostgres,
  newPassword,
  type Postgres,
  postgresServices,
  recordFields,
  storageGibOf,
} from './model.ts'
import { earliestRestore, faults as recoveryFaults, handlers as recoveryHandlers } from './recovery.ts'

export const models = [postgresServices]
export const splits: Family['splits'] = {
  postgresConfig: {
    model: postgresServices,
    split: ({ fields, within: id }, world) =>
      world
        .places(postgresServices)
        .filter(place => world.in(postgresServices, place).get(id))
        .map(within => ({ fields: { id, ...fields }, within })),
  },
}
export const bodies = {
  postgresPassword: { sentences: { 'password pattern': 'Expected small letters, capitals and digits' } },
} as const satisfies Family['bodies']

const {
  storageSize: _storageSize,
  hostname: _hostname,
  username: _username,
  ipAccessList: _ipAccessList,
  ...listedFields
} = recordFields

function answer(service: Postgres, now: number, extraFields: object = {}) {
  const earliest = earliestRestore(service, now)
  const restorable = earliest !== undefined && { earliestRestoreTime: new Date(earliest).toISOString() }
  return answerObject({ ...pick(service, recordFields), ...restorable, ...extraFields })
}

/** Refuses a service that does not run. */
function findRunning(request: Request): Postgres {
  const service = find(request)
  if (service.state === 'running') return service
  throw conflict(`The Postgres service must be running. Current state: '${service.state}'`)
}

const readConfigs = ({ pgConfig, pgBouncerConfig }: BodyOf<'postgres.replicate'>) => ({
  ...(pgConfig && { pgConfig: readPostgresSettings(pgConfig) }),
  ...(pgBouncerConfig && { pgBouncerConfig: stringsOf(pgBouncerConfig) }),
})

function create(
  request: Request,
  plan: Partial<Postgres> & Pick<Postgres, 'name' | 'region' | 'size'>,
  state: Postgres['state'],
) {
  const { world, now } = request
  const createdAt = new Date(now).toISOString()
  const created = makePostgres(world.seed, { ...plan, id: world.newUuid(), createdAt })
  const service = enterState(created, state, now)
  request.in(postgresServices).create(service)
  const { username, hostname, password } = service
  const connectionString = `postgres://${username}:${password}@${hostname}:5432/postgres?sslmode=verify-full`
  return answer(service, now, { password, connectionString })
}

const inheritedFields = ({ region, size, postgresVersion, pgConfig, pgBouncerConfig }: Postgres) => ({
  region,
  size,
  postgresVersion,
  pgConfig,
  pgBouncerConfig,
})

function applyCommand(service: Postgres, command: BodyOf<'postgres.state'>['command'], now: number): Postgres {
  if (command === 'promote') {
    if (service.isPrimary) throw refused('Only a read replica can be promoted')
    const { primaryId: _, ...rest } = service
    return enterState({ ...rest, isPrimary: true }, 'restarting', now)
  }
  if (command === 'switchover' && !service.isPrimary) throw refused('Only a primary can be switched over')
  if (command === 'switchover' && service.haType === 'none')
    throw refused('The service has no standby to switch over to')
  return enterState(service, 'restarting', now)
}

type Rules = NonNullable<Postgres['ipAccessList']>

/** Changes the access list: removals come first, and an added rule replaces one with its id. */
function changeRules(
  { world }: Request,
  before: Rules = [],
  { add = [], remove = [] }: NonNullable<BodyOf<'postgres.update'>['ipAccessList']> = {},
): Rules {
  const added = add.map(rule => ({ ...rule, id: rule.id ?? world.newUuid() }))
  return changeList(before, { add: added, remove: remove as Rules }, ({ id }) => id)
}

const answerConfig = ({ pgConfig, pgBouncerConfig }: Postgres, message?: string) =>
  answerObject({ pgConfig, pgBouncerConfig, ...(message && { message }) })

function setConfig(request: Request<BodyOf<'postgresConfig.replace'>>, keepsOthers: boolean) {
  const service = find(request)
  const pgConfig = readPostgresSettings(request.body.pgConfig)
  const pgBouncerConfig = stringsOf(request.body.pgBouncerConfig)
  const changed = {
    ...service,
    pgConfig: { ...(keepsOthers && service.pgConfig), ...pgConfig },
    pgBouncerConfig: { ...(keepsOthers && service.pgBouncerConfig), ...pgBouncerConfig },
  }
  request.in(postgresServices).replace(changed)
  const waiting = Object.keys(pgConfig).filter(
    name => restartSettings.includes(name) && pgConfig[name] !== service.pgConfig[name],
  )
  return answerConfig(
    changed,
    waiting.length > 0 ? `Restart the service for ${waiting.join(', ')} to take effect` : undefined,
  )
}

export type Settings = Readonly<Record<string, string>>

/**
 * Reads the settings of Postgres from a body: numbers, which the contract has judged, and texts. All are kept as texts.
 * @throws Refusal that names each text that is out of its bounds.
 */
function readPostgresSettings(sent: object): Settings {
  const issues = Object.entries(sent).flatMap(([name, value]) => judge(name, value))
  if (issues.length > 0) throw invalid(issues)
  return stringsOf(sent)
}

const stringsOf = (sent: object): Settings =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]))

/** Judges a number that comes as a text. It may have a unit; -1 turns a setting off. */
function judge(name: string, value: unknown): Issue[] {
  const { type, min, max, multipleOf }: Field = pgConfig.fields[name as keyof typeof pgConfig.fields]
  if (type !== 'number' || typeof value !== 'string' || value === '-1' || numberWithUnit.test(value)) return []
  const report = (sentence: string): Issue[] => [{ part: 'Body', path: ['pgConfig', name], sentence, received: value }]
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (!Number.isFinite(number)) return report('Expected number')
  if (multipleOf && !Number.isInteger(number)) return report('Expected a whole number')
  if (min !== undefined && number < min) return report(`Value must be >= ${min}`)
  return max !== undefined && number > max ? report(`Value must be <= ${max}`) : []
}

/** The units of Postgres for memory and time, and `m` for minutes, as the vendor's document has it. */
const numberWithUnit = /^\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB|us|ms|s|m|min|h|d)$/

/** The settings that take effect only after a restart. */
const restartSettings = ['max_connections', 'max_worker_processes', 'autovacuum_max_workers']

export const handlers = {
  'postgres.list': request => {
    const all = request.list(postgresServices)
    return answerList(all.map(one => pick(one, listedFields)))
  },
  'postgres.get': request => answer(find(request), request.now),
  'postgres.create': request => {
    const { pgConfig: _pgConfig, pgBouncerConfig: _pgBouncerConfig, ipAccessList, ...plan } = request.body
    const add = ipAccessList?.map(({ id: _, ...rule }) => rule)
    const rules = add && { ipAccessList: changeRules(request, [], { add }) }
    return create(request, { ...plan, ...rules, ...readConfigs(request.body) }, 'creating')
  },
  'postgres.update': request => {
    const before = find(request)
    if (!before.isPrimary) throw refused('A read replica cannot be changed')
    const { tags = [], ipAccessList, ...sent } = request.body
    const isResized = sent.size !== undefined && sent.size !== before.size
    const rules = changeRules(request, before.ipAccessList, ipAccessList)
    const changed = { ...before, ...sent, tags, ipAccessList: rules }
    const service = isResized ? { ...changed, storageSize: storageGibOf(changed.size) } : changed
    const after = isResized && service.state === 'running' ? enterState(service, 'restarting', request.now) : service
    request.in(postgresServices).replace(after)
    // The answer has the access list only if the request changes it.
    return answer(after, request.now, ipAccessList ? {} : { ipAccessList: undefined })
  },
  'postgres.delete': request => {
    const service = find(request)
    const replica = request.list(postgresServices).find(one => one.primaryId === service.id)
    if (replica) throw conflict(`The service has the replica ${replica.id}: delete or promote the replica first`)
    if (service.state !== 'deleting') request.in(postgresServices).replace(enterState(service, 'deleting', request.now))
    return { kind: 'deleted' }
  },
  'postgres.state': request => {
    const service = applyCommand(findRunning(request), request.body.command, request.now)
    request.in(postgresServices).replace(service)
    return answer(service, request.now)
  },
  'postgres.password': request => {
    const service = find(request)
    const { world, body } = request
    const drawn = newPassword(createRandom(seedOf(world.seed, 'postgres password', world.newUuid())))
    request.in(postgresServices).replace({ ...service, password: body.password ?? drawn })
    return answerObject(body.password === undefined ? { password: drawn } : {})
  },
  'postgres.replicate': request => {
    const primary = findRunning(request)
    if (!primary.isPrimary) throw refused('A read replica has no replicas')
    if (earliestRestore(primary, request.now) === undefined)
      throw refused('Parent server is not ready for read replicas. There are no backups, yet.')
    const { name, tags = [] } = request.body
    const plan = { ...inheritedFields(primary), ...readConfigs(request.body), name, tags, primaryId: primary.id }
    return create(request, plan, 'replaying_wal')
  },
  'postgres.restore': request => {
    const source = find(request)
    const { name, tags = [], restoreTarget } = request.body
    const earliest = earliestRestore(source, request.now)
    if (earliest === undefined) throw refused('The service has no backups, yet.')
    const at = Date.parse(restoreTarget)
    if (at < earliest || at > request.now)
      throw refused(`restoreTarget: Expected a moment from ${new Date(earliest).toISOString()} to now`)
    return create(request, { ...inheritedFields(source), ...readConfigs(request.body), name, tags }, 'restoring_backup')
  },
  'postgres.certificates': request => {
    find(request)
    return { kind: 'text', text: certificateAuthority }
  },
  'postgresConfig.get': request => answerConfig(find(request)),
  'postgresConfig.replace': request => setConfig(request, false),
  'postgresConfig.update': request => setConfig(request, true),
  ...insightHandlers,
  ...recoveryHandlers,
} as const satisfies Handlers

export const faults = {
  'postgres/password-is-shown-once': wrongField('postgres.list', 'password', 'shown again'),
  ...recoveryFaults,
} as const satisfies Faults

/** The certificate of an authority that nobody trusts: it was made once for this mock, and its key was discarded. */
const certificateAuthority = `-----BEGIN CERTIFICATE-----
MIIB1TCCAXugAwIBAgIUdZLxOCu/belVsHL/B+FmLRC44J8wCgYIKoZIzj0EAwIw
PzEVMBMGA1UECgwMc3RhY2stcGFyaXR5MSYwJAYDVQQDDB1zdGFjay1wYXJpdHkg
bW9jayBQb3N0Z3JlcyBDQTAgFw0yNjExMjIxMjEzMDJaGA8yMTI2MTAyOTEyMTMw
MlowPzEVMBMGA1UECgwMc3RhY2stcGFyaXR5MSYwJAYDVQQDDB1zdGFjay1wYXJp
dHkgbW9jayBQb3N0Z3JlcyBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHdh
Iq3qLTeUajmpXHrKUNn+YPfWq+L43YV+VtD+U1TZFt/63/TjuBW5Tm067A4LUHRb
nHFJbYitd2EijfSyFTOjUzBRMB0GA1UdDgQWBBS4wECSgQEa25EUa3vZnQsIF4MC
fjAfBgNVHSMEGDAWgBS4wECSgQEa25EUa3vZnQsIF4MCfjAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0gAMEUCIFi2E6XsRSSNkkfGprMhE9mbLQirFLupUkar
NDp5Nzv1AiEAhlkHJ8on7o38ucG9Eaz13UYoO+SoxA4GHus7ZxWSLZQ=
-----END CERTIFICATE-----
`
