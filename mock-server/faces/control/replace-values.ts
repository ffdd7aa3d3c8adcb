/** A copy of JSON in which values stand for others, such as the ids of a world for those of examples. */
export const replaceValues = (json: object, others: Iterable<readonly [unknown, unknown]>): unknown => {
  const known = new Map(others)
  return JSON.parse(JSON.stringify(json), (_, value) => (known.has(value) ? known.get(value) : value))
}
