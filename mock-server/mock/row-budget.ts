/** About 300 MiB: two worlds that looked at two weeks of their logs, or 35 at a day. */
const usualMost = 1_000_000

/**
 * Bounds the rows of telemetry that many worlds have in memory: when they are too many, `free` is asked to free those of
 * the world whose last call is the longest ago.
 */
export function createRowBudget(free: (id: string) => void, most = usualMost) {
  /** In order of the last call. */
  const rowsById = new Map<string, number>()
  let total = 0

  const forget = (id: string) => {
    total -= rowsById.get(id) ?? 0
    rowsById.delete(id)
  }
  return {
    forget,
    /** Told after each call of a world how many rows it has. */
    settle(id: string, rows: number) {
      forget(id)
      if (rows === 0) return
      total += rows
      rowsById.set(id, rows)
      for (const oldest of rowsById.keys()) {
        if (total <= most || oldest === id) return
        forget(oldest)
        free(oldest)
      }
    },
  }
}
