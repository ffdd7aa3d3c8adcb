import {
  type Form,
  type GapId,
  gaps,
  type Operation,
  type OperationId,
  operations,
  type RuleId,
  rules,
} from '../../fixtures/contract/index.ts'
import { absent, type Check, describe, type Evidence, held, notApplicable, type Verdict } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isWhole, listIn } from '../engine/pages.ts'
import { findList, findObject, idOf, isObject, type JsonObject, payloadOf, sameId } from '../engine/recognise.ts'
import { updateOf } from '../visits/life.ts'
import { answersAsDocumented } from './documented.ts'
import { hasGrown, isVolatile, mismatch, only, sentIn, valueAt } from './fields.ts'
import { answers, answersUnlessBodyIsRefused, look, refusal, refusalIn } from './observations.ts'

/** What is implied for whatever can be created, listed, got, updated and deleted (§1): the same checks for every resource. */

type Resource = string
const things = ['main', 'spare', 'third'] as const
const creations = (form: Form, resource: Resource) => things.map(thing => `${form}:${resource}.create-${thing}`)

const createdId = (exchange: Exchange | undefined, resource: Resource) =>
  exchange && isSuccess(exchange) ? idOf(findObject(exchange.json, resource), resource) : undefined

/** True for a request on the thing with the id. */
function asksFor({ request }: Exchange, id: string): boolean {
  const [last = ''] = /[^/?]*(?=\/?(?:\?|$))/.exec(request.path) ?? []
  try {
    return sameId(decodeURIComponent(last), id)
  } catch {
    return false
  }
}

const wrong = (expected: string, got: unknown, path: string, ...exchanges: [Exchange, ...Exchange[]]): Verdict => ({
  outcome: 'broken',
  detail: describe({ path, expected, got }, exchanges[0]),
  exchanges,
})

const createdIsListed = (resource: Resource): Check => ({
  reads: form => [...creations(form, resource), `${form}:${resource}.list`],
  judge: evidence => {
    const listing = `${evidence.form}:${resource}.list`
    const [listed] = evidence.of(listing)
    const created = evidence.of(...creations(evidence.form, resource)).filter(exchange => createdId(exchange, resource))
    if (!listed || created.length === 0) return absent(evidence, ...creations(evidence.form, resource), listing)
    const list = listIn(listed, resource)
    if (!list?.some(item => idOf(item, resource)))
      return list?.length === 0 && isWhole(listed, resource)
        ? missing(created, listed)
        : notApplicable('the list could not be recognised')
    const verdict = missing(created, listed, list)
    return verdict.outcome === 'held' || isWhole(listed, resource)
      ? verdict
      : notApplicable('the list goes on in other pages, which could not be read to the end')
  },
})

function missing(created: readonly Exchange[], listed: Exchange, list: readonly object[] = []): Verdict {
  const resource = created[0]!.operation!.split('.')[0]!
  const lost = created.find(
    exchange => !list.some(item => sameId(idOf(item, resource) ?? '', createdId(exchange, resource)!)),
  )
  if (!lost) return held([listed])
  return wrong(
    `the ${resource} ${createdId(lost, resource)} that was created`,
    `a list of ${list.length} without it`,
    '$',
    listed,
    lost,
  )
}

const createdIsGot = (resource: Resource): Check => ({
  reads: form => [`${form}:${resource}.create-main`, `${form}:${resource}.get`],
  judge: evidence => {
    const steps = [`${evidence.form}:${resource}.create-main`, `${evidence.form}:${resource}.get`] as const
    const [created, got] = steps.map(step => evidence.of(step)[0])
    const id = createdId(created, resource)
    const object = got && isSuccess(got) ? findObject(got.json, resource) : undefined
    if (!created || !got || !id || !object) return absent(evidence, ...steps)
    if (!asksFor(got, id))
      return notApplicable(`what was created could not be told from others, so another ${resource} was got`)
    const gotId = idOf(object, resource)
    if (!sameId(gotId ?? '', id)) return wrong(`the id "${id}" of what was created`, gotId, '$.id', got, created)
    // A deployment may put a text into its own form; the answer to the creation shows it then.
    const answered = findObject(created.json, resource)
    const found = mismatch(
      sentIn(created),
      object,
      '$',
      (sent, value, keys) =>
        hasGrown(resource, sent, value, keys) ||
        (typeof sent === 'string' && typeof value === 'string' && valueAt(answered, keys) === value),
    )
    return found ? wrong(`${found.expected}, as it was sent`, found.got, found.path!, got, created) : held([got])
  },
})

