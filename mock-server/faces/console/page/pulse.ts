import { sayChaos } from '../../../chaos/say-chaos.ts'
import type { Chaos } from '../../../core/mock.ts'
import { read } from './ask.ts'
import { element, fill } from './element.ts'

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

/** Shows the pulse in a place, and reads it again and again. */
export function createPulse(place: HTMLElement): Pulse {
  let state: State | undefined
  let seenAt = 0
  let isAway = false
  let drawn = ''

  const now = () => (state ? state.now + performance.now() - seenAt : Date.now())
  const draw = () => {
    if (!state && !isAway) return
    const notes = state && !isAway ? describe(state) : []
    const time = isAway ? '' : new Date(now()).toISOString().slice(0, 19)
    const next = `${notes.join()}${time}${isAway}`
    if (next === drawn) return
    drawn = next
    fill(
      place,
      isAway && element('span', { class: 'badge bad' }, 'not running'),
      notes.map(note => element('a', { href: '#/trouble', class: 'badge warn' }, note)),
      time && element('time', { datetime: `${time}Z`, title: 'The clock of the mock, UTC' }, time.replace('T', ' ')),
    )
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
      isAway = false
    } catch {
      isAway = true
    }
    draw()
  }
  void refresh()
  setInterval(() => document.hidden || refresh(), 3000)
  setInterval(draw, 1000)
  return { now, refresh }
}

export function describe({ faults, chaos }: Omit<State, 'now'>): string[] {
  const broken = faults.length > 0 ? [`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`] : []
  return [...broken, ...sayChaos(chaos)]
}
