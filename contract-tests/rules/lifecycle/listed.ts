import { type Contract, type OperationId, contract as ours } from '../../../fixtures/built-contract/index.ts'
import { type Check, notJudged } from '../../engine/check.ts'
import { findOperation, resourceOf } from '../../engine/contract.ts'
import { hasLife } from '../../engine/creatable-resources.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import type { History, ObjectHistory } from '../../engine/history/history.ts'
import { createdId, hasId, objectIn } from '../../engine/history/objects.ts'
import { listIn } from '../../engine/pages.ts'
import { idOf, type JsonObject, type KeyPath, valueAt } from '../../engine/recognise.ts'
import { aliasesOf, updateOf, updatesOf } from '../../visits/life.ts'
import { stepOfList } from '../../visits/listed-id.ts'
import { compareWithContract } from '../documented.ts'
import { findMismatch, isNestedAndVolatile, pick, stableFieldNames } from '../fields.ts'
import { answersTo, brokenBy, heldUnless, observe, stepsOfForm } from '../steps.ts'
import { eachObject, isGone, lacking, linesAroundUpdate, showsWrite, updatesIn } from './objects.ts'

/** Compares lists and gets that no write to the object can have come between. */
export const listAgreesWithGet = (resource: string, contract: Contract = ours): Check => {
  const list = stepOfList(`${resource}.list` as OperationId, 'cloud', contract)
  const isCreated = `${resource}/created-is-listed` in contract.rules
  const lines = isCreated ? [...linesAroundUpdate(resource, contract), 'list'] : [list, 'get']
  return eachObject(resource, { lines, essential: ['get'] }, function* (one, history) {
    for (const write of [undefined, ...one.writes]) {
      const { gets, lists } = one.readsAfter(write)
      for (const got of gets) {
        const object = objectIn(got, resource)
        // What the run does not create, such as a quota, may count what it writes elsewhere.
        const writes = isCreated ? one.writesOfSiblings : history.writes
        const listed = lists.find(list => history.listOf(list).find(one.id) && !isDisturbed(got, list, writes, history))
        const item = listed && history.listOf(listed).find(one.id)
        if (!object || !listed || !item || !hasId(object, resource, one.id)) continue
        const isEarly = (read: Exchange, shown: JsonObject) =>
          write !== undefined && history.mayLag(read, write) && !showsWrite(shown, write, history.contract)
        if (isEarly(listed, item) || isEarly(got, object)) continue
        if (!isCreated && compareWithContract(listed, findOperation(listed.operation, contract)!, contract).length > 0)
          yield notJudged('the fields of the list are not those of the contract, which other rules judge')
        else yield compareListed({ got, object, listed, item, write }, one, history)
      }
    }
  })
}

/** True if another object was written to between two reads, which another rule judges. */
const isDisturbed = (a: Exchange, b: Exchange, writes: readonly Exchange[], { isAfter }: History) =>
  writes.some(write => (isAfter(write, a) && isAfter(b, write)) || (isAfter(write, b) && isAfter(a, write)))

interface Shown {
  readonly got: Exchange
  readonly object: JsonObject
  readonly listed: Exchange
  readonly item: JsonObject
  readonly write: Exchange | undefined
}

function compareListed({ got, object, listed, item, write }: Shown, one: ObjectHistory, history: History) {
  const { resource, id } = one
  const sent = sentIn(write)
  const isUpdate = write !== undefined && updatesIn(one, history.contract).includes(write)
  // Other rules judge the fields that an update resets, and those that it changes although it did not send them.
  const isSentOnly = isUpdate && `${resource}/update-resets-the-rest` in history.contract.rules
  const before =
    isUpdate && `${resource}/unsent-stays` in history.contract.rules
      ? one.gets.findLast(earlier => history.isAfter(write, earlier))
      : undefined
  const former = objectIn(before, resource)
  const isChangedByUpdate = ([name = '']: KeyPath) =>
    former !== undefined && !(name in sent) && findMismatch(former[name], object[name], '$') !== undefined
  // An object in progress may have changed since it was listed.
  const isInProgress = item.status === 'in_progress'
  const all = hasLife(resource, history.contract)
    ? stableFieldNames(resource, object, item, history.contract)
    : Object.keys(object)
  const fields = all.filter(name => !isSentOnly || name in sent)
  // If the list shows what was sent and the get does not, another rule judges the get.
  const finding = findMismatch(pick(object, fields), pick(item, fields), '$', (value, shown, keys) => {
    const expected = valueAt(sent, keys)
    const isGetWrong =
      findMismatch(expected, value, '$') !== undefined && findMismatch(expected, shown, '$') === undefined
    return (
      (expected !== undefined && isGetWrong) ||
      isChangedByUpdate(keys) ||
      (isInProgress && (typeof shown === 'number' || keys[0] === 'status')) ||
      isNestedAndVolatile(value, shown, keys)
    )
  })
  return heldUnless(finding, [listed, got], `, as a get of ${id} shows it`)
}

