import { formNames, outcomeNames } from '../outline.ts'
import { count, outcomes, type Report } from '../report.ts'
import { html, type Markup } from './markup.ts'

/** Hidden until the script, which does the filtering, shows it. In a group in which nothing is chosen, everything fits. */
export function renderFilters({ rules, target }: Report): Markup {
  const present = outcomes.filter(outcome => count(rules, outcome) > 0)
  const levels = (['must', 'should', 'documented', 'observe'] as const).filter(level =>
    rules.some(rule => rule.level === level),
  )
  const outcome = present.map(value => chip('outcome', value, outcomeNames[value], count(rules, value)))
  const level = levels.map(value => chip('level', value, value))
  const form = target.forms.map(value => chip('form', value, formNames[value]))
  return html`<form class="filters" role="search" aria-label="Rules" hidden>
<div><label class="search">Search <input type="search" placeholder="sentence, id, path or value" autocomplete="off" spellcheck="false"></label></div>
<div>${group('Outcome', outcome)}${group('Level', level)}${group('Form', form)}</div>
<div><output></output><button type="button" class="toggle">Open all</button><button type="reset">Clear filters</button></div>
</form>`
}

const group = (name: string, chips: readonly Markup[]) => html`<fieldset><legend>${name}</legend>${chips}</fieldset>`

const chip = (name: string, value: string, label: string, number?: number) =>
  html`<label class="chip"><input type="checkbox" name="${name}" value="${value}">${label}${number !== undefined && html` <b>${number}</b>`}</label>`
