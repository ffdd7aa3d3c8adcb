import { type Contract, type Form, type OperationId, contract as ours } from '../../../fixtures/built-contract/index.ts'
import { cached } from '../cached.ts'
import { findOperation, resourceOf } from '../contract.ts'
import { hasLife } from '../creatable-resources.ts'
import { type Exchange, isSuccess, sentIn } from '../exchange.ts'
import { groupBy } from '../group-by.ts'
import { asksForWhole, completeListIn, isReadToEnd, listIn } from '../pages.ts'
import { decode, pathTemplateOf } from '../paths.ts'
import { idOf, type JsonObject } from '../recognise.ts'
import { isRead } from '../step.ts'
import { createdId, isSingleton } from './objects.ts'

/**
 * The index of the exchanges of one form, of a run or of recorded traffic: for each object the writes that may have changed it
 * and the reads that show it. Exchanges may overlap: one counts as later than another only if it was sent after the end of
 * the other, by the clock of the run or of the recorder.
 */
export interface History {
  /** False for recorded traffic, which need not have the requests of all clients. */
  readonly isWhole: boolean
  readonly contract: Contract
  /** The objects of a resource that requests or the answers to creations name. */
  objectsOf(resource: string): readonly ObjectHistory[]
  isAfter(later: Exchange, earlier: Exchange): boolean
  /** All writes that may have changed something: successes and 5xx. */
  readonly writes: readonly Exchange[]
  /** True if the contract does not require yet that the read shows the write. */
  mayLag(read: Exchange, write: Exchange): boolean
  listOf(listed: Exchange): ListAnswer
}

export interface ObjectHistory {
  readonly resource: string
  /** Empty for a singleton. */
  readonly id: string
  /** Several if the client chooses the id and created the object again. */
  readonly creations: readonly Exchange[]
  readonly gets: readonly Exchange[]
  /** The whole lists of its collection. */
  readonly lists: readonly Exchange[]
  /** What may have changed or removed it, including its creations: successes, 5xx, and those without an answer. */
  readonly writes: readonly Exchange[]
  /** Successful updates and deletions of the other objects in its collection. */
  readonly writesOfSiblings: readonly Exchange[]
  /** False if clients that the history does not show may have changed it. */
  readonly isOwn: boolean
  /** The writes that may have removed it. */
  readonly removals: readonly Exchange[]
  /**
   * The reads after `write`, or without one the first reads, before any other write of `against`: by default of all writes,
   * so that they show the object as `write` left it.
   */
  readsAfter(
    write: Exchange | undefined,
    against?: readonly Exchange[],
  ): { readonly gets: readonly Exchange[]; readonly lists: readonly Exchange[] }
}

export interface ListAnswer {
  readonly length: number
  /** True if the list lacks what it does not show. */
  readonly isComplete: boolean
  readonly isRecognised: boolean
  find(id: string): JsonObject | undefined
}

interface Options {
  /** True for a run, whose objects no other client knows. In recorded traffic, others may write between two requests. */
  readonly isWhole: boolean
  /** The unit in which the recorder noted the times, in milliseconds. */
  readonly clockUnit?: number
  readonly contract?: Contract
}

/** The times of a run are rounded to a hundredth of a millisecond. */
const ROUNDING_MS = 0.01

