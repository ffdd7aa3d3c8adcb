import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import { absent, type Check, judgeEach } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import { idOf, isObject } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'

/** The request of a reading operation of the cloud form. What a target file does not name is the first of a list. */
export function read(operation: OperationId, list?: OperationId): Step {
  const [resource = ''] = operation.split('.')
  return {
    name: `cloud:${operation}`,
    form: 'cloud',
    phase: list ? 1 : 0,
    operation,
    method: 'GET',
    as: 'key',
    why: operations[operation].says,
    ...(list && { from: [`cloud:${list}`] }),
    draft({ target, exchange }) {
      const [first] = (list && listIn(exchange(`cloud:${list}`), resource)) ?? []
      const id = idOf(first, resource)
      if (list && id === undefined) return { skip: `no list shows the id of a ${resource}` }
      const path = pathOf(operation, 'cloud', { ...pathValues(target), ...(id !== undefined && { id }) })
      return path ? { path } : lacksPath(operation, 'cloud', target)
    },
  }
}

/** Holds when no answer to these steps has a field of this name, at whatever depth. */
export const neverShows = (field: string, steps: readonly string[]): Check => ({
  reads: () => steps,
  judge: evidence =>
    judgeEach(
      evidence.of(...steps).filter(isSuccess),
      ({ json }) => {
        const path = placeOf(field, json, '$')
        return path ? [{ path, expected: 'no such field', got: 'a value, which is not repeated here' }] : []
      },
      () => absent(evidence, ...steps),
    ),
})

function placeOf(field: string, value: unknown, path: string): string | undefined {
  const inner: (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item] as const)
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => [`${path}.${name}`, item] as const)
      : []
  return (
    inner.find(([at]) => at === `${path}.${field}`)?.[0] ?? first(inner.map(([at, item]) => placeOf(field, item, at)))
  )
}

const first = (places: readonly (string | undefined)[]) => places.find(place => place !== undefined)
