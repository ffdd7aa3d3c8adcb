import { describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import { renderGitHub } from './github.ts'
import type { Report, RuleReport } from './report.ts'

const hostile = hostileReport as Report
const lines = (report: Report) => renderGitHub(report).trimEnd().split('\n')
const broken = hostile.rules.find(({ outcome }) => outcome === 'broken')!
const reportOf = (rules: readonly RuleReport[]): Report => ({ ...hostile, rules, drift: [], cut: undefined, left: [] })

describe('the GitHub report', () => {
  it('writes one command for each finding, errors first', () => {
    const titles = lines(hostile).map(line => /^::(\w+) title=(.*?)::/.exec(line)?.slice(1).join(' '))
    expect(titles).toEqual([
      'error envelope/status-equals-http (cloud%2C holds)',
      'error member/role-is-admin-or-developer (cloud%2C must)',
      'error error/malformed-json (self-hosted%2C should)',
      'warning 1 rule in managed not judged',
      'warning drift%3A selfHosted path/unknown-path',
      'warning drift%3A selfHosted dashboard.list $.data[].name',
      'warning The run ended early',
      'warning Left behind in managed',
      expect.stringMatching(/^notice stack-parity%3A staging/),
      'notice backup/finished-not-before-started (cloud%2C known-broken)',
    ])
  })

  it('escapes the texts of a target, so that they start no workflow command and hold no control characters', () => {
    const text = renderGitHub(hostile)
    expect(text).toContain('::stop-commands::')
    for (const line of lines(hostile)) expect(line).toMatch(/^::(error|warning|notice) title=/)
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('names in the tenth error all further errors, which GitHub would drop', () => {
    const many = Array.from({ length: 13 }, (_, index) => ({ ...broken, id: `member/rule-${index}` }))
    const errors = lines(reportOf(many)).filter(line => line.startsWith('::error'))
    expect(errors).toHaveLength(10)
    expect(errors[9]).toContain('title=4 more::')
    expect(errors[9]).toContain('member/rule-12')
  })

  it('writes the verdict even without findings', () => {
    const held = reportOf(hostile.rules.filter(({ outcome, detail }) => outcome === 'held' && detail === ''))
    expect(lines(held)).toEqual([
      expect.stringMatching(/^::notice .*::Every must and should rule that applies holds\.$/),
    ])
  })
})
