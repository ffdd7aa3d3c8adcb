interface Change<T> {
  readonly add?: readonly T[]
  readonly remove?: readonly T[]
}

/** Changes a list: removals come before additions, and unknown ones are ignored. */
export function changeList<T, Key>(
  list: readonly T[] = [],
  { add = [], remove = [] }: Change<T> = {},
  keyOf: (item: T) => Key,
): readonly T[] {
  const gone = new Set([...remove, ...add].map(keyOf))
  const added = new Map(add.map(item => [keyOf(item), item]))
  return [...list.filter(item => !gone.has(keyOf(item))), ...added.values()]
}
