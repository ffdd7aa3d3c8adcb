import type { Page } from './app.ts'
import { ask } from './ask.ts'
import { toSecond } from './moments.ts'
import { button } from './parts.ts'

export type Turn = (to: { now?: string; advanceMs?: number }) => Promise<void>

/** Sets the clock of the mock or puts it forward, and says what time it is then. */
export function createTurn({ pulse, say }: Page, then: () => unknown): Turn {
  return async to => {
    const { now } = await ask<{ now: string }>('PUT', '/control/clock', to)
    await pulse.refresh()
    await then()
    say(`It is ${toSecond(now)} now.`)
  }
}

const steps = [
  ['+ 1 minute', 60_000],
  ['+ 1 hour', 3_600_000],
  ['+ 1 day', 86_400_000],
] as const

/** Buttons that put the clock forward. */
export const forwardButtons = (turn: Turn): HTMLElement[] =>
  steps.map(([says, advanceMs]) => button(says, () => turn({ advanceMs })))
