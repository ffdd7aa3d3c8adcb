import { useState } from 'preact/hooks'
import type { Disturbances } from '../../../chaos/chaos.ts'
import type { ListedChoice } from '../../../faces/control/page/answers.ts'
import type { Chaos } from '../../../mock/mock.ts'
import { fetchJson, formNames, readAbout } from '../control.ts'
import { RuleTree } from '../faults/rules.tsx'
import {
  Badge,
  Badges,
  Button,
  Card,
  Failure,
  Form,
  OperationInput,
  SearchField,
  Select,
  Table,
  Toggle,
  ViewWithoutData,
  wordsIn,
} from '../parts/elements.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { useData } from '../reading.ts'
import { describeDisturbances, usePage } from '../state.ts'
import { StubForm } from './stubs.tsx'

/** Chaos, broken rules, and the choices where the specification is silent. */
export function Faults() {
  const page = usePage()
  const readAll = async () => {
    await page.refresh()
    return readAbout()
  }
  const { data: about, error, refresh } = useData(readAll, [])
  const state = page.status.value
  return (
    <>
      <h1>Faults</h1>
      {about ? <Failure error={error} /> : <ViewWithoutData error={error} />}
      {about && state && (
        <>
          <div class="columns">
            <ChaosCard chaos={state.chaos} />
            <OperationsCard chaos={state.chaos} operations={about.operations} />
          </div>
          <RuleTree rules={about.rules} faults={state.faults} canVerify={about.canVerify} />
          <Choices choices={about.choices} refresh={refresh} />
        </>
      )}
    </>
  )
}

const waitBounds = { unit: 'ms', min: 0, max: 60_000, step: 1 }
const rateBounds = { unit: '%', min: 0, max: 100, step: 0.1 }
const percent = (share = 0) => Math.round(share * 1000) / 10
const rates = [
  ['errorRate', 'Calls that fail with a 500'],
  ['dropRate', 'Calls that get no answer'],
  ['truncateRate', 'Answers that break off'],
] as const
const noChaos: Chaos = { latencyMs: [0, 0], errorRate: 0, dropRate: 0, truncateRate: 0, rateLimit: false }

/** Latency, failures and rate limits of all calls. A number that is out of bounds is not sent. */
function ChaosCard({ chaos }: { readonly chaos: Chaos }) {
  const { setChaos } = usePage()
  const [min, max] = chaos.latencyMs ?? [0, 0]
  return (
    <Card title="Chaos for all calls">
      <Badges
        texts={describeDisturbances({ faults: [], chaos })}
        tone="warn"
        whenEmpty={['off', 'Every call is answered at once.']}
      />
      <div class="stack fields">
        {/* The bound that was not typed follows the other. */}
        <NumberField
          {...{ ...waitBounds, label: 'Wait at least', value: min }}
          onCommit={low => setChaos({ latencyMs: [low, Math.max(low, max)] })}
        />
        <NumberField
          {...{ ...waitBounds, label: 'and at most', value: max }}
          onCommit={high => setChaos({ latencyMs: [Math.min(min, high), high] })}
        />
        {rates.map(([name, label]) => (
          <NumberField
            key={name}
            {...{ ...rateBounds, label, value: percent(chaos[name]) }}
            onCommit={value => setChaos({ [name]: value / 100 })}
          />
        ))}
      </div>
      <Toggle isOn={chaos.rateLimit ?? false} change={rateLimit => setChaos({ rateLimit })}>
        The rate limits of the real deployments
      </Toggle>
      <p>
        <Button onClick={() => setChaos(noChaos)}>No chaos</Button>
      </p>
    </Card>
  )
}

