import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { About, ArrangedWorld, ListedWorld } from '../../../faces/control/page/answers.ts'
import { addressOfWorld, fetchJson, inWorld, read, readAbout, worldId } from '../control.ts'
import { toLocal, toMinute, toSecond } from '../moments.ts'
import { ConfirmDeletion } from '../parts/dialog.tsx'
import {
  Badge,
  Button,
  Card,
  Form,
  formatCount,
  LabelledInput,
  LabelledSelect,
  Select,
  ViewWithoutData,
} from '../parts/elements.tsx'
import { ForwardButtons } from '../parts/forward-buttons.tsx'
import { useData, useTick } from '../reading.ts'
import { usePage } from '../state.ts'

/** Opens, shows, resets and deletes worlds, takes their snapshots, and sets their clock. */
export function Worlds() {
  const { data, error, refresh } = useData(
    async () => ({ about: await readAbout(), worlds: await read<readonly ListedWorld[]>('/control/worlds') }),
    [],
    3000,
  )
  if (!data) return <ViewWithoutData title="Worlds" error={error} />
  const { about, worlds } = data
  return (
    <>
      <h1>Worlds</h1>
      <p class="quiet">
        Each world has credentials of its own on the same ports. A test that opens one by name disturbs nobody. The
        console shows one of them.
      </p>
      <ul class="listing panel lined" aria-label="Worlds">
        <WorldItem id="" name="First world" refresh={refresh}>
          for clients without credentials of another world
        </WorldItem>
        {worlds.map(({ id, name, seed, calls, openedAt }) => (
          <WorldItem key={id} id={id} name={name ?? id} refresh={refresh}>
            {`seed ${seed}, ${formatCount(calls, 'call')}, opened ${toMinute(openedAt)} UTC`}
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
  const { open } = usePage()
  const close = async () => {
    await fetchJson('DELETE', `/control/worlds/${encodeURIComponent(id)}`)
    if (id === worldId) location.assign('/#/worlds')
    else await refresh()
  }
  const confirm = () =>
    open(
      `Delete the world ${name}?`,
      <ConfirmDeletion request={`DELETE /control/worlds/${id}`} remove={close}>
        <p>It is deleted with all its records, and its credentials are refused from then on.</p>
      </ConfirmDeletion>,
    )
  return (
    <li class="row">
      <b>{name}</b>
      <small class="grows">{children}</small>
      {id === worldId ? <Badge tone="good">shown</Badge> : <a href={addressOfWorld(id, 'worlds')}>Show</a>}
      {id !== '' && (
        <Button onClick={confirm} class="copy" aria-label={`Delete the world ${name}`}>
          Delete
        </Button>
      )}
    </li>
  )
}

type Scenarios = Readonly<Record<string, string>>

interface WorldFormProps {
  readonly title: string
  readonly verb: string
  readonly scenarios: Scenarios
  /** The initial seed; empty if the field is optional. */
  readonly seed: string
  /** The label of the default scenario. */
  readonly defaultLabel: string
  readonly submit: (from: { seed?: number; scenario?: string }) => Promise<unknown>
  readonly children: ComponentChildren
}

function WorldForm({ title, verb, scenarios, seed: initial, defaultLabel, submit, children }: WorldFormProps) {
  const [seed, setSeed] = useState(initial)
  const [scenario, setScenario] = useState('')
  const options = [['', defaultLabel], ...Object.keys(scenarios).map(name => [name, name] as const)] as const
  return (
    <Card title={title}>
      <Form
        class="fields"
        submit={() => submit({ ...(seed && { seed: Number(seed) }), ...(scenario && { scenario }) })}
      >
        {children}
        <LabelledInput
          {...{ label: 'Seed', type: 'number', step: 1, placeholder: 'as the first', required: initial !== '' }}
          value={seed}
          change={setSeed}
        />
        <LabelledSelect label="Scenario" options={options} value={scenario} choose={setScenario} />
        <small>{scenarios[scenario]}</small>
        <p>
          <button type="submit">{verb}</button>
        </p>
      </Form>
    </Card>
  )
}

const withLeftOut = (done: string, { leftOut = [] }: ArrangedWorld) =>
  [done, ...leftOut.map(sentence => `${sentence}.`)].join(' ')

function OpenCard({ scenarios, refresh }: { readonly scenarios: Scenarios; readonly refresh: () => Promise<void> }) {
  const page = usePage()
  const [name, setName] = useState('')
  const open = async (from: object) => {
    const opened = await fetchJson<ArrangedWorld & { id: string }>('POST', '/control/worlds', {
      ...(name && { name }),
      ...from,
    })
    await refresh()
    page.notify(withLeftOut(`The world ${opened.id} is open.`, opened))
  }
  return (
    <WorldForm title="Open a world" verb="Open" seed="" defaultLabel="as the first" scenarios={scenarios} submit={open}>
      <LabelledInput label="Name" value={name} placeholder="job-4711" pattern="[\w.\-]{1,100}" change={setName} />
    </WorldForm>
  )
}

function ResetCard({ seed, scenario, scenarios }: Pick<About, 'seed' | 'scenario' | 'scenarios'>) {
  const page = usePage()
  const submit: WorldFormProps['submit'] = async from => {
    const arranged = await fetchJson<ArrangedWorld>('POST', '/control/reset', from)
    await page.refresh()
    const isSame = from.seed === seed && !from.scenario
    const done = isSame ? 'The world is as it was at the start.' : 'This is another world, with other credentials.'
    page.notify(withLeftOut(done, arranged))
  }
  return (
    <WorldForm
      title="Reset"
      verb="Reset"
      seed={String(seed)}
      defaultLabel={`as it is: ${scenario}`}
      {...{ scenarios, submit }}
    >
      <p class="quiet">
        Puts this world back to the start, without its stubs. Another seed gives other ids and credentials.
      </p>
    </WorldForm>
  )
}

/** Takes and restores snapshots, as files or in the memory of the page. */
function SnapshotCard() {
  const page = usePage()
  const [snapshots, setSnapshots] = useState<readonly { readonly name: string; readonly state: unknown }[]>([])
  const takeSnapshot = async () => {
    const state = await read('/control/state')
    setSnapshots([...snapshots, { name: `Snapshot ${snapshots.length + 1}, ${toMinute(page.now())} UTC`, state }])
  }
  const restore = async (state: unknown) => {
    await fetchJson('PUT', '/control/state', state)
    await page.refresh()
    page.notify('The world is as in the snapshot.')
  }
  const restoreFile = async (file: File | undefined) => {
    if (file) await restore(JSON.parse(await file.text()))
  }
  return (
    <Card title="Snapshots">
      <p class="quiet">
        A snapshot has the records, loaded rows and the clock. Faults, chaos, choices and stubs stay as they are.
      </p>
      <ul>
        {snapshots.map(({ name, state }) => (
          <li key={name} class="row">
            {name}
            <Button onClick={() => restore(state)} class="copy" aria-label={`Restore ${name}`}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
      <div class="row">
        <Button onClick={takeSnapshot}>Take a snapshot</Button>
        <a class="button" download="world.json" href={inWorld('/control/state')}>
          Save as a file
        </a>
        <label class="button">
          Restore a file
          <input
            class="offscreen"
            type="file"
            accept="application/json"
            onChange={event => void restoreFile(event.currentTarget.files?.[0])}
          />
        </label>
      </div>
    </Card>
  )
}

/** Shows the clock of the mock in UTC and in local time, moves it forward, sets it, and freezes it. */
function ClockCard() {
  const page = usePage()
  useTick(1000)
  const [moment, setMoment] = useState(new Date(page.now()).toISOString().slice(0, 19))
  const [zone, setZone] = useState('Z')
  const zones = [
    ['Z', 'UTC'],
    ['', Intl.DateTimeFormat().resolvedOptions().timeZone],
  ] as const
  // Without a Z, Date parses a time of the browser's time zone.
  const set = () => page.setClock({ now: new Date(`${moment}${zone}`).toISOString() })
  const isFrozen = page.status.value?.isFrozen ?? false
  return (
    <Card title="Clock">
      <p class="row">
        <time class="clock">{`${toSecond(page.now())} UTC`}</time>
        <small>
          here: <time>{toLocal(page.now())}</time>
        </small>
        {isFrozen && <Badge tone="note">frozen</Badge>}
      </p>
      <div class="row">
        <ForwardButtons />
        <Button onClick={() => page.setClock({ now: new Date().toISOString() })}>Real time</Button>
        <Button onClick={() => page.setClock({ freeze: !isFrozen })}>{isFrozen ? 'Resume' : 'Freeze'}</Button>
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
