import type { Contract } from '../../fixtures/built-contract/index.ts'
import { type CreatableResource, isListPath, pathOfCreated, resourceAt } from './creatable-resources.ts'
import { type Exchange, isSuccess, parseJson, sentIn } from './exchange.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'
import { creationMark, findMarked, hasMark, updateMark } from './mark.ts'
import { completeListIn, listIn } from './pages.ts'
import { decode } from './paths.ts'
import { because, type Reason } from './reasons.ts'
import { findList, findObject, idCandidates, idOf, idsOf, type JsonObject, sameId } from './recognise.ts'
import { cutBody, type Redactor, withoutQuery } from './redact.ts'
import type { SeenObjects } from './seen-objects.ts'
import type { StepRequest } from './send.ts'
import { isRead, type Step } from './step.ts'
import type { TargetFile } from './target/target.ts'

/** Proves which objects of a deployment are the run's own, and records the proofs in its ledger. */

interface OwnershipOptions {
  readonly target: TargetFile
  readonly runMark: string
  readonly ledger: Ledger
  readonly seenObjects: SeenObjects
  readonly redact: Redactor
  readonly contract?: Contract | undefined
  /** Sends a GET; undefined if it may not be sent or got no answer. */
  readonly read: (step: Step, path: string) => Promise<Exchange | undefined>
}

export function createOwnership(options: OwnershipOptions) {
  const { target, runMark, ledger, seenObjects, read, redact, contract } = options
  const createdIds = new Map<string, string>()
  /** By step: why it is not proved that the run created the object in its answer. */
  const unproven = new Map<string, Reason>()
  /** Objects whose deletion was sent. They count as existing until a get or a list shows that they are gone. */
  const deletionSent = new Set<LedgerEntry>()

  /** True if the answer to a creation can prove that it was the run's: by its mark, or by a dashboard of the run. */
  function isRecognisable(resource: CreatableResource, request: StepRequest): boolean {
    const sent = bodyFields(request)
    return (
      hasMark(sent, creationMark(runMark, resource)) || new Set<unknown>(createdIds.values()).has(sent?.dashboardId)
    )
  }

  function intend(
    { form, name, isProbe }: Step,
    resource: CreatableResource,
    request: StepRequest,
    moment: number,
  ): LedgerEntry {
    const isFirst = !ledger.entries().some(entry => entry.form === form && entry.resource === resource)
    const listedBefore = isFirst ? seenObjects.completeListBefore(form, resource, moment) : undefined
    const storable = listedBefore?.filter(id => redact(id) === id)
    if (storable) ledger.noteBefore(form, resource, storable)
    return ledger.intend({
      form,
      resource,
      name: markedText(bodyFields(request), creationMark(runMark, resource)) ?? `${name} ${runMark}`,
      run: runMark,
      path: request.path,
      ...(isProbe && { probe: true }),
    })
  }

  const answerOf = (exchange: Exchange) => {
    const { status, headers, text } = exchange.response
    return {
      status,
      ...(headers.location === undefined ? {} : { location: cutBody(withoutQuery(headers.location), redact) }),
      body: cutBody(text, redact),
    }
  }

  /**
   * Records the id in the answer to a creation if the run can prove that it created the object. No other object is
   * updated or deleted.
   */
  async function recordCreation(step: Step, entry: LedgerEntry, exchange: Exchange, moment: number): Promise<void> {
    const { form, resource } = entry
    ledger.noteAnswer(entry, answerOf(exchange))
    const ownIds = new Set<unknown>(createdIds.values())
    const hasProof = (object: JsonObject | undefined) =>
      isCreatedByRun(object, exchange, creationMark(runMark, resource), ownIds)
    const answered = createdObjectIn(exchange, resource)
    const id = answered?.id ?? (await findIdByGet(step, entry, exchange))
    const request = `${exchange.request.method} ${exchange.request.path}`
    if (id === undefined)
      return void unproven.set(
        step.name,
        because('{request} was answered with no id that could be recognised', { request }),
      )
    const object = `the ${resource} ${JSON.stringify(id)}`
    if (seenObjects.wasSeen(form, resource, id, moment)) {
      const reason = because(
        '{request} was answered with {object}, which was there before: this run did not create it, and neither updates nor deletes it',
        { request, object },
      )
      return void unproven.set(step.name, reason)
    }
    // Where no operation lists such objects, an id counts as new unless an earlier answer has it.
    const isNew =
      seenObjects.completeListBefore(form, resource, moment) !== undefined || pathOf(entry, 'list') === undefined
    if (answered && !(isNew && hasProof(answered.object))) {
      const got = await getObject(step, entry, id)
      const isSame = got !== undefined && (answered.object?.name === undefined || got.name === answered.object.name)
      const reason = because(
        '{request} was answered with {object}, which this run cannot prove to have created: it neither updates nor deletes it',
        { request, object },
      )
      if (!hasProof(got) && !(isNew && isSame)) return void unproven.set(step.name, reason)
    }
    ledger.noteCreated(entry, id)
    createdIds.set(step.name, id)
  }

  const pathOf = (entry: LedgerEntry, verb: 'list' | 'get' | 'delete', id?: string) =>
    pathOfCreated(entry, verb, target, id)

  async function getObject(step: Step, entry: LedgerEntry, id: string): Promise<JsonObject | undefined> {
    const { resource } = entry
    const object = findObject(await get(step, entry, id), resource)
    return object && sameId(idOf(object, resource) ?? '', id) ? object : undefined
  }

  async function get(step: Step, entry: LedgerEntry, id: string): Promise<unknown> {
    const path = pathOf(entry, 'get', id)
    const exchange = path === undefined ? undefined : await read(step, path)
    return isSuccess(exchange) ? exchange.json : undefined
  }

  /** Tries values of an answer as ids, and returns the value with which a get shows an object with the run's mark. */
  async function findIdByGet(step: Step, entry: LedgerEntry, exchange: Exchange): Promise<string | undefined> {
    const mark = creationMark(runMark, entry.resource)
    const object = findMarked(exchange.json, mark)
    if (!object) return undefined
    for (const id of idCandidates(object, sentIn(exchange))) if (findMarked(await get(step, entry, id), mark)) return id
    return undefined
  }

  /** Notes which objects an answer shows, and marks those as deleted that a get or a list shows to be gone. */
  function confirmDeletions(exchange: Exchange): void {
    const { form, request, response } = exchange
    const { path } = request
    const resource = resourceAt(path, form, contract)
    if (!resource) return
    const isList = isListPath(path, resource, form, contract)
    const list = isList ? listIn(exchange, resource) : undefined
    const completeIds = isList ? idsOf(completeListIn(exchange, resource), resource) : undefined
    const mark = creationMark(runMark, resource)
    if (list?.some(item => hasMark(item, mark))) ledger.noteShowsMarks(form, resource)
    for (const entry of ledger.left()) {
      const { id } = entry
      if (entry.form !== form || entry.resource !== resource || id === undefined) continue
      if (isList && path !== pathOf(entry, 'list')) continue
      if (list?.some(item => sameId(idOf(item, resource) ?? '', id))) entry.listed = true
      else if (!deletionSent.has(entry)) continue
      else if (completeIds && entry.listed) ledger.noteDeleted(entry)
      else if ([404, 410].includes(response.status) && path === pathOf(entry, 'delete', id)) ledger.noteDeleted(entry)
    }
  }

  /** Records the effects of a successful update or deletion on the run's objects. */
  function recordChange(step: Step, exchange: Exchange, moment: number): void {
    const { form, request } = exchange
    const resource = resourceAt(request.path, form, contract)
    if (!resource || isRead(request.method) || request.method === 'POST') return
    const entry = ledger
      .entries()
      .find(
        one =>
          one.form === form &&
          one.resource === resource &&
          one.id !== undefined &&
          pathOf(one, 'delete', one.id) === request.path,
      )
    if (!entry) return
    if (request.method === 'DELETE') return void deletionSent.add(entry)
    // An update of a deleted object may create it again.
    if (entry.deleted) {
      deletionSent.delete(entry)
      ledger.noteCreated(entry, entry.id!)
    }
    // An update may wrongly create another object, and answer with it.
    const answered = createdObjectIn(exchange, resource)
    if (!answered || sameId(answered.id, entry.id!) || !hasMark(answered.object, updateMark(runMark))) return
    const { id, object } = answered
    const isNew =
      seenObjects.completeListBefore(form, resource, moment) && !seenObjects.wasSeen(form, resource, id, moment)
    if (!isNew) return
    const name = String(object?.name ?? step.name)
    const copy = ledger.intend({ form, resource, name, run: runMark, path: request.path, stray: true, id })
    ledger.noteAnswer(copy, answerOf(exchange))
  }

  return {
    created: (step: string) => createdIds.get(step),
    whyUnproven: (step: string) => unproven.get(step),
    isRecognisable,
    intend,
    recordCreation,
    confirmDeletions,
    recordChange,
  }
}