const updates = (form: Form, resource: Resource) =>
  ['update', 'replace', 'update-by-patch'].map(name => `${form}:${resource}.${name}`)

/** The creation and the update of the run's own thing, with what was got before and after; or why there is none of it. */
function readUpdate(evidence: Evidence, resource: Resource) {
  const step = (name: string) => `${evidence.form}:${resource}.${name}`
  const updated = evidence.of(...updates(evidence.form, resource)).find(isSuccess)
  const [got] = evidence.of(step('get-after-update'))
  const [created] = evidence.of(step('create-main'))
  const [before] = evidence.of(step('get'))
  if (!updated) return { why: absent(evidence, ...updates(evidence.form, resource)) }
  const id = createdId(created, resource)
  if (id !== undefined && !asksFor(updated, id))
    return { why: notApplicable('what was created could not be told from others') }
  const objectIn = (exchange: Exchange | undefined) =>
    exchange && isSuccess(exchange) ? objectOf(exchange, resource) : undefined
  return { updated, created, id, got, object: objectIn(got), before: objectIn(before) ?? objectIn(created) }
}

/** True for what can be neither created nor listed: there is one of it, and it has no id. */
const isSingleton = (resource: Resource) => operations[`${resource}.list` as OperationId] === undefined

function objectOf({ json }: Exchange, resource: Resource): JsonObject | undefined {
  const payload = payloadOf(json)
  return findObject(json, resource) ?? (isSingleton(resource) && isObject(payload) ? payload : undefined)
}

const updatesRead = (resource: Resource) => (form: Form) => [
  ...updates(form, resource),
  ...['create-main', 'get', 'get-after-update', 'list-after-update'].map(name => `${form}:${resource}.${name}`),
]

/** What the list after an update shows under the name that the update gave, with another id. */
function movedTo(evidence: Evidence, resource: Resource, updated: Exchange, id: string | undefined) {
  const [listed] = evidence.of(`${evidence.form}:${resource}.list-after-update`)
  const { name } = sentIn(updated)
  const item = listIn(listed, resource)?.find(one => typeof name === 'string' && one.name === name)
  const shown = idOf(item, resource)
  return id !== undefined && shown !== undefined && !sameId(shown, id) ? { shown, listed: listed! } : undefined
}

const updatedIsGot = (resource: Resource): Check => ({
  reads: updatesRead(resource),
  judge: evidence => {
    const { why, updated, created, id, got, object, before } = readUpdate(evidence, resource)
    if (why) return why
    if (got && [404, 410].includes(got.response.status) && before && isOfItself(before, id, resource))
      return movedTo(evidence, resource, updated, id)
        ? notApplicable('the update changed its id')
        : wrong('what was updated', got.response.status, '$', got, updated)
    if (!got || !object) return absent(evidence, `${evidence.form}:${resource}.get-after-update`)
    const sent = sentIn(created)
    // What was put into another form when it was created may be put into it again.
    const found = mismatch(sentIn(updated), object, '$', (_, value, keys) => {
      const [first, kept] = [valueAt(sent, keys), valueAt(before, keys)]
      return typeof value === 'string' && kept !== undefined && first !== undefined && first !== kept
    })
    return found ? wrong(`${found.expected} of the update`, found.got, found.path!, got, updated) : held([got])
  },
})

const isOfItself = (object: JsonObject, id: string | undefined, resource: Resource) =>
  isSingleton(resource) || (id !== undefined && sameId(idOf(object, resource) ?? '', id))

const idNeverChanges = (resource: Resource): Check => ({
  reads: updatesRead(resource),
  judge: evidence => {
    const { why, updated, id, got } = readUpdate(evidence, resource)
    if (why) return why
    if (id === undefined) return notApplicable('no id of what was created is known')
    const answered = idOf(findObject(updated.json, resource), resource)
    if (answered !== undefined && !sameId(answered, id))
      return wrong(`the id "${id}" of what was updated`, answered, '$.id', updated)
    const moved = movedTo(evidence, resource, updated, id)
    if (moved && got && !isSuccess(got))
      return wrong(`the id "${id}" of what was updated`, moved.shown, '$', moved.listed, updated)
    return answered !== undefined || (got && isSuccess(got)) ? held([updated]) : notApplicable('no answer shows the id')
  },
})

