import {
  type Fields,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  resources,
} from '../../fixtures/contract/index.ts'
import { broken, type Check, describe, type Evidence, type Finding, held, notApplicable } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { wholeListIn } from '../engine/pages.ts'
import { isDocumented } from '../engine/paths.ts'
import { idOf, sameId } from '../engine/recognise.ts'
import { isRead } from '../engine/step.ts'
import { hasGrown, isNormalised, mismatch, only, sentIn } from './fields.ts'
import { isOfLife, objectIn } from './lifecycle/common.ts'

/** What any request changes, beside those whose effect a rule of their resource judges, is seen in what is read next. */

interface Effect {
  readonly write: Exchange
  readonly resource: string
  /** The path of the thing that was changed, or of the list that was added to. */
  readonly path: string
  readonly reads: OperationId
}

const byId = operations as Readonly<Record<string, Operation>>
const fieldsOf = (resource: string | undefined): Fields => resources[resource as ResourceId]?.fields ?? {}
const plain = ({ request }: Exchange) => request.path.replace(/\/?(?:\?.*)?$/s, '')

/** What a request that succeeded was about: the thing whose path its own begins with, or the list to which it added. */
function effectOf(write: Exchange): Effect | undefined {
  const { operation, form, isProbe } = write
  if (operation === undefined || isProbe || isRead(write.request.method) || !isDocumented(operation)) return undefined
  const [resource = '', verb = ''] = operation.split('.')
  const reads = `${resource}.${verb === 'create' ? 'list' : 'get'}` as OperationId
  const [template, own] = [reads, operation].map(id => byId[id]?.paths[form]?.split('/'))
  const isWithin = template && own && template.every((part, index) => part === own[index])
  if (!isWithin || verb === 'delete' || isOfLife(resource, verb)) return undefined
  return { write, resource, reads, path: plain(write).split('/').slice(0, template.length).join('/') }
}

/** The last answer that read the thing before it was changed again: what lags has had the most time by then. */
function readAfter({ write, resource, path, reads }: Effect, successes: readonly Exchange[]): Exchange | undefined {
  const later = successes.slice(successes.indexOf(write) + 1)
  const sent = sentIn(write)
  // A PATCH of other fields lets these stay.
  const next = later.findIndex(
    one =>
      !isRead(one.request.method) &&
      one.operation?.startsWith(`${resource}.`) &&
      `${plain(one)}/`.startsWith(`${path}/`) &&
      (one.request.method !== 'PATCH' || Object.keys(sentIn(one)).some(name => name in sent)),
  )
  const isBefore = ({ sentAt }: Exchange) =>
    sentAt !== undefined && write.sentAt !== undefined && sentAt < write.sentAt + write.ms
  return later
    .slice(0, next < 0 ? undefined : next)
    .findLast(one => one.operation === reads && one.as === 'key' && plain(one) === path && !isBefore(one))
}

/** What a read does not show of a change; undefined when it does not tell. */
function missing({ write, resource, reads }: Effect, read: Exchange): readonly Finding[] | undefined {
  const { body, brings } = byId[write.operation!]!
  if (reads.endsWith('.list')) {
    const [list, id] = [wholeListIn(read, resource), idOf(objectIn(write, resource), resource)]
    if (!list || id === undefined) return undefined
    const isListed = list.some(item => sameId(idOf(item, resource) ?? '', id))
    return isListed ? [] : [{ path: '$', expected: `the ${resource} ${id} that was created`, got: 'a list without it' }]
  }
  const object = objectIn(read, resource)
  if (!object) return undefined
  const sent = sentIn(write)
  const states = brings?.[String(sent.command)]
  if (states && !states.includes(String(object.state)))
    return [{ path: '$.state', expected: `${states.join(' or ')} after ${sent.command}`, got: object.state }]
  // A list that is changed item by item is sent as another type than it has.
  const shown = fieldsOf(byId[reads]!.result.of)
  const alike = Object.entries(fieldsOf(body)).filter(([name, { type }]) => shown[name]?.type === type)
  const names = alike.map(([name]) => name).filter(name => name in sent && name in object)
  if (names.length === 0 && !states) return undefined
  const found = mismatch(only(sent, names), object, '$', (wanted, value, keys) => {
    const about = [resource, wanted, value, keys] as const
    return hasGrown(...about) || isNormalised(...about)
  })
  return found ? [{ ...found, expected: `${found.expected}, as it was sent` }] : []
}

export const checks = {
  'answer/effects-are-shown': {
    reads: 'everything',
    judge: ({ all }: Evidence) => {
      const successes = all.filter(isSuccess)
      const judged: Exchange[] = []
      for (const effect of successes.flatMap(write => effectOf(write) ?? [])) {
        const read = readAfter(effect, successes)
        const findings = read && missing(effect, read)
        if (!findings) continue
        const [first] = findings
        // Where the contract lets reads lag behind, one that was not repeated proves nothing.
        const mayLag = byId[effect.write.operation!]!.lagInSeconds && !read.earlier
        if (first && !mayLag) return broken(describe(first, read), read, effect.write)
        if (!first) judged.push(read)
      }
      return judged.length > 0 ? held(judged) : notApplicable('no change was followed by a read of the same thing')
    },
  },
} as const satisfies Record<string, Check>
