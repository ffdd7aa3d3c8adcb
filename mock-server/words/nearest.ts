/** Longest input that is compared with known names. */
const maxCharacters = 100

/**
 * The entry of a list that was probably meant: the one with the smallest edit distance. The distance may be 1, or up to a
 * third of the longer text; undefined if no entry is that close.
 */
export function nearest(word: string, list: readonly string[]): string | undefined {
  const input = word.slice(0, maxCharacters)
  let best: string | undefined
  let min = Number.POSITIVE_INFINITY
  for (const text of list) {
    const changes = countChanges(input, text)
    if (changes < min && changes <= Math.max(1, Math.max(input.length, text.length) / 3)) {
      best = text
      min = changes
    }
  }
  return best
}

/** The advice about a word that is not in the list: the nearest entry, else the whole list. */
export function adviseNearest(word: string, list: readonly string[]): string {
  const suggestion = nearest(word, list) ?? list.find(other => other.toLowerCase() === word.toLowerCase())
  return suggestion ? `the nearest is ${suggestion}` : `there are ${list.join(', ')}`
}

/** The Damerau–Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
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
