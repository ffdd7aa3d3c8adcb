/** About 300 MiB: the logs of two weeks in two worlds, or of a day in 35. */
const defaultMaxRows = 1_000_000

/**
 * Limits the telemetry rows of all worlds in memory: above the limit, `free` is called for the least recently used
 * worlds.
 */
export function createRowBudget(free: (id: string) => void, max = defaultMaxRows) {
  /** In order of the last call. */
  const rowsById = new Map<string, number>()
  let total = 0

  const forget = (id: string) => {
    total -= rowsById.get(id) ?? 0
    rowsById.delete(id)
  }
  return {
    forget,
    /** Called after each call of a world with the number of its rows. */
    settle(id: string, rows: number) {
      forget(id)
      if (rows === 0) return
      total += rows
      rowsById.set(id, rows)
      for (const oldest of rowsById.keys()) {
        if (total <= max || oldest === id) return
        forget(oldest)
        free(oldest)
      }
    },
  }
}
