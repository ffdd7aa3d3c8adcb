import type { Form, RuleId } from '../../../fixtures/contract/index.ts'
import type { Credential } from './credentials.ts'
import type { Operation, Place, QueryKind, Reason } from './place.ts'
import type { Answer } from './wire.ts'
import { ids } from './world.ts'

/**
 * A deployment that breaks one rule, as a value. Changes of answers are made here; the deployment interprets `accept`,
 * `shows` and `hides`.
 */
export interface Mutant {
  readonly id: string
  readonly rule: RuleId
  readonly form: Form
  readonly description: string
  readonly at: Where
  readonly change: Change
  /** Rules that cannot hold either when this one is broken in this way. */
  readonly also?: readonly RuleId[]
}

export interface Where {
  readonly operation?: Operation | readonly Operation[]
  readonly method?: string
  readonly query?: QueryKind
  readonly reason?: Reason
  /** A class of answers, or one status. */
  readonly answers?: 'success' | 'refusal' | number
  readonly organization?: 'first' | 'second'
  /** Only every nth of the answers that match the other conditions. */
  readonly every?: number
  /** Only those after so many answers that match the other conditions. */
  readonly after?: number
  /** Only those about an object that was updated, or of whose kind another one was deleted. */
  readonly since?: 'its update' | 'deletion of another'
}

/** Paths are steps separated by slashes: a name, an index, or `name=value` for the element that has this value. */
export type Change =
  /** Lets these credentials in. */
  | { readonly accept: Credential }
  /** Answers as usual, but undoes what was done. */
  | { readonly forget: true }
  /** Lists and gets still show deleted documents. */
  | { readonly shows: 'deleted' }
  /** Lists and gets do not show created documents. */
  | { readonly hides: 'created' }
  /** Another status and body instead, and undoes what was done; `result` is wrapped in the envelope of the form. */
  | { readonly answer: number; readonly result?: unknown; readonly json?: unknown; readonly text?: string }
  | { readonly set: string; readonly to: unknown }
  | { readonly unset: string }
  | { readonly copy: string; readonly to: string }
  | { readonly replace: string; readonly match: string; readonly by: string }
  /** The value that this path had in the first answer of the form, or in the previous one that had it. */
  | { readonly repeat: string; readonly from: 'first' | 'previous'; readonly lowerCase?: true }
  /** Another status, and the same at a path of the body when there is one. */
  | { readonly status: number; readonly statusAt?: string }
  | { readonly header: string; readonly to: string }
  /** This text for a body. */
  | { readonly write: string; readonly type?: string }

type Holder = Record<string | number, unknown>

function keyOf(holder: unknown, name: string): string | number {
  if (!Array.isArray(holder)) return name
  const [field = '', wanted] = name.split('=')
  return wanted === undefined ? Number(name) : holder.findIndex(one => one[field] === wanted)
}

const step = (holder: unknown, name: string): unknown => (holder as Holder | undefined)?.[keyOf(holder, name)]

const valueAt = (json: unknown, path: string) => path.split('/').reduce(step, json)

/** A copy with this value at the path; undefined removes what is there. Unchanged if the path leads nowhere. */
function withValueAt(json: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(json)
  const steps = path.split('/')
  const last = steps.pop() ?? ''
  const holder = steps.reduce(step, copy)
  if (typeof holder !== 'object' || holder === null) return copy
  const key = keyOf(holder, last)
  if (key === -1) return copy
  if (value !== undefined) (holder as Holder)[key] = value
  else if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete (holder as Holder)[key]
  return copy
}

