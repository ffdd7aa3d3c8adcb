import type { Outcome } from '../engine/check.ts'
import { formNames, outline, type Rule, renderValue } from './outline.ts'
import { durationOf, failsRun, isStale, type Report, worst } from './report.ts'
import { showUnseen } from './visible.ts'

/** The statuses of outcomes that do not fail the run. What is observed or errored is neither a passed nor a failed test. */
const statuses: Readonly<Record<Outcome, 'passed' | 'failed' | 'skipped' | 'pending' | 'other'>> = {
  held: 'passed',
  flaky: 'passed',
  broken: 'other',
  observed: 'other',
  'not-applicable': 'skipped',
  'known-broken': 'pending',
  errored: 'other',
}

/** Common Test Report Format (ctrf.io): a test for each rule, with its worst outcome as `rawStatus`. */
export function renderCtrf(report: Report): string {
  const start = Date.parse(report.startedAt)
  const stop = start + Math.round(report.durationMs)
  const sections = outline(report)
  const tests = sections.flatMap(({ title, rules }) => rules.map(rule => testOf(report, rule, title)))
  const countTests = (status: string) => tests.filter(test => test.status === status).length
  const ctrf = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(stop).toISOString(),
    generatedBy: `${report.tool.name} ${report.tool.version}`,
    results: {
      tool: { name: report.tool.name, version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: countTests('passed'),
        failed: countTests('failed'),
        skipped: countTests('skipped'),
        pending: countTests('pending'),
        other: countTests('other'),
        suites: sections.length,
        start,
        stop,
        duration: stop - start,
        extra: { requests: report.requests, failOn: report.failOn, drifted: report.summary.drifted, cut: report.cut },
      },
      tests,
      environment: { testEnvironment: report.target.name, extra: { forms: report.target.forms } },
      extra: { drift: report.drift, left: report.left },
    },
  }
  return `${JSON.stringify(ctrf, null, 2)}\n`
}

function testOf(report: Report, { id, level, sentence, verdicts }: Rule, title: string) {
  const outcome = worst(verdicts)
  const hasStale = verdicts.some(isStale)
  const reported = verdicts.filter(verdict => (hasStale ? isStale(verdict) : verdict.outcome === outcome))
  const message = reported
    .map(({ form, observed, detail }) => [formNames[form], outcome === 'observed' ? renderValue(observed) : detail])
    .filter(([, text]) => text)
    .map(([form, text]) => `${form}: ${text}`)
    .join('\n')
  const forms = verdicts.map(({ form }) => form)
  const { section } = verdicts[0]!
  return {
    testId: id,
    name: id,
    status: verdicts.some(verdict => failsRun(report, verdict)) ? 'failed' : statuses[outcome],
    rawStatus: outcome,
    ...(outcome === 'flaky' ? { flaky: true } : {}),
    duration: Math.round(durationOf(verdicts)),
    suite: [title],
    type: 'conformance',
    tags: [level, ...forms],
    labels: { level, section, forms: forms.join(' ') },
    ...(message ? { message: showUnseen(message) } : {}),
    extra: {
      says: sentence,
      verdicts: verdicts.map(({ form, outcome, detail, observed, exchanges }) => ({
        form,
        outcome,
        detail,
        observed,
        exchanges: outcome === 'held' ? [] : exchanges,
      })),
    },
  }
}
