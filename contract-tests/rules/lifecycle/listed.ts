import { type OperationId, operations, rules } from '../../../fixtures/built-contract/index.ts'
import { type Check, held, noAnswer, notJudged } from '../../engine/check.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { idOf, type KeyPath, valueAt } from '../../engine/recognise.ts'
import { updateOf, updatesOf } from '../../visits/life.ts'
import { stepOfList } from '../../visits/listed-id.ts'
import { compareWithContract } from '../documented.ts'
import { findMismatch, isNestedAndVolatile, type MayDiffer, pick, resultIn, stableFieldNames } from '../fields.ts'
import { answersTo, brokenBy, checkOf, heldUnless, judgeTogether, observe, stepsOfForm } from '../steps.ts'
import { createdId, creationSteps, hasId, isGone, itemIn, objectIn, stepsAroundUpdate } from './common.ts'

const createdAgrees = (resource: string): Check =>
  checkOf(
    form => [...stepsAroundUpdate(resource)(form), `${form}:${resource}.list`],
    (_, evidence) => {
      const { form } = evidence
      const updated = evidence.exchangesOf(...stepsOfForm(updatesOf(resource))(form)).find(isSuccess)
      const names = ['create-main', 'get', 'list', 'get-after-update', 'list-after-update']
      const [created, gotFirst, listedFirst, gotAfter, listedAfter] = answersTo(
        names.map(name => `${resource}.${name}`),
        evidence,
      )
      // Changes of fields that the update did not send have a rule of their own.
      const [first, second] = [gotFirst, gotAfter].map(one => objectIn(one, resource))
      const isChangedByUpdate = ([name = '']: KeyPath) =>
        `${resource}/unsent-stays` in rules &&
        updated !== undefined &&
        !(name in sentIn(updated)) &&
        findMismatch(first?.[name], second?.[name], '$') !== undefined
      let judged: Exchange | undefined
      for (const [written, got, listed] of [
        [created, gotFirst, listedFirst],
        [updated, gotAfter, listedAfter],
      ]) {
        const object = objectIn(got, resource)
        const id = idOf(object, resource)
        const item = itemIn(listed, resource, id)
        if (!written || !got || !object || !item || !listed) continue
        judged = listed
        const sent = sentIn(written)
        // Another rule judges the fields that an update resets.
        const resetsRest = written === updated && `${resource}/update-resets-the-rest` in rules
        const fields = stableFieldNames(resource, object, item).filter(name => !resetsRest || name in sent)
        // If the list shows what was sent and the get does not, another rule judges the get.
        const finding = findMismatch(pick(object, fields), pick(item, fields), '$', (value, shown, keys) => {
          const expected = valueAt(sent, keys)
          const isGetWrong =
            findMismatch(expected, value, '$') !== undefined && findMismatch(expected, shown, '$') === undefined
          return (
            (expected !== undefined && isGetWrong) || isChangedByUpdate(keys) || isNestedAndVolatile(value, shown, keys)
          )
        })
        if (finding) return heldUnless(finding, [listed, got], `, as a get of ${id} shows it`)
      }
      return judged ? held([judged]) : noAnswer(evidence, `${form}:${resource}.list`, `${form}:${resource}.get`)
    },
  )

const readAgrees = (resource: string): Check => {
  const [list, get] = [`${resource}.list`, `${resource}.get`] as [OperationId, OperationId]
  return judgeTogether([stepOfList(list, 'cloud'), `cloud:${get}`], ([listed, got]) => {
    const object = resultIn(got)
    if (!listed || !got || !object || !listIn(listed, resource)) return undefined
    const id = idOf(object, resource)
    const item = itemIn(listed, resource, id)
    if (!item) return notJudged('the list does not show the object that was got')
    if (compareWithContract(listed, operations[list]).length > 0)
      return notJudged('the fields of the list are not those of the contract, which other rules judge')
    // An object in progress may have changed since it was listed.
    const isInProgress = item.status === 'in_progress'
    const mayDiffer: MayDiffer = (value, shown, keys) =>
      (isInProgress && (typeof shown === 'number' || keys[0] === 'status')) || isNestedAndVolatile(value, shown, keys)
    return heldUnless(findMismatch(object, item, '$', mayDiffer), [listed, got], `, as a get of ${id} shows it`)
  })
}

/** By order: true if item `a` may come before item `b`. Both are indexes in the order of creation, as in `names`. */
const orders: Record<string, (a: number, b: number, names: readonly string[]) => boolean> = {
  'name descending': (a, b, names) => names[a]! >= names[b]!,
  name: (a, b, names) => names[a]! <= names[b]!,
  'oldest first': (a, b) => a < b,
  'newest first': (a, b) => a > b,
}

/** Compares list and get, for created objects before and after their update, for other resources once. */
export const listAgreesWithGet = (resource: string): Check =>
  `${resource}/created-is-listed` in rules ? createdAgrees(resource) : readAgrees(resource)

export const siblingsAreUntouched = (resource: string): Check => {
  const names = [
    'create-spare',
    'list',
    'get-spare',
    'list-after-update',
    'list-after-delete',
    'get-spare-after-delete',
  ]
  const steps = names.map(name => `${resource}.${name}`)
  const reads = updateOf(resource) ? steps : steps.filter(name => !name.endsWith('-update'))
  return checkOf([...reads, ...updatesOf(resource), `${resource}.delete`], (_, evidence) => {
    const { form } = evidence
    const [created, listed, got, listedAfterUpdate, listedAfterDelete, gotAfterDelete] = answersTo(steps, evidence)
    const [updated, deleted] = [updatesOf(resource), [`${resource}.delete`]].map(writes =>
      evidence.exchangesOf(...stepsOfForm(writes)(form)).find(isSuccess),
    )
    const id = createdId(created, resource)
    if (!created || !id) return noAnswer(evidence, `${form}:${resource}.create-spare`)
    const inGet = (exchange: Exchange | undefined) => {
      const object = objectIn(exchange, resource)
      return hasId(object, resource, id) ? object : undefined
    }
    const inList = (exchange: Exchange | undefined) => itemIn(exchange, resource, id)
    const pairs = [
      { write: updated, name: 'update', find: inList, before: listed, after: listedAfterUpdate },
      { write: deleted, name: 'deletion', find: inList, before: listed, after: listedAfterDelete },
      { write: deleted, name: 'deletion', find: inGet, before: got, after: gotAfterDelete },
    ]
    let judged: Exchange | undefined
    for (const { write, name, find, before, after } of pairs) {
      const [former, latter] = [find(before), find(after)]
      if (!write || !former || !after) continue
      if (!latter && (find === inGet ? isGone(after) : isReadToEnd(after, resource))) {
        const expected = `${id}, untouched by the ${name} of another object`
        return brokenBy({ path: '$', expected, got: 'it is gone' }, after, write)
      }
      if (!latter) continue
      judged = after
      const fields = stableFieldNames(resource, former, latter)
      const finding = findMismatch(pick(former, fields), pick(latter, fields), '$', isNestedAndVolatile)
      if (finding) return heldUnless(finding, [after, write], `, as before the ${name} of another object`)
    }
    return judged ? held([judged]) : noAnswer(evidence, `${form}:${resource}.get-spare-after-delete`)
  })
}

/** Observes the order of the run's objects, whose names make the four orders distinguishable. */
export const orderOfList = (resource: string): Check =>
  observe([...creationSteps(resource), `${resource}.list`], (_, evidence) => {
    const created = evidence.exchangesOf(...stepsOfForm(creationSteps(resource))(evidence.form))
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
