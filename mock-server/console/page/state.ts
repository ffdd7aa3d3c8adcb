import { signal } from '@preact/signals'
import { type ComponentChild, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { describeChaos } from '../../chaos/describe-chaos.ts'
import type { About, ListedWorld } from '../../faces/control/page/answers.ts'
import type { Chaos } from '../../mock/mock.ts'
import { createPutQueue, fetchJson, RefusalError, read, readAddress } from './control.ts'
import { toSecond } from './moments.ts'
import type { Description } from './parts/openapi.ts'

/** Faults, chaos and the clock of the mock: polled, and shown in the head of every view. */
interface MockStatus {
  readonly faults: readonly string[]
  readonly chaos: Chaos
  /** The clock of the mock, and `performance.now()` when it was read. */
  readonly at: number
  readonly readAt: number
  readonly isFrozen: boolean
}

/** The answer of `/control/clock`. */
interface ClockReading {
  readonly now: string
  readonly freeze: boolean
}

interface DialogState {
  readonly title: string
  readonly content: ComponentChild
}

export type Api = 'cloud' | 'selfHosted'

const pollMs = 3000
/** The interval while the mock does not answer. */
const offlinePollMs = 1000

/** The state that all views share. */
export type Page = ReturnType<typeof createPage>

export function createPage() {
  const address = signal(readAddress(location.hash))
  const status = signal<MockStatus | undefined>(undefined)
  /** The views that the program behind this page offers: `stack-parity proxy` only `calls`. Undefined until they are known. */
  const views = signal<readonly string[] | 'all' | undefined>(undefined)
  /** The worlds besides the first one. */
  const worlds = signal<readonly ListedWorld[]>([])
  /** Why the mock cannot be reached; empty while it can be. */
  const outage = signal('')
  /** Counts the ends of outages. After each, the view is rendered from scratch. */
  const reconnections = signal(0)
  const dialog = signal<DialogState | undefined>(undefined)
  /** The sentence at the foot of the page. */
  const notice = signal('')
  const descriptions = new Map<Api, Promise<Description>>()
  let noticeTimer: ReturnType<typeof setTimeout> | undefined

  const notify = (sentence: string) => {
    notice.value = sentence
    clearTimeout(noticeTimer)
    noticeTimer = setTimeout(() => {
      notice.value = ''
    }, 5000)
  }
  const isProxy = () => views.value !== undefined && views.value !== 'all'
  const readStatus = async () => {
    // A proxy has neither faults nor a clock.
    if (views.value !== 'all') views.value = (await read<Pick<About, 'views'>>('/control/about')).views ?? 'all'
    if (views.value !== 'all') return
    const [faults, chaos, clock, otherWorlds] = await Promise.all([
      read<readonly string[]>('/control/faults'),
      read<Chaos>('/control/chaos'),
      read<ClockReading>('/control/clock'),
      read<readonly ListedWorld[]>('/control/worlds'),
    ])
    worlds.value = otherWorlds
    const isFrozen = clock.freeze
    status.value = { faults, chaos, at: Date.parse(clock.now), readAt: performance.now(), isFrozen }
  }
  const refresh = async () => {
    try {
      await readStatus()
      if (outage.value) reconnections.value += 1
      outage.value = ''
    } catch (error) {
      const { message } = error as Error
      outage.value = isProxy() ? message.replace('The mock', 'The proxy') : message
    }
  }
  const poll = async () => {
    if (!document.hidden) await refresh()
    setTimeout(poll, outage.value ? offlinePollMs : pollMs)
  }
  const updateStatus = (part: Partial<MockStatus>) => {
    if (status.value) status.value = { ...status.value, ...part }
  }
  const putFaults = createPutQueue<MockStatus['faults']>('/control/faults', faults => updateStatus({ faults }))
  const putChaos = createPutQueue<Chaos>('/control/chaos', chaos => updateStatus({ chaos }))
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const isDark = signal(scheme.matches)

  void poll()
  addEventListener('mock-unreachable', () => outage.value || void refresh())
  addEventListener('hashchange', () => {
    address.value = readAddress(location.hash)
  })
  scheme.addEventListener('change', () => {
    isDark.value = scheme.matches
  })
  // Refusals that no view shows.
  addEventListener('unhandledrejection', event => {
    if (!(event.reason instanceof RefusalError)) return
    event.preventDefault()
    notify(event.reason.message)
  })

  return {
    address,
    status,
    views,
    worlds,
    outage,
    reconnections,
    dialog,
    notice,
    isDark,
    notify,
    /** Whether the program behind this page is `stack-parity proxy`: it offers the view of calls only. */
    isProxy,
    /** How many first reads by `useData` of the shown view are pending. */
    pending: signal(0),
    refresh,
    /** The time of the mock in epoch milliseconds; that of the browser until it is known. */
    now() {
      if (!status.value) return Date.now()
      const { at, readAt, isFrozen } = status.value
      return isFrozen ? at : Math.round(at + performance.now() - readAt)
    },
    open(title: string, content: ComponentChild) {
      dialog.value = { title, content }
    },
    close() {
      dialog.value = undefined
    },
    setFaults: (update: (faults: MockStatus['faults']) => MockStatus['faults']) =>
      putFaults(() => update(status.value?.faults ?? [])),
    setChaos: (part: Chaos) => putChaos(() => ({ ...status.value?.chaos, ...part })),
    async setClock(to: { now?: string; advanceMs?: number; freeze?: boolean }) {
      const { now, freeze } = await fetchJson<ClockReading>('PUT', '/control/clock', to)
      await refresh()
      notify(freeze ? `The clock stands still at ${toSecond(now)}.` : `It is ${toSecond(now)} now.`)
    },
    /** The OpenAPI description of an API, read once: the mock needs a tenth of a second for it. */
    describe(api: Api) {
      const description =
        descriptions.get(api) ?? read<Description>(`/control/openapi/${api === 'cloud' ? 'cloud' : 'self-hosted'}.json`)
      descriptions.set(api, description)
      description.catch(() => descriptions.delete(api))
      return description
    },
  }
}

/** The number of faults, and each kind of chaos, in a few words. */
export function describeDisturbances({ faults, chaos }: Pick<MockStatus, 'faults' | 'chaos'>): string[] {
  const faultCount = faults.length > 0 ? [`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`] : []
  return [...faultCount, ...describeChaos(chaos)]
}

export const PageContext = createContext<Page>(undefined as unknown as Page)
export const usePage = (): Page => useContext(PageContext)
