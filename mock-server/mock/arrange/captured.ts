import { alerts } from '../../families/alert/index.ts'
import { type BackupConfiguration, planNext } from '../../families/backup/backup-configuration/index.ts'
import { type Connection, connections } from '../../families/connection/index.ts'
import { allows } from '../../families/key/addresses.ts'
import { isAllowed } from '../../families/key/authenticate.ts'
import { deriveKey, type Key, keys, suffixOf } from '../../families/key/model.ts'
import { organizations } from '../../families/organization/model.ts'
import { postgresServices } from '../../families/postgres/model.ts'
import { savedSearches } from '../../families/saved-search/index.ts'
import { nextChange, type Service } from '../../families/service/model.ts'
import { sources } from '../../families/source/index.ts'
import { teams } from '../../families/team/index.ts'
import { isRecord, writeValue } from '../../words/check-options.ts'
import { minute } from '../../words/durations.ts'
import { isMoment } from '../../world/clock.ts'
import { type AnyModel, keyOf, type Model } from '../../world/collection.ts'
import { findUnknownField } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { complete } from '../records.ts'

/** The field `captured` of a scenario, which `stack-parity capture` writes in addition to the records. */
export interface Captured {
  /** The ISO 8601 time that the times of the records are relative to: it becomes the start of the world. */
  readonly at: string
}

type Fields = Readonly<Record<string, unknown>>
/** A captured answer, and the place of its record. */
interface CapturedAnswer {
  readonly name: string
  readonly within: string
  readonly fields: Fields
}

/** Functions that split answers which contain several records or a part of another record, by the name of the answer. */
const splitters: Readonly<Record<string, (captured: CapturedAnswer, world: World) => readonly CapturedAnswer[]>> = {
  creditBalances: ({ fields, within }) =>
    recordsIn(fields.balances).map(balance => ({ name: 'creditBalance', fields: balance, within })),
  apiRoot: ({ fields, within }, world) => {
    const user = { ...world.in(teams, within).get('team')?.user, ...(isRecord(fields.user) && fields.user) }
    return [{ name: 'team', fields: { user }, within }]
  },
  postgresConfig: ({ fields, within: id }, world) =>
    world
      .places(postgresServices)
      .filter(place => world.in(postgresServices, place).get(id))
      .map(within => ({ name: 'postgres', fields: { id, ...fields }, within })),
}

/** The models of the records in such answers, where no operation lists these records. */
export const recordModelsOfAnswers: Readonly<Record<string, string>> = { creditBalances: 'creditBalance' }

/** The resources whose captured answers can become records of a world. */
export const capturableOf = (models: readonly AnyModel[]): readonly string[] => [
  ...models.map(({ name }) => name),
  ...Object.keys(splitters),
]

/** The fields in which a record differs from its captured answer. */
const recordFields: Readonly<Record<string, (captured: CapturedAnswer, world: World) => Fields>> = {
  member: ({ fields }) => ({ id: fields.userId }),
  key: ({ within }) => ({ organizationId: within }),
  // A transient state continues from the start of the world; other states last.
  service: ({ fields }, { start }) => {
    const isTransient = fields.state !== 'running' && nextChange({ ...fields, since: start } as unknown as Service)
    return isTransient ? { since: start } : {}
  },
  alert: ({ fields: { channel, channels = channel ? [channel] : [] } }) => ({ channel: undefined, channels }),
  backup: ({ fields }, { start }) => (fields.status === 'in_progress' ? { endsAt: start + minute } : {}),
  backupConfiguration: ({ fields, within }, world) =>
    planNext(world, within, fields as unknown as BackupConfiguration, world.start),
  snapshotConfiguration: ({ fields: { enabled, gap = 60 } }, { start }) =>
    enabled === true ? { nextAt: start + Number(gap) * minute } : {},
}

/**
 * Adds captured records to a world in which their collections are empty. `tell` gets a sentence about each value that
 * records cannot have. Throws an Error about an invalid record.
 */
export function arrangeCaptured(
  { at }: Captured,
  lists: Readonly<Record<string, readonly Fields[]>>,
  world: World,
  isNewestFirst: (name: string, place: string) => boolean,
  tell: (sentence: string) => void,
) {
  const shift = world.start - Date.parse(at)
  const captured = Object.entries(lists).map(([name, list]) =>
    list.map(
      ({ within = '', ...fields }): CapturedAnswer => ({
        name,
        within: String(within),
        fields: moveTimes(fields, shift),
      }),
    ),
  )
  // Parents come first, then answers to be split. Models that react to writes of others, such as the log, come last.
  const depth = (name = '') => {
    const index = world.models.findIndex(one => one.name === name)
    return index < 0 ? world.models.length : index
  }
  const isReacting = ([first]: readonly CapturedAnswer[]) => world.models[depth(first?.name)]?.reactions !== undefined
  const createAll = (list: readonly CapturedAnswer[]) => {
    const records = list.flatMap(one => splitters[one.name]?.(one, world) ?? [one])
    const model = world.models.find(({ name }) => name === records[0]?.name)
    if (!model) return
    const places = new Set(world.places(model))
    const isReversed = ({ within }: CapturedAnswer) => model.isListedNewestFirst || isNewestFirst(model.name, within)
    const inOrder = [...records.filter(one => !isReversed(one)), ...records.filter(isReversed).toReversed()]
    for (const one of inOrder) putRecord(model, one, places, world, tell)
  }
  for (const list of captured.toSorted(([a], [b]) => depth(a?.name) - depth(b?.name)))
    if (!isReacting(list)) createAll(list)
  // Removes the records that these models have written in reaction to the arrangement.
  for (const model of world.models.filter(({ reactions }) => reactions))
    for (const place of world.seededPlaces(model))
      for (const record of world.list<object>(model, place)) world.in(model, place).remove(keyOf(model, record))
  for (const list of captured.filter(isReacting)) createAll(list)
  if (lists.key) for (const { id } of world.list(organizations)) assignCredentials(world, id)
  for (const place of new Set((lists.source ?? []).map(({ within }) => String(within)))) addUnlisted(world, place)
}

