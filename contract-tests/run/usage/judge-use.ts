import type { OperationUsage, Usage, ValueUsage } from '../../../fixtures/usage.ts'
import { isObject } from '../../engine/recognise.ts'
import type { DriftUse } from '../../report/report.ts'
import type { Change, Condition, Location } from '../document/change.ts'
import { isAffected } from './is-affected.ts'
import { suggestFix } from './suggest-fix.ts'

/** An operation of a document. */
export interface ChangedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The path without the names of its parameters, but with `{segment}` for the managed form's. */
  readonly shape: string
}

/** Returns the use that a change touches; undefined if it touches none. */
export type UseJudge = (change: Change, operation: ChangedOperation | undefined) => DriftUse | undefined

/** The path of a usage, as the shape of a document's operation. */
export const shapeOfPath = (path: string) => path.replace(/\{(?!segment)[^}]*\}/g, '{}')

/** Makes a judge of changes between documents from what a program uses. */
export function createUseJudge(usage: Usage): UseJudge {
  const used = new Map(
    Object.entries(usage.operations).map(([key, operation]) => [shapeOfPath(key), operation] as const),
  )
  const byId = new Map(Object.values(usage.operations).map(operation => [operation.id, operation] as const))
  const whole = Object.values(usage.operations).reduce((sum, { count }) => sum + count, 0)
  return (change, operation) => {
    if (!operation) {
      // A change of a whole document that breaks clients breaks all of them.
      const isOurs = change.kind === 'breaking' && whole > 0
      return isOurs ? { operation: 'all', method: '', path: '', calls: whole } : undefined
    }
    const calls = used.get(`${operation.method} ${operation.shape}`) ?? byId.get(operation.id)
    if (!calls || !touches(change, calls)) return undefined
    return describeUse(change, operation, calls)
  }
}

function describeUse(change: Change, { id, method, path }: ChangedOperation, calls: OperationUsage): DriftUse {
  const { side, at } = change
  const value = at && side !== 'answer' ? valueAt(calls, at.path) : undefined
  const fix = suggestFix(change, value)
  const from = value?.from === undefined ? calls.from : [value.from]
  return {
    operation: id,
    method,
    path,
    ...(at && { at: at.path }),
    calls: Object.values(calls.statuses).reduce((sum, count) => sum + count, 0),
    ...(from && { from }),
    ...(fix && { fix }),
  }
}

function touches(change: Change, calls: OperationUsage): boolean {
  const { side, at } = change
  if (!at) return true
  if (side === 'answer') return isRead(at, change, calls)
  // Nothing is known of the bodies that could not be read.
  if (side === 'request' && calls.unread) return true
  return at.path.startsWith('$') ? touchesBody(change, at, calls) : touchesParameter(change, at, calls)
}

const needsMore = /^(?:new-)?required$/

function touchesParameter(change: Change, at: Location, calls: OperationUsage): boolean {
  // Every call has the parameters of its path, and usage has none of their values.
  if (at.path.startsWith('path.')) return !needsMore.test(change.what)
  const sent = valueAt(calls, at.path)
  if (needsMore.test(change.what)) return (sent?.count ?? 0) < calls.count
  if (change.what === 'new') return calls.count > 0
  return sent !== undefined && isAffected(change, sent)
}

function touchesBody(change: Change, at: Location, calls: OperationUsage): boolean {
  if (!at.conditions.every(condition => mayHold(condition, calls))) return false
  const sent = valueAt(calls, at.path)
  if (!needsMore.test(change.what) && change.what !== 'new') return sent !== undefined && isAffected(change, sent)
  const parent = at.path === '$' ? calls : valueAt(calls, parentOf(at.path))
  if (!parent || parent.count === 0) return false
  if (change.what === 'new') return true
  const lacking = at.conditions.length > 0 ? lacksInExamples(at, calls) : undefined
  return lacking ?? (sent?.count ?? 0) < parent.count
}

const parentOf = (path: string) => path.replace(/\.[^.]*$/, '')

/** Whether a body may lie in the alternative of a union. */
const mayHold = ({ paths, values }: Condition, calls: OperationUsage): boolean => {
  const sent = paths.flatMap(path => valueAt(calls, path) ?? [])
  if (!values) return sent.length > 0
  // A discriminator may have a default, and one that the contract does not know is not kept.
  return sent.length === 0 || sent.some(one => one.texts || one.values?.some(value => values.includes(String(value))))
}

