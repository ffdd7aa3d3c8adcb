import { sectionTitles } from '../../../../../fixtures/contract/section-titles.ts'
import type { ListedRule } from '../about.ts'
import type { Page } from '../app.ts'
import { createWriter } from '../ask.ts'
import { element, fill } from '../element.ts'
import { badge, button, toggle, wordsIn } from '../parts.ts'

/** The rules as a tree: sections of the specification, within the cloud API its groups. Each can be broken by a switch. */
export function renderFaults(
  rules: readonly ListedRule[],
  inForce: readonly string[],
  suite: HTMLElement | false,
  { pulse }: Page,
): HTMLElement {
  let now = new Set(inForce)
  const state = element('p.state', { role: 'status' })
  const found = element('p.quiet', { role: 'status' })
  const search = element('input', { type: 'search', placeholder: 'Find a rule  /', 'aria-label': 'Find a rule' })
  const none = button('Break none', () => put(() => []))
  const isOnly = element('input', { type: 'checkbox' })
  const write = createWriter<readonly string[]>('/control/faults', state => {
    now = new Set(state)
    tell()
  })
  const put = async (change: () => readonly string[]) => {
    await write(change)
    await pulse.refresh()
  }
  const rowOf = (rule: ListedRule): Row => {
    const line = element('span', [
      element('span', markCode(rule.says)),
      element('small', [element('code', rule.id), ` ${rule.level}`]),
    ])
    const change = (isOn: boolean) => put(() => (isOn ? [...now, rule.id] : [...now].filter(id => id !== rule.id)))
    return {
      id: rule.id,
      text: `${rule.id} ${rule.says} §${rule.section} ${rule.level}`.toLowerCase(),
      root: element('li', toggle(line, now.has(rule.id), change)),
    }
  }
  const branches = [...under(rules, ({ section }) => section)]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([section, ofSection]) => {
      const parts = [...under(ofSection, ({ group }) => (section === '4.1' ? (group ?? 'Members and backups') : ''))]
      const twigs = parts.map(([title, some]) => renderBranch(title, some.map(rowOf)))
      const head = [element('span.section', `§${section}`), ` ${sectionTitles[section] ?? ''}`]
      const [only] = twigs
      return twigs.length > 1
        ? renderBranch(
            head,
            twigs.flatMap(({ rows }) => rows),
            twigs,
          )
        : renderBranch(head, only!.rows)
    })
  const tell = () => {
    none.disabled = now.size === 0
    for (const branch of branches) branch.tell(now)
    fill(state, [
      now.size === 0 ? [badge('none', 'plain'), ' Every rule is kept.'] : [...now].map(id => [badge(id, 'bad'), ' ']),
    ])
  }
  const filter = () => {
    const words = wordsIn(search.value)
    const fits = ({ text, id }: Row) => words.every(word => text.includes(word)) && (!isOnly.checked || now.has(id))
    const isFiltered = words.length > 0 || isOnly.checked
    const count = branches.reduce((sum, branch) => sum + branch.filter(fits, isFiltered), 0)
    found.textContent = !isFiltered
      ? `${rules.length} rules, each with a fault that breaks it alone.`
      : count === 0
        ? 'No rule has all these words.'
        : `${count} of ${rules.length} rules`
  }
  search.addEventListener('input', filter)
  isOnly.addEventListener('change', filter)
  tell()
  filter()
  return element('section', { 'aria-labelledby': 'faults' }, [
    element('h2', { id: 'faults' }, 'Faults'),
    element('p.quiet', 'A switch that is on makes the mock break the rule beside it, and no other.'),
    state,
    element('div.tools', [search, element('label.choose', [isOnly, element('span', 'Only what is on')]), none]),
    suite,
    found,
    element('div.faults.panel', [branches.map(({ root }) => root)]),
  ])
}

/** Names of fields stand between backticks. */
const markCode = (says: string) => says.split('`').map((part, i) => (i % 2 ? element('code', part) : part))

interface Row {
  readonly id: string
  readonly text: string
  readonly root: HTMLElement
}

interface Branch {
  readonly root: HTMLElement
  readonly rows: readonly Row[]
  /** Shows which faults are on, and how many. */
  tell(now: ReadonlySet<string>): void
  /** Hides what does not fit, opens where something does, and returns how many do. */
  filter(fits: (row: Row) => boolean, isFiltered: boolean): number
}

function renderBranch(
  title: string | readonly (Node | string)[],
  rows: readonly Row[],
  twigs: readonly Branch[] = [],
): Branch {
  const count = element('span.quiet', rows.length)
  const on = element('span')
  const root = element('details', [
    element('summary', [element('span.title', title), on, count]),
    twigs.length > 0
      ? element('div.twigs', [twigs.map(twig => twig.root)])
      : element('ul', [rows.map(row => row.root)]),
  ])
  return {
    root,
    rows,
    tell(now) {
      for (const twig of twigs) twig.tell(now)
      const broken = rows.filter(({ id }) => now.has(id)).length
      fill(on, broken > 0 && badge(`${broken} on`, 'bad'))
      if (twigs.length === 0) for (const row of rows) row.root.querySelector('input')!.checked = now.has(row.id)
    },
    filter(fits, isFiltered) {
      for (const twig of twigs) twig.filter(fits, isFiltered)
      if (twigs.length === 0) for (const row of rows) row.root.hidden = !fits(row)
      const fitting = rows.filter(fits).length
      root.hidden = fitting === 0
      root.open = isFiltered
      return fitting
    },
  }
}

function under(rules: readonly ListedRule[], keyOf: (rule: ListedRule) => string): Map<string, ListedRule[]> {
  const found = new Map<string, ListedRule[]>()
  for (const rule of rules) found.set(keyOf(rule), [...(found.get(keyOf(rule)) ?? []), rule])
  return found
}
