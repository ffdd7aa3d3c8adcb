import { type Operation, contract as ours } from '../../fixtures/built-contract/index.ts'
import type { LaidOver } from '../../fixtures/built-contract/lay-over.ts'

/** A file of the contract, by its path from the root. */
export interface ContractFile {
  readonly path: string
  readonly text: string
}

/**
 * What a person must decide about a document, in the form of compile errors: `file(line,1): error: …`, at the place to write it.
 * First the operations that only the document has, then what it says otherwise than the contract.
 */
export function listDecisions(
  { contract, changes }: Pick<LaidOver, 'contract' | 'changes'>,
  files: readonly ContractFile[],
) {
  const isNew = (id: string) => !(id in ours.operations)
  const operations = Object.entries(contract.operations as Readonly<Record<string, Operation>>).filter(([id]) =>
    isNew(id),
  )
  const resourcesOfNew = new Set(operations.map(([id]) => id.split('.')[0]))
  const isOfNew = (change: string) =>
    [...resourcesOfNew].some(one => change.startsWith(`${one}: new within`)) ||
    operations.some(([id]) => change.startsWith(`${id}: new`))
  return [
    ...operations.map(([id, { method, paths }]) => {
      const where = Object.values(paths)[0]
      const open = method === 'GET' ? 'its permission and lag' : 'its effect, permission, lag, undo and activities'
      const entry = method === 'GET' ? `'${id}': { … }` : `'${id}': { effect: …, lagInSeconds: …, activities: […] }`
      return `${placeOf(id, files)}: error: ${id} (${method} ${where}): nobody has decided ${open}; write ${entry}`
    }),
    ...changes
      .filter(change => !isOfNew(change))
      .map(
        change =>
          `${placeOf(change, files)}: error: ${change}; change the contract, or list it in fixtures/documents/stays.ts`,
      ),
  ]
}

/** The line that defines an operation, a resource or its siblings; else the list of families. */
function placeOf(name: string, files: readonly ContractFile[]): string {
  const [id = ''] = /^[\w]+(?:\.[\w]+)?/.exec(name) ?? []
  const [resource] = id.split('.')
  const patterns = [`'${id}':`, `export const ${resource} =`, `  ${resource}: {`, `'${resource}.`]
  for (const pattern of patterns)
    for (const { path, text } of files) {
      const line = text.split('\n').findIndex(one => one.includes(pattern))
      if (line >= 0) return `${path}(${line + 1},1)`
    }
  return 'fixtures/contract/families.ts(1,1)'
}

/** The operations of a document as group, method and path; an operation that `known` has keeps its group. */
export function listOperations(
  { paths }: { readonly paths: Readonly<Record<string, object>> },
  known: readonly string[],
): readonly string[] {
  const groups = new Map(known.map(line => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]))
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]: [string, { readonly tags?: readonly string[] }]) => {
      const place = `${method.toUpperCase()}\t${path}`
      const isOperation = ['get', 'put', 'post', 'delete', 'patch'].includes(method)
      return isOperation ? [`${groups.get(place) ?? operation.tags?.[0] ?? ''}\t${place}`] : []
    }),
  )
}
