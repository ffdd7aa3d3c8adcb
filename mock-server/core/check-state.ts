import { intervalMinutes } from '../families/alert/alert-body.ts'
import type { AlertState, SourceKind, ThresholdType, WebhookService } from '../words/resources.ts'
import { isMoment } from '../world/clock.ts'
import { readSize, type Size } from '../world/size.ts'
import type { State } from './state.ts'

/** The kinds of records that lie in a stack. */
export const ofStack = ['connections', 'sources', 'webhooks', 'dashboards', 'alerts'] as const

/** What a value has to be, in words and as a test. */
interface Shape {
  readonly says: string
  readonly is: (value: unknown) => boolean
}

const text: Shape = { says: 'a text', is: value => typeof value === 'string' }
const number: Shape = { says: 'a number', is: value => typeof value === 'number' }
const object: Shape = { says: 'an object', is: isObject }
const array: Shape = { says: 'an array', is: Array.isArray }
const time: Shape = {
  says: 'an ISO 8601 time',
  is: value => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
}
const moment: Shape = {
  says: 'an ISO 8601 time from 1970 to 9999',
  is: value => typeof value === 'string' && isMoment(Date.parse(value)),
}
const address: Shape = {
  says: 'an address that begins with http:// or https://',
  is: value => typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
}
const texts: Shape = {
  says: 'an object of texts',
  is: value => isObject(value) && Object.values(value).every(text.is),
}
const offset: Shape = {
  says: 'a whole number from 0 to 1439',
  is: value => isCount(value) && (value as number) < 1440,
}
const count: Shape = { says: 'a whole number from 1', is: value => isCount(value) && (value as number) > 0 }

const oneOf = (words: object): Shape => ({
  says: `one of ${Object.keys(words).join(', ')}`,
  is: value => typeof value === 'string' && Object.hasOwn(words, value),
})
const orAbsent = ({ says, is }: Shape): Shape => ({ says, is: value => value === undefined || is(value) })
const orNull = ({ says, is }: Shape): Shape => ({ says: `${says} or null`, is: value => value == null || is(value) })

/** Written as objects, so that the compiler names a word that is missing. */
const thresholdTypes: Readonly<Record<ThresholdType, true>> = {
  ...{ above: true, below: true, above_exclusive: true, below_or_equal: true },
  ...{ equal: true, not_equal: true, between: true, not_between: true },
}
const alertStates: Readonly<Record<AlertState, true>> = {
  ...{ OK: true, ALERT: true, PENDING: true, INSUFFICIENT_DATA: true, DISABLED: true },
}
const sourceKinds: Readonly<Record<SourceKind, true>> = {
  ...{ log: true, trace: true, session: true, metric: true, promql: true },
}
const services: Readonly<Record<WebhookService, true>> = { slack: true, generic: true, incidentio: true }

type Fields = Readonly<Record<string, Shape>>

/** What the mock relies on in the records of each kind; the rest of a record is answered as it stands. */
const relied: Readonly<Record<string, Fields>> = {
  organizations: { name: text },
  keys: { keySecret: text, organizationId: text },
  members: { userId: text, name: text, email: text, role: text, joinedAt: time },
  services: { name: text },
  backups: { serviceId: text },
  connections: { name: text },
  sources: { name: text, kind: oneOf(sourceKinds), connection: text, from: object },
  webhooks: {
    ...{ name: text, service: oneOf(services), url: orAbsent(address), body: orAbsent(text) },
    ...{ headers: orAbsent(texts), queryParams: orAbsent(texts), createdAt: time, updatedAt: time },
  },
  dashboards: { name: text, tiles: array, tags: array, filters: array },
  alerts: {
    ...{ name: orNull(text), message: orNull(text), source: text, state: oneOf(alertStates) },
    ...{ threshold: number, thresholdMax: orAbsent(number), thresholdType: oneOf(thresholdTypes) },
    ...{ interval: oneOf(intervalMinutes), numConsecutiveWindows: orNull(count) },
    ...{ scheduleOffsetMinutes: orAbsent(offset), scheduleStartAt: orNull(time), silenced: orAbsent(object) },
    ...{ channels: array, dashboardId: orAbsent(text), tileId: orAbsent(text), executionErrors: orAbsent(array) },
    ...{ teamId: text, createdAt: time, updatedAt: time },
  },
}

/** Refuses what is no state of a world, by a sentence that names the first place that is wrong. */
export function checkState(state: unknown): asserts state is State {
  if (!isObject(state)) throw refuse('the document', 'an object as GET /control/state answers it')
  if (state.version !== 1) throw refuse('version', '1')
  if (!Number.isSafeInteger(state.seed)) throw refuse('seed', 'a whole number')
  if (!isCount(state.created)) throw refuse('created', 'a whole number from 0')
  if (state.ordinal !== undefined && !isCount(state.ordinal)) throw refuse('ordinal', 'a whole number from 0')
  check('now', state.now, moment)
  check('clockMovedMs', state.clockMovedMs, orAbsent(number))
  for (const field of ['size', 'selfHosted', 'members', 'services', 'backups', 'stacks']) {
    check(field, state[field], object)
  }
  readSize('load a state: size', state.size as Partial<Size>)
  const { accessKey, ingestionKey, user } = state.selfHosted as Record<string, unknown>
  check('selfHosted.accessKey', accessKey, text)
  check('selfHosted.ingestionKey', ingestionKey, text)
  check('selfHosted.user', user, object)
  checkRecords('organizations', 'organizations', state.organizations)
  checkRecords('keys', 'keys', state.keys)
  for (const field of ['members', 'services', 'backups']) {
    for (const [scope, records] of Object.entries(state[field] as object)) {
      checkRecords(`${field}.${scope}`, field, records)
    }
  }
  for (const [id, stack] of Object.entries(state.stacks as object)) {
    if (!isObject(stack)) throw refuse(`stacks.${id}`, 'an object')
    for (const kind of ofStack) checkRecords(`stacks.${id}.${kind}`, kind, stack[kind])
    check(`stacks.${id}.rows`, stack.rows, object)
    for (const [source, rows] of Object.entries(stack.rows as object)) {
      check(`stacks.${id}.rows.${source}`, rows, array)
    }
  }
}

function checkRecords(place: string, kind: string, records: unknown) {
  checkEach(place, records, { id: text, ...relied[kind] })
  for (const [index, record] of (records as Readonly<Record<string, unknown>>[]).entries()) {
    const inside = (field: string) => `${place}.${index}.${field}`
    if (kind === 'dashboards') checkEach(inside('tiles'), record.tiles, { id: text, config: object })
    if (kind === 'alerts') {
      checkEach(inside('channels'), record.channels, { webhookId: text })
      if (record.silenced) check(inside('silenced.until'), (record.silenced as { until?: unknown }).until, time)
    }
  }
}

function checkEach(place: string, records: unknown, fields: Fields) {
  if (!Array.isArray(records)) throw refuse(place, 'an array of records')
  for (const [index, record] of records.entries()) {
    if (!isObject(record)) throw refuse(`${place}.${index}`, 'an object')
    for (const [field, shape] of Object.entries(fields)) check(`${place}.${index}.${field}`, record[field], shape)
  }
}

function check(place: string, value: unknown, { says, is }: Shape) {
  if (!is(value)) throw refuse(place, says)
}

const refuse = (place: string, wanted: string) => new Error(`load a state: ${place}: Expected ${wanted}`)
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
