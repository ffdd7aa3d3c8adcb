/** Who meant one of these did not write more than this. */
const mostCharacters = 100

/**
 * The text of a list that was probably meant: the one that takes the fewest changes, if at most a third of its characters
 * have to change. Undefined when none is that near: a wild guess helps nobody.
 */
export function nearest(meant: string, list: readonly string[]): string | undefined {
  const given = meant.slice(0, mostCharacters)
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const text of list) {
    const changes = countChanges(given, text)
    if (changes < least && changes <= Math.max(1, Math.max(given.length, text.length) / 3)) {
      best = text
      least = changes
    }
  }
  return best
}

/** What to say after a word that is none of a list. */
export function adviseNearest(word: string, list: readonly string[]): string {
  const meant = nearest(word, list) ?? list.find(other => other.toLowerCase() === word.toLowerCase())
  return meant ? `the nearest is ${meant}` : `there are ${list.join(', ')}`
}

/** How many characters are to be added, taken away, replaced or swapped with their neighbour (Damerau's distance), row by row. */
function countChanges(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, isSwapped ? before[j - 2]! + 1 : replaced))
    }
    before = row
    row = next
  }
  return row[to.length]!
}
