import { type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { because } from '../engine/reasons.ts'
import { payloadOf } from '../engine/recognise.ts'
import type { RunContext } from '../engine/step.ts'
import { updateOf } from './life.ts'
import type { CreatedObject, Line, Run } from './visit.ts'

/** The lives of singletons: a service or pipe has at most one of each, without an id. */

/** Changes a singleton that always exists, reads it, and restores it. `change` differs from the default. */
export function changeAndRestore(run: Run, resource: string, within: CreatedObject, change: object): void {
  const [read, update] = [`${resource}.get` as OperationId, updateOf(resource)!]
  const get = run.call(read, { within })
  const before = (context: RunContext) => {
    const exchange = context.exchange(get)
    return isSuccess(exchange) ? payloadOf(exchange.json) : undefined
  }
  const skipReason = because('{line} did not succeed', { line: get })
  const changed = run.call(update, { within, from: [get], body: context => before(context) && change, skipReason })
  const from = [changed, get]
  run.call(read, {
    name: `${resource}.get-after-update`,
    within,
    from,
    why: `gets the ${resource} after its change`,
  })
  run.call(update, {
    name: `${resource}.put-back`,
    within,
    from,
    body: before,
    skipReason,
    why: `restores the ${resource}`,
  })
}

export const setterOf = (resource: string): OperationId =>
  ([`${resource}.upsert`, `${resource}.replace`, `${resource}.create`] as OperationId[]).find(
    id => operations[id] !== undefined,
  )!

/** Sets and deletes a singleton that may be missing; `whileSet` adds lines before the deletion. */
export function setAndDelete(
  run: Run,
  resource: string,
  within: CreatedObject,
  body: object,
  whileSet: (set: Line) => void = () => {},
): void {
  const [get, remove] = [`${resource}.get`, `${resource}.delete`] as [OperationId, OperationId]
  const own = { within, onlyWithinOwn: 'always' } as const
  run.call(get, { ...own, name: `${resource}.get-before`, why: `gets a ${resource} that is not set` })
  const set = run.call(setterOf(resource), { within, body })
  run.call(get, { within, from: [set] })
  whileSet(set)
  const deleted = run.call(remove, { within })
  run.call(get, {
    within,
    name: `${resource}.get-after-delete`,
    from: [deleted],
    why: `gets the ${resource} that was deleted`,
  })
}
