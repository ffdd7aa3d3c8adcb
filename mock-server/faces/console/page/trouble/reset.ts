import type { TargetFile } from '../../../../core/mock.ts'
import type { Page } from '../app.ts'
import { ask } from '../ask.ts'
import { element } from '../element.ts'

/** Puts the world back to its start, or another in its place. */
export function renderReset(current: number, { pulse, say }: Page): HTMLElement {
  const seed = element('input', { type: 'number', id: 'seed', value: current, step: 1, required: true })
  const reset = async (event: Event) => {
    event.preventDefault()
    await ask<TargetFile>('POST', '/control/reset', { seed: seed.valueAsNumber })
    await pulse.refresh()
    say(
      seed.valueAsNumber === current
        ? 'The world is as it was at the start.'
        : 'This is another world, with other credentials.',
    )
  }
  return element('section.card', { 'aria-labelledby': 'reset' }, [
    element('h2', { id: 'reset' }, 'World'),
    element('p.quiet', 'Puts everything back to the start. Another seed gives other ids and credentials.'),
    element('form.tools', { onsubmit: reset }, [
      element('label.choose', { for: 'seed' }, ['Seed', seed]),
      element('button', 'Reset'),
    ]),
  ])
}
