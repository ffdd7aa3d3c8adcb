type Test = (text: string) => boolean

/** So many are remembered: a pattern that is a column may be another one in each of a million rows. */
export const mostPatterns = 1000

/** Compiles a pattern when it is met for the first time, and again when as many others as are remembered came since. */
export function rememberPatterns(compile: (pattern: string) => Test): (pattern: string) => Test {
  const known = new Map<string, Test>()
  return pattern => {
    const found = known.get(pattern)
    if (found) return found
    if (known.size >= mostPatterns) known.clear()
    const test = compile(pattern)
    known.set(pattern, test)
    return test
  }
}
