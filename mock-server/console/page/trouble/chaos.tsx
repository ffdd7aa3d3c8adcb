import type { Chaos } from '../../../mock/mock.ts'
import { Badge, Badges, Button, Card, Toggle } from '../parts/basic.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { describeFailure, usePage } from '../state.ts'

export const percent = (rate = 0) => Math.round(rate * 1000) / 10

const rates = [
  ['errorRate', 'Calls that fail with a 500'],
  ['dropRate', 'Calls that get no answer'],
  ['truncateRate', 'Answers that break off'],
] as const

/** Latency, failures and rate limits. What is out of bounds is not sent. */
export function ChaosCard({ chaos }: { readonly chaos: Chaos }) {
  const page = usePage()
  const [least, most] = chaos.latencyMs ?? [0, 0]
  const notes = describeFailure({ faults: [], chaos })
  const time = { unit: 'ms', min: 0, max: 60_000, step: 1 }
  return (
    <Card title="Chaos for all calls">
      <output class="row">
        {notes.length === 0 ? (
          <>
            <Badge tone="plain">off</Badge> Every call is answered at once.
          </>
        ) : (
          <Badges texts={notes} tone="warn" />
        )}
      </output>
      <div class="stack fields">
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
        {rates.map(([name, label]) => (
          <NumberField
            key={name}
            {...{ label, unit: '%', min: 0, max: 100, step: 0.1, value: percent(chaos[name]) }}
            change={value => page.setChaos({ [name]: value / 100 })}
          />
        ))}
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
    </Card>
  )
}
