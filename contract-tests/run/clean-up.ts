import {
  type Contract,
  type Form,
  type Operation,
  type OperationId,
  operations,
} from '../../fixtures/built-contract/index.ts'
import { isOnlyInDocuments } from '../engine/contract.ts'
import {
  type CreatableResource,
  creatableResourcesOf,
  operationOf,
  pathOfCreated,
  pathValuesOf,
} from '../engine/creatable-resources.ts'
import { type Exchange, isServerError, isSuccess } from '../engine/exchange.ts'
import { groupBy } from '../engine/group-by.ts'
import type { Ledger, LedgerEntry } from '../engine/ledger.ts'
import { creationMark, findMarked, hasMark, updateMark } from '../engine/mark.ts'
import { completeListIn, listIn } from '../engine/pages.ts'
import { type PathValues, pathOf } from '../engine/paths.ts'
import { findObject, idCandidates, idOf, idsOf, type JsonObject, sameId } from '../engine/recognise.ts'
import { cutBody } from '../engine/redact.ts'
import { isRead, type Step, stepOf } from '../engine/step.ts'
import { everyForm } from '../engine/target/forms-of.ts'
import type { TargetFile } from '../engine/target/target.ts'
import type { SentSteps } from './send-steps.ts'

/** Rounds of deletions in a list: each read of the list may show more objects with the run's mark. */
const MAX_ROUNDS = 3
/** Seconds to poll an accepted deletion; longer where the contract lets it lag. */
const ACCEPTED_SECONDS = 4
/** Seconds to repeat a deletion: some deployments refuse to delete what has just stopped. */
const REFUSED_SECONDS = 120

/**
 * Deletes the objects of the ledger, children before parents. An object counts as deleted only when a list or a get shows that.
 * Entries without an id are searched for by the mark of their run. Nothing else is ever deleted; the ledger records why an
 * object stays.
 */
export async function cleanUp(
  target: TargetFile,
  ledger: Ledger,
  { send, poll, redact }: CleanUpTools,
  contract?: Contract,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  let hasLostWrite = false
  const sendAndKeep: SentSteps['send'] = async (step, request) => {
    const exchange = await send(step, request)
    hasLostWrite ||= !exchange && !isRead(step.method)
    // What a write without answer has changed is not known, so that no rule is judged by what is read after it.
    if (exchange && !hasLostWrite) exchanges.push(exchange)
    return exchange
  }
  // What only a document has lies below what the contract knows, the longer paths below the shorter ones.
  const ofDocuments = ledger
    .entries()
    .filter(({ resource }) => isOnlyInDocuments(resource))
    .toSorted((a, b) => depthOf(b) - depthOf(a))
  for (const resource of new Set([...ofDocuments.map(one => one.resource), ...creatableResourcesOf(contract)]))
    for (const form of everyForm) {
      const entries = ledger.entries().filter(entry => entry.form === form && entry.resource === resource)
      for (const [entry] of groupBy(entries, one => placeOf(one, target)).values())
        await cleanUpCollection(collectionOf(entry!, target, ledger, { send: sendAndKeep, poll, redact }))
    }
  return exchanges
}

/** Reads the list that shows whether a creation took place, and updates the ledger. */
export async function searchFor(
  entry: LedgerEntry,
  target: TargetFile,
  ledger: Ledger,
  tools: CleanUpTools,
): Promise<void> {
  await readList(collectionOf(entry, target, ledger, tools))
}

export type CleanUpTools = Pick<SentSteps, 'send' | 'poll' | 'redact'>

const depthOf = ({ path = '' }: LedgerEntry) => path.split('/').length
/** Equal for the entries of one collection. */
const placeOf = (entry: LedgerEntry, target: TargetFile) =>
  isOnlyInDocuments(entry.resource) ? `${entry.path}` : JSON.stringify(pathValuesOf(entry, target))

/** The entries of one resource, form and parent. */
interface Collection extends CleanUpTools {
  readonly ledger: Ledger
  readonly form: Form
  readonly resource: CreatableResource
  /** The values of the path parameters. */
  readonly place: PathValues
  readonly pathOf: (verb: 'list' | 'get' | 'delete', id?: string) => string | undefined
  readonly entries: () => readonly LedgerEntry[]
}

function collectionOf(entry: LedgerEntry, target: TargetFile, ledger: Ledger, tools: CleanUpTools): Collection {
  const { form, resource } = entry
  const place = pathValuesOf(entry, target)
  const key = placeOf(entry, target)
  const entries = () =>
    ledger
      .entries()
      .filter(one => one.form === form && one.resource === resource)
      .filter(one => placeOf(one, target) === key)
  const pathOf: Collection['pathOf'] = (verb, id) => pathOfCreated(entry, verb, target, id)
  return { ...tools, ledger, form, resource, place, pathOf, entries }
}

type OptionalExchange = Exchange | undefined
/** Undefined when the list cannot be read. */
type Listing = readonly JsonObject[] | undefined

