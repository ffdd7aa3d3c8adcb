import type { Contract, OperationId } from '../../../fixtures/built-contract/index.ts'
import { type Check, held, notJudged, type Verdict } from '../../engine/check.ts'
import { isDocumented, resourceOf } from '../../engine/contract.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import type { History, ObjectHistory } from '../../engine/history/history.ts'
import { hasId, isSingleton, itemIn, objectIn } from '../../engine/history/objects.ts'
import { listIn } from '../../engine/pages.ts'
import { because } from '../../engine/reasons.ts'
import { findObject, idOf, type JsonObject, payloadOf, sameId, valueAt } from '../../engine/recognise.ts'
import { aliasesOf, updateOf } from '../../visits/life.ts'
import { setterOf } from '../../visits/singleton.ts'
import { findLostField, findMismatch, isVolatile, type MayDiffer, mayNormalise, pick } from '../fields.ts'
import { brokenBy, heldUnless } from '../steps.ts'
import {
  eachObject,
  isEmpty,
  isGone,
  isRequestFor,
  lacking,
  linesAroundUpdate,
  readsOf,
  sentAsShown,
  showsWrite,
  updatesIn,
} from './objects.ts'

/** What was created, updated, set or deleted is what later reads show. */

export const createdIsListed = (resource: string, contract?: Contract): Check => {
  const lines = [...aliasesOf(resource, contract).map(alias => `create-${alias}`), 'list']
  return eachObject(
    resource,
    { lines, essential: ['list'], isOfEvery: true },
    function* ({ id, creations, removals, readsAfter }, history) {
      for (const created of creations)
        for (const listed of readsAfter(created, removals).lists) {
          if (history.listOf(listed).find(id)) yield held([listed])
          else if (!history.mayLag(listed, created))
            yield lacking(listed, history, () => {
              const got = `a list of ${history.listOf(listed).length} without it`
              return brokenBy({ path: '$', expected: `the ${resource} ${id} that was created`, got }, listed, created)
            })
        }
    },
  )
}

export const createdIsGot = (resource: string): Check =>
  eachObject(
    resource,
    { lines: ['create-main', 'get'], essential: ['create-main', 'get'] },
    function* ({ id, creations, readsAfter }, history, { form, exchangesOf }) {
      const [shown] = exchangesOf(`${form}:${resource}.get`)
      if (history.isWhole && shown && !isRequestFor(shown, id) && creations.length > 0)
        yield notJudged(
          because('the created object could not be distinguished from others, so another {resource} was got', {
            resource,
          }),
        )
      for (const created of creations)
        yield* firstSettled(readsAfter(created).gets, created, history, got =>
          compareWithCreation(got, created, { resource, id }, history.contract),
        )
    },
  )

/** The verdict of the first read that must show a write. What changes after that, the write did not cause. */
function* firstSettled(
  reads: readonly Exchange[],
  write: Exchange,
  { mayLag, contract }: History,
  judge: (read: Exchange) => Verdict | undefined,
): Iterable<Verdict> {
  for (const read of reads) {
    const verdict = judge(read)
    const isEarly = mayLag(read, write) && !showsWrite(objectIn(read, resourceOf(write.operation)), write, contract)
    if (!verdict || (verdict.outcome === 'broken' && isEarly)) continue
    yield verdict
    if (!isEarly) return
  }
}

function compareWithCreation(
  got: Exchange,
  created: Exchange,
  { resource, id }: { readonly resource: string; readonly id: string },
  contract: Contract,
) {
  const object = objectIn(got, resource)
  if (isGone(got) || (!object && isSuccess(got) && isEmpty(payloadOf(got.json)))) {
    const shown = isGone(got) ? got.response.status : got.json
    return brokenBy({ path: '$', expected: `the ${resource} ${id} that was created`, got: shown }, got, created)
  }
  if (!object) return undefined
  const expected = `the id "${id}" of the created object`
  if (!hasId(object, resource, id))
    return brokenBy({ path: '$.id', expected, got: idOf(object, resource) }, got, created)
  // The answer to the creation must show what was sent, too.
  const answered = findObject(created.json, resource)
  const sent = sentIn(created)
  const mayDiffer = mayNormalise(resource, contract)
  const finding = findMismatch(sent, object, '$', mayDiffer) ?? findLostField(resource, sent, object, contract)
  if (finding || !answered) return heldUnless(finding, [got, created], ', as it was sent')
  return heldUnless(findMismatch(sent, answered, '$', mayDiffer), [created], ', as it was sent')
}