/** Adds the connections and the team that sources and searches name, which no operation of the managed form lists. */
function addUnlisted(world: World, place: string): void {
  const existing = world.in(connections, place)
  for (const { connection: id } of world.list(sources, place))
    if (!existing.get(id)) existing.create({ ...(world.sample(connections, place, world.start) as Connection), id })
  const [first] = [...world.list(savedSearches, place), ...world.list(alerts, place)]
  if (first?.teamId) change(world, teams, place, 'team', { id: first.teamId })
}

function putRecord(
  model: AnyModel,
  captured: CapturedAnswer,
  places: ReadonlySet<string>,
  world: World,
  tell: (sentence: string) => void,
): void {
  const { name, within, fields } = captured
  const place = model.within === 'deployment' ? '' : within
  if (!places.has(place)) throw new Error(`${name}: within: There is no place ${within} for it`)
  const { assignedRoles } = fields
  const roles = assignedRoles !== undefined && { assignedRoleIds: recordsIn(assignedRoles).map(one => one.roleId) }
  const recordValues = { ...fields, ...roles, ...recordFields[name]?.(captured, world) }
  const records = world.in<object>(model, place)
  const existing = records.get(keyOf(model, recordValues))
  const known = { ...existing, ...dropUnknown(model.record, recordValues) }
  const record = complete(model, known, place, world, sentence => tell(`${name}${describeRecord(fields)}: ${sentence}`))
  if (existing) records.replace(record)
  else records.create(record)
  if (roles && name !== 'invitation') change(world, organizations, '', within, { usesCustomRoles: true })
  if (name === 'teamMember' && fields.isCurrentUser === true) {
    const user = world.in(teams, place).get('team')?.user
    const { id, email, name } = fields as { readonly id: string; readonly email: string; readonly name: string }
    change(world, teams, place, 'team', { user: { ...user, _id: id, email, name } })
  }
}

/** The name of a record, by which somebody finds it in a long file. */
export function describeRecord(fields: object): string {
  const { name, id } = fields as { name?: unknown; id?: unknown }
  return name === undefined && id === undefined ? '' : ` (${writeValue(name ?? id)})`
}

function change<T extends object>(world: World, model: Model<T>, place: string, key: string, fields: Partial<T>): void {
  const record = world.in(model, place).get(key)
  if (record) world.in(model, place).replace({ ...record, ...fields })
}

/** Gives the credentials of the target file to the first key that may do everything, or adds such a key. */
function assignCredentials(world: World, organizationId: string): void {
  const { id, keyId, keySecret } = deriveKey(world.seed, organizationId)
  const all = world.in(keys)
  const isOf = (key: Key) => key.organizationId === organizationId
  const mayDoEverything = (key: Key) =>
    key.state === 'enabled' &&
    (key.expireAt == null || Date.parse(key.expireAt) > world.start) &&
    allows(key.ipAccessList ?? [], '127.0.0.1') &&
    isAllowed(world, key, 'org:manage')
  const existing = all.list().find(key => isOf(key) && mayDoEverything(key))
  if (existing) {
    all.replace({ ...existing, keyId, keySecret })
    return
  }
  all.create({
    id,
    name: 'stack-parity',
    state: 'enabled',
    roles: ['admin'],
    keySuffix: suffixOf(keyId),
    createdAt: new Date(world.start).toISOString(),
    ipAccessList: [{ source: '0.0.0.0/0', description: 'Anywhere' }],
    organizationId,
    keyId,
    keySecret,
  })
}

const recordsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const wholeTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?Z$/

/** Moves the times in a value, each with as many digits as it had. */
const moveTimes = <T>(value: T, shift: number): T =>
  JSON.parse(JSON.stringify(value), (_, text) => {
    const time = typeof text === 'string' ? wholeTime.exec(text) : null
    const moment = Date.parse(text) + shift
    if (!time || !isMoment(moment)) return text
    const [, digits = ''] = time
    const moved = new Date(moment).toISOString()
    const fraction = `${moved.slice(20, 23)}${digits.slice(3)}`.slice(0, digits.length)
    return `${moved.slice(0, 19)}${fraction && `.${fraction}`}Z`
  })

/** Removes fields that the model does not have, such as derived ones and those of other releases. */
function dropUnknown(schema: AnyModel['record'], fields: Fields): Fields {
  const recordValues = structuredClone(fields)
  for (;;) {
    const path = findUnknownField(schema, recordValues)?.path
    if (!path) return recordValues
    const holder = path.slice(0, -1).reduce((inner: object, name) => Reflect.get(inner, name), recordValues)
    Reflect.deleteProperty(holder, path.at(-1)!)
  }
}
