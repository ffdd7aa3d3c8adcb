import type { OperationId } from '../../../fixtures/contract/index.ts'
import type { Client } from '../../engine/clients/client.ts'
import type { CredentialsKind } from '../../engine/credentials.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isReadToEnd, listIn, readPages } from '../../engine/pages.ts'
import { fillPath, pathValues } from '../../engine/paths.ts'
import { isObject, type JsonObject, objectsIn, payloadOf } from '../../engine/recognise.ts'
import { secretsIn } from '../../engine/redact.ts'
import { baseUrlOf, createSender, pause, type StepOfExchange } from '../../engine/send.ts'
import { defaultRate, type TargetFile } from '../../engine/target/target.ts'
import { idForParameter } from '../../visits/listed-id.ts'
import { fieldWithIds, getOf, type Reading } from './readings.ts'

/** A successful list or get, with the records in it. */
export interface ReadAnswer {
  readonly form: Reading['form']
  readonly operation: OperationId
  /** The ids in the path, by parameter. */
  readonly ids: Readonly<Record<string, string>>
  readonly items: readonly JsonObject[]
}

interface ReadResult {
  readonly answers: readonly ReadAnswer[]
  /** The secrets that answers showed. */
  readonly secrets: readonly string[]
  /** How often each operation was refused, by `operation status`: the deployment lacks it or the key may not read it. */
  readonly refused: ReadonlyMap<string, number>
  /** Why a reading failed, or stopped before the end of a list, although the key may read it. */
  readonly unread: readonly string[]
}

interface ReadOptions {
  readonly target: TargetFile
  readonly client: Client
  readonly readings: readonly Reading[]
  readonly rate?: number | undefined
  readonly signal?: AbortSignal
  /** Called with the number of requests known to follow, once the services have been listed. */
  readonly onLength?: (requests: number) => void
  readonly onProgress?: (done: number, total: number, operation: string) => void
}

/** Concurrent requests when no rate is set. */
const MAX_CONCURRENT = 8

/** A list that is absent in this many places is not offered, and is not requested in the other places. */
const ENOUGH_ABSENCES = 5

interface Place {
  readonly as: CredentialsKind
  readonly ids: Readonly<Record<string, string>>
}

