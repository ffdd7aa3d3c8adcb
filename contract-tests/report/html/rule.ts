import { curlLine, describeRerun, exportLine } from '../curl.ts'
import { formNames, marks, outcomeNames, type Rule, renderValue, splitAtBackticks } from '../outline.ts'
import { type ExchangeReport, failsRun, isTolerated, type Report, type RuleReport, worst } from '../report.ts'
import { shorten } from '../visible.ts'
import { html, type Markup } from './markup.ts'

/** Renders a rule, folded unless it fails the run. */
export function renderRule(report: Report, { id, level, sentence, verdicts }: Rule): Markup {
  const outcome = worst(verdicts)
  const open = verdicts.some(verdict => failsRun(report, verdict)) && html` open`
  return html`
<details class="rule ${classOf(report, verdicts)}" id="${id}" data-level="${level}"${open}>
<summary><span class="mark" aria-hidden="true">${marks[outcome]}</span><h3>${renderSentence(sentence)}</h3><span class="name"><span class="id">${id}</span> <span>${level}</span></span>
<span class="forms">${verdicts.map(verdict => renderBadge(report, verdict))}</span></summary>
${verdicts.map(verdict => renderVerdict(report, verdict))}
</details>`
}

const classOf = (report: Report, verdicts: readonly RuleReport[]) =>
  isTolerated(report, verdicts) ? 'tolerated' : worst(verdicts)

export function renderOutcome(report: Report, verdicts: readonly RuleReport[]): Markup {
  const remark = isTolerated(report, verdicts) && ', does not fail the run'
  return html`<span class="badge ${classOf(report, verdicts)}">${outcomeNames[worst(verdicts)]}${remark}</span>`
}

export const renderSentence = (sentence: string): Markup =>
  html`${splitAtBackticks(sentence).map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`

const MAX_BADGE_CHARACTERS = 36

function renderBadge(report: Report, verdict: RuleReport): Markup {
  const { form, outcome, observed } = verdict
  const plain = outcome === 'held' ? marks.held : outcomeNames[outcome]
  const label = outcome === 'observed' ? shorten(renderValue(observed), MAX_BADGE_CHARACTERS) : plain
  const ariaLabel = outcome === 'held' && html` aria-label="${formNames[form]}: held"`
  return html`<span class="badge ${classOf(report, [verdict])}"${ariaLabel}${ariaLabel && html` role="img"`}>${formNames[form]}${outcome === 'observed' && ':'} ${label}</span> `
}

function renderVerdict(report: Report, verdict: RuleReport): Markup {
  const { id, form, outcome, detail, observed, exchanges } = verdict
  return html`<div class="verdict" data-outcome="${outcome}" data-form="${form}">
<h4>${formNames[form]} ${renderOutcome(report, [verdict])}</h4>
${detail !== '' && html`<p class="detail">${detail}</p>`}
${outcome === 'observed' && html`<p class="detail">Observed: <code class="seen">${renderValue(observed)}</code></p>`}
${exchanges.map((exchange, index) => renderExchange(exchange, renderCurl(report.target, id, form, exchange), outcome === 'broken' && index === 0))}
</div>
`
}

function renderCurl(target: Report['target'], id: string, form: RuleReport['form'], exchange: ExchangeReport): Markup {
  const line = curlLine(target, form, exchange)
  if (!line) return html`<p class="detail">${describeRerun(id)}</p>`
  const lines = [exportLine(target, [line]), line].filter(Boolean).join('\n')
  return html`<div class="curl"><pre tabindex="0" aria-label="curl command">${lines}</pre></div>`
}

function renderExchange(exchange: ExchangeReport, curl: Markup, open: boolean): Markup {
  const { as, request, response, ms } = exchange
  return html`<details class="exchange"${open && html` open`}><summary><code>${request.method} ${request.path}</code> → ${response.status}, ${Math.round(ms)} ms</summary>
<div>${curl}
<div class="pair"><div><h5>Request, with credentials “${as}”</h5><pre tabindex="0">${renderMessage(`${request.method} ${request.path}`, request.headers, request.body)}</pre></div>
<div><h5>Answer</h5><pre tabindex="0">${renderMessage(String(response.status), response.headers, response.body)}</pre></div></div></div></details>`
}

const renderMessage = (start: string, headers: Readonly<Record<string, string>>, body: string | null) =>
  [
    start,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? ['', indentJson(body)] : []),
  ].join('\n')

/** Indents JSON without parsing it: large numbers, repeated keys and cut bodies stay as they are. */
export function indentJson(text: string): string {
  const trimmed = text.trim()
  if (!/^(\{\s*["}]|\[\s*["{[\]\dtfn-])/.test(trimmed)) return text
  let indented = ''
  let depth = 0
  const lineBreak = () => `\n${'  '.repeat(Math.min(Math.max(depth, 0), 20))}`
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{},:"]+/g)) {
    if (token === '{' || token === '[') {
      depth++
      indented += token + lineBreak()
    } else if (token === '}' || token === ']') {
      depth--
      indented += lineBreak() + token
    } else if (token === ',') indented += token + lineBreak()
    else if (token === ':') indented += ': '
    else indented += /^[[{]/.test(token) ? token.replace(/\s+/, '') : token
  }
  return indented
}