export function createHistory(
  exchanges: readonly Exchange[],
  form: Form,
  { isWhole, clockUnit = -ROUNDING_MS, contract = ours }: Options,
): History {
  const positions = new Map(exchanges.map((exchange, position) => [exchange, position]))
  const endOf = ({ sentAt = Number.NaN, ms }: Exchange) => sentAt + ms + clockUnit
  const startsAfter = (later: Exchange, earlier: Exchange) => (later.sentAt ?? Number.NaN) >= endOf(earlier)
  const isAfter = (later: Exchange, earlier: Exchange) =>
    startsAfter(later, earlier) && (!startsAfter(earlier, later) || positions.get(later)! > positions.get(earlier)!)

  const listOf = cached((listed: Exchange) => readList(listed, isWhole))
  const writes = exchanges.filter(isPossibleWrite)
  const deletions = writes.filter(({ request }) => request.method === 'DELETE')
  const writesByLastPart = groupBy(
    writes.filter(({ operation }) => hasLife(resourceOf(operation), contract)),
    ({ request }) => lastPartOf(pathnameOf(request.path)),
  )
  const createdIds = new Set(
    writes.flatMap(({ operation, ...one }) =>
      operation?.endsWith('.create') ? (createdId({ operation, ...one }, resourceOf(operation)) ?? []) : [],
    ),
  )

  function readCollection(resource: string, calls: readonly Located[]): readonly ObjectHistory[] {
    const [{ collection }] = calls as [Located]
    const own = calls.filter(({ exchange }) => resourceOf(exchange.operation) === resource)
    const answersTo = (verb: string) =>
      own.filter(({ exchange }) => exchange.operation === `${resource}.${verb}` && isGoodRead(exchange))
    const lists = answersTo('list')
      .map(({ exchange }) => exchange)
      .filter(one => isSuccess(one) && asksForWhole(one, resource))
    const gets = groupBy(answersTo('get'), keyOf)
    const creations = groupBy(
      own.flatMap(({ exchange }) => {
        const isCreation = exchange.operation === `${resource}.create` && isSuccess(exchange)
        const id = isCreation ? (isSingleton(resource) ? '' : createdId(exchange, resource)) : undefined
        return id === undefined ? [] : [{ exchange, id }]
      }),
      keyOf,
    )
    const named = groupBy(
      calls.filter(({ id }) => id !== undefined),
      keyOf,
    )
    const writesOfCollection = calls.filter(({ exchange, id }) => id !== undefined && isPossibleWrite(exchange))
    const isWithinOwn = collection.split('/').some(part => createdIds.has(decode(part)))

    return [...new Set([...creations.keys(), ...named.keys()])].map((key): ObjectHistory => {
      const created = creations.get(key)?.map(({ exchange }) => exchange) ?? []
      const shown =
        created.length > 0 ? created.flatMap(one => [sentIn(one), one.json]) : lists.map(one => listOf(one).find(key))
      const names = new Set(shown.flatMap(scalarsIn))
      // The deletion of what contains the object may remove it, and so may a write to another object that it names.
      const distant = [
        ...deletions.filter(({ request }) => collection.startsWith(`${pathnameOf(request.path)}/`)),
        ...[...names].flatMap(id => (collection.includes(id) ? [] : (writesByLastPart.get(id) ?? []))),
      ].filter(({ request }) => !request.path.startsWith(collection))
      const changes = writesOfCollection.filter(one => keyOf(one) === key && mayChange(one, resource))
      const ownWrites = [...new Set([...created, ...changes.map(({ exchange }) => exchange), ...distant])]
      const ownGets = gets.get(key)?.map(({ exchange }) => exchange) ?? []
      return {
        resource,
        id: creations.get(key)?.[0]?.id ?? named.get(key)?.[0]?.id ?? '',
        creations: created,
        gets: ownGets,
        lists,
        writes: ownWrites,
        writesOfSiblings: writesOfCollection
          .filter(one => keyOf(one) !== key && isSuccess(one.exchange))
          .map(({ exchange }) => exchange),
        isOwn: isWhole || created.length > 0 || isWithinOwn,
        removals: ownWrites.filter(one => one.request.method === 'DELETE' || distant.includes(one)),
        readsAfter(write, against = ownWrites) {
          const others = against.filter(one => one !== write && !(write && isAfter(write, one)))
          const fits = (read: Exchange) => (!write || isAfter(read, write)) && others.every(one => isAfter(one, read))
          return { gets: ownGets.filter(fits), lists: lists.filter(fits) }
        },
      }
    })
  }

  /** In recorded traffic, any write below an object may change it, except those to the objects of its collections. */
  const mayChange = ({ exchange, isBelow }: Located, resource: string) => {
    const written = resourceOf(exchange.operation)
    return written === '' || written === resource || (!isWhole && isBelow && !hasLife(written, contract))
  }

  const split = exchanges.map(exchange => ({ exchange, parts: pathnameOf(exchange.request.path).split('/') }))
  const objectsOf = cached((resource: string) => {
    const template = collectionTemplateOf(resource, form, contract)
    const calls = template ? split.flatMap(one => locate(one, template, resource, contract) ?? []) : []
    const byCollection = groupBy(calls, ({ collection, exchange }) => `${exchange.origin} ${collection}`)
    return [...byCollection.values()].flatMap(some => readCollection(resource, some))
  })
  return {
    isWhole,
    contract,
    objectsOf,
    isAfter,
    writes,
    mayLag(read, write) {
      const { lagInSeconds = 0 } = findOperation(write.operation, contract) ?? {}
      return lagInSeconds > 0 && !read.isSettled && !(read.sentAt! >= endOf(write) + lagInSeconds * 1000)
    },
    listOf,
  }
}

