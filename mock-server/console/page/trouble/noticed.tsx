import { useState } from 'preact/hooks'
import { formNames } from '../about.ts'
import { read } from '../control.ts'
import { Badge } from '../parts/basic.tsx'
import { usePage } from '../state.ts'
import { SuiteRun } from './suite-run.tsx'

interface Verdict {
  readonly id: string
  readonly form: string
  readonly outcome: string
  readonly detail: string
}

/** Runs the suite against the mock with its faults, and lists the rules that it then finds broken. */
export function Noticed() {
  const faults = usePage().pulse.value?.faults ?? []
  const [broken, setBroken] = useState<readonly Verdict[] | undefined>(undefined)
  const done = async () => {
    const { rules } = await read<{ rules: readonly Verdict[] }>('/control/verify/report.json')
    setBroken(rules.filter(({ outcome }) => outcome === 'broken'))
  }
  const missed = faults.filter(id => broken?.every(one => one.id !== id))
  return (
    <div class="stack">
      <SuiteRun label="Run the suite against this" done={done} />
      {broken && (
        <div>
          {broken.length === 0 && <p class="notice calm">The suite finds no rule broken.</p>}
          {missed.map(id => (
            <p key={id} class="notice">
              Broken on purpose, and not found broken: <code>{id}</code>
            </p>
          ))}
          {broken.length > 0 && (
            <ul class="noticed listing panel lined">
              {broken.map(({ id, form, detail }) => (
                <li key={`${id} ${form}`}>
                  <code>{id}</code> <Badge tone="plain">{formNames[form] ?? form}</Badge>
                  {!faults.includes(id) && [' ', <Badge tone="note">not by a fault of its own</Badge>]}
                  <p class="quiet">{detail}</p>
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href="#/conformance">The whole report</a>
          </p>
        </div>
      )}
    </div>
  )
}
