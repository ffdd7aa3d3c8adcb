import { useState } from 'preact/hooks'
import { toLocal, toSecond } from '../moments.ts'
import { Button, Card, Form, LabelledInput, Select } from '../parts/basic.tsx'
import { ForwardButtons } from '../parts/clock.tsx'
import { useTick } from '../reading.ts'
import { usePage } from '../state.ts'

/** The clock of the mock, in UTC and as it is here; put forward by buttons, or set to a moment. */
export function ClockCard() {
  const page = usePage()
  useTick(1000)
  const [moment, setMoment] = useState(new Date(page.now()).toISOString().slice(0, 19))
  const [zone, setZone] = useState('Z')
  const zones = [
    ['Z', 'UTC'],
    ['', Intl.DateTimeFormat().resolvedOptions().timeZone],
  ] as const
  // Without a Z it is a moment of the time zone of the browser.
  const set = () => page.setClock({ now: new Date(`${moment}${zone}`).toISOString() })
  return (
    <Card title="Clock">
      <p class="row">
        <time class="clock">{`${toSecond(page.now())} UTC`}</time>
        <small>
          here: <time>{toLocal(page.now())}</time>
        </small>
      </p>
      <div class="row">
        <ForwardButtons />
        <Button act={() => page.setClock({ now: new Date().toISOString() })}>Real time</Button>
      </div>
      <Form class="row" submit={set}>
        <LabelledInput
          label="Set to"
          {...{ type: 'datetime-local', step: 1, required: true, value: moment }}
          change={setMoment}
        />
        <Select options={zones} value={zone} choose={setZone} aria-label="Time zone" />
        <button type="submit">Set</button>
      </Form>
    </Card>
  )
}
