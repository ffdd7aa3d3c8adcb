import type { Form, RuleId } from '../../../fixtures/contract/index.ts'
import type { Credential } from './credentials.ts'
import type { Operation, Place, QueryKind, Reason } from './place.ts'
import type { Answer } from './wire.ts'
import { ids } from './world.ts'

/** A deployment that breaks one rule, as a value. The vocabulary is interpreted here and nowhere else. */
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
  /** Of the answers that all the rest matches: only every nth. */
  readonly every?: number
  /** Of the answers that all the rest matches: only those after the first few. */
  readonly after?: number
}

/** Paths are steps with slashes between: a name, an index, or `name=value` for the element that has this value. */
export type Change =
  /** Lets these credentials in. */
  | { readonly accept: Credential }
  /** The work is answered, and undone. */
  | { readonly forget: true }
  | { readonly shows: 'deleted' }
  | { readonly hides: 'created' }
  /** Another answer instead, as though nothing had been done; a success of the cloud API keeps its envelope. */
  | { readonly answer: number; readonly result?: unknown; readonly json?: unknown; readonly text?: string }
  | { readonly set: string; readonly to: unknown }
  | { readonly unset: string }
  | { readonly copy: string; readonly to: string }
  | { readonly replace: string; readonly match: string; readonly by: string }
  /** The value that this path had in the first answer of the form, or in the one before. */
  | { readonly repeat: string; readonly from: 'first' | 'last'; readonly lowerCase?: true }
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

const read = (json: unknown, path: string) => path.split('/').reduce(step, json)

/** Sets the value at the path in a copy, or takes it away when it is undefined. A path that leads nowhere changes nothing. */
function write(json: unknown, path: string, value: unknown): unknown {
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
  if ('set' in change) return { ...answer, json: write(json, change.set, change.to) }
  if ('unset' in change) return { ...answer, json: write(json, change.unset, undefined) }
  if ('copy' in change) return { ...answer, json: write(json, change.to, read(json, change.copy)) }
  if ('status' in change) {
    const changed = change.statusAt ? write(json, change.statusAt, change.status) : json
    return { ...answer, status: change.status, json: changed }
  }
  if ('header' in change) return { ...answer, headers: { ...answer.headers, [change.header]: change.to } }
  if ('write' in change) {
    const headers = change.type ? { ...answer.headers, 'content-type': change.type } : answer.headers
    return { ...answer, headers, json: undefined, text: change.write }
  }
  if ('replace' in change) {
    const old = read(json, change.replace)
    if (typeof old !== 'string') return answer
    return { ...answer, json: write(json, change.replace, old.replace(new RegExp(change.match, 'g'), change.by)) }
  }
  if ('repeat' in change) {
    const before = seen.map(one => read(one, change.repeat)).filter(one => one !== undefined)
    const value = change.from === 'first' ? before[0] : before.at(-1)
    if (typeof value !== 'string') return answer
    return { ...answer, json: write(json, change.repeat, change.lowerCase ? value.toLowerCase() : value) }
  }
  return answer
}

function isAt(at: Where, place: Place): boolean {
  if (at.operation && !([] as readonly (Operation | undefined)[]).concat(at.operation).includes(place.operation))
    return false
  if (at.method !== undefined && at.method !== place.method) return false
  if (at.query !== undefined && at.query !== place.query) return false
  const own = { first: ids.organization, second: ids.secondOrganization }
  return !at.organization || own[at.organization] === place.ids.organization?.toLowerCase()
}

function isAnswered(at: Where, answer: Answer, reason: Reason | undefined): boolean {
  if (at.reason !== reason && at.reason !== undefined) return false
  if (at.answers === undefined) return true
  if (typeof at.answers === 'number') return answer.status === at.answers
  return at.answers === (answer.status < 400 ? 'success' : 'refusal')
}

/** The mutant at work: what it lets pass inside, and what it makes of the answer. */
export function play(mutant: Mutant | undefined) {
  let matched = 0
  const seen: unknown[] = []
  return {
    /** What is bent before the operation is done. */
    bend: (place: Place) =>
      mutant?.form === place.form && isAt(mutant.at, place) && isInside(mutant.change) ? mutant.change : {},
    /** The answer as it goes out, and whether the work has to be undone. */
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
      if (!isAt(at, place) || !isAnswered(at, answer, reason) || !isTurn(++matched, at)) return { answer, undo: false }
      if ('answer' in change) return { answer: answerInstead(change, wrap), undo: true }
      return { answer: alter(answer, change, before), undo: 'forget' in change }
    },
  }
}

type Inside = Extract<Change, { accept: unknown } | { shows: unknown } | { hides: unknown }>
const isInside = (change: Change): change is Inside => 'accept' in change || 'shows' in change || 'hides' in change
const isTurn = (count: number, { every = 1, after = 0 }: Where) => count > after && count % every === 0

function answerInstead(
  change: Extract<Change, { answer: number }>,
  wrap: (result: unknown, status: number) => unknown,
): Answer {
  const { answer: status, result, json = result === undefined ? undefined : wrap(result, status), text } = change
  if (text !== undefined) return { status, headers: { 'content-type': 'text/html' }, text }
  if (json === undefined) return { status, headers: {} }
  return { status, headers: { 'content-type': 'application/json' }, json }
}