const unsentStays = (resource: Resource): Check => ({
  reads: updatesRead(resource),
  judge: evidence => {
    const { why, updated, created, id, got, object, before } = readUpdate(evidence, resource)
    if (why) return why
    if (!got || !object || !before || !isOfItself(before, id, resource) || !isOfItself(object, id, resource))
      return absent(evidence, `${evidence.form}:${resource}.get`, `${evidence.form}:${resource}.get-after-update`)
    // A replacement may reset what it leaves out; it has no say in what no request ever sent.
    const isReplaced = updated.request.method !== 'PATCH'
    const sent = [...Object.keys(sentIn(updated)), ...(isReplaced ? Object.keys(sentIn(created)) : [])]
    const isFirm = (name: string) =>
      isSingleton(resource) ||
      name in sentIn(created) ||
      !(isVolatile(name, before[name]) || isVolatile(name, object[name]))
    const names = Object.keys(before).filter(
      name => !sent.includes(name) && !sameId(String(before[name]), id ?? '') && isFirm(name),
    )
    if (names.length === 0) return notApplicable('all that is got was sent, or may change by itself')
    const found = mismatch(only(before, names), only(object, names), '$')
    return found ? wrong(`${found.expected}, as before the update`, found.got, found.path!, got, updated) : held([got])
  },
})

const listAgreesWithGet = (resource: Resource): Check => ({
  reads: form => [...updatesRead(resource)(form), `${form}:${resource}.list`],
  judge: evidence => {
    const step = (name: string) => evidence.of(`${evidence.form}:${resource}.${name}`)[0]
    const pairs = [
      [step('create-main'), step('get'), step('list')],
      [
        evidence.of(...updates(evidence.form, resource)).find(isSuccess),
        step('get-after-update'),
        step('list-after-update'),
      ],
    ] as const
    let judged: Exchange | undefined
    for (const [written, got, listed] of pairs) {
      const object = got && isSuccess(got) ? findObject(got.json, resource) : undefined
      const id = idOf(object, resource)
      const item = listIn(listed, resource)?.find(one => sameId(idOf(one, resource) ?? '', id ?? ''))
      if (!written || !got || !object || !item || !listed) continue
      judged = listed
      const sent = sentIn(written)
      const names = Object.keys(sent)
      // Where the get differs from what was sent, it is to blame.
      const found = mismatch(only(object, names), only(item, names), '$', (value, shown, keys) => {
        const wanted = valueAt(sent, keys)
        return mismatch(wanted, value, '$') !== undefined && mismatch(wanted, shown, '$') === undefined
      })
      if (found) return wrong(`${found.expected}, as a get of ${id} shows it`, found.got, found.path!, listed, got)
    }
    return judged
      ? held([judged])
      : absent(evidence, `${evidence.form}:${resource}.list`, `${evidence.form}:${resource}.get`)
  },
})

