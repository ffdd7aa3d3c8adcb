interface Named {
  readonly name: string | null
}

/** The records of a list, which come in order of creation, in the order that is asked for. */
export function arrange<T extends Named>(records: readonly T[], order: string): readonly T[] {
  switch (order) {
    case 'name':
      return records.toSorted(byName)
    case 'name descending':
      return records.toSorted((a, b) => byName(b, a))
    case 'newest first':
      return records.toReversed()
    default:
      return records
  }
}

/** Whatever has no name comes first. */
function byName({ name: a }: Named, { name: b }: Named): number {
  const [one, other] = [a ?? '', b ?? '']
  return one < other ? -1 : one > other ? 1 : 0
}
