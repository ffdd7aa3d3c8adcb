/** Who meant one of these did not write more than this. */
const mostCharacters = 100

/** The text of a list that needs the fewest changes to become the one that was meant. */
export function nearest(meant: string, list: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const text of list) {
    const changes = countChanges(meant.slice(0, mostCharacters), text)
    if (changes < least) {
      best = text
      least = changes
    }
  }
  return best
}

/** Levenshtein's distance, row by row. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