/** The answer that showed the object last before a write; that of its creation if it was not read. */
function lastBefore(write: Exchange, { resource, gets, creations }: ObjectHistory, { isAfter }: History) {
  const isShown = (one: Exchange) => isAfter(write, one) && objectIn(one, resource) !== undefined
  const exchange = gets.findLast(isShown) ?? creations.findLast(isShown)
  return { exchange, object: objectIn(exchange, resource) }
}

/** The list that shows the name of an update under another id. */
function findUnderOtherId(updated: Exchange, { resource, id, readsAfter }: ObjectHistory) {
  const { name } = sentIn(updated)
  for (const listed of readsAfter(updated).lists) {
    const item = listIn(listed, resource)?.find(one => typeof name === 'string' && one.name === name)
    const shownId = idOf(item, resource)
    if (shownId !== undefined && !sameId(shownId, id)) return { shownId, listed }
  }
  return undefined
}

export const updatedIsGot = (resource: string, contract?: Contract): Check =>
  judgeUpdates(resource, linesAroundUpdate(resource, contract), compareWithUpdate)

type CompareGet = (updated: Exchange, got: Exchange, object: ObjectHistory, history: History) => Verdict | undefined

/** Judges the gets after updates, or after another write. A breach is left out while the contract lets the get lag. */
export const judgeUpdates = (
  resource: string,
  lines: readonly string[],
  compare: CompareGet,
  operation?: OperationId,
): Check => {
  const essential = lines.filter(line => line === 'get-after-update')
  return eachObject(resource, { lines, essential }, function* (object, history) {
    for (const updated of updatesIn(object, history.contract, operation))
      yield* firstSettled(readsOf(updated, object).gets, updated, history, got =>
        compare(updated, got, object, history),
      )
  })
}

function compareWithUpdate(updated: Exchange, got: Exchange, one: ObjectHistory, history: History) {
  const { resource } = one
  const before = lastBefore(updated, one, history).object
  const expected = 'the updated object'
  if (isGone(got) && before)
    return findUnderOtherId(updated, one)
      ? notJudged('the update changed its id')
      : brokenBy({ path: '$', expected, got: got.response.status }, got, updated)
  const object = objectIn(got, resource)
  if (!object) return undefined
  const sent = sentAsShown(updated, history.contract)
  if (Object.keys(object).length === 0) return brokenBy({ path: '$', expected, got: object }, got, updated)
  const mayDiffer = mayNormalise(resource, history.contract)
  const finding = findMismatch(sent, object, '$', mayDiffer) ?? findLostField(resource, sent, object, history.contract)
  // `answer/effects-are-shown` judges the answers of documented operations.
  const answered = isDocumented(updated.operation!) ? undefined : objectIn(updated, resource)
  if (finding || !answered || !before) return heldUnless(finding, [got, updated], ' of the update')
  // The answer to an update may show the state before it or after it.
  const wasBefore: MayDiffer = (_, value, keys) => findMismatch(valueAt(before, keys), value, '$') === undefined
  const difference = findMismatch(sent, answered, '$', (...values) => mayDiffer(...values) || wasBefore(...values))
  return heldUnless(difference, [updated], ', as it was sent')
}

export const setIsGot = (resource: string): Check => {
  const setter = setterOf(resource)
  const compare: CompareGet = (set, got) =>
    isSuccess(got)
      ? heldUnless(findMismatch(sentIn(set), payloadOf(got.json), '$'), [got, set], ', as it was set')
      : undefined
  return judgeUpdates(resource, [setter, 'get'], compare, setter)
}

export const idNeverChanges = (resource: string, contract?: Contract): Check =>
  eachObject(resource, { lines: linesAroundUpdate(resource, contract) }, function* (object, { contract }) {
    for (const updated of updatesIn(object, contract)) {
      const expected = `the id "${object.id}" of the updated object`
      const answered = idOf(findObject(updated.json, resource), resource)
      const { gets } = object.readsAfter(updated)
      const moved = gets.some(isSuccess) || gets.length === 0 ? undefined : findUnderOtherId(updated, object)
      if (answered !== undefined && !sameId(answered, object.id))
        yield brokenBy({ path: '$.id', expected, got: answered }, updated)
      else if (moved) yield brokenBy({ path: '$', expected, got: moved.shownId }, moved.listed, updated)
      else if (answered !== undefined || gets.some(isSuccess)) yield held([updated])
      else yield notJudged('no answer shows the id')
    }
  })

