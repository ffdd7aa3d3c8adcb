import { describe, expect, it } from 'vitest'
import { exitStatus } from './exit-status.ts'
import { reporters } from './index.ts'
import { type FailOn, type Report, type RuleReport, summarise } from './report.ts'
import { createPaint, renderTerminal } from './terminal.ts'

const verdict = (level: RuleReport['level'], outcome: RuleReport['outcome']): RuleReport => ({
  id: `member/${level}-${outcome}`,
  section: '2.2',
  level,
  says: `The ${level} rule.`,
  form: 'cloud',
  outcome,
  detail: outcome === 'broken' ? 'expected 1, got 2' : '',
  observed: null,
  exchanges: [],
})
/** A rule that holds, and a broken rule of each level. */
const rules = [
  verdict('must', 'held'),
  verdict('must', 'broken'),
  verdict('should', 'broken'),
  verdict('documented', 'broken'),
]
const reportOf = (failOn: FailOn, levels: readonly string[] = ['must', 'should', 'documented']): Report => {
  const selected = rules.filter(({ level, outcome }) => outcome === 'held' || levels.includes(level))
  return {
    tool: { name: 'stack-parity', version: '0' },
    target: { name: 'staging', forms: ['cloud'] },
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMs: 0,
    requests: 1,
    failOn,
    summary: summarise(selected, []),
    rules: selected,
    drift: [],
  }
}
const lastLine = (report: Report) => renderTerminal(report, createPaint(false)).trimEnd().split('\n').at(-1)!

describe.each([
  ['must', ['must']],
  ['should', ['must', 'should']],
  ['documented', ['must', 'should', 'documented']],
] as const)('a report that fails on %s', (failOn, failing) => {
  const report = reportOf(failOn)
  const ids = failing.map(level => `member/${level}-broken`)

  it('has exit status 1 only if a rule of a failing level is broken', () => {
    for (const level of ['must', 'should', 'documented'] as const)
      expect(exitStatus(reportOf(failOn, [level]))).toBe((failing as readonly string[]).includes(level) ? 1 : 0)
  })

  it('has failures in JUnit for the rules that fail the run, and skips the tolerated rules with their finding', () => {
    const text = reporters.junit(report)
    const failed = [...text.matchAll(/<testcase name="([^"]*)"[^>]*>\s*<failure/g)].map(([, id]) => id)
    expect(failed).toEqual(ids)
    expect(text).toContain(`failures="${ids.length}"`)
    expect([...text.matchAll(/<skipped type="broken" message="[^"]*expected 1, got 2"/g)]).toHaveLength(3 - ids.length)
  })

  it('has errors in SARIF and GitHub for the rules that fail the run, and notes and notices for the tolerated rules', () => {
    const { results } = JSON.parse(reporters.sarif(report)).runs[0]
    const isError = ({ level }: { level: string }) => level === 'error'
    expect(results).toHaveLength(3)
    expect(results.filter(isError).map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(ids)
    const commands = reporters.github(report).split('\n')
    expect(commands.filter(line => line.startsWith('::error'))).toHaveLength(ids.length)
    expect(commands.filter(line => /^::notice title=member.*does not fail/.test(line))).toHaveLength(3 - ids.length)
  })

  it('opens the rules that fail the run in HTML, and marks the tolerated rules', () => {
    const text = reporters.html(report)
    const open = [...text.matchAll(/<details class="rule [^"]*" id="([^"]*)"[^>]* open>/g)].map(([, id]) => id)
    expect(open).toEqual(ids)
    expect([...text.matchAll(/<details class="rule tolerated"/g)]).toHaveLength(3 - ids.length)
    expect(text.includes('broken, does not fail the run')).toBe(ids.length < 3)
  })

  it('has failed tests in CTRF for the rules that fail the run', () => {
    const { tests } = JSON.parse(reporters.ctrf(report)).results
    const failed = tests.filter(({ status }: { status: string }) => status === 'failed')
    expect(failed.map(({ testId }: { testId: string }) => testId)).toEqual(ids)
  })
})

it('the last line on the terminal counts the tolerated rules, and names the option to fail on them', () => {
  expect(lastLine(reportOf('should', ['documented']))).toMatch(
    / · green: 1 documented rule is broken; --fail-on documented fails on it$/,
  )
  expect(lastLine(reportOf('must', ['should', 'documented']))).toMatch(
    / · green: 1 should rule and 1 documented rule are broken; --fail-on documented fails on them$/,
  )
  expect(lastLine(reportOf('must', ['should']))).toContain('--fail-on should fails on it')
  expect(lastLine(reportOf('should'))).toMatch(
    /besides, 1 documented rule is broken; --fail-on documented fails on it$/,
  )
  expect(lastLine(reportOf('documented'))).toMatch(/1 requests in 0\.00 s$/)
})

it('the headline in Markdown counts the rules that fail the run, or else the tolerated rules', () => {
  expect(reporters.markdown(reportOf('should')).split('\n')[0]).toMatch(/: 1 must rule and 1 should rule are broken\.$/)
  expect(reporters.markdown(reportOf('should', ['documented'])).split('\n')[0]).toMatch(
    /: Every must and should rule that applies holds; 1 documented rule is broken; --fail-on documented fails on it\.$/,
  )
})
