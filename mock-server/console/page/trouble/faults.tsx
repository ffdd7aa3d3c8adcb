import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { sectionTitles } from '../../../../fixtures/contract/section-titles.ts'
import type { ListedRule } from '../../../faces/control/page/answers.ts'
import { groupBy } from '../../../words/group-by.ts'
import { Badge, Badges, Button, SearchField, Toggle, wordsIn } from '../parts/basic.tsx'
import { usePage } from '../state.ts'

interface FaultsProps {
  readonly rules: readonly ListedRule[]
  readonly faults: readonly string[]
  readonly children: ComponentChild
}

/** The rules as a tree: sections of the specification, within the cloud API its groups. Each can be broken by a switch. */
export function Faults({ rules, faults, children }: FaultsProps) {
  const page = usePage()
  const [search, setSearch] = useState('')
  const [isOnlyBroken, setOnlyBroken] = useState(false)
  const words = wordsIn(search)
  const broken = new Set(faults)
  const fitting = rules.filter(
    rule => (!isOnlyBroken || broken.has(rule.id)) && words.every(word => textOf(rule).includes(word)),
  )
  const isFiltered = words.length > 0 || isOnlyBroken
  return (
    <section aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      <p class="quiet">A switch that is on makes the mock break the rule beside it, and no other.</p>
      <output class="row">
        {faults.length === 0 ? (
          <>
            <Badge tone="plain">none</Badge> Every rule is kept.
          </>
        ) : (
          <Badges texts={faults} tone="bad" />
        )}
      </output>
      <div class="row">
        <SearchField placeholder="Find a rule  /" label="Find a rule" value={search} change={setSearch} />
        <label class="choose">
          <input
            type="checkbox"
            checked={isOnlyBroken}
            onChange={event => setOnlyBroken(event.currentTarget.checked)}
          />
          <span>Only what is on</span>
        </label>
        <Button act={() => page.setFaults(() => [])} disabled={faults.length === 0}>
          Break none
        </Button>
      </div>
      {children}
      <output class="quiet">
        {!isFiltered
          ? `${rules.length} rules, each with a fault that breaks it alone.`
          : fitting.length === 0
            ? 'No rule has all these words.'
            : `${fitting.length} of ${rules.length} rules`}
      </output>
      <div class="faults panel">
        {[...groupBy(fitting, ({ section }) => section)]
          .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
          .map(([section, ofSection]) => {
            const groups = [
              ...groupBy(ofSection, ({ group }) => (section === '4.1' ? (group ?? 'Members and backups') : '')),
            ]
            const title = (
              <>
                <span class="section">{`§${section}`}</span> {sectionTitles[section]}
              </>
            )
            return (
              <Branch key={section} title={title} rules={ofSection} broken={broken} isFiltered={isFiltered}>
                {groups.length > 1 && (
                  <div class="twigs">
                    {groups.map(([name, some]) => (
                      <Branch key={name} title={name} rules={some} broken={broken} isFiltered={isFiltered} />
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
  /** A filtered branch stands open. */
  readonly isFiltered: boolean
  readonly children?: ComponentChild
}

function Branch({ title, rules, broken, isFiltered, children }: BranchProps) {
  const page = usePage()
  const [isOpen, setOpen] = useState(false)
  const on = rules.filter(({ id }) => broken.has(id)).length
  const isShown = isFiltered || isOpen
  const set = (id: string) => (isOn: boolean) =>
    page.setFaults(faults => (isOn ? [...faults, id] : faults.filter(one => one !== id)))
  return (
    <details
      open={isShown}
      onToggle={event => {
        if (event.target === event.currentTarget && !isFiltered) setOpen(event.currentTarget.open)
      }}
    >
      <summary>
        <span class="row grows">{title}</span>
        {on > 0 && <Badge tone="bad">{`${on} on`}</Badge>}
        <span class="quiet">{rules.length}</span>
      </summary>
      {isShown &&
        (children || (
          <ul>
            {rules.map(({ id, sentence, level }) => (
              <li key={id}>
                <Toggle isOn={broken.has(id)} change={set(id)}>
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

/** Names of fields stand between backticks. */
const markCode = (sentence: string) =>
  sentence.split('`').map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))