function readList(listed: Exchange, isWhole: boolean): ListAnswer {
  const resource = resourceOf(listed.operation)
  const items = listIn(listed, resource) ?? []
  const byId = new Map(items.toReversed().map(item => [idOf(item, resource)?.toLowerCase(), item]))
  byId.delete(undefined)
  const isToEnd = isReadToEnd(listed, resource)
  return {
    length: items.length,
    // A recorded list may have been cut to a page although nothing says so.
    isComplete: isWhole ? isToEnd : completeListIn(listed, resource) !== undefined,
    isRecognised: byId.size > 0 || (items.length === 0 && isToEnd),
    find: id => byId.get(id.toLowerCase()),
  }
}

/** A success, or no answer or a 5xx, after which the change may have been made. */
const mayHaveSucceeded = (exchange: Exchange) =>
  isSuccess(exchange) || exchange.response.status >= 500 || exchange.response.status < 200

const isPossibleWrite = (exchange: Exchange) => !isRead(exchange.request.method) && mayHaveSucceeded(exchange)

/** A read with good credentials whose answer is known. */
const isGoodRead = ({ request, as, isProbe, isUnread }: Exchange) =>
  request.method === 'GET' && !isProbe && !isUnread && (as === 'key' || as === 'unknown')

/** All values in a body that may be ids. */
const scalarsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsIn) : [String(value)]

const pathnameOf = (path: string) => path.replace(/\/?(?:\?.*)?$/s, '')
const lastPartOf = (path: string) => decode(path.slice(path.lastIndexOf('/') + 1))

/** A request to a collection, or to one of its objects. */
interface Located {
  readonly exchange: Exchange
  /** The path of the list; of a singleton, that of its get. */
  readonly collection: string
  readonly id: string | undefined
  /** True if the path continues after the id. */
  readonly isBelow: boolean
}

const keyOf = ({ id }: { readonly id?: string | undefined }) => id?.toLowerCase() ?? ''

function collectionTemplateOf(resource: string, form: Form, contract: Contract): readonly string[] | undefined {
  const [list, get] = [`${resource}.list`, `${resource}.get`] as [OperationId, OperationId]
  return pathTemplateOf(list in contract.operations ? list : get, form, contract)?.split('/')
}

function locate(
  { exchange, parts }: { readonly exchange: Exchange; readonly parts: readonly string[] },
  template: readonly string[],
  resource: string,
  contract: Contract,
): Located | undefined {
  const isWithin = template.every((part, index) => part === parts[index] || (part.startsWith('{') && parts[index]))
  if (!isWithin) return undefined
  const collection = parts.slice(0, template.length).join('/')
  const next = parts[template.length]
  if (isSingleton(resource)) return { exchange, collection, id: '', isBelow: next !== undefined }
  // In place of the id, the path of another operation may have a word, such as `validate`.
  const own =
    exchange.operation && pathTemplateOf(exchange.operation, exchange.form, contract)?.split('/')[template.length]
  const isId = next !== undefined && (own === undefined || own.startsWith('{'))
  return { exchange, collection, id: isId ? decode(next) : undefined, isBelow: parts.length > template.length + 1 }
}