async function cleanUpCollection(collection: Collection): Promise<void> {
  const { ledger, resource, entries, poll } = collection
  const open = () => entries().filter(entry => !entry.deleted)
  // Every creation was refused.
  if (!entries().some(entry => entry.id !== undefined || !entry.deleted)) return
  const deletions = new Map<LedgerEntry, OptionalExchange>()
  let listing = open().some(entry => entry.id === undefined) ? await readList(collection) : undefined
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // A deletion that failed is repeated where the list still shows the object.
    const isDone = (entry: LedgerEntry) => {
      const deletion = deletions.get(entry)
      return deletions.has(entry) && !(deletion && isServerError(deletion) && shows(listing, collection, entry.id!))
    }
    const deletable = open().filter(entry => entry.id !== undefined && !isDone(entry))
    if (deletable.length === 0 && (listing || round > 0)) break
    for (const entry of deletable) deletions.set(entry, await deleteObject(collection, entry.id!))
    listing = await readList(collection)
  }
  const lag = lagOf(resource, 'delete')
  const isUnderWay = (entry: LedgerEntry) => {
    const { status = 0 } = deletions.get(entry)?.response ?? {}
    return status === 202 || status === 409 || (lag > 0 && status >= 200 && status < 300)
  }
  const readAgain = async () => {
    listing = await readList(collection)
    for (const entry of open().filter(isUnderWay))
      if (!shows(listing, collection, entry.id!)) await confirm(collection, entry, deletions.get(entry), listing)
  }
  if (open().some(isUnderWay)) await poll(readAgain, () => !open().some(isUnderWay), Math.max(ACCEPTED_SECONDS, lag))
  for (const entry of open()) {
    if (entry.id === undefined) ledger.noteLeft(entry, whyUnknown(entry, listing))
    else await confirm(collection, entry, deletions.get(entry), listing)
  }
}

/** Undefined when the form has no path for the request, or no answer came. */
async function request({ send, form, resource, pathOf }: Collection, verb: 'list' | 'get' | 'delete', id?: string) {
  const path = pathOf(verb, id)
  if (path === undefined) return undefined
  return send(cleanUpStep(form, verb === 'delete' ? 'DELETE' : 'GET', operationOf(resource, verb, form)), { path })
}

const lagOf = (resource: CreatableResource, verb: string): number =>
  operations[`${resource}.${verb}` as OperationId]?.lagInSeconds ?? 0

/** Deletes one object, after stopping it where the contract requires that. Returns the answer to the deletion. */
async function deleteObject(collection: Collection, id: string): Promise<OptionalExchange> {
  const { send, form, resource, place, poll } = collection
  const { undoSteps = ['delete'] } = (operations[`${resource}.create` as OperationId] ?? {}) as Partial<Operation>
  const state = `${resource}.state` as OperationId
  // 409: not stopped yet.
  const isAccepted = (answer: OptionalExchange) => answer?.response.status !== 409
  let deletion: OptionalExchange
  for (const undoStep of undoSteps) {
    if (undoStep === 'stop') {
      const path = pathOf(state, form, { ...place, [`${resource}Id`]: id })
      const stop = async () => path && send(cleanUpStep(form, 'PATCH', state), { path, body: { command: 'stop' } })
      const received = await stop()
      // The deletion requires the stop; a second stop is harmless.
      if (received && isServerError(received)) await stop()
    } else if (undoStep === 'wait') {
      await poll(() => request(collection, 'get', id), isAtRest(resource), lagOf(resource, 'state'))
    } else {
      deletion = await poll(
        () => request(collection, 'delete', id),
        isAccepted,
        undoSteps.includes('wait') ? REFUSED_SECONDS : 0,
      )
    }
  }
  return deletion
}

/** True when the answer no longer shows the object, or shows it in a state that allows deletion. */
const isAtRest = (resource: CreatableResource) => (answer: OptionalExchange) => {
  const state = answer && isSuccess(answer) ? findObject(answer.json, resource)?.state : undefined
  return typeof state !== 'string' || ['stopped', 'idle', 'failed', 'degraded', 'terminating'].includes(state)
}

/** Reads the list of a collection, and updates the ledger. */
async function readList(collection: Collection): Promise<Listing> {
  const { resource } = collection
  const answer = await request(collection, 'list')
  if (answer && [404, 405, 501].includes(answer.response.status)) dismissUnoffered(collection, answer.request.path)
  const items = listIn(answer, resource)
  if (items) await updateLedger(collection, items, completeListIn(answer, resource) !== undefined)
  return items
}

/**
 * Operations that only the vendor's document has, or that the specification calls absent, are not offered everywhere. Where the
 * list is not offered, a creation on the same path that never succeeded created nothing.
 */
function dismissUnoffered({ ledger, form, resource, entries }: Collection, path: string): void {
  const list = operationOf(resource, 'list', form)
  if (list && (operations[list] as Operation).basis !== 'documented') return
  for (const entry of entries())
    if (!entry.deleted && entry.id === undefined && entry.answer === undefined && entry.path === path)
      ledger.dismiss(entry)
}