/** Reads a deployment by GET alone, parents first. */
export async function readDeployment(options: ReadOptions): Promise<ReadResult> {
  const { target, client, readings, signal, onLength, onProgress, rate = defaultRate(target) } = options
  const secrets: string[] = []
  const sender = createSender({
    target,
    client,
    rate,
    signal,
    sleep: milliseconds => pause(milliseconds, signal),
    onAnswer: exchange => secrets.push(...secretsIn(exchange)),
  })
  const answers: ReadAnswer[] = []
  const refused = new Map<string, number>()
  const unread: string[] = []
  /** The number of places that lack a list, by step; a place that has the list, or forbids reading it, resets the number. */
  const absent = new Map<string, number>()

  async function request(step: StepOfExchange, path: string): Promise<Exchange | undefined> {
    if (signal?.aborted) sender.end('it was interrupted')
    const sent = sender.endReason === undefined ? await sender.send(step, { path }) : { notSent: sender.endReason }
    if (!('exchange' in sent)) {
      unread.push('notSent' in sent ? sent.notSent : sent.failed)
      return undefined
    }
    const { exchange } = sent
    const { status } = exchange.response
    if (isSuccess(exchange)) {
      absent.delete(step.name)
      return exchange
    }
    if (status === 501 || (status >= 400 && status < 500 && status !== 401)) {
      const key = `${step.operation} ${status}`
      refused.set(key, (refused.get(key) ?? 0) + 1)
      absent.set(step.name, [404, 405, 501].includes(status) ? (absent.get(step.name) ?? 0) + 1 : 0)
    } else unread.push(`GET ${path} was answered with ${status}`)
    return undefined
  }

  /** Sends one reading, and for a list all its pages. Undefined when the reading is refused or not sent. */
  async function read({ operation, form, template }: Reading, { as, ids }: Place) {
    const path = fillPath(template, { ...pathValues(target), ...ids })
    const step: StepOfExchange = {
      name: `${form}:${operation}`,
      form,
      operation,
      as,
      method: 'GET',
      why: 'is captured',
    }
    const isList = operation.endsWith('.list')
    if (path === undefined || target.notOffered?.includes(operation)) return undefined
    if (isList && (absent.get(step.name) ?? 0) >= ENOUGH_ABSENCES) return undefined
    const first = await request(step, path)
    if (!first) return undefined
    const payload = payloadOf(first.json)
    if (!isList) return isObject(payload) ? [payload] : []
    const [resource = ''] = operation.split('.')
    const exchange = await readPages(first, resource, baseUrlOf(target, form), next => request(step, next))
    if (!isReadToEnd(exchange, resource)) unread.push(`GET ${path} lists more than could be read`)
    return listIn(exchange, resource) ?? []
  }

  /** By list: whether the get of an item shows more fields than the list does. */
  const getShowsMore = new Map<Reading, Promise<boolean>>()

  /** Reads a list or a get in a place, and the items of a list one by one where their gets show more. */
  async function perform(reading: Reading, place: Place): Promise<readonly JsonObject[] | undefined> {
    const listed = await read(reading, place)
    const get = reading.records === undefined ? undefined : getOf(reading)
    const [first] = listed ?? []
    if (!listed || !first || !get) return listed
    const parameter = /\{(\w+)\}$/.exec(get.template)![1]!
    const getOne = async (item: JsonObject): Promise<JsonObject> => {
      const inner = placeBelow(place, item, reading, parameter)
      const [got] = (inner && (await read(get, inner))) ?? []
      return { ...item, ...got }
    }
    // The first item decides for the whole list.
    const showsMore = async () => Object.keys(await getOne(first)).some(name => !(name in first))
    if (!getShowsMore.has(reading)) getShowsMore.set(reading, showsMore())
    if (!(await getShowsMore.get(reading))) return listed
    const got: JsonObject[] = []
    for (const item of listed) got.push(await getOne(item))
    return got
  }

  const rootsOf = ({ parent, form }: Reading): readonly Place[] => {
    if (parent) return []
    return form === 'selfHosted' ? [{ as: 'key', ids: {} }] : organizationsOf(target)
  }
  const hasChildren = readings.some(({ parent }) => parent)
  let queue = readings.flatMap(reading => rootsOf(reading).map(place => ({ reading, place })))
  for (let depth = 0; queue.length > 0; depth++) {
    const { length } = queue
    if (depth === (hasChildren ? 1 : 0)) onLength?.(length)
    let done = 0
    const found: (readonly JsonObject[] | undefined)[] = []
    const entries = queue.entries()
    const work = async () => {
      for (const [index, { reading, place }] of entries) {
        found[index] = await perform(reading, place)
        onProgress?.(++done, length, reading.operation)
      }
    }
    await Promise.all(Array.from({ length: rate ? 1 : MAX_CONCURRENT }, work))
    // In the order of the queue, since concurrent requests end in any order.
    const listed = queue.flatMap((one, index) => (found[index] ? { ...one, items: found[index] } : []))
    for (const { reading, place, items } of listed)
      answers.push({ form: reading.form, operation: reading.operation, ids: place.ids, items })
    queue = readings.flatMap(child =>
      listed
        .filter(({ reading }) => reading === child.parent?.reading)
        .flatMap(({ place, items }) => placesBelow(place, items, child))
        .map(place => ({ reading: child, place })),
    )
  }
  return { answers, secrets, refused, unread }
}

/** The organization of each key of the target. */
function organizationsOf({ cloud }: TargetFile): Place[] {
  if (!cloud?.organizationId) return []
  const { organizationId, secondOrganizationId, secondKeyId } = cloud
  const second: Place[] =
    secondOrganizationId && secondKeyId ? [{ as: 'secondKey', ids: { organizationId: secondOrganizationId } }] : []
  return [{ as: 'key', ids: { organizationId } }, ...second]
}

/** The places of a reading below the items of its parent. */
function placesBelow(place: Place, items: readonly JsonObject[], { parent }: Reading): readonly Place[] {
  if (!parent) return []
  const part = fieldWithIds(parent.parameter)
  const all = part === undefined ? items : items.flatMap(item => objectsIn(item[part]))
  return all.flatMap(item => placeBelow(place, item, parent.reading, parent.parameter) ?? [])
}

/** The place below an item of a reading; undefined for one that shows no id. */
function placeBelow({ as, ids }: Place, item: JsonObject, { operation }: Reading, parameter: string) {
  const id = idForParameter(item, operation.split('.')[0]!, parameter)
  return id === undefined ? undefined : { as, ids: { ...ids, [parameter]: id } }
}