export const siblingsAreUntouched = (resource: string, contract?: Contract): Check => {
  const lines = [
    'create-spare',
    'list',
    'get-spare',
    'list-after-delete',
    'get-spare-after-delete',
    ...(updateOf(resource, contract) ? ['list-after-update'] : []),
    ...updatesOf(resource, contract),
    'delete',
  ]
  return eachObject(resource, { lines }, function* (one, history) {
    for (const reads of [one.lists, one.gets])
      for (const [index, after] of reads.entries()) {
        const before = reads[index - 1]
        const write =
          before && one.writesOfSiblings.find(write => history.isAfter(write, before) && history.isAfter(after, write))
        const isOwnWrite = (write: Exchange) => !history.isAfter(before!, write) && !history.isAfter(write, after)
        if (!write || one.writes.some(isOwnWrite)) continue
        yield* compareAround(write, before, after, one, history)
      }
  })
}

/** Compares two gets or two lists, between which only other objects were written to. */
function* compareAround(
  write: Exchange,
  before: Exchange,
  after: Exchange,
  { resource, id }: ObjectHistory,
  history: History,
) {
  const isList = after.operation?.endsWith('.list') === true
  const find = (exchange: Exchange) => {
    const object = isList ? history.listOf(exchange).find(id) : objectIn(exchange, resource)
    return hasId(object, resource, id) ? object : undefined
  }
  const [former, latter] = [find(before), find(after)]
  const name = write.request.method === 'DELETE' ? 'deletion' : 'update'
  if (!former) return
  if (!latter) {
    const gone = () =>
      brokenBy(
        { path: '$', expected: `${id}, untouched by the ${name} of another object`, got: 'it is gone' },
        after,
        write,
      )
    if (isList && isSuccess(after)) yield lacking(after, history, gone)
    else if (isGone(after)) yield gone()
    return
  }
  // A role shows the keys that have it, so that the deletion of such a key changes it.
  const shown = JSON.stringify([former, latter])
  const removesShown = ({ operation, request: { method, path } }: Exchange) =>
    method === 'DELETE' && resourceOf(operation) !== resource && shown.includes(path.slice(path.lastIndexOf('/') + 1))
  const isBetween = (one: Exchange) => !history.isAfter(before, one) && !history.isAfter(one, after)
  if (history.writes.some(one => isBetween(one) && removesShown(one))) return
  const fields = stableFieldNames(resource, former, latter, history.contract)
  const finding = findMismatch(pick(former, fields), pick(latter, fields), '$', isNestedAndVolatile)
  yield heldUnless(finding, [after, write], `, as before the ${name} of another object`)
}

/** By order: true if item `a` may come before item `b`. Both are indexes in the order of creation, as in `names`. */
const orders: Record<string, (a: number, b: number, names: readonly string[]) => boolean> = {
  'name descending': (a, b, names) => names[a]! >= names[b]!,
  name: (a, b, names) => names[a]! <= names[b]!,
  'oldest first': (a, b) => a < b,
  'newest first': (a, b) => a > b,
}

/** Observes the order of the run's objects, whose names make the four orders distinguishable. */
export const orderOfList = (resource: string): Check => {
  const creations = aliasesOf(resource).map(alias => `${resource}.create-${alias}`)
  return observe([...creations, `${resource}.list`], (_, evidence) => {
    const created = evidence.exchangesOf(...stepsOfForm(creations)(evidence.form))
    const [listed] = answersTo([`${resource}.list`], evidence)
    const ids = created.map(exchange => createdId(exchange, resource))
    const names = created.map(exchange => String(sentIn(exchange).name))
    const list = listIn(listed, resource) ?? []
    const sequence = list.map(item => ids.indexOf(idOf(item, resource))).filter(index => index >= 0)
    if (sequence.length < 3) return undefined
    const fits = (name: string) =>
      sequence.every((at, index) => index === 0 || orders[name]!(sequence[index - 1]!, at, names))
    return Object.keys(orders).find(fits) ?? 'another order'
  })
}
