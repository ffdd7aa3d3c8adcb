import { readSize, type Size } from './populate/size.ts'
import type { State } from './state.ts'

/** The kinds of records that lie in a stack. */
export const ofStack = ['connections', 'sources', 'webhooks', 'dashboards', 'alerts'] as const

type Shape = 'string' | 'number' | 'object' | 'array' | 'time'

/** What the mock relies on in the records of each kind; the rest of a record is answered as it stands. */
const relied: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  organizations: { name: 'string' },
  keys: { keySecret: 'string', organizationId: 'string' },
  members: { userId: 'string', name: 'string', email: 'string', role: 'string', joinedAt: 'time' },
  services: { name: 'string' },
  backups: { serviceId: 'string' },
  connections: { name: 'string' },
  sources: { name: 'string', kind: 'string', connection: 'string', from: 'object' },
  webhooks: { name: 'string', service: 'string', createdAt: 'time', updatedAt: 'time' },
  dashboards: { name: 'string', tiles: 'array', tags: 'array', filters: 'array' },
  alerts: {
    ...{ threshold: 'number', thresholdType: 'string', interval: 'string', source: 'string', state: 'string' },
    ...{ channels: 'array', teamId: 'string', createdAt: 'time', updatedAt: 'time' },
  },
}

const shapes: Readonly<Record<Shape, { readonly says: string; readonly is: (value: unknown) => boolean }>> = {
  string: { says: 'a text', is: value => typeof value === 'string' },
  number: { says: 'a number', is: value => typeof value === 'number' },
  object: { says: 'an object', is: isObject },
  array: { says: 'an array', is: Array.isArray },
  time: { says: 'an ISO 8601 time', is: value => typeof value === 'string' && !Number.isNaN(Date.parse(value)) },
}

/** Refuses what is no state of a world, by a sentence that names the first place that is wrong. */
export function checkState(state: unknown): asserts state is State {
  if (!isObject(state)) throw refuse('the document', 'an object as GET /control/state answers it')
  if (state.version !== 1) throw refuse('version', '1')
  if (!Number.isSafeInteger(state.seed)) throw refuse('seed', 'a whole number')
  if (!isCount(state.created)) throw refuse('created', 'a whole number from 0')
  if (state.ordinal !== undefined && !isCount(state.ordinal)) throw refuse('ordinal', 'a whole number from 0')
  check('now', state.now, 'time')
  for (const field of ['size', 'selfHosted', 'members', 'services', 'backups', 'stacks']) {
    check(field, state[field], 'object')
  }
  readSize('load a state: size', state.size as Partial<Size>)
  const { accessKey, ingestionKey, user } = state.selfHosted as Record<string, unknown>
  check('selfHosted.accessKey', accessKey, 'string')
  check('selfHosted.ingestionKey', ingestionKey, 'string')
  check('selfHosted.user', user, 'object')
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
    check(`stacks.${id}.rows`, stack.rows, 'object')
    for (const [source, rows] of Object.entries(stack.rows as object)) {
      check(`stacks.${id}.rows.${source}`, rows, 'array')
    }
  }
}

function checkRecords(place: string, kind: string, records: unknown) {
  if (!Array.isArray(records)) throw refuse(place, 'an array of records')
  for (const [index, record] of records.entries()) {
    if (!isObject(record)) throw refuse(`${place}.${index}`, 'an object')
    check(`${place}.${index}.id`, record.id, 'string')
    for (const [field, shape] of Object.entries(relied[kind] ?? {})) {
      check(`${place}.${index}.${field}`, record[field], shape)
    }
    if (kind === 'dashboards') checkTiles(`${place}.${index}.tiles`, record.tiles as unknown[])
  }
}

function checkTiles(place: string, tiles: readonly unknown[]) {
  for (const [index, tile] of tiles.entries()) {
    if (!isObject(tile)) throw refuse(`${place}.${index}`, 'an object')
    check(`${place}.${index}.id`, tile.id, 'string')
    check(`${place}.${index}.config`, tile.config, 'object')
  }
}

function check(place: string, value: unknown, shape: Shape) {
  if (!shapes[shape].is(value)) throw refuse(place, shapes[shape].says)
}

const refuse = (place: string, wanted: string) => new Error(`load a state: ${place}: Expected ${wanted}`)
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
