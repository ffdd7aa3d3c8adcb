import type { Form, RuleId } from '../../../fixtures/contract/index.ts'
import type { Verdict } from '../../engine/check.ts'
import type { Exchange } from '../../engine/exchange.ts'
import { checks } from '../../run/checks.ts'
import { createEvidence, type Examination } from '../../run/verify.ts'
import { isObject, type Json } from './route.ts'

/**
 * Deployments that drop, alter, reset or swap one field of whole objects, at any depth, in gets or in lists. They are made of
 * the answers to one run, which are changed and judged again: a run for each would take hours.
 */

export interface FieldMutant {
  readonly id: string
  readonly kind: string
  readonly isNoticed: boolean
}

const alter = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}!`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return Array.isArray(value) ? value.slice(0, -1) : undefined
}
const reset = (value: unknown): unknown => {
  if (typeof value === 'string') return ''
  if (typeof value === 'number') return 0
  if (typeof value === 'boolean') return !value
  return Array.isArray(value) ? [] : null
}

/** Each returns the object with the field changed. */
const changes: Readonly<Record<string, (object: Json, name: string) => Json>> = {
  drop: ({ ...object }, name) => {
    delete object[name]
    return object
  },
  alter: (object, name) => ({ ...object, [name]: alter(object[name]) }),
  reset: (object, name) => ({ ...object, [name]: reset(object[name]) }),
  swap: (object, name) => {
    const alike = Object.keys(object).filter(one => one !== 'id' && typeof object[one] === typeof object[name])
    const other = alike[(alike.indexOf(name) + 1) % alike.length]!
    return { ...object, [name]: object[other], [other]: object[name] }
  },
}

type Path = readonly string[]

/** The places in a value, `[]` for the items of a list. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (Array.isArray(value)) for (const item of value) yield* pathsIn(item, [...path, '[]'])
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    yield [...path, name]
    yield* pathsIn(inner, [...path, name])
  }
}

function changeAt(value: unknown, [name, ...rest]: Path, change: (object: Json, name: string) => Json): unknown {
  if (name === '[]') return Array.isArray(value) ? value.map(item => changeAt(item, rest, change)) : value
  if (!isObject(value) || name === undefined || !(name in value)) return value
  return rest.length === 0 ? change(value, name) : { ...value, [name]: changeAt(value[name], rest, change) }
}

/** Changes the record in an answer, inside its wrapper, or each record of a list. */
function changeAnswer(exchange: Exchange, change: (record: unknown) => unknown): Exchange {
  const { json } = exchange
  const key = isObject(json) ? ['result', 'data'].find(one => one in json) : undefined
  const payload = key === undefined ? json : (json as Json)[key]
  const changed = Array.isArray(payload) ? payload.map(change) : change(payload)
  return JSON.stringify(changed) === JSON.stringify(payload)
    ? exchange
    : { ...exchange, json: key === undefined ? changed : { ...(json as Json), [key]: changed } }
}

type Recorded = Pick<Examination, 'sentSteps' | 'exchanges'>

/** Judges a resource whose reads were changed; undefined if no answer differs from the genuine one. */
export function judgeChanged(
  { sentSteps, exchanges }: Recorded,
  resource: string,
  form: Form,
  isMutated: (exchange: Exchange) => boolean,
  change: (record: unknown) => unknown,
): Verdict | undefined {
  const own = exchanges.filter(one => one.form === form && one.step.startsWith(`${form}:${resource}.`))
  const mutated = own.map(one => (isMutated(one) ? changeAnswer(one, change) : one))
  if (mutated.every((one, index) => one === own[index])) return undefined
  const steps = { ...sentSteps, exchanges: new Map(mutated.map(one => [one.step, one])) }
  return checks[`${resource}/whole-is-kept` as RuleId].judge(createEvidence(form, steps, mutated))
}

/** The mutants of one resource in one form. `every`: only each nth of them. */
export function* judgeFieldMutants(
  recorded: Recorded,
  resource: string,
  form: Form,
  every: number,
): Generator<FieldMutant> {
  const sent = recorded.exchanges
    .filter(({ step }) => step.startsWith(`${form}:${resource}.create-whole`))
    .map(one => JSON.parse(one.request.body ?? '{}'))
  const paths = new Map(sent.flatMap(body => [...pathsIn(body)].map(path => [path.join('.'), path] as const)))
  let count = 0
  for (const [where, path] of paths)
    for (const [kind, change] of Object.entries(changes))
      for (const verb of ['get', 'list']) {
        if (++count % every !== 0) continue
        const isMutated = ({ step }: Exchange) => step.startsWith(`${form}:${resource}.${verb}-whole`)
        const verdict = judgeChanged(recorded, resource, form, isMutated, record => changeAt(record, path, change))
        if (!verdict) continue
        const isNoticed = verdict.outcome === 'broken'
        yield { id: `${form} ${resource}.${verb}: ${kind} ${where}`, kind, isNoticed }
      }
}
