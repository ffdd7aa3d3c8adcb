import { count, formNames, isStale, outline, plain } from './outline.ts'
import type { Report, RuleReport } from './report.ts'
import { showUnseen } from './visible.ts'

/**
 * JUnit XML as Jenkins describes it: a suite for each section, a case for each rule and form.
 *
 * JUnit knows no warnings, so a broken should rule is a failure like a broken must rule; the level stands in the
 * attribute `group` of every case and in the `type` of every failure, for those who want to tell them apart.
 */
export function renderJUnit(report: Report): string {
  const suites = outline(report).map(({ section, title, verdicts }) =>
    element(
      'testsuite',
      { id: section, name: title, ...counts(verdicts), time: seconds(verdicts), timestamp: report.startedAt },
      properties(report),
      ...verdicts.map(verdict => testCase(title, verdict)),
    ),
  )
  const { skipped: _, ...all } = counts(report.rules)
  const name = `${report.tool.name} ${report.target.name}`
  const root = element('testsuites', { name, ...all, time: (report.durationMs / 1000).toFixed(3) }, ...suites)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

const properties = ({ tool, target, cut }: Report) =>
  element(
    'properties',
    {},
    ...Object.entries({ target: target.name, forms: target.forms.join(' '), version: tool.version, cut }).flatMap(
      ([name, value]) => (value === undefined ? [] : [element('property', { name, value })]),
    ),
  )

function testCase(title: string, verdict: RuleReport): string {
  const { id, level, form } = verdict
  const attributes = { name: `${id} (${formNames[form]})`, classname: title, group: level, time: seconds([verdict]) }
  return element('testcase', attributes, ...outcome(verdict))
}

function outcome(verdict: RuleReport): string[] {
  const { level, says, detail, observed } = verdict
  if (isStale(verdict)) return [element('failure', { type: level, message: detail }, escapeXml(says))]
  switch (verdict.outcome) {
    case 'broken':
      return [element('failure', { type: level, message: detail }, escapeXml(evidence(verdict)))]
    case 'errored':
      return [element('error', { type: 'errored', message: detail }, escapeXml(evidence(verdict)))]
    case 'known-broken':
      return [element('skipped', { type: 'known-broken', message: `known to be broken: ${detail}` })]
    case 'not-applicable':
      return [element('skipped', { type: 'not-applicable', message: detail })]
    case 'observed':
      return [element('system-out', {}, escapeXml(`${says}\n${plain(observed)}`))]
    case 'held':
      return []
  }
}

const evidence = ({ says, detail, exchanges }: RuleReport) =>
  [
    says,
    detail,
    ...exchanges.map(
      ({ request, response }) =>
        `${request.method} ${request.path}\n${request.body ?? ''}\n${response.status}\n${response.body}`,
    ),
  ].join('\n\n')

const counts = (verdicts: readonly RuleReport[]) => ({
  tests: String(verdicts.length),
  failures: String(count(verdicts, 'broken') + verdicts.filter(isStale).length),
  errors: String(count(verdicts, 'errored')),
  skipped: String(count(verdicts, 'not-applicable') + count(verdicts, 'known-broken')),
})

/** The time of the exchanges that a verdict shows; one exchange may serve several rules. */
const seconds = (verdicts: readonly RuleReport[]) =>
  (verdicts.flatMap(({ exchanges }) => exchanges).reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3)

function element(name: string, attributes: Readonly<Record<string, string>>, ...children: string[]): string {
  const start = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${quote(value)}"`)].join(' ')
  return children.length === 0 ? `<${start}/>` : `<${start}>${children.join('\n')}</${name}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string) => showUnseen(text).replace(/[&<>"]/g, char => entities[char]!)
const quote = (text: string) => escapeXml(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