export const unsentStays = (resource: string, contract?: Contract): Check =>
  judgeUpdates(resource, linesAroundUpdate(resource, contract), (updated, got, one, history) => {
    const { exchange, object: before } = lastBefore(updated, one, history)
    const object = objectIn(got, resource)
    const isSame = (shown: JsonObject) => isSingleton(resource) || hasId(shown, resource, one.id)
    if (!exchange || !object || !before || !isSame(before) || !isSame(object)) return undefined
    const others = one.writes.filter(write => write !== updated && write !== exchange)
    if (!others.every(write => history.isAfter(exchange, write) || history.isAfter(write, got))) return undefined
    // A replacement may reset fields that it leaves out, but not those that no request ever sent.
    const sentAtCreation = Object.assign({}, ...one.creations.map(sentIn)) as JsonObject
    const sent = { ...sentIn(updated), ...(updated.request.method !== 'PATCH' && sentAtCreation) }
    const isStable = (name: string) =>
      isSingleton(resource) ||
      name in sentAtCreation ||
      !(isVolatile(name, before[name]) || isVolatile(name, object[name]))
    const names = Object.keys(before).filter(
      name => !(name in sent) && !sameId(String(before[name]), one.id) && isStable(name),
    )
    if (names.length === 0) return notJudged('all fields of the answer were sent, or may change by themselves')
    return heldUnless(
      findMismatch(pick(before, names), pick(object, names), '$'),
      [got, updated],
      ', as before the update',
    )
  })

export const deletedIsGone = (resource: string, contract?: Contract): Check => {
  const lines = [
    'delete',
    'get-after-delete',
    'list-after-delete',
    ...(updateOf(resource, contract) ? ['update-after-delete'] : []),
  ]
  const needs = { lines, essential: ['get-after-delete'], isOfAnyObject: true as const }
  return eachObject(resource, needs, function* (object, history) {
    const { id, creations, writes, readsAfter } = object
    const isEarlier = (one: Exchange, deletion: Exchange) => history.isAfter(deletion, one)
    for (const deletion of writes.filter(one => one.operation === `${resource}.delete` && isSuccess(one))) {
      if (deletion.response.status === 202) yield notJudged('the deletion was only accepted (202)')
      if (deletion.response.status === 202 || !creations.every(one => isEarlier(one, deletion))) continue
      const expected = 'no success for the deleted object'
      const isConclusive = (one: Exchange) => history.isAfter(one, deletion) && !history.mayLag(one, deletion)
      const { gets, lists } = readsAfter(deletion)
      for (const got of gets)
        if (!isSuccess(got)) yield held([got])
        else if (isConclusive(got) && hasId(objectIn(got, resource), resource, id))
          yield brokenBy({ path: '$', expected, got: got.response.status }, got, deletion)
      for (const listed of lists)
        if (!itemIn(listed, resource, id)) {
          if (history.listOf(listed).isComplete) yield held([listed])
        } else if (isConclusive(listed))
          yield brokenBy({ path: '$', expected: `a list without ${id}`, got: 'a list that has it' }, listed, deletion)
      // The contract may leave open what the update of an unknown id answers.
      if (!(`${resource}/update-unknown` in history.contract.gaps))
        for (const updated of updatesIn(object, history.contract).filter(isConclusive))
          yield brokenBy({ path: '$', expected, got: updated.response.status }, updated, deletion)
    }
  })
}

/** A singleton that may be missing exists neither before it is set nor after its deletion. */
export const absentIsNotFound = (resource: string): Check =>
  eachObject(resource, { lines: ['get-before', 'delete', 'get-after-delete'] }, function* (object, history, evidence) {
    const deletions = object.writes.filter(one => one.operation === `${resource}.delete` && isSuccess(one))
    const reads = deletions.flatMap(deletion =>
      object.readsAfter(deletion).gets.filter(got => !history.mayLag(got, deletion)),
    )
    for (const got of [...evidence.exchangesOf(`${evidence.form}:${resource}.get-before`), ...reads]) {
      const { status } = got.response
      if (status === 404) yield held([got])
      else if (status !== 403) yield brokenBy({ expected: 'status 404', got: status }, got)
    }
  })
