import { type Description, type ListedOperation, operationsOf } from '../parts/openapi.ts'

export interface Group {
  readonly name: string
  readonly operations: readonly ListedOperation[]
}

/** The tone in which a method is written. */
export const toneOfMethod = (method: string): string => ({ get: 'note', post: 'good', delete: 'bad' })[method] ?? ''

/** The operations of a description in its groups of tags. */
export function listOperations(description: Description): readonly Group[] {
  const { tags, 'x-tagGroups': groups } = description
  const all = operationsOf(description)
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