/** Whatever becomes of `main`, `spare` is as it was before, in lists and gets. */
const siblingsAreUntouched = (resource: Resource): Check => {
  const names = [
    'create-spare',
    'list',
    'get-spare',
    'list-after-update',
    'list-after-delete',
    'get-spare-after-delete',
  ]
  return {
    reads: form => [
      ...names.map(name => `${form}:${resource}.${name}`),
      ...updates(form, resource),
      `${form}:${resource}.delete`,
    ],
    judge: evidence => {
      const { form } = evidence
      const [created, listed, got, ...after] = names.map(name => evidence.of(`${form}:${resource}.${name}`)[0])
      const [listedAfterUpdate, listedAfterDelete, gotAfterDelete] = after
      const updated = evidence.of(...updates(form, resource)).find(isSuccess)
      const deleted = evidence.of(`${form}:${resource}.delete`).find(isSuccess)
      const id = createdId(created, resource)
      if (!created || !id) return absent(evidence, `${form}:${resource}.create-spare`)
      const fields = Object.keys(sentIn(created))
      const inList = (exchange: Exchange | undefined) =>
        listIn(exchange, resource)?.find(item => sameId(idOf(item, resource) ?? '', id))
      const inGet = (exchange: Exchange | undefined) => {
        const object = exchange && isSuccess(exchange) ? findObject(exchange.json, resource) : undefined
        return object && isOfItself(object, id, resource) ? object : undefined
      }
      const pairs = [
        { write: updated, what: 'update', was: inList(listed), now: listedAfterUpdate, is: inList(listedAfterUpdate) },
        {
          write: deleted,
          what: 'deletion',
          was: inList(listed),
          now: listedAfterDelete,
          is: inList(listedAfterDelete),
        },
        { write: deleted, what: 'deletion', was: inGet(got), now: gotAfterDelete, is: inGet(gotAfterDelete) },
      ]
      let judged: Exchange | undefined
      for (const { write, what, was, now, is } of pairs) {
        if (!write || !was || !now) continue
        const isGone =
          !is && (now === gotAfterDelete ? [404, 410].includes(now.response.status) : isWhole(now, resource))
        if (isGone) return wrong(`${id}, untouched by the ${what} of another`, 'it is gone', '$', now, write)
        if (!is) continue
        judged = now
        const found = mismatch(only(was, fields), only(is, fields), '$')
        if (found)
          return wrong(`${found.expected}, as before the ${what} of another`, found.got, found.path!, now, write)
      }
      return judged ? held([judged]) : absent(evidence, `${form}:${resource}.get-spare-after-delete`)
    },
  }
}

const deletedIsGone = (resource: Resource): Check => {
  const names = (form: Form) => [
    `${form}:${resource}.delete`,
    `${form}:${resource}.get-after-delete`,
    `${form}:${resource}.list-after-delete`,
  ]
  return {
    reads: form => [...names(form), `${form}:${resource}.create-main`],
    judge: evidence => {
      const [deletion, got, listed] = names(evidence.form).map(step => evidence.of(step)[0])
      const id = createdId(evidence.of(`${evidence.form}:${resource}.create-main`)[0], resource)
      if (!deletion || !isSuccess(deletion) || !id) return absent(evidence, ...names(evidence.form))
      if (!asksFor(deletion, id)) return notApplicable('what was created could not be told from others')
      if (deletion.response.status === 202) return notApplicable('the deletion is only accepted (202), not done')
      if (got && isSuccess(got)) {
        const object = findObject(got.json, resource)
        if (object && sameId(idOf(object, resource) ?? '', id))
          return wrong('no success for what was deleted', got.response.status, '$', got, deletion)
      }
      const list = listIn(listed, resource)
      if (listed && list?.some(item => sameId(idOf(item, resource) ?? '', id)))
        return wrong(`a list without ${id}`, 'a list that has it', '$', listed, deletion)
      if (!got && (!listed || !isWhole(listed, resource))) return absent(evidence, ...names(evidence.form))
      return held([got ?? listed!])
    },
  }
}

const orders: Record<string, (a: number, b: number, names: readonly string[]) => boolean> = {
  'name descending': (a, b, names) => names[a]! >= names[b]!,
  name: (a, b, names) => names[a]! <= names[b]!,
  'oldest first': (a, b) => a < b,
  'newest first': (a, b) => a > b,
}

/** In which order the three things of the run stand in the list; their names make the four orders differ. */
const orderOfList = (resource: Resource): Check =>
  look(
    form => [...creations(form, resource), `${form}:${resource}.list`],
    (_, evidence: Evidence) => {
      const created = evidence.of(...creations(evidence.form, resource))
      const [listed] = evidence.of(`${evidence.form}:${resource}.list`)
      const ids = created.map(exchange => createdId(exchange, resource))
      const names = created.map(exchange => String(sentIn(exchange).name))
      const list = listIn(listed, resource) ?? []
      const sequence = list.map(item => ids.indexOf(idOf(item, resource))).filter(index => index >= 0)
      if (sequence.length < 3) return undefined
      const fits = (name: string) =>
        sequence.every((at, index) => index === 0 || orders[name]!(sequence[index - 1]!, at, names))
      return Object.keys(orders).find(fits) ?? 'another order'
    },
  )