function alter(answer: Answer, change: Change, seen: readonly unknown[]): Answer {
  const { json } = answer
  if ('set' in change) return { ...answer, json: withValueAt(json, change.set, change.to) }
  if ('unset' in change) return { ...answer, json: withValueAt(json, change.unset, undefined) }
  if ('copy' in change) return { ...answer, json: withValueAt(json, change.to, valueAt(json, change.copy)) }
  if ('status' in change) {
    const changed = change.statusAt ? withValueAt(json, change.statusAt, change.status) : json
    return { ...answer, status: change.status, json: changed }
  }
  if ('header' in change) return { ...answer, headers: { ...answer.headers, [change.header]: change.to } }
  if ('write' in change) {
    const headers = change.type ? { ...answer.headers, 'content-type': change.type } : answer.headers
    return { ...answer, headers, json: undefined, text: change.write }
  }
  if ('replace' in change) {
    const old = valueAt(json, change.replace)
    if (typeof old !== 'string') return answer
    return { ...answer, json: withValueAt(json, change.replace, old.replace(new RegExp(change.match, 'g'), change.by)) }
  }
  if ('repeat' in change) {
    const before = seen.map(one => valueAt(one, change.repeat)).filter(one => one !== undefined)
    const value = change.from === 'first' ? before[0] : before.at(-1)
    if (typeof value !== 'string') return answer
    return { ...answer, json: withValueAt(json, change.repeat, change.lowerCase ? value.toLowerCase() : value) }
  }
  return answer
}

function isAt(at: Where, place: Place): boolean {
  if (at.operation && ![at.operation].flat().some(operation => operation === place.operation)) return false
  if (at.method !== undefined && at.method !== place.method) return false
  if (at.query !== undefined && at.query !== place.query) return false
  const organizationIds = { first: ids.organization, second: ids.secondOrganization }
  return !at.organization || organizationIds[at.organization] === place.ids.organization?.toLowerCase()
}

function isAnswered(at: Where, answer: Answer, reason: Reason | undefined): boolean {
  if (at.reason !== reason && at.reason !== undefined) return false
  if (at.answers === undefined) return true
  if (typeof at.answers === 'number') return answer.status === at.answers
  return at.answers === (answer.status < 400 ? 'success' : 'refusal')
}

/** Applies a mutant: to the operation, then to its answer. */
export function applyMutant(mutant: Mutant | undefined) {
  let matched = 0
  const seen: unknown[] = []
  const written: Place[] = []
  const isSince = ({ since }: Where, { operation, ids: { id } }: Place) => {
    if (!since) return true
    const verb = since === 'its update' ? 'update' : 'delete'
    const name = operation?.replace(/\w+$/, verb)
    return written.some(one => one.operation === name && (one.ids.id === id) === (verb === 'update'))
  }
  return {
    /** The change that the operation itself has to make, if any. */
    changeOfOperation: (place: Place) =>
      mutant?.form === place.form && isAt(mutant.at, place) && isOperationChange(mutant.change) ? mutant.change : {},
    /** The answer as it is sent, and whether the operation has to be undone. */
    change(
      answer: Answer,
      place: Place,
      reason: Reason | undefined,
      wrap: (result: unknown, status: number) => unknown,
    ) {
      if (!mutant || mutant.form !== place.form) return { answer, undo: false }
      const before = [...seen]
      seen.push(answer.json)
      const { at, change } = mutant
      if (/\.(?:update|delete)$/.test(place.operation ?? '') && answer.status < 400) written.push(place)
      if (!isAt(at, place) || !isAnswered(at, answer, reason) || !isSince(at, place)) return { answer, undo: false }
      matched++
      if (!isTurn(matched, at)) return { answer, undo: false }
      if ('answer' in change) return { answer: answerInstead(change, wrap), undo: true }
      return { answer: alter(answer, change, before), undo: 'forget' in change }
    },
  }
}

type OperationChange = Extract<Change, { accept: unknown } | { shows: unknown } | { hides: unknown }>
const isOperationChange = (change: Change): change is OperationChange =>
  'accept' in change || 'shows' in change || 'hides' in change
const isTurn = (count: number, { every = 1, after = 0 }: Where) => count > after && count % every === 0

function answerInstead(
  change: Extract<Change, { answer: number }>,
  wrap: (result: unknown, status: number) => unknown,
): Answer {
  const { answer: status, result, text } = change
  const json = change.json ?? (result === undefined ? undefined : wrap(result, status))
  if (text !== undefined) return { status, headers: { 'content-type': 'text/html' }, text }
  if (json === undefined) return { status, headers: {} }
  return { status, headers: { 'content-type': 'application/json' }, json }
}
