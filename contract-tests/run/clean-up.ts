import { type Form, type Operation, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { type Created, created, formsOfCreated, operationOf, pathOfCreated, placeOf } from '../engine/created.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import type { Ledger, LedgerEntry } from '../engine/ledger.ts'
import { carries, creationMark, findMarked, updateMark } from '../engine/mark.ts'
import { listIn, wholeListIn } from '../engine/pages.ts'
import { type PathValues, pathOf } from '../engine/paths.ts'
import { findObject, idCandidates, idOf, idsOf, type JsonObject, sameId } from '../engine/recognise.ts'
import { cutBody, type Redactor } from '../engine/redact.ts'
import type { Step } from '../engine/step.ts'
import type { TargetFile } from '../engine/target/target.ts'
import type { Until } from '../engine/waiting.ts'
import type { Visit } from './visit.ts'

/** Each read of a list may show more objects with the run's mark; the clean-up repeats up to this many times. */
const MOST_ROUNDS = 3
/** For how many seconds an accepted deletion is polled, or longer where the contract allows it to lag. */
const ACCEPTED = 4
/** Some deployments refuse to delete what has only just stopped; the deletion is repeated for up to this many seconds. */
const REFUSED = 120

/**
 * Deletes what the ledger holds, children before parents, and takes it for gone only when a list or a get shows that.
 * Objects without an id in the ledger are searched for by the mark of their run. Nothing else is ever deleted; the ledger
 * says why something stays.
 */
export async function cleanUp(
  target: TargetFile,
  ledger: Ledger,
  { send, until, redact }: Pick<Visit, 'send' | 'until' | 'redact'>,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  const keep: Visit['send'] = async (step, draft) => {
    const exchange = await send(step, draft)
    if (exchange) exchanges.push(exchange)
    return exchange
  }
  for (const resource of created)
    for (const form of formsOfCreated(resource)) {
      const ofKind = ledger.entries().filter(entry => entry.form === form && entry.resource === resource)
      const places = new Map(ofKind.map(entry => [JSON.stringify(placeOf(entry, target)), placeOf(entry, target)]))
      for (const place of places.values())
        await cleanUpKind({ target, ledger, send: keep, form, resource, place, until, redact })
    }
  return exchanges
}

interface Kind {
  readonly target: TargetFile
  readonly ledger: Ledger
  readonly send: Visit['send']
  readonly form: Form
  readonly resource: Created
  /** What the paths are made of: things of one kind may lie in several. */
  readonly place: PathValues
  readonly until: Until
  readonly redact: Redactor
}

/** What a list shows of one kind of thing. */
interface Listing {
  readonly items: readonly JsonObject[]
  /** True when the list is complete, so that absence from it is proof. */
  readonly isWhole: boolean
  /** The ids of the items, when each has one. */
  readonly ids: readonly string[] | undefined
}

async function cleanUpKind(kind: Kind): Promise<void> {
  const { target, ledger, form, resource, until } = kind
  const isHere = (entry: LedgerEntry) => JSON.stringify(placeOf(entry, target)) === JSON.stringify(kind.place)
  const entries = () =>
    ledger.entries().filter(entry => entry.form === form && entry.resource === resource && isHere(entry))
  const open = () => entries().filter(entry => !entry.deleted)
  // Nothing came of the other creations: they were refused.
  if (!entries().some(entry => entry.id !== undefined || !entry.deleted)) return
  const deletions = new Map<LedgerEntry, Exchange | undefined>()
  let listing = open().some(entry => entry.id === undefined) ? await readList(kind) : undefined
  for (let round = 0; ; round++) {
    if (listing) await settle(kind, entries(), listing)
    const doomed = open().filter(entry => entry.id !== undefined && !deletions.has(entry))
    if (round === MOST_ROUNDS || (doomed.length === 0 && (listing || round > 0))) break
    for (const entry of doomed) deletions.set(entry, await undo(kind, entry.id!))
    listing = await readList(kind)
  }
  const lag = lagOf(resource, 'delete')
  const isUnderWay = (entry: LedgerEntry) => {
    const { status = 0 } = deletions.get(entry)?.response ?? {}
    return status === 202 || status === 409 || (lag > 0 && status >= 200 && status < 300)
  }
  const lookAgain = async () => {
    listing = await readList(kind)
    if (listing) await settle(kind, entries(), listing)
    for (const entry of open().filter(isUnderWay))
      if (!isListed(entry, listing, resource)) await confirm(kind, entry, deletions.get(entry), listing)
  }
  if (open().some(isUnderWay)) await until(lookAgain, () => !open().some(isUnderWay), Math.max(ACCEPTED, lag))
  for (const entry of open()) {
    if (entry.id === undefined) ledger.stays(entry, whyUnknown(entry, listing))
    else await confirm(kind, entry, deletions.get(entry), listing)
  }
}

const lagOf = (resource: Created, verb: string): number =>
  operations[`${resource}.${verb}` as OperationId]?.lagInSeconds ?? 0

/**
 * Removes one object as the contract says: what must be stopped first is stopped and waited for. Returns the answer to
 * the deletion.
 */
async function undo(kind: Kind, id: string): Promise<Exchange | undefined> {
  const { send, form, resource, place, until } = kind
  const ask = (verb: 'get' | 'delete', method: string) => {
    const path = pathOfCreated(resource, verb, form, { ...place, id })
    return path === undefined ? undefined : send(cleaningStep(form, resource, verb, method), { path })
  }
  const { undo: ways = ['delete'] } = (operations[`${resource}.create` as OperationId] ?? {}) as Partial<Operation>
  let deletion: Exchange | undefined
  for (const way of ways) {
    if (way === 'stop') {
      const operation = `${resource}.state` as OperationId
      const path = pathOf(operation, form, { ...place, [`${resource}Id`]: id })
      if (path)
        await send({ ...cleaningStep(form, resource, 'get', 'PATCH'), operation }, { path, body: { command: 'stop' } })
    } else if (way === 'wait') {
      await until(async () => ask('get', 'GET'), isAtRest(resource), lagOf(resource, 'state'))
    } else {
      // A 409 says: not yet.
      const isTaken = (came: Exchange | undefined) => came?.response.status !== 409
      deletion = await until(async () => ask('delete', 'DELETE'), isTaken, ways.includes('wait') ? REFUSED : 0)
    }
  }
  return deletion
}

/** True for an answer that does not show the thing any more, or in a state in which it can be deleted. */
const isAtRest = (resource: Created) => (came: Exchange | undefined) => {
  const state = came && isSuccess(came) ? findObject(came.json, resource)?.state : undefined
  return typeof state !== 'string' || ['stopped', 'idle', 'failed', 'degraded', 'terminating'].includes(state)
}

/** Reads the list of a kind; undefined when it cannot be read. */
async function readList(kind: Kind): Promise<Listing | undefined> {
  const { send, form, resource, place } = kind
  const path = pathOfCreated(resource, 'list', form, place)
  const answer = path ? await send(cleaningStep(form, resource, 'list', 'GET'), { path }) : undefined
  if (answer && [404, 405, 501].includes(answer.response.status)) dismissUnoffered(kind, answer.request.path)
  const items = listIn(answer, resource)
  if (!items) return undefined
  return { items, isWhole: wholeListIn(answer, resource) !== undefined, ids: idsOf(items, resource) }
}

/**
 * Not every deployment offers what the vendor's document alone says. Where the list of a kind is answered as not offered, a
 * creation at the same path that was never answered with success created nothing.
 */
function dismissUnoffered({ ledger, form, resource }: Kind, path: string): void {
  const operation = operationOf(resource, 'list', form)
  const definition: Operation | undefined = operation && operations[operation]
  if (definition?.basis !== 'documented') return
  for (const entry of ledger.left()) {
    const isUnanswered = entry.id === undefined && entry.answer === undefined && entry.path === path
    if (entry.form === form && entry.resource === resource && isUnanswered) ledger.dismiss(entry)
  }
}

/** Brings the ledger in line with what a list shows. */
async function settle(kind: Kind, entries: readonly LedgerEntry[], { items, isWhole, ids }: Listing): Promise<void> {
  const { ledger, form, resource, redact } = kind
  const isShown = (id: string) => items.some(item => sameId(idOf(item, resource) ?? '', id))
  for (const entry of entries) {
    if (entry.id === undefined) continue
    if (isShown(entry.id)) {
      entry.listed = true
      if (entry.deleted) ledger.created(entry, entry.id)
    } else if (ids && isWhole && entry.listed && !entry.deleted) ledger.deleted(entry)
  }
  const runs = [...new Set(entries.flatMap(({ run }) => run ?? []))]
  const before = ledger.before(form, resource)
  let isClear = true
  for (const item of items) {
    const run = runs.find(one => carries(item, creationMark(one, resource)) || carries(item, updateMark(one)))
    const id = idOf(item, resource)
    if (run === undefined || (id !== undefined && before?.has(id.toLowerCase()))) continue
    const isCreated = carries(item, creationMark(run, resource))
    if (isCreated) ledger.noteShowsMarks(form, resource)
    const known = id ?? (isCreated ? await tryIds(kind, item, creationMark(run, resource)) : undefined)
    if (known !== undefined && entries.some(entry => entry.id !== undefined && sameId(entry.id, known))) continue
    const shown = cutBody(JSON.stringify(item), redact)
    const entry =
      entries.find(one => !one.deleted && one.id === undefined && isNamed(item, one.name)) ??
      entries.find(one => one.stray && one.shown === shown) ??
      ledger.intend({ form, resource, name: nameOf(item), run, stray: true, ...(isCreated ? { id: known } : {}) })
    if (isCreated && known !== undefined) {
      entry.listed = true
      ledger.created(entry, known)
      continue
    }
    isClear = false
    const why = isCreated
      ? 'a list shows it, and no id of it could be recognised'
      : 'a list shows it with a name that the run gave by an update, and not that the run created it'
    ledger.stays(entry, why, shown)
  }
  // A list proves that an object without an id is not there: it would show its mark, or it shows nothing new.
  const own = new Set(ledger.entries().flatMap(({ id }) => id?.toLowerCase() ?? []))
  const isOld = before && ids?.every(id => before.has(id.toLowerCase()) || own.has(id.toLowerCase()))
  if (!isWhole || !isClear || !(isOld || ledger.showsMarks(form, resource))) return
  for (const entry of entries) if (entry.id === undefined && !entry.deleted) ledger.dismiss(entry)
}

/** The value of an item under which a get shows the thing with the run's mark. */
async function tryIds(
  { place, send, form, resource }: Kind,
  item: JsonObject,
  mark: string,
): Promise<string | undefined> {
  for (const id of idCandidates(item)) {
    const path = pathOfCreated(resource, 'get', form, { ...place, id })
    const got = path ? await send(cleaningStep(form, resource, 'get', 'GET'), { path }) : undefined
    if (got && isSuccess(got) && findMarked(got.json, mark)) return id
  }
  return undefined
}

/** Asks for what was deleted, where the list does not tell; writes down why it may still be there. */
async function confirm(
  { place, ledger, send, form, resource }: Kind,
  entry: LedgerEntry,
  deletion: Exchange | undefined,
  listing: Listing | undefined,
): Promise<void> {
  const id = entry.id!
  const answered = deletion
    ? `${deletion.request.method} ${deletion.request.path} was answered with ${deletion.response.status}`
    : 'its deletion got no answer'
  if (isListed(entry, listing, resource)) return ledger.stays(entry, `${answered}, and the list still shows it`)
  const path = pathOfCreated(resource, 'get', form, { ...place, id })
  const got = path ? await send(cleaningStep(form, resource, 'get', 'GET'), { path }) : undefined
  if (got && [404, 410].includes(got.response.status)) return ledger.deleted(entry)
  const isThere = got && isSuccess(got) && sameId(idOf(findObject(got.json, resource), resource) ?? '', id)
  ledger.stays(
    entry,
    isThere
      ? `${answered}, and a get still shows it`
      : `${answered}, and neither a list nor a get shows that it is gone`,
  )
}

const isListed = ({ id }: LedgerEntry, listing: Listing | undefined, resource: Created): boolean =>
  listing?.items.some(item => sameId(idOf(item, resource) ?? '', id!)) === true

const whyUnknown = (entry: LedgerEntry, listing: Listing | undefined): string => {
  if (entry.why !== undefined) return entry.why
  const answered = entry.answer ? 'no id of it could be recognised' : 'its creation got no answer'
  return `${answered}, and ${listing ? 'the list does not show whether it is there' : 'no list could be read'}`
}

const nameOf = (item: JsonObject) => (typeof item.name === 'string' ? item.name.slice(0, 200) : '(no name)')

/** True for an item with the name, but for letter case and what stands around it. */
const isNamed = (item: JsonObject, name: string) =>
  Object.values(item).some(value => typeof value === 'string' && value.toLowerCase().includes(name.toLowerCase()))

const cleaningStep = (form: Form, resource: Created, verb: 'list' | 'get' | 'delete', method: string): Step => ({
  name: `${form}:clean-up`,
  form,
  phase: 99,
  method,
  as: 'key',
  ...(operationOf(resource, verb, form) ? { operation: operationOf(resource, verb, form) } : { beyond: true }),
  why: 'deletes what the run created',
  draft: () => ({ skip: 'worked out by the clean-up' }),
})