/** Latency, errors and stubs of single operations, instead of the chaos for all calls. */
function OperationsCard({ chaos, operations }: { readonly chaos: Chaos; readonly operations: readonly string[] }) {
  const page = usePage()
  const [typed, setTyped] = useState('')
  const all: Readonly<Record<string, Disturbances>> = chaos.byOperation ?? {}
  const setOwn = (id: string, own: Disturbances | undefined) =>
    page.setChaos({ byOperation: Object.fromEntries(Object.entries({ ...all, [id]: own }).filter(([, one]) => one)) })
  const add = () => {
    void setOwn(typed, all[typed] ?? {})
    setTyped('')
  }
  const stub = (operation: string) => {
    const initial = { when: { operation }, answer: { status: 503, body: { message: 'busy' } } }
    page.open(`Stub ${operation}`, <StubForm initial={initial} done={() => {}} />)
  }
  return (
    <Card title="By operation">
      <p class="quiet">The settings of an operation replace the chaos for all calls.</p>
      {Object.entries(all).map(([id, own]) => (
        <fieldset key={id} class="fields">
          <legend>
            <code>{id}</code>
          </legend>
          <NumberField
            {...{ ...waitBounds, label: `Wait of ${id}`, value: own.latencyMs?.[1] ?? 0 }}
            onCommit={ms => setOwn(id, { ...own, latencyMs: [ms, ms] })}
          />
          <NumberField
            {...{ ...rateBounds, label: `Calls of ${id} that fail`, value: percent(own.errorRate) }}
            onCommit={value => setOwn(id, { ...own, errorRate: value / 100 })}
          />
          <p class="row">
            <Button onClick={() => stub(id)} class="copy" aria-label={`Stub ${id}`}>
              Stub
            </Button>
            <Button onClick={() => setOwn(id, undefined)} class="copy" aria-label={`Remove ${id}`}>
              Remove
            </Button>
          </p>
        </fieldset>
      ))}
      <Form class="row" submit={add}>
        <OperationInput
          {...{ operations, value: typed, required: true, placeholder: 'alert.list', change: setTyped }}
        />
        <button type="submit">Set for this operation</button>
      </Form>
    </Card>
  )
}

/** The choices of the gaps. Without a search, only those that differ from the defaults are listed. */
function Choices({ choices, refresh }: { choices: readonly ListedChoice[]; refresh: () => Promise<void> }) {
  const [search, setSearch] = useState('')
  const words = wordsIn(search)
  const changed = choices.filter(({ defaultChoice, choice }) => defaultChoice !== choice)
  const matches = ({ id, form, question, reason }: ListedChoice) => {
    const text = `${id} ${formNames[form]} ${question} ${reason}`.toLowerCase()
    return words.every(word => text.includes(word))
  }
  const shown = words.length === 0 ? changed : choices.filter(matches)
  const choose = async ({ form, id }: ListedChoice, value: string) => {
    await fetchJson('PUT', '/control/choices', { [form]: { [id]: value } })
    await refresh()
  }
  return (
    <section aria-labelledby="choices">
      <h2 id="choices">Choices where the specification is silent</h2>
      <p class="quiet">
        {changed.length === 0
          ? `All ${choices.length} are the defaults.`
          : `${changed.length} of ${choices.length} differ from the defaults.`}{' '}
        A choice takes effect with the next call. --as takes all choices of a deployment, --gaps random ones by a seed.
      </p>
      <div class="row">
        <SearchField
          placeholder="Find a choice: pagination, unknown id, 404"
          label="Find a choice"
          value={search}
          change={setSearch}
        />
        <output class="quiet">{words.length > 0 && `${shown.length} of ${choices.length}`}</output>
      </div>
      {shown.length > 0 && (
        <Table
          label="Choices"
          columns={['Question', 'Section', 'Form', 'Taken']}
          rows={shown.slice(0, 60).map(listed => {
            const { id, question, section, form, choice = '', defaultChoice, reason, choices: all } = listed
            const options = [...new Set([choice, ...all])].map(one => [one, one] as const)
            return [
              <span title={reason}>
                {question} <code>{id}</code>
              </span>,
              `§${section}`,
              formNames[form] ?? form,
              <span class="row">
                <Select
                  options={options}
                  value={choice}
                  choose={value => choose(listed, value)}
                  aria-label={`${id}, ${formNames[form]}`}
                />
                {choice !== defaultChoice && <Badge tone="note">{`instead of ${defaultChoice}`}</Badge>}
              </span>,
            ]
          })}
        />
      )}
    </section>
  )
}