/** Updates the ledger from a list; absence from a complete list proves that an object is gone. */
async function updateLedger(collection: Collection, items: readonly JsonObject[], isComplete: boolean): Promise<void> {
  const { ledger, form, resource, redact } = collection
  const ids = idsOf(items, resource)
  const entries = collection.entries()
  for (const entry of entries) {
    if (entry.id === undefined) continue
    if (shows(items, collection, entry.id)) {
      entry.listed = true
      if (entry.deleted) ledger.noteCreated(entry, entry.id)
    } else if (ids && isComplete && entry.listed && !entry.deleted) ledger.noteDeleted(entry)
  }
  const runs = [...new Set(entries.flatMap(({ run }) => run ?? []))]
  const before = ledger.listedBefore(form, resource)
  let isClear = true
  for (const item of items) {
    const run = runs.find(one => hasMark(item, creationMark(one, resource)) || hasMark(item, updateMark(one)))
    const id = idOf(item, resource)
    if (run === undefined || (id !== undefined && before?.has(id.toLowerCase()))) continue
    const mark = creationMark(run, resource)
    const isCreated = hasMark(item, mark)
    if (isCreated) ledger.noteShowsMarks(form, resource)
    const foundId = id ?? (isCreated ? await tryIds(collection, item, mark) : undefined)
    if (foundId !== undefined && entries.some(entry => entry.id !== undefined && sameId(entry.id, foundId))) continue
    const shown = cutBody(JSON.stringify(item), redact)
    const name = typeof item.name === 'string' ? item.name.slice(0, 200) : '(no name)'
    const entry =
      entries.find(one => !one.deleted && one.id === undefined && isNamed(item, one.name)) ??
      entries.find(one => one.stray && one.shown === shown) ??
      ledger.intend({ form, resource, name, run, stray: true, ...(isCreated ? { id: foundId } : {}) })
    if (isCreated && foundId !== undefined) {
      entry.listed = true
      ledger.noteCreated(entry, foundId)
      continue
    }
    isClear = false
    const why = isCreated
      ? 'a list shows it, and its id could not be recognised'
      : 'a list shows it with a name from an update of the run, which does not prove that the run created it'
    ledger.noteLeft(entry, why, shown)
  }
  // If no item is unclear, entries without an id do not exist, provided that lists show marks or all items are known.
  const ownIds = new Set(ledger.entries().flatMap(({ id }) => id?.toLowerCase() ?? []))
  const hasOnlyKnown = before && ids?.every(id => before.has(id.toLowerCase()) || ownIds.has(id.toLowerCase()))
  if (!isComplete || !isClear || !(hasOnlyKnown || ledger.showsMarks(form, resource))) return
  for (const entry of entries) if (entry.id === undefined && !entry.deleted) ledger.dismiss(entry)
}

/** Finds the id of an item: the value with which a get shows the run's mark. */
async function tryIds(collection: Collection, item: JsonObject, mark: string): Promise<string | undefined> {
  for (const id of idCandidates(item)) {
    const got = await request(collection, 'get', id)
    if (got && isSuccess(got) && findMarked(got.json, mark)) return id
  }
  return undefined
}

/** Gets a deleted object where the list is no proof; records why it may still exist. */
async function confirm(
  collection: Collection,
  entry: LedgerEntry,
  deletion: OptionalExchange,
  listing: Listing,
): Promise<void> {
  const { ledger, resource } = collection
  const id = entry.id!
  const answered = deletion
    ? `${deletion.request.method} ${deletion.request.path} was answered with ${deletion.response.status}`
    : 'its deletion got no answer'
  if (shows(listing, collection, id)) return ledger.noteLeft(entry, `${answered}, and the list still shows it`)
  const got = await request(collection, 'get', id)
  if (got && [404, 410].includes(got.response.status)) return ledger.noteDeleted(entry)
  const isShown = got && isSuccess(got) && sameId(idOf(findObject(got.json, resource), resource) ?? '', id)
  const seen = isShown ? 'a get still shows it' : 'neither a list nor a get shows that it is gone'
  ledger.noteLeft(entry, `${answered}, and ${seen}`)
}

const shows = (listing: Listing, { resource }: Collection, id: string): boolean =>
  listing?.some(item => sameId(idOf(item, resource) ?? '', id)) === true

const whyUnknown = (entry: LedgerEntry, listing: Listing): string => {
  if (entry.why !== undefined) return entry.why
  const answered = entry.answer ? 'its id could not be recognised' : 'its creation got no answer'
  return `${answered}, and ${listing ? 'the list does not show whether it is there' : 'no list could be read'}`
}

/** True when a text of the item contains the name, in any letter case. */
const isNamed = (item: JsonObject, name: string) =>
  Object.values(item).some(value => typeof value === 'string' && value.toLowerCase().includes(name.toLowerCase()))

const cleanUpStep = (form: Form, method: string, operation: OperationId | undefined): Step => {
  const makeRequest = () => ({ skip: 'it is not needed' as const })
  return stepOf(form, 'clean-up', 'deletes what the run created', makeRequest, { method, operation })
}
