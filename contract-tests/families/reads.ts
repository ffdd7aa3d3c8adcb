import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import { absent, broken, type Check, describe, held, judgeEach, notApplicable } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import { idOf, isObject, type JsonObject, sameId } from '../engine/recognise.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { misfitsIn } from '../rules/documented.ts'
import { mismatch } from '../rules/fields.ts'

/** The request of a reading operation of the cloud form, of what a list shows first where the target file names none. */
export function read(operation: OperationId, list?: OperationId): Step {
  const [resource = ''] = (list ?? operation).split('.')
  const get = `${resource}.get` as OperationId
  return {
    name: `cloud:${operation}`,
    form: 'cloud',
    phase: list ? 1 : 0,
    operation,
    method: 'GET',
    as: 'key',
    why: operations[operation].says,
    ...(list && { from: [stepOf(list)] }),
    draft({ target, exchange }) {
      const [first] = (list && listIn(exchange(stepOf(list)), resource)) ?? []
      const id = first && idAt(first, get)
      if (list && id === undefined) return { skip: `no list shows the id of a ${resource}` }
      const path = pathOf(operation, 'cloud', { ...pathValues(target), ...(id !== undefined && { [idName(get)]: id }) })
      return path ? { path } : lacksPath(operation, 'cloud', target)
    },
  }
}

/** The step that sends a list: that of members is one of the specification's, that of services is read again later. */
const stepOf = (list: OperationId) => lists[list] ?? `cloud:${list}`
const lists: Partial<Record<OperationId, string>> = {
  'member.list': 'cloud:members',
  'service.list': 'cloud:service.list-before',
}

/** The id of a thing by the name that the path of an operation on it ends with, such as `userId`, else by any name of an id. */
function idAt(thing: JsonObject, operation: OperationId): string | undefined {
  const [resource = ''] = operation.split('.')
  const id = thing[idName(operation)]
  return typeof id === 'string' ? id : idOf(thing, resource)
}

const idName = (operation: OperationId) => /\{(\w+)\}$/.exec(operations[operation].paths.cloud ?? '')?.[1] ?? ''

/** The object that a success of the cloud form is about. */
export function resultIn(exchange: Exchange | undefined): JsonObject | undefined {
  const { json } = exchange && isSuccess(exchange) ? exchange : {}
  return isObject(json) && isObject(json.result) ? json.result : undefined
}

/** Holds when a list shows what was got as the get shows it. */
export const listAgreesWithGet = (resource: 'organization' | 'member' | 'quota' | 'udf'): Check => {
  const steps = [stepOf(`${resource}.list`), `cloud:${resource}.get`] as const
  return {
    reads: () => steps,
    judge: evidence => {
      const [listed, got] = steps.map(step => evidence.of(step)[0])
      const object = resultIn(got)
      const list = listIn(listed, resource)
      if (!listed || !got || !object || !list) return absent(evidence, ...steps)
      const id = idAt(object, `${resource}.get`)
      const item = list.find(one => id !== undefined && sameId(idAt(one, `${resource}.get`) ?? '', id))
      if (!item) return notApplicable('the list does not show what was got')
      if (misfitsIn(listed, operations[`${resource}.list`]).length > 0)
        return notApplicable('the fields of the list are not those of the contract, which other rules judge')
      const found = mismatch(object, item, '$')
      return found
        ? broken(describe({ ...found, expected: `${found.expected}, as a get of ${id} shows it` }, listed), listed, got)
        : held([listed])
    },
  }
}

/** Sends what a thing has already, which changes nothing. It is not the run's own, so it is sent on loopback only. */
export const rewrite = (
  operation: 'organization.update' | 'member.update',
  bodyOf: (object: JsonObject) => object,
): Step => {
  const [resource = ''] = operation.split('.')
  const read = `cloud:${resource}.get`
  return {
    name: `cloud:${operation}`,
    form: 'cloud',
    phase: 2,
    operation,
    method: 'PATCH',
    as: 'key',
    why: `sends what the ${resource} has already`,
    from: [read],
    draft({ target, exchange }): Draft {
      if (!isLocal(target)) return { skip: `the ${resource} is not the run's own, so it is written on loopback only` }
      const object = resultIn(exchange(read))
      const id = object && idAt(object, operation)
      const path = object && pathOf(operation, 'cloud', { ...pathValues(target), ...(id !== undefined && { id }) })
      if (!path) return { skip: `no ${resource} was got` }
      return { path, body: bodyOf(object) }
    },
  }
}

/** Holds when sending what a thing has already is answered with success, and with what it has. */
export const changesNothing = (resource: 'organization' | 'member'): Check => {
  const steps = [`cloud:${resource}.update`, `cloud:${resource}.get`] as const
  return {
    reads: () => steps,
    judge: evidence => {
      const [sent, got] = steps.map(step => evidence.of(step)[0])
      if (!sent || !got) return absent(evidence, ...steps)
      if (!isSuccess(sent)) return broken(describe({ expected: 'success', got: sent.response.status }, sent), sent)
      const found = mismatch(resultIn(got), resultIn(sent), '$')
      return found
        ? broken(describe({ ...found, expected: `${found.expected}, as before` }, sent), sent, got)
        : held([sent])
    },
  }
}

/** A step with a query string; under another name, it is a request of its own beside the step. */
export const asking = (step: Step, query: (past: Past) => string, name = step.name): Step => ({
  ...step,
  name,
  draft(past) {
    const draft = step.draft(past)
    return 'path' in draft ? { ...draft, path: `${draft.path}?${query(past)}` } : draft
  },
})

/** Holds when no answer to these steps has a field of one of these names, at whatever depth. */
export const neverShows = (fields: readonly string[], steps: readonly string[]): Check => ({
  reads: () => steps,
  judge: evidence =>
    judgeEach(
      evidence.of(...steps).filter(isSuccess),
      ({ json }) => {
        const path = placeOf(fields, json, '$')
        return path ? [{ path, expected: 'no such field', got: 'a value, which is not repeated here' }] : []
      },
      () => absent(evidence, ...steps),
    ),
})

function placeOf(fields: readonly string[], value: unknown, path: string): string | undefined {
  const inner: (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item] as const)
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => [`${path}.${name}`, item] as const)
      : []
  return (
    inner.find(([at]) => fields.some(field => at === `${path}.${field}`))?.[0] ??
    first(inner.map(([at, item]) => placeOf(fields, item, at)))
  )
}

const first = (places: readonly (string | undefined)[]) => places.find(place => place !== undefined)
