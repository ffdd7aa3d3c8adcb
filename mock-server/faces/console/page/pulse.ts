import { sayChaos } from '../../../chaos/say-chaos.ts'
import type { Chaos } from '../../../core/mock.ts'
import { read } from './ask.ts'
import { element, fill } from './element.ts'

interface State {
  readonly faults: readonly string[]
  readonly chaos: Chaos
  readonly now: number
}

let place: HTMLElement | undefined
let state: State | undefined
let seenAt = 0
let isAway = false

/** Keeps in sight what the mock does on purpose, and its time. */
export function showPulse(at: HTMLElement): void {
  place = at
  void refreshPulse()
  setInterval(() => document.hidden || refreshPulse(), 3000)
  setInterval(draw, 1000)
}

/** Reads it again: after a change, nobody wants to wait. */
export async function refreshPulse(): Promise<void> {
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

/** The time of the mock, as far as it is known. */
export const mockNow = (): number => (state ? state.now + performance.now() - seenAt : Date.now())

let drawn = ''

function draw() {
  if (!place || (!state && !isAway)) return
  const notes = state && !isAway ? describe(state) : []
  const time = isAway ? '' : new Date(mockNow()).toISOString().slice(0, 19)
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

export function describe({ faults, chaos }: Omit<State, 'now'>): string[] {
  const broken = faults.length > 0 ? [`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`] : []
  return [...broken, ...sayChaos(chaos)]
}
