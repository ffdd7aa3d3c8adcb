import { useState } from 'preact/hooks'
import { ask } from '../control.ts'
import { usePage } from '../state.ts'

/** Puts the world back to its start, or another in its place. */
export function ResetCard({ seed: current }: { readonly seed: number }) {
  const page = usePage()
  const [seed, setSeed] = useState(current)
  const reset = async () => {
    await ask('POST', '/control/reset', { seed })
    await page.refresh()
    page.notify(
      seed === current ? 'The world is as it was at the start.' : 'This is another world, with other credentials.',
    )
  }
  return (
    <section class="card" aria-labelledby="reset">
      <h2 id="reset">World</h2>
      <p class="quiet">Puts everything back to the start. Another seed gives other ids and credentials.</p>
      <form
        class="tools"
        onSubmit={event => {
          event.preventDefault()
          void reset()
        }}
      >
        <label class="choose" for="seed">
          Seed
          <input
            {...{ type: 'number', id: 'seed', value: seed, step: 1, required: true }}
            onInput={event => setSeed(event.currentTarget.valueAsNumber)}
          />
        </label>
        <button type="submit">Reset</button>
      </form>
    </section>
  )
}
