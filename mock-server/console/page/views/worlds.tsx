import { useState } from 'preact/hooks'
import type { ListedWorld } from '../../../faces/control/page/answers.ts'
import { readAbout } from '../about.ts'
import { addressOfWorld, ask, inWorld, read, worldId } from '../control.ts'
import { toMinute } from '../moments.ts'
import { Badge, Button, Choice, count, Form, LabelledInput, Unread } from '../parts/basic.tsx'
import { Deletion } from '../parts/dialog.tsx'
import { useReading } from '../reading.ts'
import { usePage } from '../state.ts'
import { ClockCard } from '../trouble/clock-card.tsx'

/** The worlds of this mock: which one the console shows, what it begins as, its snapshots and its clock. */
export function Worlds() {
  const { data, error, refresh } = useReading(
    async () => ({ about: await readAbout(), worlds: await read<readonly ListedWorld[]>('/control/worlds') }),
    [],
    3000,
  )
  if (!data) return <Unread title="Worlds" error={error} />
  const { about, worlds } = data
  return (
    <>
      <h1>Worlds</h1>
      <p class="quiet">
        Each world has credentials of its own on the same ports. A test that opens one by name disturbs nobody. The
        console shows one of them.
      </p>
      <ul class="worlds panel lined" aria-label="Worlds">
        <WorldItem id="" name="First world" refresh={refresh}>
          what a client is in that was given no other
        </WorldItem>
        {worlds.map(({ id, name, seed, calls, openedAt }) => (
          <WorldItem key={id} id={id} name={name ?? id} refresh={refresh}>
            {`seed ${seed}, ${count(calls, 'call')}, opened ${toMinute(openedAt)} UTC`}
          </WorldItem>
        ))}
      </ul>
      <div class="columns">
        <OpenCard scenarios={about.scenarios} refresh={refresh} />
        <ResetCard seed={about.seed} scenario={about.scenario} scenarios={about.scenarios} />
        <SnapshotCard />
        <ClockCard />
      </div>
    </>
  )
}

interface ItemProps {
  readonly id: string
  readonly name: string
  readonly refresh: () => Promise<void>
  readonly children: string
}

function WorldItem({ id, name, refresh, children }: ItemProps) {
  const { dialog } = usePage()
  const close = async () => {
    await ask('DELETE', `/control/worlds/${encodeURIComponent(id)}`)
    if (id === worldId) location.assign('/#/worlds')
    else await refresh()
  }
  const confirm = () => {
    dialog.value = {
      title: `Delete the world ${name}?`,
      content: (
        <Deletion how={`DELETE /control/worlds/${id}`} remove={close}>
          <p>It goes with all its records, and its credentials are refused from then on.</p>
        </Deletion>
      ),
    }
  }
  return (
    <li>
      <b>{name}</b>
      <small class="grows">{children}</small>
      {id === worldId ? <Badge tone="good">shown</Badge> : <a href={addressOfWorld(id, 'worlds')}>Show</a>}
      {id !== '' && (
        <Button act={confirm} class="copy" aria-label={`Delete the world ${name}`}>
          Delete
        </Button>
      )}
    </li>
  )
}

type Scenarios = Readonly<Record<string, string>>

function OpenCard({ scenarios, refresh }: { readonly scenarios: Scenarios; readonly refresh: () => Promise<void> }) {
  const page = usePage()
  const [name, setName] = useState('')
  const [seed, setSeed] = useState('')
  const [scenario, setScenario] = useState('')
  const open = async () => {
    const wanted = { ...(name && { name }), ...(seed && { seed: Number(seed) }), ...(scenario && { scenario }) }
    const { id } = await ask<{ id: string }>('POST', '/control/worlds', wanted)
    await refresh()
    page.notify(`The world ${id} is open.`)
  }
  return (
    <section class="card" aria-labelledby="open-world">
      <h2 id="open-world">Open a world</h2>
      <Form class="fields" submit={open}>
        <LabelledInput label="Name" value={name} placeholder="job-4711" pattern="[\w.\-]{1,100}" change={setName} />
        <LabelledInput label="Seed" type="number" step={1} placeholder="as the first" value={seed} change={setSeed} />
        <ScenarioChoice scenarios={scenarios} value={scenario} choose={setScenario} usual="as the first" />
        <p>
          <button type="submit">Open</button>
        </p>
      </Form>
    </section>
  )
}

interface ScenarioProps {
  readonly scenarios: Scenarios
  readonly value: string
  readonly choose: (scenario: string) => void
  readonly usual: string
}

const ScenarioChoice = ({ scenarios, value, choose, usual }: ScenarioProps) => (
  <>
    <Choice
      label="Scenario"
      options={[['', usual], ...Object.keys(scenarios).map(name => [name, name] as const)]}
      value={value}
      choose={choose}
    />
    <small>{scenarios[value]}</small>
  </>
)

function ResetCard({
  seed: current,
  scenario: begun,
  scenarios,
}: {
  seed: number
  scenario: string
  scenarios: Scenarios
}) {
  const page = usePage()
  const [seed, setSeed] = useState(String(current))
  const [scenario, setScenario] = useState('')
  const reset = async () => {
    await ask('POST', '/control/reset', { seed: Number(seed), ...(scenario && { scenario }) })
    await page.refresh()
    page.notify(
      Number(seed) === current && !scenario
        ? 'The world is as it was at the start.'
        : 'This is another world, with other credentials.',
    )
  }
  return (
    <section class="card" aria-labelledby="reset">
      <h2 id="reset">Reset</h2>
      <p class="quiet">
        Puts this world back to the start, without its stubs. Another seed gives other ids and credentials.
      </p>
      <Form class="fields" submit={reset}>
        <LabelledInput label="Seed" {...{ type: 'number', value: seed, step: 1, required: true }} change={setSeed} />
        <ScenarioChoice scenarios={scenarios} value={scenario} choose={setScenario} usual={`as it is: ${begun}`} />
        <p>
          <button type="submit">Reset</button>
        </p>
      </Form>
    </section>
  )
}

/** Snapshots of this page, which it forgets when it is closed, and files. */
function SnapshotCard() {
  const page = usePage()
  const [taken, setTaken] = useState<readonly { readonly name: string; readonly state: unknown }[]>([])
  const take = async () => {
    const state = await read('/control/state')
    setTaken([...taken, { name: `Snapshot ${taken.length + 1}, ${toMinute(page.now())} UTC`, state }])
  }
  const restore = async (state: unknown) => {
    await ask('PUT', '/control/state', state)
    await page.refresh()
    page.notify('The world is as in the snapshot.')
  }
  const restoreFile = async (file: File | undefined) => {
    if (file) await restore(JSON.parse(await file.text()))
  }
  return (
    <section class="card" aria-labelledby="snapshots">
      <h2 id="snapshots">Snapshots</h2>
      <p class="quiet">Records, loaded rows and the clock. Faults, chaos, choices and stubs stay as they are.</p>
      <ul>
        {taken.map(({ name, state }) => (
          <li key={name} class="tools">
            {name}
            <Button act={() => restore(state)} class="copy" aria-label={`Restore ${name}`}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
      <div class="tools">
        <Button act={take}>Take a snapshot</Button>
        <a class="button" download="world.json" href={inWorld('/control/state')}>
          Save as a file
        </a>
        <label class="choose">
          Restore a file
          <input
            type="file"
            accept="application/json"
            onChange={event => void restoreFile(event.currentTarget.files?.[0])}
          />
        </label>
      </div>
    </section>
  )
}
