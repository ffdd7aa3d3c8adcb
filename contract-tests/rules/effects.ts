import { type Form, type OperationId, operations, rules } from '../../fixtures/contract/index.ts'
import { broken, type Check, describe, type Finding, held, notApplicable } from '../engine/check.ts'
import { fieldsOf, isDocumented, resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { completeListIn } from '../engine/pages.ts'
import { decode, pathTemplateOf } from '../engine/paths.ts'
import { idOf, type JsonObject } from '../engine/recognise.ts'
import { isRead } from '../engine/step.ts'
import { findMismatch, isNestedAndVolatile, mayNormalise, pick, sentIn, stableFields } from './fields.ts'
import { createdId, isJudgedByLife, itemIn, objectIn } from './lifecycle/common.ts'

/** The effect of any request must show in what is read next, where no rule of its resource judges that. */

type Effect = NonNullable<ReturnType<typeof effectOf>>

const pathnameOf = ({ request }: Exchange) => request.path.replace(/\/?(?:\?.*)?$/s, '')

const partsOf = (operation: string, form: Form) => pathTemplateOf(operation as OperationId, form)?.split('/')
const isWithin = (parts: readonly string[] | undefined, place: readonly string[] | undefined) =>
  parts !== undefined && place?.every((part, index) => part === parts[index]) === true
const isOperationJudged = ({ operation, isProbe }: Exchange) =>
  operation !== undefined && !isProbe && isDocumented(operation)

/** A change may be done although its answer is a 5xx. */
const mayBeDone = (one: Exchange) => isSuccess(one) || one.response.status >= 500

/** The thing whose path the request begins with, or the list that it changed. */
function effectOf(write: Exchange) {
  const { operation, form } = write
  if (operation === undefined || !isOperationJudged(write) || isRead(write.request.method)) return undefined
  const [resource = '', verb = ''] = operation.split('.')
  // What cannot be got is looked for in the list.
  const isListed = verb === 'create' || verb === 'delete' || !partsOf(`${resource}.get`, form)
  const reads = `${resource}.${isListed ? 'list' : 'get'}` as OperationId
  const template = partsOf(reads, form)
  if (!template || !isWithin(partsOf(operation, form), template) || isJudgedByLife(resource, verb)) return undefined
  // The path is that of the changed thing, or of the list that grew or shrank.
  return { write, resource, reads, path: pathnameOf(write).split('/').slice(0, template.length).join('/') }
}

/** The last read of the thing before its next change, which gives reads the most time to catch up. */
function readAfter({ write, resource, path, reads }: Effect, done: readonly Exchange[]): Exchange | undefined {
  const later = done.slice(done.indexOf(write) + 1)
  const sent = sentIn(write)
  // Other creations, and a PATCH of other fields, do not touch it.
  const changes = ({ request }: Exchange) =>
    reads.endsWith('.list')
      ? request.method !== 'POST'
      : request.method !== 'PATCH' || Object.keys(sentIn({ request })).some(name => name in sent)
  const next = later.findIndex(
    one =>
      !isRead(one.request.method) &&
      resourceOf(one.operation) === resource &&
      `${pathnameOf(one)}/`.startsWith(`${path}/`) &&
      changes(one),
  )
  const isBefore = ({ sentAt }: Exchange) =>
    sentAt !== undefined && write.sentAt !== undefined && sentAt < write.sentAt + write.ms
  return later
    .slice(0, next < 0 ? undefined : next)
    .findLast(
      one =>
        one.operation === reads && one.as === 'key' && isSuccess(one) && pathnameOf(one) === path && !isBefore(one),
    )
}

/** What the read lacks of a change; undefined when it cannot show it. */
function compareWithRead({ write, resource, reads }: Effect, read: Exchange): readonly Finding[] | undefined {
  const { brings } = operations[write.operation!]!
  if (reads.endsWith('.list')) {
    const { method } = write.request
    const id = method === 'POST' ? createdId(write, resource) : decode(pathnameOf(write).split('/').at(-1)!)
    const list = completeListIn(read, resource)
    if (!list || id === undefined) return undefined
    const item = itemIn(read, resource, id)
    if (method === 'DELETE')
      return item ? [{ path: '$', expected: `a list without ${id}`, got: 'one that has it' }] : []
    const lost = { path: '$', expected: `the ${resource} ${id}, as it was written`, got: 'a list without it' }
    return item ? (compareWithSent(write, item, reads) ?? []) : [lost]
  }
  const object = objectIn(read, resource)
  const { command } = sentIn(write)
  const states = brings?.[String(command)]
  if (!object || !states) return compareWithSent(write, object, reads)
  const isReached = states.includes(String(object.state))
  return isReached ? [] : [{ path: '$.state', expected: `${states.join(' or ')} after ${command}`, got: object.state }]
}

/** Compares the fields that both sides have with the same type; undefined without such fields. */
function compareWithSent(
  write: Exchange,
  object: JsonObject | undefined,
  get: OperationId,
): readonly Finding[] | undefined {
  const sent = sentIn(write)
  // A list that is changed item by item is sent as another type.
  const shown = fieldsOf(operations[get]!.result.of)
  const alike = Object.entries(fieldsOf(operations[write.operation!]!.body)).filter(
    ([name, { type }]) => shown[name]?.type === type,
  )
  const names = alike.map(([name]) => name).filter(name => name in sent && object && name in object)
  if (!object || names.length === 0) return undefined
  const found = findMismatch(pick(sent, names), object, '$', mayNormalise(resourceOf(write.operation)))
  return found ? [{ ...found, expected: `${found.expected}, as it was sent` }] : []
}

/** Seconds of lag above which an answer may show the state before the change. */
const MAX_LAG_SECONDS = 60

/** Judges the answer to a change, where it has the type of a get. */
function compareWithOwnAnswer(write: Exchange): readonly Finding[] | undefined {
  const { body, result, lag, lagInSeconds = 0, method } = operations[write.operation!]!
  const get = `${resourceOf(write.operation)}.get` as OperationId
  const isAnswer = body && method !== 'GET' && result.of !== undefined && result.of === operations[get]?.result.of
  return isAnswer && !lag && lagInSeconds <= MAX_LAG_SECONDS
    ? compareWithSent(write, objectIn(write, resourceOf(write.operation)), get)
    : undefined
}

const isJudgedByResource = (resource: string) =>
  [`${resource}/list-agrees-with-get`, `${resource}/listed-is-got`].some(id => id in rules)

/** Compares a get with a list that was read without a change in between. */
function compareWithList(
  got: Exchange,
  done: readonly Exchange[],
): readonly [Exchange, readonly Finding[]] | undefined {
  const resource = resourceOf(got.operation)
  const list = `${resource}.list`
  const template = partsOf(list, got.form)
  if (!got.operation?.endsWith('.get') || !isWithin(partsOf(got.operation, got.form), template)) return undefined
  if (isJudgedByResource(resource) || !isOperationJudged(got)) return undefined
  const path = pathnameOf(got).split('/').slice(0, template!.length).join('/')
  const object = objectIn(got, resource)
  const at = done.indexOf(got)
  const isUnchanged = (index: number) =>
    done
      .slice(Math.min(at, index), Math.max(at, index))
      .every(one => isRead(one.request.method) || resourceOf(one.operation) !== resource)
  const index = done.findIndex(
    (one, index) =>
      one.operation === list && isSuccess(one) && pathnameOf(one) === path && isUnchanged(index) && !one.isProbe,
  )
  const item = object && itemIn(done[index], resource, idOf(object, resource))
  if (!object || !item) return undefined
  const names = stableFields(resource, object, item)
  const found = findMismatch(pick(object, names), pick(item, names), '$', isNestedAndVolatile)
  return [done[index]!, found ? [{ ...found, expected: `${found.expected}, as a get shows it` }] : []]
}

function judge(
  all: readonly (readonly [read: Exchange, findings: readonly Finding[], ...more: Exchange[]])[],
  none: string,
) {
  const wrong = all.find(([, findings]) => findings.length > 0)
  if (!wrong) return all.length > 0 ? held(all.map(([read]) => read)) : notApplicable(none)
  const [read, [first], ...more] = wrong
  return broken(describe(first!, read), read, ...more)
}

export const checks = {
  'answer/effects-are-shown': {
    reads: 'everything',
    judge: ({ all }) => {
      const done = all.filter(mayBeDone)
      const successes = done.filter(isSuccess)
      const answered = successes.filter(isOperationJudged).flatMap(write => {
        const findings = compareWithOwnAnswer(write)
        return findings ? [[write, findings] as const] : []
      })
      const read = successes.flatMap(effectOf).flatMap(effect => {
        const read = effect && readAfter(effect, done)
        const findings = read && compareWithRead(effect, read)
        // While reads may lag, one that was not repeated proves nothing.
        const mayLag = effect && operations[effect.write.operation!]!.lagInSeconds && !read?.earlier
        return findings && !(findings.length > 0 && mayLag) ? [[read, findings, effect.write] as const] : []
      })
      return judge([...answered, ...read], 'no change was followed by a read of the same thing')
    },
  },
  'answer/lists-agree-with-gets': {
    reads: 'everything',
    judge: ({ all }) => {
      const done = all.filter(mayBeDone)
      const pairs = done.filter(isSuccess).flatMap(got => {
        const found = compareWithList(got, done)
        return found ? [[...found, got] as const] : []
      })
      return judge(pairs, 'no list shows what was got')
    },
  },
} as const satisfies Record<string, Check>
