import { exitStatus } from './exit-status.ts'
import { html, Markup } from './html/markup.ts'
import { renderOutcome, renderRule, renderSentence } from './html/rule.ts'
import { script } from './html/script.ts'
import { style } from './html/style.ts'
import {
  describeExtent,
  describeReach,
  findings,
  formNames,
  headline,
  notices,
  outcomeNames,
  outline,
  reasons,
  renderValue,
  summariseRecording,
} from './outline.ts'
import { byRule, count, type Drift, outcomes, type Report, type RuleReport } from './report.ts'
import { describeOthers, describeProofs, describeUses, divideByUse, summariseProof } from './used-by.ts'

/** Hashes of the page's script and style: its content security policy allows nothing else. */
export const hashes = {
  style: 'sha256-dzNAmsNPR4weLrUF/dlmDVY4006cYBW+m6w1eNnAEjo=',
  script: 'sha256-MNtmTExEqgoqm0hNCBiuR/IhBc3C544pYjcKTps7Kac=',
} as const

const policy = `default-src 'none'; style-src '${hashes.style}'; script-src '${hashes.script}'; base-uri 'none'; form-action 'none'`

/** One page for a person: no requests, dark and light, readable without its script. */
export function renderHtml(report: Report): string {
  const { tool, target } = report
  const sections = outline(report)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${target.name}: ${headline(report)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#rules">Skip to the rules</a>
${renderHeader(report)}
<main>
${renderFindings(report)}
${report.rules.length > 0 && renderOverview(report)}
${renderDrift(report)}
<div id="rules">
${renderFilters(report)}
${sections.map(
  ({ section, title, rules }) =>
    html`<section class="section" id="section-${section}"><h2>${title}</h2>${rules.map(rule => renderRule(report, rule))}</section>`,
)}
<p class="more" hidden>No rule fits. Remove a filter, or search for less.</p>
</div>
</main>
<footer>${tool.name} ${tool.version}. Credentials are redacted; long bodies are cut at 4 KiB.</footer>
<script>${new Markup(script)}</script>
</body>
</html>
`.text
}

function renderHeader(report: Report): Markup {
  const { tool, target, startedAt, requests, durationMs, rules } = report
  const status = exitStatus(report)
  const recording = summariseRecording(report)
  return html`<header>
<p class="kicker">Conformance report of ${tool.name} ${tool.version}</p>
<h1>${target.name}</h1>
<p class="headline ${['held', 'broken', 'errored'][status]!}">${headline(report)}</p>
<ul class="facts"><li>${target.forms.map(form => formNames[form]).join(', ')}</li>
<li><time datetime="${startedAt}">${startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time></li>
<li>${describeExtent(report)}</li>
<li>${requests} requests in ${(durationMs / 1000).toFixed(2)} s</li></ul>
${
  rules.length > 0 &&
  html`<dl class="tally">${outcomes.map(outcome => {
    const number = count(rules, outcome)
    return html`<div><dt>${outcomeNames[outcome]}</dt><dd class="${outcome}${number === 0 && ' zero'}">${number}</dd></div>`
  })}</dl>
${bar(rules)}`
}
${recording && html`<p class="notice">${recording.sentence} ${recording.reasons.join('; ')}</p>`}
${notices(report).map(({ title, text }) => html`<p class="notice">${title}: ${text}</p>`)}
</header>`
}

/** Findings with links to their evidence. */
function renderFindings(report: Report): Markup {
  const found = findings(report)
  const unjudged = reasons(report, 'errored')
  if (found.length + unjudged.length === 0) return html``
  return html`<section aria-labelledby="findings"><h2 id="findings">What needs a look</h2><ul class="findings">${found.map(
    ({ id, sentence, level, verdicts }) => {
      return html`<li><span>${renderOutcome(report, verdicts)} <a href="#${id}">${renderSentence(sentence)}</a></span>
${verdicts.map(({ form, detail }) => html`<p>${level}, ${formNames[form]}: ${detail}</p>`)}</li>`
    },
  )}${unjudged.map(
    reason =>
      html`<li><span><span class="badge errored">${outcomeNames.errored}</span> ${describeReach(reason)}</span>
<p>${reason.reason}</p></li>`,
  )}</ul></section>`
}

function renderOverview(report: Report): Markup {
  const shown = outcomes.filter(outcome => count(report.rules, outcome) > 0)
  const counts = (verdicts: Report['rules']) =>
    shown.map(outcome => {
      const number = count(verdicts, outcome)
      return html`<td class="count ${outcome}${number === 0 && ' zero'}">${number}</td>`
    })
  return html`<section aria-labelledby="overview"><h2 id="overview">By section of the specification</h2>
<div class="scroll" role="region" aria-labelledby="overview" tabindex="0"><table>
<thead><tr><th scope="col">Section</th><td class="share"></td>${shown.map(outcome => html`<th scope="col" class="count">${outcomeNames[outcome]}</th>`)}</tr></thead>
<tbody>${outline(report).map(
    ({ section, title, verdicts }) =>
      html`<tr><th scope="row"><a href="#section-${section}">${title}</a></th><td class="share">${bar(verdicts)}</td>${counts(verdicts)}</tr>\n`,
  )}</tbody>
<tfoot><tr><th scope="row">All</th><td class="share"></td>${counts(report.rules)}</tr></tfoot>
</table></div></section>`
}

function renderDrift(report: Report): Markup {
  const { drift } = report
  if (drift.length === 0) return html``
  const { own, others } = divideByUse(drift)
  const rest = describeOthers(others)
  const folded = rest ? html`<details><summary>${rest}</summary>${renderDriftTable(others)}</details>` : ''
  return html`<section aria-labelledby="drift"><h2 id="drift">Drift</h2>
${own.length > 0 ? renderDriftTable(own) : ''}${summariseProof(report).map(text => html`<p class="notice">${text}</p>`)}${renderProofs(report)}${folded}</section>`
}

/** The requests that show differences, with both answers. */
const renderProofs = (report: Report) =>
  describeProofs(report, report.drift).map(
    ({ curl, answers }) =>
      html`<div class="verdict"><div class="curl"><pre tabindex="0" aria-label="curl command">${curl}</pre></div>
<pre tabindex="0" aria-label="answers">${answers.join('\n')}</pre></div>`,
  )

function renderDriftTable(drift: readonly Drift[]): Markup {
  return html`<div class="scroll" role="region" aria-labelledby="drift" tabindex="0"><table>
<thead><tr><th scope="col">Kind</th><th scope="col">What</th><th scope="col">Was</th><th scope="col">Is</th><th scope="col">Fingerprint</th></tr></thead>
<tbody>${drift.map(one => {
    const { kind, part, id, was, is, fingerprint, operations = [] } = one
    return html`<tr><td><span class="badge ${kind === 'breaking' ? 'broken' : 'observed'}">${kind}</span></td><th scope="row"><code>${id}</code> <span class="zero">${part}</span>${operations.map(({ method, path }) => html`<br><code class="zero">${method} ${path}</code>`)}${describeUses([one], MAX_USES).map(text => html`<br>${text}`)}</th><td><code>${renderValue(was)}</code></td><td><code>${renderValue(is)}</code></td><td><code>${fingerprint}</code></td></tr>\n`
  })}</tbody></table></div>`
}

/** The most calls that are named for a difference. */
const MAX_USES = 10

/** A bar with the shares of the outcomes. It is hidden from screen readers, since the numbers stand beside it as text. */
function bar(verdicts: readonly RuleReport[]): Markup {
  let x = 0
  const shares = outcomes.flatMap(outcome => {
    const width = (100 * count(verdicts, outcome)) / (byRule(verdicts).length || 1)
    if (width === 0) return []
    x += width
    return [
      html`<rect class="${outcome}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="8"><title>${count(verdicts, outcome)} ${outcomeNames[outcome]}</title></rect>`,
    ]
  })
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${shares}</svg>`
}

/** The filters, which are hidden until the script shows them. A group in which nothing is ticked filters nothing. */
function renderFilters({ rules, target }: Report): Markup {
  const present = outcomes.filter(outcome => count(rules, outcome) > 0)
  const levels = (['must', 'should', 'documented', 'observe'] as const).filter(level =>
    rules.some(rule => rule.level === level),
  )
  const outcomeChips = present.map(value => chip('outcome', value, outcomeNames[value], count(rules, value)))
  const levelChips = levels.map(value => chip('level', value, value))
  const formChips = target.forms.map(value => chip('form', value, formNames[value]))
  return html`<form class="filters" role="search" aria-label="Rules" hidden>
<div><label class="search">Search <input type="search" placeholder="sentence, id, path or value" autocomplete="off" spellcheck="false"></label></div>
<div>${group('Outcome', outcomeChips)}${group('Level', levelChips)}${group('Form', formChips)}</div>
<div><output></output><button type="button" class="toggle">Open all</button><button type="reset">Clear filters</button></div>
</form>`
}

const group = (name: string, chips: readonly Markup[]) => html`<fieldset><legend>${name}</legend>${chips}</fieldset>`

const chip = (name: string, value: string, label: string, number?: number) =>
  html`<label class="chip"><input type="checkbox" name="${name}" value="${value}">${label}${number !== undefined && html` <b>${number}</b>`}</label>`
