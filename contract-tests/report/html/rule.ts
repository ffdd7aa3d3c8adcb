import { curlLine, exportLine, sayAgain } from '../curl.ts'
import { formNames, marks, outcomeNames, plain, type Rule, wordsOf } from '../outline.ts'
import { type ExchangeReport, type Report, type RuleReport, worst } from '../report.ts'
import { shorten } from '../visible.ts'
import { indentJson } from './indent-json.ts'
import { html, type Markup } from './markup.ts'

/** A rule with its verdict in each form; what is broken stands open. */
export function renderRule({ id, level, says, verdicts }: Rule, target: Report['target']): Markup {
  const outcome = worst(verdicts)
  const open = outcome === 'broken' && html` open`
  return html`
<details class="rule ${outcome}" id="${id}" data-level="${level}"${open}>
<summary><span class="mark" aria-hidden="true">${marks[outcome]}</span><h3>${renderSentence(says)}</h3><span class="name"><span class="id">${id}</span> <span>${level}</span></span>
<span class="forms">${verdicts.map(renderBadge)}</span></summary>
${verdicts.map(verdict => renderVerdict(verdict, target))}
</details>`
}

export const renderSentence = (says: string): Markup =>
  html`${wordsOf(says).map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`

const LONGEST_BADGE = 36

function renderBadge({ form, outcome, observed }: RuleReport): Markup {
  const word =
    outcome === 'observed'
      ? shorten(plain(observed), LONGEST_BADGE)
      : outcome === 'held'
        ? marks.held
        : outcomeNames[outcome]
  const spoken = outcome === 'held' && html` aria-label="${formNames[form]}: held"`
  return html`<span class="badge ${outcome}"${spoken}${spoken && html` role="img"`}>${formNames[form]}${outcome === 'observed' && ':'} ${word}</span> `
}

function renderVerdict(verdict: RuleReport, target: Report['target']): Markup {
  const { id, form, outcome, detail, observed, exchanges } = verdict
  return html`<div class="verdict" data-outcome="${outcome}" data-form="${form}">
<h4>${formNames[form]} <span class="badge ${outcome}">${outcomeNames[outcome]}</span></h4>
${detail !== '' && html`<p class="detail">${detail}</p>`}
${outcome === 'observed' && html`<p class="detail">Observed: <code class="seen">${plain(observed)}</code></p>`}
${exchanges.map((exchange, index) => renderExchange(exchange, renderCurl(target, id, form, exchange), outcome === 'broken' && index === 0))}
</div>
`
}

/** The line that repeats the request, with what it needs before. */
function renderCurl(target: Report['target'], id: string, form: RuleReport['form'], exchange: ExchangeReport): Markup {
  const line = curlLine(target, form, exchange)
  if (!line) return html`<p class="detail">${sayAgain(id)}</p>`
  const lines = [exportLine(target, [line]), line].filter(Boolean).join('\n')
  return html`<div class="curl"><pre tabindex="0" aria-label="curl command">${lines}</pre></div>`
}

function renderExchange(exchange: ExchangeReport, curl: Markup, open: boolean): Markup {
  const { as, request, response, ms } = exchange
  return html`<details class="exchange"${open && html` open`}><summary><code>${request.method} ${request.path}</code> → ${response.status}, ${Math.round(ms)} ms</summary>
<div>${curl}
<div class="pair"><div><h5>Request, with credentials “${as}”</h5><pre tabindex="0">${message(`${request.method} ${request.path}`, request.headers, request.body)}</pre></div>
<div><h5>Answer</h5><pre tabindex="0">${message(String(response.status), response.headers, response.body)}</pre></div></div></div></details>`
}

const message = (start: string, headers: Readonly<Record<string, string>>, body: string | null) =>
  [
    start,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? ['', indentJson(body)] : []),
  ].join('\n')
