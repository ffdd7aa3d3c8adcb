import type { Form } from '../../fixtures/contract/index.ts'
import { absent, type Check, describe, type Evidence, held, notApplicable, type Verdict } from '../engine/check.ts'
import { type Exchange, isSuccess, parseJson } from '../engine/exchange.ts'
import { isWhole, listIn } from '../engine/pages.ts'
import { findList, findObject, idOf, isObject, sameId } from '../engine/recognise.ts'
import { answers, answersUnlessBodyIsRefused, look, refusal, refusalIn } from './observations.ts'

/**
 * What is implied for whatever can be created, listed, got, updated and deleted (§1): the same checks for dashboards and
 * alerts, since the specification says the same of both.
 */

type Resource = 'alert' | 'dashboard'
const things = ['main', 'spare', 'third'] as const
const creations = (form: Form, resource: Resource) => things.map(thing => `${form}:${resource}.create-${thing}`)

/** The fields that the run gave to the thing that a step created or updated. */
const sentName = (exchange: Exchange | undefined): unknown => {
  const body = exchange?.request.body ? parseJson(exchange.request.body) : undefined
  return isObject(body) ? body.name : undefined
}

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
  const resource = created[0]!.operation!.split('.')[0] as Resource
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
    // A deployment may put a name into its own form; the answer to the creation shows it then.
    const name = findObject(created.json, resource)?.name ?? sentName(created)
    if (typeof object.name === 'string' && object.name !== name)
      return wrong(`the name ${JSON.stringify(name)}`, object.name, '$.name', got, created)
    return held([got])
  },
})

const updates = (form: Form, resource: Resource) => [
  `${form}:${resource}.update`,
  `${form}:${resource}.update-by-patch`,
]

const updatedIsGot = (resource: Resource): Check => ({
  reads: form => [...updates(form, resource), `${form}:${resource}.get`, `${form}:${resource}.get-after-update`],
  judge: evidence => {
    const updated = evidence.of(...updates(evidence.form, resource)).find(isSuccess)
    const [got] = evidence.of(`${evidence.form}:${resource}.get-after-update`)
    const object = got && isSuccess(got) ? findObject(got.json, resource) : undefined
    if (!updated || !got || !object)
      return absent(evidence, ...updates(evidence.form, resource), `${evidence.form}:${resource}.get-after-update`)
    if (typeof object.name !== 'string') return notApplicable(`the ${resource} that is got has no name to compare`)
    const [before] = evidence.of(`${evidence.form}:${resource}.get`)
    const [created] = evidence.of(`${evidence.form}:${resource}.create-main`)
    const id = createdId(created, resource)
    if (id !== undefined && !asksFor(updated, id))
      return notApplicable('what was created could not be told from others')
    const nameBefore = findObject(before?.json, resource)?.name ?? findObject(created?.json, resource)?.name
    if (created && nameBefore !== undefined && nameBefore !== sentName(created)) {
      return notApplicable(`the ${resource} had another name than it was given, before its update too`)
    }
    const name = sentName(updated)
    return object.name === name
      ? held([got])
      : wrong(`the name ${JSON.stringify(name)} of the update`, object.name, '$.name', got, updated)
  },
})

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
      const names = created.map(exchange => String(sentName(exchange)))
      const list = listIn(listed, resource) ?? []
      const sequence = list.map(item => ids.indexOf(idOf(item, resource))).filter(index => index >= 0)
      if (sequence.length < 3) return undefined
      const fits = (name: string) =>
        sequence.every((at, index) => index === 0 || orders[name]!(sequence[index - 1]!, at, names))
      return Object.keys(orders).find(fits) ?? 'another order'
    },
  )

/** The checks and observations of one resource; `createRule` is the rule that its creation answers. */
export const lifecycle = (resource: Resource) => {
  const succeeds = (operation: string) => answers(form => [`${form}:${resource}.${operation}`])
  return {
    list: succeeds('list'),
    get: succeeds('get'),
    // The body that creates an alert is shown, that of a dashboard is not, and that of an update is for neither.
    create: (resource === 'alert' ? answers : answersUnlessBodyIsRefused)(form => [`${form}:${resource}.create-main`]),
    update: answersUnlessBodyIsRefused(form => updates(form, resource)),
    delete: succeeds('delete'),
    createdIsListed: createdIsListed(resource),
    createdIsGot: createdIsGot(resource),
    updatedIsGot: updatedIsGot(resource),
    deletedIsGone: deletedIsGone(resource),
    fieldsPresent: look(
      form => [`${form}:${resource}.create-main`, `${form}:${resource}.get`, `${form}:${resource}.list`],
      exchanges => {
        const objects = exchanges
          .filter(isSuccess)
          .flatMap(({ json }) => findObject(json, resource) ?? findList(json, resource)?.[0] ?? [])
        const [object] = objects
        return object && Object.keys(object).sort()
      },
    ),
    createStatus: look(
      form => [`${form}:${resource}.create-main`],
      ([exchange]) => (exchange && isSuccess(exchange) ? String(exchange.response.status) : undefined),
    ),
    updateMethod: look(
      form => updates(form, resource),
      exchanges => exchanges.find(isSuccess)?.request.method,
    ),
    deleteAnswer: look(
      form => [`${form}:${resource}.delete`],
      ([exchange]) => (exchange && isSuccess(exchange) ? refusalIn(exchange) : undefined),
    ),
    orderOfList: orderOfList(resource),
    unknownId: gone(resource, 'get'),
    updateUnknown: gone(resource, 'update'),
    deleteUnknown: gone(resource, 'delete'),
  }
}

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
