import { type ComponentType, h } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { usePage } from './state.ts'

interface Reading<T> {
  readonly data?: T
  /** Why the last attempt failed; `data` is then that of the attempt before. */
  readonly error?: string
}

/**
 * Reads data for a view; with `everyMs` it polls while the page is visible. The page is marked as busy until the first
 * answer. When answers overtake each other, that of the newest request counts. Data that did not change keeps its identity.
 */
export function useData<T>(
  work: () => Promise<T>,
  dependencies: readonly unknown[],
  everyMs?: number,
): Reading<T> & { readonly refresh: () => Promise<void> } {
  const { pending } = usePage()
  const [reading, setReading] = useState<Reading<T>>({})
  const latest = useRef(work)
  latest.current = work
  const turn = useRef(0)
  const refresh = useCallback(async () => {
    const own = ++turn.current
    const next = await latest.current().then(
      data => ({ data }),
      (error: Error) => ({ error: error.message }),
    )
    if (own !== turn.current) return
    setReading(before => ('error' in next ? { ...before, ...next } : isSame(before, next) ? before : next))
  }, [])
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const repeat = () => {
      if (everyMs !== undefined) timer = setTimeout(round, everyMs)
    }
    const round = async () => {
      const isShown = timer
      if (!document.hidden) await refresh()
      if (timer === isShown) repeat()
    }
    pending.value += 1
    void refresh().finally(() => {
      pending.value -= 1
    })
    repeat()
    return () => {
      clearTimeout(timer)
      timer = undefined
      turn.current += 1
    }
  }, dependencies)
  return { ...reading, refresh }
}

const isSame = (before: Reading<unknown>, { data }: { readonly data: unknown }) =>
  before.error === undefined && 'data' in before && JSON.stringify(before.data) === JSON.stringify(data)

/** Renders again at an interval, for a component that shows the time. */
export function useTick(everyMs: number): void {
  const [, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTicks(ticks => ticks + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}

/** A value once it has not changed for some milliseconds. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}

/** A component that is loaded when it is first rendered. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return props => {
    const { data: Loaded } = useData(load, [])
    return Loaded ? h(Loaded, props) : null
  }
}
