/** The word that takes the fewest changes; undefined if that is more than one and more than a third of the letters. */
export function nearest(given: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map(word => ({ word, changes: countChanges(given, word) }))
    .filter(({ word, changes }) => changes <= Math.max(1, Math.max(given.length, word.length) / 3))
    .sort((a, b) => a.changes - b.changes)
  return best?.word
}

/** Levenshtein's distance, without regard to letter case. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1]!.toLowerCase() === to[j - 1]!.toLowerCase()
      next.push(Math.min(row[j - 1]! + (isSame ? 0 : 1), row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
