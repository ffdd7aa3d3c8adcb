import { outcomeNames } from '../outline.ts'
import { byRule, count, outcomes, type RuleReport } from '../report.ts'
import { html, type Markup } from './markup.ts'

/** The shares of the outcomes as one bar; its numbers stand in words beside it. */
export function bar(verdicts: readonly RuleReport[]): Markup {
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
