import type { Outcome } from '../engine/check.ts'
import { formNames, outline, type Rule, renderValue } from './outline.ts'
import {
  byRule,
  durationOf,
  failsRun,
  isStale,
  isTolerated,
  isUsed,
  type Report,
  type RuleReport,
  worst,
} from './report.ts'
import { describeUses } from './used-by.ts'
import { showUnseen } from './visible.ts'

/**
 * JUnit XML as Jenkins describes it: a suite for each section and a case for each rule, with its verdict in each form.
 * Failures are the rules that fail the run (`--fail-on`). JUnit has no warnings: a broken rule that does not fail the run is
 * skipped, with its detail. The level is in the attribute `group` of a case and the `type` of a failure.
 */
export function renderJUnit(report: Report): string {
  const suites = outline(report).map(({ section, title, rules, verdicts }) =>
    element(
      'testsuite',
      { id: section, name: title, ...tally(report, verdicts), time: seconds(verdicts), timestamp: report.startedAt },
      renderProperties(report),
      ...rules.map(rule => renderCase(report, title, rule)),
    ),
  )
  const drift = renderDrift(report)
  const { skipped: _, ...all } = tally(report, report.rules)
  const name = `${report.tool.name} ${report.target.name}`
  const tests = String(Number(all.tests) + report.drift.length)
  const root = element(
    'testsuites',
    { name, ...all, tests, time: (report.durationMs / 1000).toFixed(3) },
    ...suites,
    ...drift,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

/** A breaking difference that concerns the user is skipped, not a failure: whether drift fails a run depends on `--drift`, which no report knows. */
function renderDrift({ drift, startedAt }: Report): readonly string[] {
  if (drift.length === 0) return []
  const cases = drift.map(one => {
    const { id, kind, was, is, operations = [] } = one
    const where = operations.map(({ method, path }) => `${method} ${path}`)
    const text = [`${kind}: ${renderValue(was)} → ${renderValue(is)}`, ...where, ...describeUses([one])].join('\n')
    const content =
      kind === 'breaking' && isUsed(one)
        ? element('skipped', { type: 'drift', message: text })
        : element('system-out', {}, escapeXml(text))
    return element('testcase', { name: id, classname: 'Drift', group: kind, time: '0.000' }, content)
  })
  const breaking = String(drift.filter(one => one.kind === 'breaking' && isUsed(one)).length)
  const count = { tests: String(drift.length), failures: '0', errors: '0', skipped: breaking }
  return [element('testsuite', { id: 'drift', name: 'Drift', ...count, time: '0.000', timestamp: startedAt }, ...cases)]
}

const renderProperties = ({ tool, target, cut }: Report) =>
  element(
    'properties',
    {},
    ...Object.entries({ target: target.name, forms: target.forms.join(' '), version: tool.version, cut }).flatMap(
      ([name, value]) => (value === undefined ? [] : [element('property', { name, value })]),
    ),
  )

function renderCase(report: Report, title: string, rule: Rule): string {
  const attributes = { name: rule.id, classname: title, group: rule.level, time: seconds(rule.verdicts) }
  return element('testcase', attributes, ...renderOutcome(report, rule))
}

function renderOutcome(report: Report, { level, sentence, verdicts }: Rule): string[] {
  const worstOutcome = worst(verdicts)
  const decisive = verdicts.filter(verdict => verdict.outcome === worstOutcome)
  const message = renderByForm(decisive, ({ detail }) => detail)
  const stale = verdicts.filter(isStale)
  if (worstOutcome !== 'broken' && stale.length > 0)
    return [
      element('failure', { type: level, message: renderByForm(stale, ({ detail }) => detail) }, escapeXml(sentence)),
    ]
  switch (worstOutcome) {
    case 'broken':
      if (isTolerated(report, decisive))
        return [
          element('skipped', { type: 'broken', message: `broken, and does not fail the run (${level}): ${message}` }),
        ]
      return [element('failure', { type: level, message }, escapeXml(renderEvidence(sentence, decisive)))]
    case 'errored':
      return [element('error', { type: 'errored', message }, escapeXml(renderEvidence(sentence, decisive)))]
    case 'known-broken':
      return [element('skipped', { type: 'known-broken', message: `known to be broken: ${message}` })]
    case 'not-applicable':
      return [element('skipped', { type: 'not-applicable', message })]
    case 'observed':
      return [
        element(
          'system-out',
          {},
          escapeXml(`${sentence}\n${renderByForm(decisive, ({ observed }) => renderValue(observed))}`),
        ),
      ]
    case 'flaky':
      return [element('flakyFailure', { type: level, message }, escapeXml(renderEvidence(sentence, decisive)))]
    case 'held':
      return []
  }
}

/** The text of each verdict after the name of its form; one text without a name if several verdicts all have the same. */
function renderByForm(verdicts: readonly RuleReport[], textOf: (verdict: RuleReport) => string): string {
  const texts = [...new Set(verdicts.map(textOf))]
  return texts.length === 1 && verdicts.length > 1
    ? texts[0]!
    : verdicts.map(verdict => `${formNames[verdict.form]}: ${textOf(verdict)}`).join('\n')
}

const renderEvidence = (sentence: string, verdicts: readonly RuleReport[]) =>
  [
    sentence,
    ...verdicts.flatMap(({ form, detail, exchanges }) => [
      `${formNames[form]}: ${detail}`,
      ...exchanges.map(
        ({ request, response }) =>
          `${request.method} ${request.path}\n${request.body ?? ''}\n${response.status}\n${response.body}`,
      ),
    ]),
  ].join('\n\n')

function tally(report: Report, verdicts: readonly RuleReport[]) {
  const rules = byRule(verdicts)
  const failed = rules.filter(rule => rule.some(verdict => failsRun(report, verdict)))
  const countOthers = (outcome: Outcome) =>
    rules.filter(rule => worst(rule) === outcome && !failed.includes(rule)).length
  return {
    tests: String(rules.length),
    failures: String(failed.length),
    errors: String(countOthers('errored')),
    skipped: String(countOthers('not-applicable') + countOthers('known-broken') + countOthers('broken')),
  }
}

const seconds = (verdicts: readonly RuleReport[]) => (durationOf(verdicts) / 1000).toFixed(3)

function element(name: string, attributes: Readonly<Record<string, string>>, ...children: string[]): string {
  const start = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${quote(value)}"`)].join(' ')
  return children.length === 0 ? `<${start}/>` : `<${start}>${children.join('\n')}</${name}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string) => showUnseen(text).replace(/[&<>"]/g, char => entities[char]!)
const quote = (text: string) => escapeXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