/** The verdict on a deletion, unless the update before it took the thing away: that is the update's failure. */
const deletionAnswers = (resource: Resource): Check => {
  const check = answers(form => [`${form}:${resource}.delete`])
  return {
    reads: form => [`${form}:${resource}.delete`, ...updatesRead(resource)(form)],
    judge: evidence => {
      const verdict = check.judge(evidence)
      if (verdict.outcome !== 'broken' || ![404, 410].includes(verdict.exchanges[0]!.response.status)) return verdict
      const { updated, got } = readUpdate(evidence, resource)
      return updated && got && [404, 410].includes(got.response.status)
        ? notApplicable('after its update it was not there any more')
        : verdict
    },
  }
}

/** Success, with the documented fields where the vendor documents the operation; else a deployment may refuse the body of the run. */
const succeeds = (operation: string, steps: (form: Form) => readonly string[]): Check => {
  const { basis, body } = (operations[operation as OperationId] ?? {}) as Partial<Operation>
  if (basis === 'documented') return answersAsDocumented(operation as OperationId, steps)
  return body === undefined ? answers(steps) : answersUnlessBodyIsRefused(steps)
}

const generic = {
  'list-answers': (resource: Resource) => succeeds(`${resource}.list`, form => [`${form}:${resource}.list`]),
  'get-answers': (resource: Resource) => succeeds(`${resource}.get`, form => [`${form}:${resource}.get`]),
  'create-answers': (resource: Resource) => succeeds(`${resource}.create`, form => [`${form}:${resource}.create-main`]),
  'update-answers': (resource: Resource) => succeeds(updateOf(resource) ?? '', form => updates(form, resource)),
  'delete-answers': deletionAnswers,
  'created-is-listed': createdIsListed,
  'created-is-got': createdIsGot,
  'updated-is-got': updatedIsGot,
  'deleted-is-gone': deletedIsGone,
  'siblings-are-untouched': siblingsAreUntouched,
  'list-agrees-with-get': listAgreesWithGet,
  'id-never-changes': idNeverChanges,
  'unsent-stays': unsentStays,
  'fields-present': (resource: Resource) =>
    look(
      form => [`${form}:${resource}.create-main`, `${form}:${resource}.get`, `${form}:${resource}.list`],
      exchanges => {
        const objects = exchanges
          .filter(isSuccess)
          .flatMap(({ json }) => findObject(json, resource) ?? findList(json, resource)?.[0] ?? [])
        const [object] = objects
        return object && Object.keys(object).sort()
      },
    ),
  'create-status': (resource: Resource) =>
    look(
      form => [`${form}:${resource}.create-main`],
      ([exchange]) => (exchange && isSuccess(exchange) ? String(exchange.response.status) : undefined),
    ),
  'update-method': (resource: Resource) =>
    look(
      form => updates(form, resource),
      exchanges => exchanges.find(isSuccess)?.request.method,
    ),
  'delete-answer': (resource: Resource) =>
    look(
      form => [`${form}:${resource}.delete`],
      ([exchange]) => (exchange && isSuccess(exchange) ? refusalIn(exchange) : undefined),
    ),
  'order-of-list': orderOfList,
  'unknown-id': (resource: Resource) => gone(resource, 'get'),
  'update-unknown': (resource: Resource) => gone(resource, 'update'),
  'delete-unknown': (resource: Resource) => gone(resource, 'delete'),
} satisfies Record<string, (resource: Resource) => Check>

type LifeId<R extends string> = `${R}/${keyof typeof generic}` & (RuleId | GapId)

/** The checks of a resource's life: of those that every resource can have, the ones that the contract has a rule or gap for. */
export const lifecycle = <R extends string>(resource: R): Readonly<Record<LifeId<R>, Check>> =>
  Object.fromEntries(
    Object.entries(generic)
      .map(([name, make]) => [`${resource}/${name}`, make(resource)] as const)
      .filter(([id]) => id in rules || id in gaps),
  ) as Record<LifeId<R>, Check>

/** What an operation on something that was deleted answers; only told when the deletion succeeded. */
const gone = (resource: Resource, operation: 'get' | 'update' | 'delete'): Check => {
  const step = (form: Form) => `${form}:${resource}.${operation}-after-delete`
  const observe = refusal(step)
  return {
    reads: form => [step(form), `${form}:${resource}.delete`],
    judge: evidence => {
      const [deletion] = evidence.of(`${evidence.form}:${resource}.delete`)
      if (!deletion || !isSuccess(deletion)) return absent(evidence, `${evidence.form}:${resource}.delete`)
      return observe.judge(evidence)
    },
  }
}
