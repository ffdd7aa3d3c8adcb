import type { Chaos } from '../../../core/mock.ts'
import { Badge, Badges, Button, Toggle } from '../parts/basic.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { describeTrouble, usePage } from '../state.ts'

export const percent = (rate = 0) => Math.round(rate * 1000) / 10

/** Latency, failures and rate limits. What is out of bounds is not sent. */
export function ChaosCard({ chaos }: { readonly chaos: Chaos }) {
  const page = usePage()
  const [least, most] = chaos.latencyMs ?? [0, 0]
  const notes = describeTrouble({ faults: [], chaos })
  const time = { unit: 'ms', min: 0, max: 60_000, step: 1 }
  const share = { unit: '%', min: 0, max: 100, step: 0.1 }
  const setRate = (name: 'errorRate' | 'dropRate' | 'truncateRate') => (value: number) =>
    page.setChaos({ [name]: value / 100 })
  return (
    <section class="card" aria-labelledby="chaos">
      <h2 id="chaos">Chaos for all calls</h2>
      <output class="state">
        {notes.length === 0 ? (
          <>
            <Badge tone="plain">off</Badge> Every call is answered at once.
          </>
        ) : (
          <Badges texts={notes} tone="warn" />
        )}
      </output>
      <div class="fields">
        {/* The bound that was not typed follows the other. */}
        <NumberField
          {...time}
          label="Wait at least"
          value={least}
          change={low => page.setChaos({ latencyMs: [low, Math.max(low, most)] })}
        />
        <NumberField
          {...time}
          label="and at most"
          value={most}
          change={high => page.setChaos({ latencyMs: [Math.min(least, high), high] })}
        />
        <NumberField
          {...share}
          label="Calls that fail with a 500"
          value={percent(chaos.errorRate)}
          change={setRate('errorRate')}
        />
        <NumberField
          {...share}
          label="Calls that get no answer"
          value={percent(chaos.dropRate)}
          change={setRate('dropRate')}
        />
        <NumberField
          {...share}
          label="Answers that break off"
          value={percent(chaos.truncateRate)}
          change={setRate('truncateRate')}
        />
      </div>
      <Toggle isOn={chaos.rateLimit ?? false} change={rateLimit => page.setChaos({ rateLimit })}>
        The rate limits of the real deployments
      </Toggle>
      <p>
        <Button
          act={() => page.setChaos({ latencyMs: [0, 0], errorRate: 0, dropRate: 0, truncateRate: 0, rateLimit: false })}
        >
          No chaos
        </Button>
      </p>
    </section>
  )
}
