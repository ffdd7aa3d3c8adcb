import { sayChaos } from '../../../chaos/say-chaos.ts'
import type { Chaos } from '../../../core/mock.ts'
import { read } from './ask.ts'
import { element, fill } from './element.ts'
import { createUpdate } from './parts.ts'

interface State {
  readonly faults: readonly string[]
  readonly chaos: Chaos
  readonly now: number
}

/** What the mock does on purpose, and its time, kept in sight on every page. */
export interface Pulse {
  /** The time of the mock, as far as it is known. */
  now(): number
  /** Reads it again: after a change, nobody wants to wait. */
  refresh(): Promise<void>
}

const everyMs = 3000
/** A mock that comes back is not waited for longer than this. */
const everyMsAway = 1000

/** Shows the pulse in a place, and reads it again and again. A mock that went says so across the page; `back` draws it anew. */
export function createPulse(place: HTMLElement, away: HTMLElement, back: () => unknown): Pulse {
  let state: State | undefined
  let seenAt = 0
  let why = ''
  const update = createUpdate()

  const now = () => (state ? state.now + performance.now() - seenAt : Date.now())
  const draw = () => {
    if (!state) return
    const notes = why ? [] : describe(state)
    const time = why ? '' : new Date(now()).toISOString().slice(0, 19)
    update(place, [notes, time], () => [
      notes.map(note => element('a.badge.warn', { href: '#/trouble' }, note)),
      time &&
        element('time', { datetime: `${time}Z`, title: `The clock of the mock; here it is ${local(now())}` }, [
          time.replace('T', ' '),
          ' UTC',
        ]),
    ])
  }
  const tell = (sentence: string) => {
    if (sentence === why) return
    const isBack = why !== '' && sentence === ''
    why = sentence
    document.body.classList.toggle('is-away', why !== '')
    fill(away, [
      why && [element('b', why), ' What stands below may be old. This page goes on by itself when it is back.'],
    ])
    if (isBack) back()
  }
  const refresh = async () => {
    try {
      const [faults, chaos, clock] = await Promise.all([
        read<readonly string[]>('/control/faults'),
        read<Chaos>('/control/chaos'),
        read<{ now: string }>('/control/clock'),
      ])
      state = { faults, chaos, now: Date.parse(clock.now) }
      seenAt = performance.now()
      tell('')
    } catch (error) {
      tell((error as Error).message)
    }
    draw()
  }
  const round = async () => {
    if (!document.hidden) await refresh()
    setTimeout(round, why ? everyMsAway : everyMs)
  }
  void round()
  setInterval(draw, 1000)
  // Whichever view finds that nobody answers: the page says it at once.
  addEventListener('unreached', () => why || void refresh())
  return { now, refresh }
}

/** A moment by the clock on the wall of whoever looks, with the name of its zone. */
export const local = (moment: number): string =>
  new Date(moment).toLocaleString('en-GB', {
    ...{ year: 'numeric', month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    timeZoneName: 'short',
  })

export function describe({ faults, chaos }: Omit<State, 'now'>): string[] {
  const broken = faults.length > 0 ? [`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`] : []
  return [...broken, ...sayChaos(chaos)]
}