/** Whether an example has an object of the alternative that lacks the field; undefined if no example has such an object. */
function lacksInExamples({ path, conditions }: Location, { examples = [] }: OperationUsage): boolean | undefined {
  const own = parentOf(path)
  const name = path.slice(own.length + 1)
  const ofObject = conditions.filter(({ paths }) => paths.every(one => parentOf(one) === own))
  const objects = examples.flatMap(({ body }) => objectsAt(body, own.split(/(?=\[\])|\./).slice(1)))
  const fitting = objects.filter(object => ofObject.every(condition => holds(condition, object)))
  return fitting.length === 0 ? undefined : fitting.some(object => !Object.hasOwn(object, name))
}

const holds = ({ paths, values }: Condition, object: object) =>
  paths.some(path => {
    const name = path.slice(parentOf(path).length + 1)
    return Object.hasOwn(object, name) && (!values || values.includes(String(object[name as never])))
  })

function objectsAt(value: unknown, steps: readonly string[]): readonly object[] {
  const [step, ...rest] = steps
  if (step === undefined) return isObject(value) ? [value] : []
  if (step === '[]') return Array.isArray(value) ? value.flatMap(item => objectsAt(item, rest)) : []
  if (!isObject(value)) return []
  if (step === '*') return Object.values(value).flatMap(item => objectsAt(item, rest))
  return Object.hasOwn(value, step) ? objectsAt(value[step], rest) : []
}

/** What was sent at a place; names of maps in one of both stand for all names in the other. */
function valueAt({ fields = {}, parameters = {} }: OperationUsage, path: string): ValueUsage | undefined {
  const [sent, name] = path.startsWith('$') ? [fields, path] : [parameters, path.replace(/^query\./, '')]
  if (Object.hasOwn(sent, name)) return sent[name]
  const steps = name.split('.')
  const fits = (key: string) => {
    const own = key.split('.')
    return own.length === steps.length && own.every((step, index) => fitsStep(step, steps[index]!))
  }
  const found = Object.keys(sent).filter(key => (key.includes('*') || name.includes('*')) && fits(key))
  return found.length === 0 ? undefined : sent[found.sort()[0]!]
}

const fitsStep = (a: string, b: string) =>
  a === b || (listOf(a) === listOf(b) && (a.startsWith('*') || b.startsWith('*')))
const listOf = (step: string) => /(?:\[\])*$/.exec(step)![0]

/** Whether the answer with the change came, and the program reads the place. */
function isRead({ path, status = '2XX', conditions }: Location, { what }: Change, calls: OperationUsage): boolean {
  const { statuses, ignored, came: alternatives } = calls
  const isSuccess = status.startsWith('2')
  const fits = (one: string) => {
    if (status === 'default') return !one.startsWith('2')
    return isSuccess || status.endsWith('XX') ? one[0] === status[0] : one === status
  }
  const came = Object.keys(statuses).some(fits)
  if (!came || !isSuccess) return came
  const place = what === 'new' ? parentOf(path) : path
  if (alternatives && (isAbsent(place, alternatives) || conditions.some(one => !hasCome(one, alternatives))))
    return false
  return !ignored?.some(one => place === one || (place.startsWith(one) && /^[.[]/.test(place.slice(one.length))))
}

/** Whether a variant of a union came, or none of its union. */
function hasCome({ paths, values = [] }: Condition, alternatives: readonly string[]): boolean {
  const came = alternatives.filter(one => paths.some(path => one.startsWith(`${path}=`)))
  const seen = came.map(one => one.replace(/^[^=]*=/, ''))
  return seen.length === 0 || values.length === 0 || seen.includes('*') || seen.some(one => values.includes(one))
}

/** Whether a place lies in an alternative that never came, while others came in its place. */
const isAbsent = (place: string, alternatives: readonly string[]) =>
  alternatives.some(one => {
    if (one.includes('=')) return false
    const parent = `${parentOf(one)}.`
    const [name] = /^[^.[]+/.exec(place.slice(parent.length)) ?? []
    return (
      place.startsWith(parent) &&
      name !== undefined &&
      ![name, '*'].some(known => alternatives.includes(parent + known))
    )
  })
