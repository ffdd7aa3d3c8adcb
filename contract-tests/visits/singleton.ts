import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { type PathValues, pathOf, pathValues } from '../engine/paths.ts'
import { payloadOf } from '../engine/recognise.ts'
import type { Past, Step } from '../engine/step.ts'
import { type Life, skip, updateOf } from './life.ts'

/**
 * A singleton can be got and changed, but neither created nor listed: it is got, changed, got again and put back. It is
 * written only on an object that the run created; elsewhere it is only read.
 */
export interface Singleton {
  readonly resource: string
  readonly within: NonNullable<Life['within']>
  /** What is changed: something else than there is by default. */
  readonly change: object
  readonly phase?: number
}

/** For what lies within a service: the one that the run created. */
export const inOwnService = { serviceId: 'cloud:service.create-main' } as const

type MakeStep = (verb: string, id: OperationId, phase: number, why: string, body?: (past: Past) => unknown) => Step

/**
 * Makes steps on one thing of its kind, where it lies; `values` is what else its paths are made of. What writes is sent to
 * things of the run only.
 */
export function stepsOn({
  resource,
  within,
  values = {},
}: Pick<Singleton, 'resource' | 'within'> & { readonly values?: PathValues }): MakeStep {
  const name = (verb: string) => `cloud:${resource}.${verb}`
  const parents = Object.values(within)
  const ids = (past: Past) => Object.fromEntries(Object.entries(within).map(([id, step]) => [id, past.created(step)]))
  return (verb, id, phase, why, body) => {
    const writes = operations[id].method !== 'GET'
    return {
      name: name(verb),
      form: 'cloud',
      phase,
      operation: id,
      method: operations[id].method,
      as: 'key',
      why,
      from: parents,
      ...(writes && { on: parents[0] }),
      draft: past => {
        const isOwn = parents.every(parent => past.created(parent) !== undefined)
        if (writes && !isOwn)
          return skip(`it is changed only on what the run created, and ${parents[0]} created nothing`)
        const path = pathOf(id, 'cloud', { ...pathValues(past.target), ...values, ...(isOwn ? ids(past) : {}) })
        if (!path) return skip('the target file does not name where it lies')
        if (!body) return { path }
        const content = body(past)
        return content === undefined ? skip(`${name('get')} did not succeed`) : { path, body: content }
      },
    }
  }
}

export function singletonSteps({ resource, within, change, phase = 11 }: Singleton): readonly Step[] {
  const [read, update] = [`${resource}.get` as OperationId, updateOf(resource)]
  const step = stepsOn({ resource, within })
  const got = `cloud:${read}`
  const before = (past: Past) => {
    const came = past.exchange(got)
    return came && isSuccess(came) ? payloadOf(came.json) : undefined
  }
  const get = step('get', read, phase, `gets the ${resource}`)
  if (!update) return [get]
  const changes = step(
    update.split('.')[1]!,
    update,
    phase + 1,
    `changes the ${resource}`,
    past => before(past) && change,
  )
  const shows = step('get-after-update', read, phase + 2, `gets the ${resource} after its change`)
  const back = step('put-back', update, phase + 3, `puts the ${resource} back`, before)
  const after = { from: [...Object.values(within), changes.name, got] }
  return [get, { ...changes, from: [...Object.values(within), got] }, { ...shows, ...after }, { ...back, ...after }]
}
