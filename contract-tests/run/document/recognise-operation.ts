import { familyOf, type Operation, type OperationId, operations } from '../../../fixtures/contract/index.ts'
import type { Shown } from './read-document.ts'

const known = (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, operation]) =>
  Object.values({ ...operation.elsewhere, ...operation.paths }).map(path => ({
    id,
    operation,
    shape: path.replace(/\{(?!segment)[^}]*\}/g, '{}'),
  })),
)

/** An operation by the contract's name and family; one that it does not know belongs to the family whose path it continues. */
export function recognise({
  method,
  shape,
  operation: { operationId },
}: Pick<Shown, 'method' | 'shape' | 'operation'>) {
  const own = known.find(one => one.shape === shape && one.operation.method === method)
  if (own) return { ...own, family: familyOf[own.id] }
  const root = (path: string) => path.replace(/(?:\/\{\})?$/, '')
  const [nearest] = known
    .filter(one => shape === root(one.shape) || shape.startsWith(`${root(one.shape)}/`))
    .sort((a, b) => b.shape.length - a.shape.length)
  const id = typeof operationId === 'string' ? operationId : `${method} ${shape}`
  return { id, family: nearest ? familyOf[nearest.id] : '', operation: undefined }
}
