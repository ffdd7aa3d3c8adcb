import type { OperationUsage, Usage, UsageExample, ValueUsage } from '../../../fixtures/usage.ts'
import { groupBy } from '../../words/group-by.ts'
import { sortValues } from './place.ts'

/** The most tests or entries that are named for an operation. */
export const maxSources = 3
const maxExamples = 8

/** Merges usages, such as those of the workers of a test run. Their order does not matter. */
export function mergeUsages(usages: readonly Usage[]): Usage {
  const operations = mergeByName(
    usages.map(({ operations }) => operations),
    mergeOperations,
  )
  return { usage: 1, operations: operations ?? {} }
}

type Named<T> = Readonly<Record<string, T>>

function mergeByName<T>(records: readonly (Named<T> | undefined)[], merge: (values: readonly T[]) => T) {
  const groups = groupBy(
    records.flatMap(record => Object.entries(record ?? {})),
    ([name]) => name,
  )
  if (groups.size === 0) return undefined
  const entries = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, own]) => [name, merge(own.map(([, value]) => value))]))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const unite = <T extends string>(lists: readonly (readonly T[] | undefined)[]): readonly T[] =>
  [...new Set(lists.flatMap(list => list ?? []))].sort()

function mergeOperations(all: readonly OperationUsage[]): OperationUsage {
  const id = all.find(one => one.id !== undefined)?.id
  const from = unite(all.map(one => one.from)).slice(0, maxSources)
  const parameters = mergeByName(
    all.map(one => one.parameters),
    mergeValues,
  )
  const fields = mergeByName(
    all.map(one => one.fields),
    mergeValues,
  )
  const unread = sum(all.map(one => one.unread ?? 0))
  // What one of them reads, or whose reads are not known, is read.
  const [first = [], ...others] = all.filter(hasSuccess).map(({ ignored = [] }) => ignored)
  const ignored = first.filter(path => others.every(paths => paths.includes(path)))
  const came = unite(all.map(one => one.came))
  const examples = selectExamples(all.flatMap(one => one.examples ?? []))
  return {
    ...(id !== undefined && { id }),
    count: sum(all.map(one => one.count)),
    ...(from.length > 0 && { from }),
    statuses: mergeByName(
      all.map(one => one.statuses),
      sum,
    )!,
    ...(parameters && { parameters }),
    ...(fields && { fields }),
    ...(unread > 0 && { unread }),
    ...(ignored.length > 0 && { ignored }),
    ...(came.length > 0 && { came }),
    ...(examples.length > 0 && { examples }),
  }
}

const hasSuccess = ({ statuses }: OperationUsage) => Object.keys(statuses).some(status => status.startsWith('2'))

function mergeValues(all: readonly ValueUsage[]): ValueUsage {
  const values = sortValues(new Set(all.flatMap(one => one.values ?? [])))
  const texts = unite(all.map(one => one.texts))
  const [range, length] = [widest(all.map(one => one.range)), widest(all.map(one => one.length))]
  const [from] = all.flatMap(one => one.from ?? []).sort()
  return {
    count: sum(all.map(one => one.count)),
    types: unite(all.map(one => one.types)),
    ...(values.length > 0 && { values }),
    ...(texts.length > 0 && { texts }),
    ...(range && { range }),
    ...(length && { length }),
    ...(from !== undefined && { from }),
  }
}

function widest(bounds: readonly (readonly [number, number] | undefined)[]): readonly [number, number] | undefined {
  const known = bounds.flatMap(one => (one ? [one] : []))
  if (known.length === 0) return undefined
  return [Math.min(...known.map(([low]) => low)), Math.max(...known.map(([, high]) => high))]
}

/** The examples that have the most fields and values, as long as each has one that those before it lack. */
export function selectExamples(examples: readonly UsageExample[]): readonly UsageExample[] {
  const described = examples
    .map(example => ({ example, parts: partsOf(example), text: JSON.stringify(example) }))
    .sort((a, b) => b.parts.size - a.parts.size || (a.text < b.text ? -1 : 1))
  const covered = new Set<string>()
  const selected = described.filter(({ parts }) => {
    const before = covered.size
    for (const part of parts) covered.add(part)
    return covered.size > before
  })
  return selected.slice(0, maxExamples).map(({ example }) => example)
}

/** The fields of an example with their types and texts, which are values of enums or the same for all examples. */
function partsOf({ query = '', body }: UsageExample): ReadonlySet<string> {
  const parts = new Set(query.split('&').map(part => part.replace(/=-?\d.*$/, '')))
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`)
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) visit(item, `${path}.${name}`)
    parts.add(`${path} ${typeof value === 'string' || typeof value === 'boolean' ? value : typeof value}`)
  }
  visit(body, '$')
  return parts
}
