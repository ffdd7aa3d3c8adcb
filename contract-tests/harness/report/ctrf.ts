import type { Outcome } from '../check.ts'
import { formNames, isStale, outline, plain } from './outline.ts'
import type { Report, RuleReport } from './report.ts'
import { showUnseen } from './visible.ts'

/** What is only observed never counts as passed, and what failed in the suite itself never as failed. */
const statuses: Readonly<Record<Outcome, 'passed' | 'failed' | 'skipped' | 'pending' | 'other'>> = {
  held: 'passed',
  broken: 'failed',
  observed: 'other',
  'not-applicable': 'skipped',
  'known-broken': 'pending',
  errored: 'other',
}

/** Common Test Report Format (ctrf.io): a test for each rule and form, its outcome as `rawStatus`. */
export function renderCtrf(report: Report): string {
  const start = Date.parse(report.startedAt)
  const stop = start + Math.round(report.durationMs)
  const sections = outline(report)
  const tests = sections.flatMap(({ title, verdicts }) => verdicts.map(verdict => testOf(verdict, title)))
  const all = (status: string) => tests.filter(test => test.status === status).length
  const ctrf = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(stop).toISOString(),
    generatedBy: `${report.tool.name} ${report.tool.version}`,
    results: {
      tool: { name: report.tool.name, version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: all('passed'),
        failed: all('failed'),
        skipped: all('skipped'),
        pending: all('pending'),
        other: all('other'),
        suites: sections.length,
        start,
        stop,
        duration: stop - start,
        extra: { requests: report.requests, drifted: report.summary.drifted, cut: report.cut },
      },
      tests,
      environment: { testEnvironment: report.target.name, extra: { forms: report.target.forms } },
      extra: { drift: report.drift, left: report.left },
    },
  }
  return `${JSON.stringify(ctrf, null, 2)}\n`
}

function testOf(verdict: RuleReport, title: string) {
  const { id, section, level, says, form, outcome, detail, observed, exchanges } = verdict
  const message = outcome === 'observed' ? plain(observed) : detail
  return {
    testId: `${id} ${form}`,
    name: `${id} (${formNames[form]})`,
    status: isStale(verdict) ? 'failed' : statuses[outcome],
    rawStatus: outcome,
    duration: Math.round(exchanges.reduce((sum, { ms }) => sum + ms, 0)),
    suite: [title],
    type: 'conformance',
    tags: [level, form],
    labels: { level, section, form },
    ...(message ? { message: showUnseen(message) } : {}),
    extra: { says, observed, exchanges: outcome === 'held' ? [] : exchanges },
  }
}
