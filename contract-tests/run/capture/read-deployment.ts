import { type OperationId, operations } from '../../../fixtures/contract/index.ts'
import type { Client } from '../../engine/clients/client.ts'
import type { As } from '../../engine/credentials.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isWhole, listIn, readPages } from '../../engine/pages.ts'
import { fillPath, pathValues } from '../../engine/paths.ts'
import { idOf, isObject, type JsonObject, payloadOf } from '../../engine/recognise.ts'
import { secretsIn } from '../../engine/secrets.ts'
import { type Asking, baseUrlOf, createSender, pause } from '../../engine/send.ts'
import { type TargetFile, usualRate } from '../../engine/target/target.ts'
import { getOf, partOf, type Reading } from './readings.ts'

/** What a deployment answered to a reading in one place. */
export interface Answered {
  readonly form: Reading['form']
  readonly operation: OperationId
  /** The ids of its path, by their names. */
  readonly ids: Readonly<Record<string, string>>
  /** The objects that it shows. */
  readonly items: readonly JsonObject[]
}

export interface Read {
  readonly answers: readonly Answered[]
  /** The secrets that answers showed. */
  readonly secrets: readonly string[]
  /** What the deployment does not have or the keys may not read, with how often it was refused with which status. */
  readonly refused: ReadonlyMap<string, number>
  /** Why something that the keys may read could not be read, or not to its end. */
  readonly unread: readonly string[]
  readonly requests: number
}

export interface ReadOptions {
  readonly target: TargetFile
  readonly client: Client
  readonly readings: readonly Reading[]
  readonly rate?: number | undefined
  readonly signal?: AbortSignal
  /** Called once the lists of services are there, where they are read, with how many requests are known to follow. */
  readonly onLength?: (requests: number) => void
  readonly onProgress?: (done: number, total: number, operation: string) => void
}

/** Requests that may be under way at the same time where no pace is kept. */
const SIDE_BY_SIDE = 8

/** A list that so many places do not have is one that the deployment does not offer: the others are not asked for it. */
const ENOUGH = 5

/** A place of a reading: whose key reads it, and the ids of its path. */
interface Place {
  readonly as: As
  readonly ids: Readonly<Record<string, string>>
}