/** The object in the answer to a creation, or the id in its `Location`. */
function createdObjectIn(
  exchange: Exchange,
  resource: CreatableResource,
): { readonly id: string; readonly object?: JsonObject } | undefined {
  const list = findList(exchange.json, resource)
  const object = findObject(exchange.json, resource) ?? (list?.length === 1 ? list[0] : undefined)
  const id = idOf(object, resource)
  if (id !== undefined) return { id, object }
  const [, lastSegment] = /([^/]+)\/*$/.exec(exchange.response.headers.location?.replace(/[?#].*$/s, '') ?? '') ?? []
  const located = lastSegment === undefined ? undefined : idOf({ id: decode(lastSegment) }, resource)
  return located === undefined ? undefined : { id: located }
}

/** The text that identifies an object: its name, else another text with the mark, such as an address. */
const markedText = (sent: JsonObject | undefined, mark: string): string | undefined =>
  typeof sent?.name === 'string'
    ? sent.name
    : (Object.values(sent ?? {}).find(value => typeof value === 'string' && value.includes(mark)) as string | undefined)

function isCreatedByRun(
  object: JsonObject | undefined,
  creation: Exchange,
  mark: string,
  ownIds: ReadonlySet<unknown>,
): boolean {
  if (hasMark(object, mark)) return true
  const { dashboardId } = sentIn(creation)
  return object !== undefined && ownIds.has(dashboardId) && object.dashboardId === dashboardId
}

function bodyFields(request: StepRequest): JsonObject | undefined {
  return (request.body ?? (request.rawBody ? parseJson(request.rawBody) : undefined)) as JsonObject | undefined
}
