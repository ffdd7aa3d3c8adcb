import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { sectionTitles } from '../../../../fixtures/contract/section-titles.ts'
import type { ListedRule } from '../../../faces/control/page/answers.ts'
import { groupBy } from '../../../words/group-by.ts'
import { formNames, read } from '../control.ts'
import { Badge, Badges, BlockableButton, SearchField, Toggle, wordsIn } from '../parts/elements.tsx'
import { usePage } from '../state.ts'
import { SuiteRun } from './suite-run.tsx'

interface TreeProps {
  readonly rules: readonly ListedRule[]
  readonly faults: readonly string[]
  readonly canVerify: boolean
}

/** The rules by section of the specification, and those of section 4.1 also by group. A switch breaks a rule. */
export function RuleTree({ rules, faults, canVerify }: TreeProps) {
  const page = usePage()
  const [search, setSearch] = useState('')
  const [isOnlyBroken, setOnlyBroken] = useState(false)
  const words = wordsIn(search)
  const broken = new Set(faults)
  const matches = rules.filter(
    rule => (!isOnlyBroken || broken.has(rule.id)) && words.every(word => textOf(rule).includes(word)),
  )
  const isFiltered = words.length > 0 || isOnlyBroken
  return (
    <section aria-labelledby="faults">
      <h2 id="faults">Broken rules</h2>
      <p class="quiet">A switch that is on makes the mock break the rule beside it, and no other.</p>
      <Badges texts={faults} tone="bad" whenEmpty={['none', 'Every rule is kept.']} />
      <div class="row">
        <SearchField placeholder="Find a rule  /" label="Find a rule" value={search} change={setSearch} />
        <label class="labelled">
          <input
            type="checkbox"
            checked={isOnlyBroken}
            onChange={event => setOnlyBroken(event.currentTarget.checked)}
          />
          <span>Only broken rules</span>
        </label>
        <BlockableButton onClick={() => page.setFaults(() => [])} whyNot={faults.length === 0 ? 'No fault is on.' : ''}>
          Switch all off
        </BlockableButton>
      </div>
      {canVerify && <SuiteFindings faults={faults} />}
      <output class="quiet">
        {isFiltered
          ? `${matches.length} of ${rules.length} rules`
          : `${rules.length} rules, each with a fault that breaks it alone.`}
      </output>
      <div class="faults panel">
        {[...groupBy(matches, ({ section }) => section)]
          .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
          .map(([section, ofSection]) => {
            const groups = [
              ...groupBy(ofSection, ({ group }) => (section === '4.1' ? (group ?? 'Members and backups') : '')),
            ]
            const title = (
              <>
                <span class="section quiet">{`§${section}`}</span> {sectionTitles[section]}
              </>
            )
            return (
              <Branch key={section} title={title} rules={ofSection} broken={broken} isFiltered={isFiltered}>
                {groups.length > 1 && (
                  <div class="subsections">
                    {groups.map(([name, ofGroup]) => (
                      <Branch key={name} title={name} rules={ofGroup} broken={broken} isFiltered={isFiltered} />
                    ))}
                  </div>
                )}
              </Branch>
            )
          })}
      </div>
    </section>
  )
}

const textOf = ({ id, sentence, section, level }: ListedRule) => `${id} ${sentence} §${section} ${level}`.toLowerCase()

interface BranchProps {
  readonly title: ComponentChild
  readonly rules: readonly ListedRule[]
  readonly broken: ReadonlySet<string>
  /** Whether the rules are filtered, which opens the branch. */
  readonly isFiltered: boolean
  readonly children?: ComponentChild
}

function Branch({ title, rules, broken, isFiltered, children }: BranchProps) {
  const page = usePage()
  const [isOpen, setOpen] = useState(false)
  const brokenCount = rules.filter(({ id }) => broken.has(id)).length
  const isExpanded = isFiltered || isOpen
  const setFault = (id: string) => (isOn: boolean) =>
    page.setFaults(faults => (isOn ? [...faults, id] : faults.filter(one => one !== id)))
  return (
    <details
      open={isExpanded}
      onToggle={event => {
        if (event.target === event.currentTarget && !isFiltered) setOpen(event.currentTarget.open)
      }}
    >
      <summary>
        <span class="row grows">{title}</span>
        {brokenCount > 0 && <Badge tone="bad">{`${brokenCount} on`}</Badge>}
        <span class="quiet">{rules.length}</span>
      </summary>
      {isExpanded &&
        (children || (
          <ul>
            {rules.map(({ id, sentence, level }) => (
              <li key={id}>
                <Toggle isOn={broken.has(id)} change={setFault(id)}>
                  {markCode(sentence)}
                  <small>
                    <code>{id}</code> {level}
                  </small>
                </Toggle>
              </li>
            ))}
          </ul>
        ))}
    </details>
  )
}

/** Renders a sentence; words in backticks become code. */
const markCode = (sentence: string) =>
  sentence.split('`').map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))

interface Verdict {
  readonly id: string
  readonly form: string
  readonly outcome: string
  readonly detail: string
}

/** Runs the suite in a world with these faults, and lists the rules that the suite finds broken. */
function SuiteFindings({ faults }: Pick<TreeProps, 'faults'>) {
  const [broken, setBroken] = useState<readonly Verdict[] | undefined>(undefined)
  const done = async () => {
    const { rules } = await read<{ rules: readonly Verdict[] }>('/control/verify/report.json')
    setBroken(rules.filter(({ outcome }) => outcome === 'broken'))
  }
  const missed = faults.filter(id => broken?.every(one => one.id !== id))
  return (
    <div class="stack">
      <SuiteRun label="Run the suite with these faults" onDone={done} />
      {broken && (
        <div>
          {broken.length === 0 && <p class="notice harmless">The suite finds no rule broken.</p>}
          {missed.map(id => (
            <p key={id} class="notice">
              Broken on purpose, but not found: <code>{id}</code>
            </p>
          ))}
          {broken.length > 0 && (
            <ul class="noticed listing panel lined">
              {broken.map(({ id, form, detail }) => (
                <li key={`${id} ${form}`}>
                  <code>{id}</code> <Badge tone="plain">{formNames[form] ?? form}</Badge>
                  {!faults.includes(id) && [' ', <Badge tone="note">its own fault is off</Badge>]}
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
