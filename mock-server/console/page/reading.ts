import { type ComponentType, h } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ViewWithoutData } from './parts/elements.tsx'
import { usePage } from './state.ts'

interface Reading<T> {
  readonly data?: T
  /** Why the last request failed; `data` is then that of an earlier one. */
  readonly error?: string
}

/**
 * Reads data for a view; with `everyMs` it polls while the page is visible. The page is marked as busy until the first
 * answer. If answers overtake each other, that of the latest request counts. Unchanged data keeps its identity.
 */
export function useData<T>(
  load: () => Promise<T>,
  dependencies: readonly unknown[],
  everyMs?: number,
): Reading<T> & { readonly refresh: () => Promise<void> } {
  const { pending } = usePage()
  const [reading, setReading] = useState<Reading<T>>({})
  const latestLoad = useRef(load)
  latestLoad.current = load
  const latestRequest = useRef(0)
  const refresh = useCallback(async () => {
    const request = ++latestRequest.current
    const next = await latestLoad.current().then(
      data => ({ data }),
      (error: Error) => ({ error: error.message }),
    )
    if (request !== latestRequest.current) return
    setReading(previous => ('error' in next ? { ...previous, ...next } : isSame(previous, next) ? previous : next))
  }, [])
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const repeat = () => {
      if (everyMs !== undefined) timer = setTimeout(poll, everyMs)
    }
    const poll = async () => {
      const currentTimer = timer
      if (!document.hidden) await refresh()
      // Unless this effect was cleaned up meanwhile.
      if (timer === currentTimer) repeat()
    }
    pending.value += 1
    void refresh().finally(() => {
      pending.value -= 1
    })
    repeat()
    return () => {
      clearTimeout(timer)
      timer = undefined
      latestRequest.current += 1
    }
  }, dependencies)
  return { ...reading, refresh }
}

const isSame = (previous: Reading<unknown>, { data }: { readonly data: unknown }) =>
  previous.error === undefined && 'data' in previous && JSON.stringify(previous.data) === JSON.stringify(data)

/** Renders again at an interval, for a component that shows the time. */
export function useTick(everyMs: number): void {
  const [, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTicks(ticks => ticks + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}

/** Follows a value with a delay: once it has not changed for some milliseconds. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}

/** A component that is loaded when it is first rendered. The title is that of a whole view. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  title?: string,
): ComponentType<Props> {
  return props => {
    const { data: Loaded, error } = useData(load, [])
    if (Loaded) return h(Loaded, props)
    const why = error && `A part of this page could not be loaded: ${error}. Load the page again.`
    return h(ViewWithoutData, { title, error: why })
  }
}
