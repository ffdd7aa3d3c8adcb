import type { Description, Operation } from '../parts/openapi.ts'

export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export interface Group {
  readonly name: string
  readonly operations: readonly ListedOperation[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The operations of a description in its groups of tags. */
export function listOperations({ paths, tags, 'x-tagGroups': groups }: Description): readonly Group[] {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap(method => (operations[method] ? [{ method, path, operation: operations[method] }] : [])),
  )
  const named = groups ?? [{ name: 'Operations', tags: tags.map(({ name }) => name) }]
  return named.map(({ name, tags }) => ({
    name,
    operations: tags.flatMap(tag => all.filter(({ operation }) => operation.tags?.includes(tag))),
  }))
}

/** Whether all words stand somewhere in what there is to know of an operation. */
export function isFound(
  { method, path, operation }: ListedOperation,
  group: string,
  words: readonly string[],
): boolean {
  const { operationId, summary, tags } = operation
  const text = `${method} ${path} ${operationId} ${summary} ${tags} ${group}`.toLowerCase()
  return words.every(word => text.includes(word))
}