/** Reads a deployment by GET alone, parents first. */
export async function readDeployment(options: ReadOptions): Promise<Read> {
  const { target, client, readings, signal, onLength, onProgress, rate = usualRate(target) } = options
  const secrets: string[] = []
  const sender = createSender({
    ...{ target, client, rate, signal },
    sleep: milliseconds => pause(milliseconds, signal),
    onAnswer: came => secrets.push(...secretsIn(came)),
  })
  const answers: Answered[] = []
  const refused = new Map<string, number>()
  const unread: string[] = []
  /** How often a list was not there, without having been there. */
  const absent = new Map<string, number>()
  /** The places below what a reading showed. */
  const below = new Map<Reading, { readonly place: Place; readonly items: readonly JsonObject[] }[]>()

  async function ask(step: Asking, path: string): Promise<Exchange | undefined> {
    if (signal?.aborted) sender.end('it was interrupted')
    const sent = sender.cut === undefined ? await sender.send(step, { path }) : { cut: sender.cut }
    if (!('came' in sent)) {
      unread.push('cut' in sent ? sent.cut : sent.failed)
      return undefined
    }
    const { came } = sent
    const { status } = came.response
    if (isSuccess(came)) {
      absent.delete(step.name)
      return came
    }
    if (status === 501 || (status >= 400 && status < 500 && status !== 401)) {
      const key = `${step.operation} ${status}`
      refused.set(key, (refused.get(key) ?? 0) + 1)
      absent.set(step.name, [404, 405, 501].includes(status) ? (absent.get(step.name) ?? 0) + 1 : 0)
    } else unread.push(`GET ${path} was answered with ${status}`)
    return undefined
  }

  /** Reads an operation in a place, a list to its end. Undefined when the deployment does not show it. */
  async function read({ operation, form, template }: Omit<Reading, 'records'>, { as, ids }: Place) {
    const path = fillPath(template, { ...pathValues(target), ...ids })
    if (path === undefined || target.notOffered?.includes(operation)) return undefined
    const step = stepOf(operation, form, as)
    if (operation.endsWith('.list') && (absent.get(step.name) ?? 0) >= ENOUGH) return undefined
    const first = await ask(step, path)
    if (!first) return undefined
    const [resource = ''] = operation.split('.')
    if (!operation.endsWith('.list')) return itemsOf(first)
    const came = await readPages(first, resource, baseUrlOf(target, form), next => ask(step, next))
    if (!isWhole(came, resource)) unread.push(`GET ${path} lists more than could be read`)
    return listIn(came, resource) ?? []
  }

  const places = placesOf(target)
  /** Lists whose gets were found to show more, or not to. */
  const shows = new Map<Reading, Promise<boolean>>()

  /** Reads what an operation shows in a place, with gets where they show more than its list. */
  async function perform(reading: Reading, place: Place): Promise<readonly JsonObject[] | undefined> {
    const { operation, form, records } = reading
    const listed = await read(reading, place)
    if (!listed) return undefined
    const get = records === undefined ? undefined : getOf(reading)
    const [resource = ''] = operation.split('.')
    const parameter = get && /\{(\w+)\}$/.exec(operations[get].paths[form] ?? '')?.[1]
    const getOne = async (item: JsonObject): Promise<JsonObject> => {
      const id = idIn(item, resource, parameter!)
      if (id === undefined) return item
      const template = `${reading.template}/{${parameter}}`
      const got = await read({ operation: get!, form, template }, { ...place, ids: { ...place.ids, [parameter!]: id } })
      return { ...item, ...got?.[0] }
    }
    if (parameter && listed.length > 0) {
      // Whether gets show more is found out with one of them, once for each list.
      if (!shows.has(reading))
        shows.set(
          reading,
          getOne(listed[0]!).then(got => hasMore(got, listed[0]!)),
        )
      if (await shows.get(reading)) {
        const got: JsonObject[] = []
        for (const item of listed) got.push(await getOne(item))
        return got
      }
    }
    return listed
  }

  const depthOf = ({ parent }: Reading): number => (parent ? 1 + depthOf(parent.reading) : 0)
  const placesBelow = ({ form, parent }: Reading): readonly Place[] => {
    if (!parent) return form === 'selfHosted' ? [{ as: 'key', ids: {} }] : places
    const { reading, parameter } = parent
    const part = partOf(parameter)
    const [resource = ''] = reading.operation.split('.')
    return (below.get(reading) ?? []).flatMap(({ place, items }) =>
      items
        .flatMap(item => (part === undefined ? [item] : objectsIn(item[part])))
        .flatMap(item => {
          const id = idIn(item, resource, parameter)
          return id === undefined ? [] : [{ ...place, ids: { ...place.ids, [parameter]: id } }]
        }),
    )
  }

  const deepest = Math.max(0, ...readings.map(depthOf))
  for (let depth = 0; depth <= deepest; depth++) {
    const queue = readings
      .filter(reading => depthOf(reading) === depth)
      .flatMap(reading => placesBelow(reading).map(place => [reading, place] as const))
    if (depth === Math.min(1, deepest)) onLength?.(queue.length)
    let done = 0
    const found: (readonly JsonObject[] | undefined)[] = []
    const rest = queue.entries()
    const work = async () => {
      for (const [index, [reading, place]] of rest) {
        found[index] = await perform(reading, place)
        onProgress?.(++done, queue.length, reading.operation)
      }
    }
    await Promise.all(Array.from({ length: rate ? 1 : SIDE_BY_SIDE }, work))
    // In the order of the queue: what is under way together ends in any order.
    for (const [index, [reading, place]] of queue.entries()) {
      const items = found[index]
      if (!items) continue
      const { form, operation } = reading
      below.set(reading, [...(below.get(reading) ?? []), { place, items }])
      answers.push({ form, operation, ids: place.ids, items })
    }
  }
  return { answers, secrets, refused, unread, requests: sender.requests }
}

/** Where a target's keys are at home: its organization, and the second one where that has a key of its own. */
function placesOf({ cloud }: TargetFile): readonly Place[] {
  if (!cloud?.organizationId) return []
  const { organizationId, secondOrganizationId, secondKeyId } = cloud
  const second: Place[] =
    secondOrganizationId && secondKeyId ? [{ as: 'secondKey', ids: { organizationId: secondOrganizationId } }] : []
  return [{ as: 'key', ids: { organizationId } }, ...second]
}

const stepOf = (operation: OperationId, form: Reading['form'], as: As): Asking => ({
  name: `${form}:${operation}`,
  ...{ form, operation, as, method: 'GET', why: 'is captured' },
})

function itemsOf({ json }: Exchange): readonly JsonObject[] {
  const payload = payloadOf(json)
  return isObject(payload) ? [payload] : []
}

const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** What a path below a list calls an item: a field of this name, its name, or its id. */
function idIn(item: JsonObject, resource: string, parameter: string): string | undefined {
  const named = item[parameter] ?? (parameter.endsWith('Name') ? item.name : undefined)
  // A name of points alone would lead to another path.
  return typeof named === 'string' && !/^\.{0,2}$/.test(named) ? named : idOf(item, resource)
}

const hasMore = (got: JsonObject, listed: JsonObject) => Object.keys(got).some(name => !(name in listed))
