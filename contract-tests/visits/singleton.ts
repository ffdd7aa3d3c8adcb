import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { payloadOf } from '../engine/recognise.ts'
import type { RunContext } from '../engine/step.ts'
import { updateOf } from './life.ts'
import type { Line, Run, Thing } from './visit.ts'

/** Singletons: they can neither be listed nor be created beside another. */

/** For a singleton that always exists. `change` is not the default. */
export function changeAndPutBack(run: Run, resource: string, within: Thing, change: object): void {
  const [read, update] = [`${resource}.get` as OperationId, updateOf(resource)!]
  const got = run.call(read, { within })
  const before = (context: RunContext) => {
    const exchange = context.exchange(got)
    return isSuccess(exchange) ? payloadOf(exchange.json) : undefined
  }
  const otherwise = `${got} did not succeed`
  const changed = run.call(update, { within, from: [got], body: context => before(context) && change, otherwise })
  const from = [changed, got]
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
    otherwise,
    why: `puts the ${resource} back`,
  })
}

export const setterOf = (resource: string): OperationId =>
  ([`${resource}.upsert`, `${resource}.replace`, `${resource}.create`] as OperationId[]).find(
    id => operations[id] !== undefined,
  )!

/** For a singleton that may be missing; `meanwhile` adds lines while it is set. */
export function setAndDelete(
  run: Run,
  resource: string,
  within: Thing,
  body: object,
  meanwhile: (set: Line) => void = () => {},
): void {
  const [get, remove] = [`${resource}.get`, `${resource}.delete`] as [OperationId, OperationId]
  const own = { within, isOwn: 'always' } as const
  run.call(get, { ...own, name: `${resource}.get-before`, why: `looks for a ${resource} where there is none` })
  const set = run.call(setterOf(resource), { within, body })
  run.call(get, { within, from: [set] })
  meanwhile(set)
  const deleted = run.call(remove, { within })
  run.call(get, {
    within,
    name: `${resource}.get-after-delete`,
    from: [deleted],
    why: `looks for the ${resource} that was deleted`,
  })
}
