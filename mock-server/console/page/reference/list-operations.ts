import { type Description, type ListedOperation, operationsOf } from '../parts/openapi.ts'

export interface Group {
  readonly name: string
  readonly operations: readonly ListedOperation[]
}

export const toneOfMethod = (method: string): string => ({ get: 'note', post: 'good', delete: 'bad' })[method] ?? ''

/** The operations of a description by its groups of tags. */
export function listOperations(description: Description): readonly Group[] {
  const { tags, 'x-tagGroups': groups } = description
  const all = operationsOf(description)
  const named = groups ?? [{ name: 'Operations', tags: tags.map(({ name }) => name) }]
  return named.map(({ name, tags }) => ({
    name,
    operations: tags.flatMap(tag => all.filter(({ operation }) => operation.tags?.includes(tag))),
  }))
}

/** Whether an operation or its group contains all words. */
export function isFound(
  { method, path, operation }: ListedOperation,
  group: string,
  words: readonly string[],
): boolean {
  const { operationId, summary, tags } = operation
  const text = `${method} ${path} ${operationId} ${summary} ${tags} ${group}`.toLowerCase()
  return words.every(word => text.includes(word))
}
