import { useState } from 'preact/hooks'
import type { Disturbances } from '../../../chaos/chaos.ts'
import type { Chaos } from '../../../mock/mock.ts'
import { Button, Card, Form, OperationInput } from '../parts/basic.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { usePage } from '../state.ts'
import { StubForm } from '../stubs/stub-form.tsx'
import { percent } from './chaos.tsx'

interface CardProps {
  readonly chaos: Chaos
  readonly operations: readonly string[]
}

/** Latency, errors and stubs of single operations, in the place of what holds for all. */
export function ByOperation({ chaos, operations }: CardProps) {
  const page = usePage()
  const [typed, type] = useState('')
  const all: Readonly<Record<string, Disturbances>> = chaos.byOperation ?? {}
  const set = (id: string, own: Disturbances | undefined) =>
    page.setChaos({
      byOperation: Object.fromEntries([...Object.entries({ ...all, [id]: own })].filter(([, one]) => one)),
    })
  const add = () => {
    void set(typed, all[typed] ?? {})
    type('')
  }
  const stub = (operation: string) => {
    const begun = { when: { operation }, answer: { status: 503, body: { message: 'busy' } } }
    page.open(`Stub ${operation}`, <StubForm begun={begun} done={() => {}} />)
  }
  return (
    <Card title="By operation">
      <p class="quiet">What is set here for an operation replaces the chaos of all.</p>
      {Object.entries(all).map(([id, { latencyMs = [0, 0], errorRate }]) => (
        <fieldset key={id} class="fields">
          <legend>
            <code>{id}</code>
          </legend>
          <NumberField
            {...{ unit: 'ms', min: 0, max: 60_000, step: 1 }}
            label={`Wait of ${id}`}
            value={latencyMs[1]}
            change={ms => set(id, { ...all[id], latencyMs: [ms, ms] })}
          />
          <NumberField
            {...{ unit: '%', min: 0, max: 100, step: 0.1 }}
            label={`Calls of ${id} that fail`}
            value={percent(errorRate)}
            change={rate => set(id, { ...all[id], errorRate: rate / 100 })}
          />
          <p class="row">
            <Button act={() => stub(id)} class="copy" aria-label={`Stub ${id}`}>
              Stub it
            </Button>
            <Button act={() => set(id, undefined)} class="copy" aria-label={`As all: ${id}`}>
              As all
            </Button>
          </p>
        </fieldset>
      ))}
      <Form class="row" submit={add}>
        <OperationInput {...{ operations, value: typed, required: true, placeholder: 'alert.list', change: type }} />
        <button type="submit">Set for this operation</button>
      </Form>
    </Card>
  )
}
